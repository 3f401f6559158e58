/** A silence is as long as this many times the longest time between two keep-alives. */
const PATIENCE = 3;
/** No silence is shorter than this, in milliseconds. */
const SHORTEST_MS = 10_000;

/** Watches a stream whose server sends keep-alives for the time when nothing comes any more. */
export interface Watchdog {
  /** Bytes came, of whatever kind. */
  heard(): void;
  /** A comment came: what servers send to show that they are there. */
  keptAlive(): void;
  stop(): void;
}

/**
 * Takes a stream for dead when it is silent for much longer than its own keep-alives were apart; a stream
 * without any may be silent for ever. `silent` is called at most once, with both times in milliseconds.
 */
export function createWatchdog(silent: (silentMs: number, usualMs: number) => void): Watchdog {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let heardAt = performance.now();
  let keptAliveAt: number | undefined;
  let usualMs = 0;

  function check(): void {
    const silentMs = performance.now() - heardAt;
    const limitMs = Math.max(PATIENCE * usualMs, SHORTEST_MS);
    if (silentMs >= limitMs) silent(silentMs, usualMs);
    else timer = setTimeout(check, limitMs - silentMs);
  }

  return {
    heard() {
      heardAt = performance.now();
    },
    keptAlive() {
      const now = performance.now();
      if (keptAliveAt !== undefined) {
        usualMs = Math.max(usualMs, now - keptAliveAt);
        if (timer === undefined) check();
      }
      keptAliveAt = now;
    },
    stop: () => clearTimeout(timer),
  };
}
