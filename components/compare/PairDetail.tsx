import { useRef } from 'preact/hooks';
import type { ExchangeDiff } from '../../lib/state/captures/compare-exchange.ts';
import type { CompareModel, ExchangePair } from '../../lib/state/captures/compare-model.ts';
import { ExchangeTexts } from './ExchangeTexts.tsx';
import { stepToDifference } from './step-to-difference.ts';

interface DetailProps {
  pair: ExchangePair;
  diff: ExchangeDiff;
  model: CompareModel;
  onOpen: (captureId: string, row: string) => void;
}

/** What differs between two exchanges, part by part. */
export function PairDetail({ pair, diff, model, onOpen }: DetailProps) {
  const pane = useRef<HTMLDivElement>(null);
  const { before, after } = pair.rows;
  const onlyDifferences = model.onlyDifferences.value;
  const isLenient = model.isLenient.value;
  const name = `${(before ?? after)?.name ?? ''} ${(before ?? after)?.target ?? ''}`.trim();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys move within it
    <div
      class="compare-detail"
      role="region"
      aria-label={`Comparison of ${name}`}
      ref={pane}
      onKeyDown={(event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        if (event.key !== 'n' && event.key !== 'p') return;
        event.preventDefault();
        stepToDifference(pane.current, event.key === 'n' ? 1 : -1);
      }}
    >
      <div class="compare-detail-bar">
        <button
          type="button"
          title="Next difference (N)"
          onClick={() => stepToDifference(pane.current, 1)}
        >
          <span aria-hidden="true">↓ </span>Next
        </button>
        <button
          type="button"
          title="Previous difference (P)"
          onClick={() => stepToDifference(pane.current, -1)}
        >
          <span aria-hidden="true">↑ </span>Previous
        </button>
        {pair.before && (
          <OpenSide
            side="first"
            onClick={() => onOpen(model.before.captureId, pair.before?.item.key ?? '')}
          />
        )}
        {pair.after && (
          <OpenSide
            side="second"
            onClick={() => onOpen(model.after.captureId, pair.after?.item.key ?? '')}
          />
        )}
      </div>
      <table class="compare-facts" aria-label="Status and timing">
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">What</span>
            </th>
            <th scope="col">First</th>
            <th scope="col">Second</th>
          </tr>
        </thead>
        <tbody>
          <FactRow name="Status" before={before?.status} after={after?.status} isStop />
          <FactRow name="Duration" before={before?.duration} after={after?.duration} />
          <FactRow name="Size" before={before?.size} after={after?.size} />
          <FactRow name="Began" before={before?.time} after={after?.time} />
        </tbody>
      </table>
      <ExchangeTexts diff={diff} onlyDifferences={onlyDifferences} isLenient={isLenient} />
    </div>
  );
}

function OpenSide({ side, onClick }: { side: 'first' | 'second'; onClick: () => void }) {
  return (
    <button type="button" class="link" onClick={onClick}>
      Open in the {side}
    </button>
  );
}

interface FactProps {
  name: string;
  before: string | undefined;
  after: string | undefined;
  /** Whether a difference in it is one to stop at. */
  isStop?: boolean;
}

function FactRow({ name, before, after, isStop = false }: FactProps) {
  const isHit = isStop && before !== after && before !== undefined && after !== undefined;
  return (
    <tr data-hit={isHit ? '' : undefined} tabIndex={isHit ? -1 : undefined}>
      <th scope="row">{name}</th>
      <td>{before ?? '–'}</td>
      <td class={isHit ? 'compare-changed' : undefined}>{after ?? '–'}</td>
    </tr>
  );
}
