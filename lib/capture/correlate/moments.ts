import type { Moment } from './items.ts';

export interface Duration {
  ms: number;
  /** The two moments belong to different lives of the worker: only wall time could be compared. */
  isApproximate: boolean;
}

/** Time between two moments; from the monotonic clock where both belong to one boot. */
export function durationBetween(start: Moment, end: Moment): Duration {
  if (start.bootId === end.bootId) {
    return { ms: end.monotonicTime - start.monotonicTime, isApproximate: false };
  }
  return { ms: Math.max(end.wallTime - start.wallTime, 0), isApproximate: true };
}
