import type { TimeWindow } from './waterfall-draw.ts';

/** One end of a brushed range. */
export type Handle = 'from' | 'to';

/** Shorter is a click, or a hand that shook: ms are no measure for it, so a share of the strip is. */
const LEAST_SHARE = 0.004;
const STEP_SHARE = 0.01;
const PAGE_SHARE = 0.1;

/** The range between two places on the strip, from 0 to 1; undefined where they are too close to be meant. */
export function rangeBetween(
  extent: TimeWindow,
  one: number,
  other: number,
): TimeWindow | undefined {
  const [start, end] = [clampShare(Math.min(one, other)), clampShare(Math.max(one, other))];
  if (end - start < LEAST_SHARE) return undefined;
  return { from: timeAt(extent, start), to: timeAt(extent, end) };
}

/** A range with one end moved to a place from 0 to 1; it stays on its side of the other end. */
export function moveHandle(
  extent: TimeWindow,
  range: TimeWindow | undefined,
  handle: Handle,
  share: number,
): TimeWindow | undefined {
  const { from, to } = range ?? extent;
  const time = timeAt(extent, clampShare(share));
  const next =
    handle === 'from' ? { from: Math.min(time, to), to } : { from, to: Math.max(time, from) };
  return isWhole(extent, next) ? undefined : next;
}

/** A range moved as it is by a share of the strip, and kept within it. */
export function shiftRange(extent: TimeWindow, range: TimeWindow, share: number): TimeWindow {
  const wished = (extent.to - extent.from) * share;
  const by = Math.min(Math.max(wished, extent.from - range.from), extent.to - range.to);
  return { from: range.from + by, to: range.to + by };
}

/** Where a time is on the strip, from 0 to 1. */
export function shareAt({ from, to }: TimeWindow, time: number): number {
  return to > from ? clampShare((time - from) / (to - from)) : 0;
}

/** What a key does to one end of the range; undefined for keys without a meaning. */
export function shareForKey(key: string, share: number): number | undefined {
  const targets: Record<string, number> = {
    ArrowLeft: share - STEP_SHARE,
    ArrowDown: share - STEP_SHARE,
    ArrowRight: share + STEP_SHARE,
    ArrowUp: share + STEP_SHARE,
    PageDown: share - PAGE_SHARE,
    PageUp: share + PAGE_SHARE,
    Home: 0,
    End: 1,
  };
  return targets[key];
}

function timeAt({ from, to }: TimeWindow, share: number): number {
  return from + (to - from) * share;
}

function isWhole(extent: TimeWindow, { from, to }: TimeWindow): boolean {
  return from <= extent.from && to >= extent.to;
}

function clampShare(share: number): number {
  return Math.min(Math.max(share, 0), 1);
}
