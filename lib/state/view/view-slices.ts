/** How long work is cut into tasks, so that the page stays alive. */
export interface Slices {
  /** Milliseconds, of any origin. */
  now(): number;
  /** Calls back in a task of its own, as soon as what else is due has had its turn. */
  later(run: () => void): void;
}

/** Does everything at once. */
export const WITHOUT_SLICES: Slices = { now: () => 0, later: (run) => run() };

/** How long one task may take, ms. A frame has to fit beside it. */
const SLICE_MS = 8;
/** The clock is not free either. */
const STEPS_PER_LOOK = 8;

export interface SlicedWork {
  cancel(): void;
}

/**
 * Calls `step` until it returns false: the first slice at once, the others in tasks of their own. After each
 * slice but the last one, `paused` is told how many ms the work has taken so far.
 */
export function runInSlices(
  slices: Slices,
  step: () => boolean,
  paused: (sinceStartMs: number) => void,
  done: () => void,
): SlicedWork {
  const started = slices.now();
  let isCancelled = false;

  function runSlice(): void {
    if (isCancelled) return;
    const begun = slices.now();
    for (let steps = 1; ; steps += 1) {
      if (!step()) return done();
      if (steps % STEPS_PER_LOOK === 0 && slices.now() - begun >= SLICE_MS) break;
    }
    paused(slices.now() - started);
    slices.later(runSlice);
  }

  runSlice();
  return { cancel: () => void (isCancelled = true) };
}
