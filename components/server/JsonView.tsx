import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { scanOutline } from '../../lib/json/outline-scan.ts';
import { stringAt } from '../../lib/json/path.ts';
import { JsonTree } from '../json/JsonTree.tsx';
import { useLongWork } from '../json/use-long-work.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';

/** JSON as a tree, or to the letter. */
export function JsonView({ label, text }: { label: string; text: string }) {
  const scan = useLongWork(() => scanOutline(text), [text]);
  const expanded = useSignal<ReadonlySet<number> | undefined>(undefined);
  const isRaw = useSignal(false);
  const shown = useSignal<number | undefined>(undefined);
  const shownText = useMemo(
    () => (shown.value === undefined ? undefined : stringAt(scan, shown.value)),
    [scan, shown.value],
  );
  return (
    <div class="json-view">
      <div class="json-view-bar">
        <span role="group" aria-label={`View of the ${label.toLowerCase()}`}>
          {([false, true] as const).map((raw) => (
            <button
              key={String(raw)}
              type="button"
              aria-pressed={isRaw.value === raw}
              onClick={() => (isRaw.value = raw)}
            >
              {raw ? 'Raw' : 'Tree'}
            </button>
          ))}
        </span>
        <CopyButton text={() => text} title={`Copy the ${label.toLowerCase()} exactly as it is`} />
      </div>
      {isRaw.value ? (
        <pre class="server-text" aria-label={`${label}, raw`}>
          <VisibleText text={text} />
        </pre>
      ) : (
        <div class="json-view-tree">
          <JsonTree
            label={`${label} as a tree`}
            scan={scan}
            expanded={expanded}
            place={undefined}
            onShowText={(node) => (shown.value = node)}
          />
        </div>
      )}
      {shownText !== undefined && (
        <div class="json-view-text">
          <button type="button" class="link" onClick={() => (shown.value = undefined)}>
            Close the text
          </button>
          <pre class="server-text">
            <VisibleText text={shownText} />
          </pre>
        </div>
      )}
    </div>
  );
}
