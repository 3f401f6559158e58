import { useState } from 'preact/hooks';
import type { Header } from '../../lib/capture/store/stored-text.ts';
import { copyText } from '../ui/copy-text.ts';
import { Icon } from '../ui/Icon.tsx';

/** Copies the value of one header; shown where the pointer or the focus is. */
export function HeaderCopy({ header: { name, value, cuts } }: { header: Header }) {
  const [said, setSaid] = useState('');
  function copy(): void {
    // Never rejects: a refusal is its answer.
    void copyText(value).then((worked) => setSaid(worked ? 'Copied' : 'Copying was refused'));
  }
  return (
    <button
      type="button"
      class="header-copy"
      aria-label={`Copy ${name}`}
      title={`Copy the value${cuts === undefined ? '' : '; secrets stay masked'}`}
      onClick={copy}
      onPointerLeave={() => setSaid('')}
      onBlur={() => setSaid('')}
    >
      <Icon name="copy" />
      <span aria-live="polite">{said}</span>
    </button>
  );
}
