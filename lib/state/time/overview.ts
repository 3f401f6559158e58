import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';
import type { WireEvent } from '../../capture/wire-event.ts';
import { isPending, toLevel } from '../view/item-status.ts';
import type { StatusSource } from '../view/item-status.ts';
import type { TimeWindow } from './waterfall-draw.ts';
import type { TimeScale } from './waterfall-time.ts';

/** How many bins there are at most; a power of two. */
export const BIN_LIMIT = 256;
const FIRST_BIN_MS = 8;

/** What began in one stretch of time. */
export interface Bin {
  outgoing: number;
  incoming: number;
  errors: number;
}

/** Density of a capture over its time: all that the strip above the table draws. */
export interface Density {
  /** From the first row to the last event, wall time in ms. */
  extent: TimeWindow;
  /** Each `binMs` long, from the beginning of the extent on; the last one may be half full. */
  bins: readonly Readonly<Bin>[];
  binMs: number;
}

/** The density, kept up to date. */
export interface Overview {
  /** Undefined while there is nothing. The bins change in place: it is a new object after each `refresh`. */
  density: ReadonlySignal<Density | undefined>;
  /** Something is under way that will be over: a call, not a stream that stays open. */
  isRunning: ReadonlySignal<boolean>;
  /** Takes the events of a batch and the items that they touched; looks at nothing else. */
  apply(events: readonly WireEvent[], touched: ReadonlySet<Item>): void;
  /** Shows what has come; `hidden` is the number of items that Clear has taken out of sight. */
  refresh(hidden: number): void;
}

/** Creates the overview of an append-only list of items. */
export function createOverview(
  source: StatusSource & { items: readonly Item[] },
  scale: TimeScale,
): Overview {
  const density = signal<Density | undefined>(undefined);
  const isRunning = signal(false);
  const running = new Set<Item>();
  let bins: Bin[] = [];
  let binMs = FIRST_BIN_MS;
  let from: number | undefined;
  let to = 0;
  let lastEvent = 0;
  /** Items before this index have been counted, or are hidden. */
  let counted = 0;
  let hiddenBefore = 0;
  /** Rows that are counted as errors, with the time at which. */
  let failed = new WeakMap<Item, number>();
  let changed = new Set<Item>();

  function binAt(time: number): Bin {
    const start = (from ??= time);
    while (time - start >= binMs * BIN_LIMIT) halve();
    const index = Math.max(0, Math.floor((time - start) / binMs));
    while (bins.length <= index) bins.push({ outgoing: 0, incoming: 0, errors: 0 });
    // It has just been made, if it was not there.
    return bins[index] ?? { outgoing: 0, incoming: 0, errors: 0 };
  }

  /** Twice the time, half the bins. */
  function halve(): void {
    binMs *= 2;
    const merged: Bin[] = [];
    for (const [index, bin] of bins.entries()) {
      const into = merged[index >> 1];
      if (into === undefined) merged.push(bin);
      else {
        into.outgoing += bin.outgoing;
        into.incoming += bin.incoming;
        into.errors += bin.errors;
      }
    }
    bins = merged;
  }

  function count(item: Item): void {
    const time = scale.at(item.started);
    const bin = binAt(time);
    to = Math.max(to, time);
    if (item.kind === 'lifecycle') return;
    if (isIncoming(item)) bin.incoming += 1;
    else bin.outgoing += 1;
  }

  /** A row may fail long after it began, and a failed one may go on after all. */
  function judge(item: Item): void {
    const isError = toLevel(item, source) === 'error';
    const before = failed.get(item);
    if (isError === (before !== undefined)) return;
    const time = before ?? scale.at(item.ended ?? item.started);
    binAt(time).errors += isError ? 1 : -1;
    if (isError) failed.set(item, time);
    else failed.delete(item);
    to = Math.max(to, time);
  }

  function watch(item: Item): void {
    const isCall = item.kind === 'request' || item.kind === 'http';
    const goesOn = isCall && isPending(item, source) && !source.subscriptions.has(item.key);
    if (goesOn) running.add(item);
    else running.delete(item);
  }

  function restart(hidden: number): void {
    hiddenBefore = hidden;
    counted = hidden;
    bins = [];
    binMs = FIRST_BIN_MS;
    from = undefined;
    to = 0;
    failed = new WeakMap();
    changed = new Set(source.items.slice(hidden));
  }

  return {
    density,
    isRunning,
    apply(events, touched) {
      const last = events.at(-1);
      if (last !== undefined) lastEvent = Math.max(lastEvent, scale.at(last));
      for (const item of touched) {
        changed.add(item);
        watch(item);
      }
    },
    refresh(hidden) {
      if (hidden !== hiddenBefore) restart(hidden);
      isRunning.value = running.size > 0;
      for (; counted < source.items.length; counted += 1) {
        const item = source.items[counted];
        if (item !== undefined) count(item);
      }
      const first = source.items[hidden];
      if (first === undefined || from === undefined) {
        changed.clear();
        density.value = undefined;
        return;
      }
      for (const item of changed) if (item.sequence >= first.sequence) judge(item);
      changed.clear();
      to = Math.max(to, lastEvent);
      density.value = { extent: { from, to }, bins, binMs };
    },
  };
}

function isIncoming(item: Item): boolean {
  return 'direction' in item && item.direction === 'incoming';
}
