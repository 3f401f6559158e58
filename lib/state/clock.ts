import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';

/** What the clock needs from its surroundings; tests drive it by hand. */
export interface ClockSource {
  now(): number;
  /** Calls `tick` again and again until the returned function is called. */
  every(tick: () => void): () => void;
}

/** One clock for everything that shows time passing. */
export interface Clock {
  /** Wall time, ms. It ticks only while something on screen reads it. */
  now: ReadonlySignal<number>;
}

/** Creates the clock: it costs nothing while nobody watches it. */
export function createClock(source: ClockSource): Clock {
  let stop: (() => void) | undefined;
  const now = signal(source.now(), {
    watched() {
      now.value = source.now();
      stop = source.every(() => {
        now.value = source.now();
      });
    },
    unwatched() {
      stop?.();
      stop = undefined;
    },
  });
  return { now };
}
