import type { Moment } from '../../capture/correlate/items.ts';

/**
 * One scale of time for all lives of the worker: monotonic time within a life, which no change of the clock
 * disturbs, put where its first moment was by wall time.
 */
export interface TimeScale {
  /** Wall time of a moment, ms. */
  at(moment: Moment): number;
}

/** Creates the scale; the first moment that it is asked for anchors its life of the worker. */
export function createTimeScale(): TimeScale {
  const anchors = new Map<string, number>();
  return {
    at({ bootId, wallTime, monotonicTime }) {
      const anchor = anchors.get(bootId);
      if (anchor !== undefined) return anchor + monotonicTime;
      anchors.set(bootId, wallTime - monotonicTime);
      return wallTime;
    },
  };
}
