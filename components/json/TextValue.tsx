import { useMemo } from 'preact/hooks';
import { stringAt, toJsonPath, type Outlined } from '../../lib/json/path.ts';
import type { Secrets } from '../../lib/state/detail/secrets.ts';
import { formatCount } from '../../lib/text.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Icon } from '../ui/Icon.tsx';
import { RawText } from './RawText.tsx';

interface TextValueProps {
  json: Outlined;
  node: number;
  secrets: Secrets;
  onClose: () => void;
}

/** A string of a message as the text that it stands for: escapes resolved, lines as lines, never as HTML. */
export function TextValue({ json, node, secrets, onClose }: TextValueProps) {
  const path = useMemo(() => toJsonPath(json, node), [json, node]);
  const text = useMemo(() => stringAt(json, node) ?? '', [json, node]);
  return (
    <section class="text-value" aria-label={`Text at ${path}`}>
      <div class="message-head">
        <code class="text-path" title={path}>
          {path}
        </code>
        <span class="dim">{formatCount(text.length, 'character')}</span>
        <CopyButton text={() => text} title="Copy this text" />
        <button type="button" aria-label="Close the text" title="Close the text" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <RawText key={node} label={`Text at ${path}`} text={text} secrets={secrets} />
    </section>
  );
}
