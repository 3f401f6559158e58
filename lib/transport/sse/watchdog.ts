/** A silence is as long as this many times the longest time between two keep-alives. */
const PATIENCE = 3;
/** No silence is shorter than this, in milliseconds. */
const SHORTEST_MS = 10_000;
/** A timer that is this late was not running, in milliseconds. */
const ASLEEP_MS = 5000;

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
  let dueAt = 0;

  function check(): void {
    const now = performance.now();
    // What came while the machine slept is read only now: that was no silence of the server.
    if (timer !== undefined && now - dueAt > ASLEEP_MS) heardAt = now;
    const silentMs = now - heardAt;
    const limitMs = Math.max(PATIENCE * usualMs, SHORTEST_MS);
    if (silentMs >= limitMs) return silent(silentMs, usualMs);
    dueAt = now + limitMs - silentMs;
    timer = setTimeout(check, limitMs - silentMs);
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
