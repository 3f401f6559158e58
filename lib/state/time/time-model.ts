import { effect } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { Item } from '../../capture/correlate/items.ts';
import type { WireEvent } from '../../capture/wire-event.ts';
import type { Clock } from './clock.ts';
import { createOverview } from './overview.ts';
import type { Overview } from './overview.ts';
import { tellRelations } from '../view/relation-words.ts';
import { createRelations } from '../view/relations.ts';
import type { Relations } from '../view/relations.ts';
import type { TrafficView } from '../view/traffic-view.ts';
import type { TimeWindow } from './waterfall-draw.ts';
import { createTimeScale } from './waterfall-time.ts';
import type { TimeScale } from './waterfall-time.ts';
import { createWaterfallWindow } from './waterfall-window.ts';

/** The traffic over time, and what in it follows from what. A chunk of its own: the first rows do not need it. */
export interface TimeModel {
  scale: TimeScale;
  overview: Pick<Overview, 'density'>;
  /** The time over which waterfalls are drawn. */
  window: ReadonlySignal<TimeWindow | undefined>;
  relations: Relations;
  /** How a row hangs together with others, in sentences. */
  tell(item: Item): string;
  /** Takes the events of a batch and the items that they touched. */
  apply(events: readonly WireEvent[], touched: ReadonlySet<Item>): void;
  /** To be called once for what is drawn. */
  refresh(): void;
}

/** Creates the model, and catches up with what is there already. */
export function createTimeModel(
  correlation: Correlation,
  traffic: TrafficView,
  clock: Clock,
): TimeModel {
  const scale = createTimeScale();
  const overview = createOverview(correlation, scale);
  const relations = createRelations(correlation, (item) => traffic.parentOf(item));

  function refresh(): void {
    relations.refresh();
    // With a view that is paused, its overview stands still.
    if (!traffic.isPaused.value) overview.refresh(traffic.hidden.value);
  }

  overview.apply([], new Set(correlation.items));
  // Clear hides, and its undoing shows, without a batch.
  effect(refresh);
  return {
    scale,
    overview,
    window: createWaterfallWindow(traffic, overview, scale, clock),
    relations,
    tell: (item) => tellRelations(item, relations, traffic, correlation),
    apply: overview.apply,
    refresh,
  };
}
