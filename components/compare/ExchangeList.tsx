import { useId } from 'preact/hooks';
import type { CompareModel, ExchangePair } from '../../lib/state/captures/compare-model.ts';
import { VirtualRows } from '../ui/VirtualRows.tsx';

const ROW_HEIGHT = 21;
const PAGE = 10;

/** All pairs of exchanges; the arrow keys go from one to the next. */
export function ExchangeList({ model }: { model: CompareModel }) {
  const id = useId();
  const pairs = model.shown.value;
  const selected = model.selected.value;
  const at = selected === undefined ? -1 : pairs.indexOf(selected);

  function moveTo(index: number): void {
    model.selected.value = pairs[Math.min(Math.max(index, 0), pairs.length - 1)];
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const targets: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + PAGE,
      PageUp: at - PAGE,
      Home: 0,
      End: pairs.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    moveTo(target);
  }

  return (
    <VirtualRows
      class="compare-list"
      role="listbox"
      aria-label="Exchanges"
      aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      count={pairs.length}
      rowHeight={ROW_HEIGHT}
      active={at}
      bodyRole="presentation"
      row={(index, top) => {
        const pair = pairs[index];
        return (
          pair && (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the keys and the focus
            <div
              key={pair.key}
              id={`${id}-${index}`}
              role="option"
              class={`compare-row is-${kindOf(pair, model)}`}
              style={{ top: `${top}px` }}
              aria-selected={index === at}
              onClick={() => (model.selected.value = pair)}
            >
              <PairLine pair={pair} model={model} />
            </div>
          )
        );
      }}
    />
  );
}

const SIGNS = {
  same: ['=', 'same'],
  changed: ['≠', 'changed'],
  removed: ['−', 'only in the first'],
  added: ['+', 'only in the second'],
} as const;

function kindOf(pair: ExchangePair, model: CompareModel): keyof typeof SIGNS {
  if (pair.after === undefined) return 'removed';
  if (pair.before === undefined) return 'added';
  return model.differsIn(pair).length > 0 ? 'changed' : 'same';
}

function PairLine({ pair, model }: { pair: ExchangePair; model: CompareModel }) {
  const [sign, word] = SIGNS[kindOf(pair, model)];
  const { before, after } = pair.rows;
  const { glyph, name, target } = before ?? after ?? { glyph: '', name: '', target: '' };
  const differs = model.differsIn(pair);
  return (
    <>
      <span class="compare-sign" aria-hidden="true">
        {sign}
      </span>
      <span class="visually-hidden">{word} </span>
      <span class="compare-name" title={`${name} ${target}`}>
        <span aria-hidden="true">{glyph} </span>
        {name} <strong>{target}</strong>
      </span>
      <span class="compare-differs">{differs.join(', ')}</span>
      <span class="dim compare-status">{inBoth(before?.status, after?.status)}</span>
      <span class="dim compare-time">{inBoth(before?.duration, after?.duration)}</span>
    </>
  );
}

/** `200`, or where the two differ `200 → 500`. */
function inBoth(before: string | undefined, after: string | undefined): string {
  if (before === undefined || after === undefined) return before ?? after ?? '';
  return before === after ? before : `${before} → ${after}`;
}
