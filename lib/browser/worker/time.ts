/** How often the clocks are compared, in milliseconds. */
const TICK_MS = 5000;
/** A tick that is this late saw the machine asleep, or the clock set forward, in milliseconds. */
const SLEEP_MS = 10_000;
/** A clock that is this far behind was set back, in milliseconds. */
const SET_BACK_MS = 2000;

/** What is reported. Each state of the network is reported once. */
export interface TimeReports {
  networkChanged(isOnline: boolean): void;
  woke(aheadMs: number): void;
  clockSetBack(byMs: number): void;
}

/** The surroundings, as the platform has them. */
export interface TimeSource {
  /** Milliseconds since the epoch. */
  wall(): number;
  /** Milliseconds since a fixed moment; on some systems it stands still while the machine sleeps. */
  monotonic(): number;
  isOnline(): boolean;
  /** Tells of `online` and `offline`. */
  events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
}

const platform: TimeSource = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  isOnline: () => navigator.onLine,
  events: globalThis,
};

/**
 * Watches clocks and network while it is on. Time in which no worker ran is no sleep, so every life and every
 * start of the watch begins to count anew.
 */
export function createTimeWatch(
  reports: TimeReports,
  source: TimeSource = platform,
): (isOn: boolean) => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let wasOnline = true;
  let wall = 0;
  let monotonic = 0;

  function listen(how: 'addEventListener' | 'removeEventListener'): void {
    for (const name of ['online', 'offline']) source.events[how](name, lookAtNetwork);
  }

  function lookAtNetwork(): void {
    const isOnline = source.isOnline();
    if (isOnline === wasOnline) return;
    wasOnline = isOnline;
    reports.networkChanged(isOnline);
  }

  function lookAtClocks(): void {
    const wallMs = source.wall() - wall;
    const monotonicMs = source.monotonic() - monotonic;
    wall += wallMs;
    monotonic += monotonicMs;
    const aheadMs = wallMs - TICK_MS;
    if (aheadMs > SLEEP_MS) reports.woke(aheadMs);
    else if (monotonicMs - wallMs > SET_BACK_MS) reports.clockSetBack(monotonicMs - wallMs);
  }

  function tick(): void {
    // First the network: without one there is nobody to ask after a sleep.
    lookAtNetwork();
    lookAtClocks();
  }

  return (isOn) => {
    if (isOn === (timer !== undefined)) return;
    if (!isOn) {
      clearInterval(timer);
      timer = undefined;
      listen('removeEventListener');
      return;
    }
    wall = source.wall();
    monotonic = source.monotonic();
    timer = setInterval(tick, TICK_MS);
    listen('addEventListener');
    lookAtNetwork();
  };
}
