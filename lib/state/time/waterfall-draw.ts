import type { Moment } from '../../capture/correlate/items.ts';
import type { Stretch, StretchKind, Waterfall } from './waterfall.ts';
import type { TimeScale } from './waterfall-time.ts';

/** A span of time, wall time in ms. */
export interface TimeWindow {
  from: number;
  to: number;
}

/** A piece of a drawn waterfall in whole px, `to` excluded. */
export interface Segment {
  kind: StretchKind | 'tick';
  from: number;
  to: number;
}

/** Width of a tick, and the least of a stretch, in px. */
const TICK = 2;

const KINDS: readonly Segment['kind'][] = ['queued', 'waiting', 'open', 'user', 'tick'];

/**
 * A waterfall as it looks in a window of time on `width` px: pieces that do not overlap within a kind, in order.
 * Ticks that fall on one another are one, so there are never more pieces than px, however long a stream is.
 */
export function drawWaterfall(
  { stretches, ticks }: Waterfall,
  scale: TimeScale,
  window: TimeWindow,
  width: number,
): Segment[] {
  const span = window.to - window.from;
  if (!(span > 0) || width < 1) return [];
  const toPx = (time: number) => ((time - window.from) / span) * width;
  const segments: Segment[] = [];
  for (const stretch of stretches) addStretch(segments, stretch, toPx, width);
  for (const list of ticks) addTicks(segments, list, (moment) => toPx(scale.at(moment)), width);
  return KINDS.flatMap((kind) => joined(segments.filter((segment) => segment.kind === kind)));
}

function addStretch(
  segments: Segment[],
  { kind, from, to }: Stretch,
  toPx: (time: number) => number,
  width: number,
): void {
  const start = Math.max(0, Math.floor(toPx(from)));
  const end = Math.min(width, Math.max(Math.round(toPx(to)), start + 1));
  if (end > start && toPx(to) >= 0) segments.push({ kind, from: start, to: end });
}

/** One mark for all that falls on the same px: the next one is searched for, not walked to. */
function addTicks(
  segments: Segment[],
  list: readonly Moment[],
  placeOf: (moment: Moment) => number,
  width: number,
): void {
  const firstFrom = (px: number, start: number) => {
    let low = start;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const moment = list[middle];
      if (moment !== undefined && placeOf(moment) < px) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  for (let index = firstFrom(0, 0); index < list.length;) {
    const moment = list[index];
    if (moment === undefined) return;
    const px = Math.floor(placeOf(moment));
    if (px > width) return;
    const from = Math.max(Math.min(px, width - TICK), 0);
    segments.push({ kind: 'tick', from, to: Math.min(from + TICK, width) });
    index = firstFrom(px + 1, index + 1);
  }
}

/** Pieces of one kind in order; those that touch are one. */
function joined(segments: readonly Segment[]): Segment[] {
  const result: Segment[] = [];
  for (const next of segments.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last !== undefined && next.from <= last.to) last.to = Math.max(last.to, next.to);
    else result.push({ ...next });
  }
  return result;
}
