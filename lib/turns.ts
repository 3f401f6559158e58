/** What works longer than this in one go makes a page late with its next picture, in milliseconds. */
const TURN_MS = 8;

/** Long work in short turns. */
export interface Turns {
  readonly isOver: boolean;
  /** Lets the browser have its turn, and begins the next one of ours. */
  next(): Promise<void>;
}

/** Parts long work into turns, the first of which begins now. */
export function createTurns(): Turns {
  let started = performance.now();
  return {
    get isOver() {
      return performance.now() - started >= TURN_MS;
    },
    async next() {
      await nextTask();
      started = performance.now();
    },
  };
}

/** Taken once: a clock that a test puts in its place is for what waits for a time, and this waits for none. */
const { setTimeout: later } = globalThis;

/**
 * Resolves in a task of its own, once what is under way is done. Not every browser that we run in has a
 * scheduler; Node has none, and takes a millisecond.
 */
export function nextTask(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?(): Promise<void> } };
  return scheduler?.yield?.() ?? new Promise((resolve) => later(resolve));
}
