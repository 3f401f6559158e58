import type { Item } from '../../capture/correlate/items.ts';
import { indexFromSequence } from '../view/by-sequence.ts';
import { CLIENT, describeLifeline } from './sequence-lifelines.ts';
import type { Lifeline } from './sequence-lifelines.ts';
import { toSequenceSteps } from './sequence-steps.ts';
import type { SequenceSource, SequenceStep } from './sequence-step.ts';

/** Who talks to whom, in order of time. */
export interface SequenceDiagram {
  /** In order of `sequence`. */
  readonly steps: readonly SequenceStep[];
  /** The client first, then the others in the order in which they come up. */
  lifelines(): Lifeline[];
  /** Takes a row in, or again as it stands now. */
  take(item: Item): void;
}

/** An empty diagram. Rows may come in any order, and again when they have changed. */
export function createSequenceDiagram(source: SequenceSource): SequenceDiagram {
  const steps: SequenceStep[] = [];
  /** How many steps there are between others and each lifeline. */
  const lines = new Map<string, number>([[CLIENT, 1]]);
  const byItem = new Map<Item, readonly SequenceStep[]>();

  function indexOf(step: SequenceStep): number {
    let index = indexFromSequence(steps, step.sequence);
    while (index < steps.length && steps[index] !== step) index += 1;
    return index;
  }

  function count(step: SequenceStep, by: 1 | -1): void {
    for (const line of new Set([step.from, step.to])) lines.set(line, (lines.get(line) ?? 0) + by);
  }

  function insert(step: SequenceStep): void {
    count(step, 1);
    // Nearly always the end; what shares its sequence stays before it.
    steps.splice(indexFromSequence(steps, step.sequence + 1), 0, step);
  }

  function remove(step: SequenceStep): void {
    count(step, -1);
    steps.splice(indexOf(step), 1);
  }

  return {
    steps,
    lifelines: () =>
      [...lines]
        .filter(([, uses]) => uses > 0)
        .map(([id]) => describeLifeline(id, source.connections)),
    take(item) {
      const before = byItem.get(item) ?? [];
      const now = toSequenceSteps(item, source);
      byItem.set(item, now);
      for (const [at, step] of now.entries()) {
        const old = before[at];
        if (old === undefined) insert(step);
        else if (old.sequence === step.sequence) {
          count(old, -1);
          count(step, 1);
          steps[indexOf(old)] = step;
        } else {
          remove(old);
          insert(step);
        }
      }
      for (const old of before.slice(now.length)) remove(old);
    },
  };
}
