import { batch, computed, effect, signal, untracked } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { Item } from '../../capture/correlate/items.ts';
import { indexFromSequence } from './by-sequence.ts';
import type { FeedStatus } from '../../port/feed.ts';
import type { Selection } from './selection.ts';
import { createTrafficView } from './traffic-view.ts';
import type { TrafficView, TrafficViewParts } from './traffic-view.ts';

/** The rows of a log of which the end can be shown by itself until all of it has been read. */
export interface PreviewedView {
  traffic: TrafficView;
  /** The log behind the rows that are shown. */
  log: ReadonlySignal<Correlation>;
  /** How many rows have come in above those that were there, when all of the log took their place. */
  rowsAbove: ReadonlySignal<number>;
  /** Shows the end of the log, whose items are others than those of the whole, but have the same keys. */
  show(end: Correlation): void;
  isPreview(): boolean;
  /** Shows the whole log from now on. */
  showWhole(): void;
  /** The item of the whole log that is the same as one of its end. */
  sameItem(item: Item): Item | undefined;
}

/** Creates the view over the whole log. */
export function createPreviewedView(whole: Correlation, parts: TrafficViewParts): PreviewedView {
  const main = createTrafficView(whole, parts);
  const { filter, range, sort, isPaused } = main;
  const shown = signal({ view: main, log: whole });
  const rowsAbove = signal(0);
  const view = () => shown.peek().view;

  function sameItem({ sequence, key }: Item): Item | undefined {
    let index = indexFromSequence(whole.items, sequence);
    while (whole.items[index]?.sequence === sequence && whole.items[index]?.key !== key) index += 1;
    return whole.items[index]?.key === key ? whole.items[index] : undefined;
  }

  /** By how much the newest rows move down. */
  function countRowsAbove(end: TrafficView): number {
    for (let index = end.count.peek() - 1; index >= 0; index -= 1) {
      const item = end.itemAt(index);
      const same = item && sameItem(item);
      const now = same === undefined ? -1 : main.indexOf(same);
      if (now >= 0) return now - index;
    }
    return 0;
  }

  function showWhole(): void {
    const end = view();
    if (end === main) return;
    batch(() => {
      rowsAbove.value += countRowsAbove(end);
      shown.value = { view: main, log: whole };
    });
    end.close();
  }

  const traffic: TrafficView = {
    count: computed(() => shown.value.view.count.value),
    hidden: computed(() => shown.value.view.hidden.value),
    total: computed(() => shown.value.view.total.value),
    filteredOut: computed(() => shown.value.view.filteredOut.value),
    isSettled: computed(() => shown.value.view.isSettled.value),
    waiting: computed(() => shown.value.view.waiting.value),
    filter,
    range,
    sort,
    isPaused,
    itemAt: (index) => view().itemAt(index),
    rowAt: (index) => shown.value.view.rowAt(index),
    indexOf: (item) => view().indexOf(item),
    depthAt: (index) => view().depthAt(index),
    parentOf: (item) => view().parentOf(item),
    childrenOf: (item) => view().childrenOf(item),
    rowsUnder: (item) => view().rowsUnder(item),
    isFolded: (item) => view().isFolded(item),
    toggleFold: (item) => view().toggleFold(item),
    reveal(item) {
      if (view().reveal(item)) return true;
      showWhole();
      return main.reveal(item);
    },
    refresh: (touched, changedKeys) => main.refresh(touched, changedKeys),
    clear(until) {
      if (view() !== main) view().clear(until);
      main.clear(until);
    },
    showAll() {
      if (view() !== main) view().showAll();
      main.showAll();
    },
    close() {
      if (view() !== main) view().close();
      main.close();
    },
  };

  return {
    traffic,
    log: computed(() => shown.value.log),
    rowsAbove,
    sameItem,
    isPreview: () => view() !== main,
    showWhole,
    show(end) {
      const settings = { ...filter, range, sort, isPaused: signal(false) };
      const of = createTrafficView(end, { ...parts, settings });
      of.refresh();
      // Nothing is gained by rows that stand for nothing.
      if (of.total.peek() === 0) return of.close();
      shown.value = { view: of, log: end };
    },
  };
}

/** Shows the whole log as soon as it has been read; `draw` takes in what of it has not been taken in yet. */
export function showWholeWhenRead(
  view: PreviewedView,
  parts: { feed: ReadonlySignal<FeedStatus>; selection: Selection; draw(): void },
): void {
  const { feed, selection, draw } = parts;
  effect(() => {
    if (feed.value.kind === 'loading' || view.traffic.isPaused.value) return;
    if (!view.isPreview()) return;
    untracked(() =>
      batch(() => {
        draw();
        view.showWhole();
        const selected = selection.item.value;
        if (selected !== undefined) selection.select(view.sameItem(selected));
      }),
    );
  });
}
