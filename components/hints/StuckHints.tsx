import { useComputed } from '@preact/signals';
import type { Item } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { findEvidence } from '../../lib/state/view/evidence.ts';
import type { Hint } from '../../lib/state/hints/hint-case.ts';
import { findHints } from '../../lib/state/hints/hints.ts';
import { isPending } from '../../lib/state/view/item-status.ts';
import { CodeWords } from '../json/CodeWords.tsx';
import './StuckHints.css';

interface StuckHintsProps {
  item: Item;
  /** Grows with the item, which changes in place. */
  revision: number;
  model: AppModel;
}

/** Why a row that waits may hang. The clock runs for it only while something is pending. */
export function StuckHints({ item, model }: StuckHintsProps) {
  return isPending(item, model.correlation) ? <Waiting item={item} model={model} /> : null;
}

function Waiting({ item, model }: Omit<StuckHintsProps, 'revision'>) {
  const second = useComputed(() => Math.floor(model.clock.now.value / 1000));
  const hints = findHints(item, model.correlation, second.value * 1000);
  return (
    <div role="status" aria-label="Why it may hang" class="hints">
      {hints.map((hint) => (
        <p key={hint.kind} class="hint">
          <span aria-hidden="true" class="hint-sign">
            ▲
          </span>
          <span>
            <strong>
              <CodeWords text={hint.text} />
            </strong>{' '}
            <CodeWords text={hint.advice} /> <Evidence hint={hint} model={model} />
          </span>
        </p>
      ))}
    </div>
  );
}

function Evidence({ hint, model }: { hint: Hint; model: AppModel }) {
  const place = hint.evidence && findEvidence(hint.evidence, model.correlation);
  if (place === undefined) return null;
  const { item, tab, eventSequence, label } = place;
  return (
    <button
      type="button"
      class="link"
      onClick={() => {
        model.traffic.reveal(item);
        model.selection.openAt(item, tab, eventSequence);
      }}
    >
      Show: {label}
    </button>
  );
}
