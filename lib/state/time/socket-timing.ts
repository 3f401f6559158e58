import type { Item, Moment, RequestItem, SocketRecord } from '../../capture/correlate/items.ts';
import { createStopwatch } from './timing-clock.ts';
import { toDeadlines } from './timing-deadlines.ts';
import { largestGaps } from './timing-gaps.ts';
import { MARK_LIMIT, toTicks, type Timing, type TimingMark, type TimingPhase } from './timing.ts';

type MarkedMoment = Moment & { name: string };

interface Stretch {
  name: string;
  kind: TimingPhase['kind'];
  from: Moment | undefined;
  /** Undefined: it goes on. */
  to: Moment | undefined;
}

/** Timing of what a socket carries, from the moment of its frame; of the socket itself, from its opening. */
export function toSocketTiming(record: SocketRecord, item: Item): Timing {
  return item.kind === 'socket' ? ofSocket(record) : ofMessage(record, item);
}

function ofSocket({ opening, open, close, frames, deadlines }: SocketRecord): Timing {
  const shown = frames.slice(0, MARK_LIMIT);
  const moments: MarkedMoment[] = [{ ...opening, name: 'Handshake' }];
  if (open) moments.push({ ...open, name: 'Open' });
  for (const [index, frame] of shown.entries())
    moments.push({ ...frame, name: `Frame ${index + 1}` });
  if (close) moments.push({ ...close, name: 'Closed' });
  const stretches: Stretch[] = [
    { name: 'Handshake', kind: 'waiting', from: opening, to: open ?? close },
    { name: 'Open', kind: 'receiving', from: open, to: close },
  ];
  const isRunning = close === undefined;
  const measured = measure(opening, [...moments, ...frames.slice(-1)], moments.length, stretches);
  const { since } = measured.watch;
  return {
    ...measured.timing,
    ticks: toTicks(frames, since, measured.timing.totalMs),
    gaps: largestGaps(open, frames, close, 'frame', since),
    deadlines: toDeadlines(
      deadlines.filter(({ rpcId }) => rpcId === undefined),
      since,
    ),
    isRunning,
    isApproximate: measured.watch.isApproximate,
    omittedMarks: frames.length - shown.length,
  };
}

function ofMessage(record: SocketRecord, item: Item): Timing {
  const { started, ended } = item;
  const isRequest = item.kind === 'request';
  const first = 'direction' in item && item.direction === 'incoming' ? 'Arrived' : 'Sent';
  const moments: MarkedMoment[] = [{ ...started, name: first }];
  const deadlines = isRequest ? deadlinesOf(record, item) : [];
  for (const event of deadlines) {
    if (event.kind === 'deadline-fired')
      moments.push({ ...event, name: `Deadline (${event.deadline}) fired` });
  }
  if (isRequest && ended) moments.push({ ...ended, name: endName(item) });
  const stretches: Stretch[] = isRequest
    ? [{ name: 'Waiting for the response', kind: 'waiting', from: started, to: ended }]
    : [];
  const { timing, watch } = measure(started, moments, moments.length, stretches);
  return {
    ...timing,
    ticks: [],
    gaps: [],
    deadlines: toDeadlines(deadlines, watch.since),
    isRunning: isRequest && ended === undefined,
    isApproximate: watch.isApproximate,
    omittedMarks: 0,
  };
}

function deadlinesOf({ deadlines }: SocketRecord, { rpcId, started }: RequestItem) {
  return deadlines.filter((event) => event.rpcId === rpcId && event.wallTime >= started.wallTime);
}

function endName({ outcome }: RequestItem): string {
  return outcome === 'result' || outcome === 'error' ? 'Response' : `Ended: ${outcome}`;
}

/** `moments` beyond `named` only count for the total. */
function measure(
  start: Moment,
  moments: readonly (Moment & { name?: string })[],
  named: number,
  stretches: readonly Stretch[],
) {
  const watch = createStopwatch(start);
  const all = moments.map((moment) => ({ name: moment.name ?? '', atMs: watch.since(moment) }));
  const totalMs = all.reduce((latest, { atMs }) => Math.max(latest, atMs), 0);
  const marks: TimingMark[] = all.slice(0, named);
  const phases = stretches.flatMap(({ name, kind, from, to }): TimingPhase[] => {
    if (from === undefined) return [];
    const startMs = watch.since(from);
    const endMs = to === undefined ? totalMs : watch.since(to);
    const durationMs = Math.max(endMs - startMs, 0);
    return [{ name, kind, startMs, durationMs, ...(to === undefined ? { isOpen: true } : {}) }];
  });
  return { timing: { marks, phases, totalMs }, watch };
}
