import { useEffect, useState } from 'preact/hooks';
import { copyText } from './copy-text.ts';
import { Icon } from './Icon.tsx';

interface CopyButtonProps {
  /** Made only when asked for: it may be megabytes. */
  text: () => string | Promise<string>;
  /** What is copied, for the tooltip. */
  title: string;
  /** What the button says, where more than one thing can be copied. */
  name?: string;
}

const SAID_FOR_MS = 1500;

/** Copies a text exactly and says whether that worked. */
export function CopyButton({ text, title, name = 'Copy' }: CopyButtonProps) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => setSaid(''), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [said]);

  function copy(): void {
    const made = text();
    const copying = typeof made === 'string' ? copyText(made) : made.then(copyText);
    // Never rejects: a refusal is its answer.
    void copying.then((worked) => setSaid(worked ? 'Copied' : 'Copying was refused'));
  }

  return (
    <button type="button" title={title} onClick={copy}>
      <Icon name="copy" />
      <span aria-live="polite">{said === '' ? name : said}</span>
    </button>
  );
}
