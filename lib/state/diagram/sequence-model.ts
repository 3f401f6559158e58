import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';
import { createTurns } from '../../turns.ts';
import { createSequenceDiagram } from './sequence-diagram.ts';
import type { SequenceDiagram } from './sequence-diagram.ts';
import type { SequenceSource } from './sequence-step.ts';

/** A diagram that is drawn in turns, and kept up to date. */
export interface SequenceModel {
  diagram: ReadonlySignal<SequenceDiagram>;
  /** Grows whenever the diagram changes, which it does in place. */
  version: ReadonlySignal<number>;
  /** Whether rows are still being taken in. */
  isBuilding: ReadonlySignal<boolean>;
  /** Begins anew with the rows that belong to it now. */
  build(belongs: (item: Item) => boolean): void;
  /** Takes note of rows that are new or have changed. */
  apply(changed: ReadonlySet<Item>): void;
  stop(): void;
}

/** Creates the model of a diagram over the rows of a log. */
export function createSequenceModel(
  source: SequenceSource & { items: readonly Item[] },
): SequenceModel {
  const diagram = signal(createSequenceDiagram(source));
  const version = signal(0);
  const isBuilding = signal(false);
  let belongs: (item: Item) => boolean = () => false;
  let builds = 0;
  /** Rows up to here are in it; those behind come anyway. */
  let next = 0;

  async function fill(build: number): Promise<void> {
    const turns = createTurns();
    while (build === builds && next < source.items.length) {
      const item = source.items[next];
      next += 1;
      if (item !== undefined && belongs(item)) diagram.value.take(item);
      if (!turns.isOver) continue;
      version.value += 1;
      await turns.next();
    }
    if (build !== builds) return;
    isBuilding.value = false;
    version.value += 1;
  }

  return {
    diagram,
    version,
    isBuilding,
    build(wanted) {
      builds += 1;
      next = 0;
      belongs = wanted;
      diagram.value = createSequenceDiagram(source);
      isBuilding.value = true;
      // Never rejects: there is nothing in it that could.
      void fill(builds);
    },
    apply(changed) {
      const seen = source.items[next - 1]?.sequence ?? 0;
      for (const item of changed) {
        if (item.sequence <= seen && belongs(item)) diagram.value.take(item);
      }
      if (isBuilding.value) return;
      isBuilding.value = true;
      void fill(builds);
    },
    stop() {
      builds += 1;
    },
  };
}
