import type { Clock } from '../lib/state/time/clock.ts';
import { formatRunning } from '../lib/text.ts';

/** Time since a moment, growing. Only this text is drawn again when the clock ticks. */
export function RunningTime({ clock, since }: { clock: Clock; since: number }) {
  return <>{formatRunning(clock.now.value - since)}</>;
}
