import { computed } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Clock } from './clock.ts';
import type { Overview } from './overview.ts';
import type { TrafficView } from '../view/traffic-view.ts';
import type { TimeWindow } from './waterfall-draw.ts';
import type { TimeScale } from './waterfall-time.ts';

/** Of more rows than this, a window that fits them exactly would differ little from that of the whole capture. */
const FITTED_ROWS = 500;
/** A window grows by a share of itself at a time, so that not all rows are drawn anew with every event. */
const STEPS = 16;

/**
 * The time over which the waterfalls of all rows are drawn: what is brushed, else what the filter leaves, else the
 * capture. While a call is pending it grows with the clock.
 */
export function createWaterfallWindow(
  view: Pick<TrafficView, 'range' | 'filteredOut' | 'count' | 'itemAt'>,
  overview: Pick<Overview, 'density' | 'isRunning'>,
  scale: TimeScale,
  clock: Clock,
): ReadonlySignal<TimeWindow | undefined> {
  let last: TimeWindow | undefined;
  return computed(() => {
    if (view.range.value !== undefined) return view.range.value;
    const extent = overview.density.value?.extent;
    if (extent === undefined) return undefined;
    const to = overview.isRunning.value ? Math.max(extent.to, clock.now.value) : extent.to;
    const next = roundUp(fit(view, scale, { from: extent.from, to }));
    // The same object as long as it is the same window: who reads it is drawn again for another one only.
    if (last?.from !== next.from || last.to !== next.to) last = next;
    return last;
  });
}

/** The part of a window that the rows shown are in, where there are few of them. */
function fit(
  view: Pick<TrafficView, 'filteredOut' | 'count' | 'itemAt'>,
  scale: TimeScale,
  whole: TimeWindow,
): TimeWindow {
  const count = view.count.value;
  if (view.filteredOut.value === 0 || count === 0 || count > FITTED_ROWS) return whole;
  const fitted = { from: Infinity, to: -Infinity };
  for (let index = 0; index < count; index += 1) {
    const item = view.itemAt(index);
    if (item === undefined) continue;
    const from = scale.at(item.started);
    const isOpen = item.ended === undefined && item.kind !== 'lifecycle';
    const to = isOpen ? whole.to : scale.at(item.ended ?? item.started);
    fitted.from = Math.min(fitted.from, from);
    fitted.to = Math.max(fitted.to, to);
  }
  return fitted.to >= fitted.from ? fitted : whole;
}

/** The window with its end at the next step; steps grow with it. */
function roundUp({ from, to }: TimeWindow): TimeWindow {
  const length = Math.max(to - from, 1);
  const step = 2 ** Math.floor(Math.log2(length)) / STEPS;
  return { from, to: from + Math.ceil(length / step) * step };
}
