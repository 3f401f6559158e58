import type { Moment } from '../../capture/correlate/items.ts';
import { durationBetween } from '../../capture/correlate/moments.ts';

/** Measures moments from one start. */
export interface Stopwatch {
  /** Milliseconds from the start to a moment. */
  since(moment: Moment): number;
  /** Whether one of them belonged to another life of the worker: then only wall time could be compared. */
  readonly isApproximate: boolean;
}

/** Measures from one moment on, in milliseconds, and notes where a restart leaves only wall time to go by. */
export function createStopwatch(start: Moment): Stopwatch {
  let isApproximate = false;
  return {
    since(moment) {
      const duration = durationBetween(start, moment);
      isApproximate ||= duration.isApproximate;
      return duration.ms;
    },
    get isApproximate() {
      return isApproximate;
    },
  };
}
