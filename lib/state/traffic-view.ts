import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Item } from '../capture/items.ts';
import { indexFromSequence } from './by-sequence.ts';
import { toRow } from './rows.ts';
import type { Row, RowSource } from './rows.ts';

/** The table's view of the items: which ones are shown, and their rows. */
export interface TrafficView {
  /** Number of rows shown. */
  count: ReadonlySignal<number>;
  /** Rows that Clear has taken out of sight. */
  hidden: ReadonlySignal<number>;
  itemAt(index: number): Item | undefined;
  /**
   * The row at an index; the same object as long as its item's revision stays. Who reads it in an effect or a
   * component is told of later changes.
   */
  rowAt(index: number): Row | undefined;
  /** Index of an item among the rows shown, or -1. */
  indexOf(item: Item): number;
  /** Looks at the items again; to be called once per batch. */
  refresh(): void;
  /** Hides all rows so far. Nothing is deleted. */
  clear(): void;
  /** Shows everything again. */
  showAll(): void;
}

/** Creates the view over an append-only list of items that is ordered by sequence and never copied. */
export function createTrafficView(
  source: RowSource & { items: readonly Item[] },
  now: () => number,
): TrafficView {
  const count = signal(0);
  const hidden = signal(0);
  const version = signal(0);
  const rows = new WeakMap<Item, Row>();

  /** Rows up to this moment are hidden, also those that are still being loaded. Wall time, ms. */
  let clearedAt = 0;

  function refresh(): void {
    let first = hidden.value;
    while ((source.items[first]?.started.wallTime ?? Infinity) <= clearedAt) first += 1;
    hidden.value = first;
    count.value = source.items.length - hidden.value;
    version.value += 1;
  }

  function itemAt(index: number): Item | undefined {
    return index < 0 ? undefined : source.items[hidden.value + index];
  }

  return {
    count,
    hidden,
    refresh,
    itemAt,
    rowAt(index) {
      // Items change in place: this subscribes the reader to the batches that change them.
      if (version.value < 0) return undefined;
      const item = itemAt(index);
      if (item === undefined) return undefined;
      const cached = rows.get(item);
      if (cached?.revision === item.revision) return cached;
      const row = toRow(item, source);
      rows.set(item, row);
      return row;
    },
    indexOf(item) {
      // One event may make several items: they share a sequence and stand side by side.
      let index = indexFromSequence(source.items, item.sequence);
      while (source.items[index]?.sequence === item.sequence && source.items[index] !== item) {
        index += 1;
      }
      return source.items[index] === item && index >= hidden.value ? index - hidden.value : -1;
    },
    clear() {
      clearedAt = now();
      hidden.value = source.items.length;
      refresh();
    },
    showAll() {
      clearedAt = 0;
      hidden.value = 0;
      refresh();
    },
  };
}
