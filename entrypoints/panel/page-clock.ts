import { everyWhileShown } from '../../lib/browser/page/visibility.ts';
import type { ClockSource } from '../../lib/state/time/clock.ts';

const TICK_MS = 100;
const CALM_TICK_MS = 1000;

/** The clock of a page: it rests while the page is hidden, and slows down where motion is unwanted. */
export const pageClock: ClockSource = {
  now: () => Date.now(),
  every(tick) {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    return everyWhileShown(isCalm ? CALM_TICK_MS : TICK_MS, tick);
  },
};
