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

/** Time as a stored capture knows it: it stands at the last event that was read. */
export interface StoredTime extends ClockSource {
  reach(wallTime: number): void;
  /** All is read: shows it to whoever looks at the clock. */
  show(): void;
}

/** In a capture that is over nothing takes longer and longer: what was open at its end was open so long. */
export function createStoredTime(): StoredTime {
  const ticks = new Set<() => void>();
  let reached = 0;
  return {
    now: () => reached,
    every(tick) {
      ticks.add(tick);
      return () => void ticks.delete(tick);
    },
    reach: (wallTime) => void (reached = wallTime),
    show() {
      for (const tick of ticks) tick();
    },
  };
}
