import type { WireEvent } from '../../capture/wire-event.ts';
import { formatClock, formatGap } from '../../text.ts';

type Timed = Pick<WireEvent, 'bootId' | 'monotonicTime' | 'wallTime' | 'origin'>;

/**
 * When a line of a stream came, and how long after the one before it, where both clocks belong to one life of the
 * worker. Many files say only that it was no later than the end of the exchange.
 */
export function lineTimes(event: Timed, before: Timed | undefined): { time: string; gap: string } {
  const time = formatClock(event.wallTime);
  const isUnknown = [event, before].map((each) => isTimeUnknown(each));
  if (isUnknown[0] === true) return { time: `≤ ${time}`, gap: '' };
  const isOneClock = before?.bootId === event.bootId && isUnknown[1] !== true;
  return { time, gap: isOneClock ? formatGap(event.monotonicTime - before.monotonicTime) : '' };
}

function isTimeUnknown(event: Timed | undefined): boolean {
  return event?.origin?.kind === 'imported' && event.origin.isTimeUnknown === true;
}
