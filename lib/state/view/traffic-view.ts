import { batch, effect, signal, untracked } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';
import { createFilterModel } from '../filter/filter-model.ts';
import type { FilterModel, FilterParts, FilterRules } from '../filter/filter-model.ts';
import { toRow } from './rows.ts';
import type { Row, RowSource } from './rows.ts';
import { compareSortKeys, sortKeyOf } from './sorting.ts';
import type { Sort } from './sorting.ts';
import { createArrangement } from './view-arrangement.ts';
import type { Arrangement } from './view-arrangement.ts';
import { createViewLog, factsOf } from './view-log.ts';
import type { ViewNode } from './view-node.ts';
import { runInSlices, WITHOUT_SLICES } from './view-slices.ts';
import type { SlicedWork, Slices } from './view-slices.ts';
import { createViewSettings, type ViewSettings } from './view-settings.ts';

/** The table's view of the items: which ones are shown, in which order, and their rows. */
export interface TrafficView extends Pick<ViewSettings, 'range' | 'sort' | 'isPaused'> {
  /** Number of rows shown. */
  count: ReadonlySignal<number>;
  /** Rows that Clear has taken out of sight. */
  hidden: ReadonlySignal<number>;
  /** Items that are not cleared, whatever the filter says. */
  total: ReadonlySignal<number>;
  /** Of those, how many the filter, the types or the range hide. */
  filteredOut: ReadonlySignal<number>;
  /** False while rows are still being looked through for a filter or an order; the newest are there first. */
  isSettled: ReadonlySignal<boolean>;
  filter: Omit<FilterModel, 'range' | 'rules'>;
  /** Items that came meanwhile. */
  waiting: ReadonlySignal<number>;
  itemAt(index: number): Item | undefined;
  /**
   * The row at an index; the same object as long as its item's revision stays. Who reads it in an effect or a
   * component is told of later changes.
   */
  rowAt(index: number): Row | undefined;
  /** Index of an item among the rows shown, or -1. */
  indexOf(item: Item): number;
  /** How deep a row stands in its group, 0 for a top row, at most 2. */
  depthAt(index: number): number;
  /** What an item belongs to, by ids, whether shown or not. */
  parentOf(item: Item): Item | undefined;
  childrenOf(item: Item): readonly Item[];
  /** How many of the rows shown stand under a row, or would if it were not folded. */
  rowsUnder(item: Item): number;
  isFolded(item: Item): boolean;
  toggleFold(item: Item): void;
  /** Makes a row visible: unfolds what it is in, and clears a filter that hides it. False if it is cleared away. */
  reveal(item: Item): boolean;
  /** Takes in new items and what a batch changed: items, and rows by their keys. To be called once per batch. */
  refresh(touched?: ReadonlySet<Item>, changedKeys?: ReadonlySet<string>): void;
  /** Hides all rows so far, or those up to a moment, in ms of wall time. Nothing is deleted. */
  clear(until?: number): void;
  /** Shows everything again that was cleared. */
  showAll(): void;
  /** Follows its settings no more. */
  close(): void;
}

export interface TrafficViewParts extends FilterParts {
  /** Those of another view, to follow the same. */
  settings?: ViewSettings;
  /** Wall time, ms. */
  now(): number;
  /** Without it, everything is done at once. */
  slices?: Slices | undefined;
}

/** How long the rows of an old filter may stay before those found so far take their place, ms. */
const FIRST_RESULT_MS = 40;
const MAX_DEPTH = 2;

/** Creates the view over an append-only list of items that is ordered by sequence and never copied. */
export function createTrafficView(
  source: RowSource & { items: readonly Item[] },
  parts: TrafficViewParts,
): TrafficView {
  const count = signal(0);
  const hidden = signal(0);
  const total = signal(0);
  const filteredOut = signal(0);
  const waiting = signal(0);
  const version = signal(0);
  const isSettled = signal(true);
  const settings = parts.settings ?? createViewSettings();
  const { isPaused, sort } = settings;
  const { range, rules: readRules, ...filter } = createFilterModel(source, settings, parts);
  const slices = parts.slices ?? WITHOUT_SLICES;
  const log = createViewLog(source);
  const { nodeOf } = log;

  let rules: FilterRules | undefined;
  let epoch = 0;
  let current = arrange(undefined);
  let shown = current;
  let sweep: SlicedWork | undefined;
  /** Rows up to this moment are hidden, also those that are still being loaded. Wall time, ms. */
  let clearedAt = 0;
  let cleared = 0;
  let connectionFacts = '';
  let late = new Set<Item>();
  let lateKeys = new Set<string>();

  function arrange(sortBy: Sort | undefined): Arrangement {
    epoch += 1;
    return createArrangement({
      epoch,
      isCleared: ({ ordinal }) => ordinal < cleared,
      matches: (node) => rules === undefined || rules.matches(node),
      sort: sortBy && {
        keyOf: (item) => sortKeyOf(item, sortBy.column, source),
        compare: (one, other) => compareSortKeys(one, other, sortBy),
      },
      nodeOf,
    });
  }

  function publish(): void {
    shown = current;
    batch(() => {
      count.value = shown.rows.size;
      hidden.value = cleared;
      total.value = log.nodes.length - cleared;
      filteredOut.value = shown.settled - shown.passing;
      waiting.value = isPaused.value ? source.items.length - log.nodes.length : 0;
      version.value += 1;
    });
  }

  /** Looks at everything anew, the newest first. */
  function rearrange(): void {
    sweep?.cancel();
    current = arrange(sort.value);
    const { nodes } = log;
    let next = nodes.length - 1;
    const needsText = rules?.needs.text === true;
    let isDone = false;
    let publishedAt = 0;
    sweep = runInSlices(
      slices,
      () => {
        const node = next < cleared ? undefined : nodes[next];
        if (node === undefined) return false;
        next -= 1;
        if (!needsText) node.text = undefined;
        current.settle(node);
        return true;
      },
      (sinceStartMs) => {
        isSettled.value = false;
        if (sinceStartMs - publishedAt < FIRST_RESULT_MS) return;
        publishedAt = sinceStartMs;
        publish();
      },
      () => {
        isDone = true;
        batch(() => {
          publish();
          isSettled.value = true;
        });
      },
    );
    if (isDone) sweep = undefined;
  }

  /** Gives nodes to new items; those that were cleared before they were loaded stay hidden. */
  function learn(): number {
    const from = log.learn();
    while ((log.nodes[cleared]?.item.started.wallTime ?? Infinity) <= clearedAt) cleared += 1;
    return from;
  }

  function take(touched: Iterable<Item>, changedKeys: Iterable<string>): void {
    const from = learn();
    for (let ordinal = Math.max(from, cleared); ordinal < log.nodes.length; ordinal += 1) {
      const node = log.nodes[ordinal];
      if (node !== undefined) current.settle(node);
    }
    for (const item of touched) {
      for (const { node, parent } of log.change(item)) current.regroup(node, parent);
      update(nodeOf(item), from);
    }
    if (rules?.needs.issues === true) {
      for (const key of changedKeys) update(log.nodeOfKey(key), from);
    }
    if (haveConnectionsChanged()) rearrange();
    // What is still looked through is shown when there is enough of it.
    else if (shown === current) publish();
  }

  function update(node: ViewNode | undefined, from: number): void {
    if (node !== undefined && node.ordinal < from && node.ordinal >= cleared) current.update(node);
  }

  /** What is known of a connection comes after the first items that belong to it. */
  function haveConnectionsChanged(): boolean {
    const column = sort.value?.column;
    const isSorted = column === 'connection' || column === 'era';
    if (!isSorted && rules?.needs.connections !== true) return false;
    const before = connectionFacts;
    connectionFacts = factsOf(source.connections);
    return connectionFacts !== before;
  }

  function takeLate(): void {
    const [touched, keys] = [late, lateKeys];
    late = new Set();
    lateKeys = new Set();
    take(touched, keys);
  }

  const stops = [
    effect(() => {
      rules = readRules();
      void sort.value;
      log.foldAuths(!filter.types.value.has('auth'));
      untracked(rearrange);
    }),
    effect(() => (isPaused.value ? undefined : untracked(takeLate))),
  ];

  return {
    count,
    hidden,
    total,
    filteredOut,
    isSettled,
    filter,
    range,
    sort,
    isPaused,
    waiting,
    itemAt: (index) => shown.rows.at(index)?.item,
    rowAt(index) {
      // Items change in place: this subscribes the reader to the batches that change them.
      if (version.value < 0) return undefined;
      const node = shown.rows.at(index);
      if (node === undefined) return undefined;
      const { row, item } = node;
      if (row !== undefined && (row.revision === item.revision || isPaused.value)) return row;
      return (node.row = toRow(item, source));
    },
    indexOf(item) {
      const node = nodeOf(item);
      return node === undefined ? -1 : shown.rows.indexOf(node);
    },
    depthAt(index) {
      const node = shown.rows.at(index);
      return node === undefined ? 0 : Math.min(shown.depthOf(node), MAX_DEPTH);
    },
    parentOf: (item) => nodeOf(item)?.parent?.item,
    childrenOf: (item) => nodeOf(item)?.children ?? [],
    rowsUnder: (item) => shown.rowsUnder(nodeOf(item)),
    isFolded: (item) => nodeOf(item)?.isFolded ?? false,
    toggleFold(item) {
      const node = nodeOf(item);
      if (node === undefined) return;
      current.setFolded(node, !node.isFolded);
      publish();
    },
    reveal(item) {
      if (nodeOf(item) === undefined) isPaused.value = false;
      const node = nodeOf(item);
      if (node === undefined || node.ordinal < cleared) return false;
      current.settle(node);
      if (!current.passes(node)) {
        filter.clear();
        current.settle(node);
      }
      for (let above = node.parent; above !== undefined; above = above.parent) {
        current.setFolded(above, false);
      }
      publish();
      return true;
    },
    refresh(touched = new Set(), changedKeys = new Set()) {
      if (!isPaused.peek()) return take(touched, changedKeys);
      for (const item of touched) late.add(item);
      for (const key of changedKeys) lateKeys.add(key);
      waiting.value = source.items.length - log.nodes.length;
    },
    clear(until) {
      clearedAt = until ?? parts.now();
      learn();
      if (until === undefined) cleared = log.nodes.length;
      rearrange();
    },
    showAll() {
      clearedAt = 0;
      cleared = 0;
      rearrange();
    },
    close() {
      sweep?.cancel();
      for (const stop of stops) stop();
    },
  };
}
