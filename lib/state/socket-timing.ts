import type { Item, Moment, RequestItem, SocketRecord } from '../capture/items.ts';
import { durationBetween } from './moments.ts';
import { MARK_LIMIT, type Timing, type TimingMark } from './timing.ts';

type MarkedMoment = Moment & { name: string };

/** Timing of what a socket carries, from the moment of its frame; of the socket itself, from its opening. */
export function toSocketTiming(record: SocketRecord, item: Item): Timing {
  return item.kind === 'socket' ? ofSocket(record) : ofMessage(record, item);
}

function ofSocket({ opening, open, close, frames }: SocketRecord): Timing {
  const shown = frames.slice(0, MARK_LIMIT);
  const moments: MarkedMoment[] = [{ ...opening, name: 'Handshake' }];
  if (open) moments.push({ ...open, name: 'Open' });
  for (const [index, frame] of shown.entries())
    moments.push({ ...frame, name: `Frame ${index + 1}` });
  if (close) moments.push({ ...close, name: 'Closed' });
  const stretches = [
    { name: 'Handshake', from: opening, to: open ?? close },
    { name: 'Open', from: open, to: close ?? frames.at(-1) },
  ];
  return {
    ...measure(opening, moments, stretches),
    isRunning: close === undefined,
    omittedMarks: frames.length - shown.length,
  };
}

function ofMessage(record: SocketRecord, item: Item): Timing {
  const { started, ended } = item;
  const isRequest = item.kind === 'request';
  const first = 'direction' in item && item.direction === 'incoming' ? 'Arrived' : 'Sent';
  const moments: MarkedMoment[] = [{ ...started, name: first }];
  if (isRequest) moments.push(...deadlinesOf(record, item));
  if (isRequest && ended) moments.push({ ...ended, name: endName(item) });
  const stretches = [
    { name: 'Waiting for the response', from: started, to: isRequest ? ended : undefined },
  ];
  return {
    ...measure(started, moments, stretches),
    isRunning: isRequest && ended === undefined,
    omittedMarks: 0,
  };
}

function deadlinesOf({ deadlines }: SocketRecord, { rpcId, started }: RequestItem): MarkedMoment[] {
  return deadlines
    .filter((event) => event.rpcId === rpcId && event.wallTime >= started.wallTime)
    .filter(({ kind }) => kind !== 'deadline-started')
    .map((event) => ({
      ...event,
      name:
        event.kind === 'deadline-fired'
          ? `Deadline (${event.deadline}) fired`
          : 'Deadline extended',
    }));
}

function endName({ outcome }: RequestItem): string {
  return outcome === 'result' || outcome === 'error' ? 'Response' : `Ended: ${outcome}`;
}

function measure(
  start: Moment,
  moments: readonly MarkedMoment[],
  stretches: readonly { name: string; from: Moment | undefined; to: Moment | undefined }[],
): Pick<Timing, 'marks' | 'phases' | 'totalMs' | 'isApproximate'> {
  let isApproximate = false;
  const since = (moment: Moment): number => {
    const duration = durationBetween(start, moment);
    isApproximate ||= duration.isApproximate;
    return duration.ms;
  };
  const marks: TimingMark[] = moments.map((moment) => ({ name: moment.name, atMs: since(moment) }));
  const phases = stretches.flatMap(({ name, from, to }) => {
    if (from === undefined || to === undefined) return [];
    const startMs = since(from);
    return [{ name, startMs, durationMs: Math.max(since(to) - startMs, 0) }];
  });
  return { marks, phases, totalMs: Math.max(...marks.map(({ atMs }) => atMs)), isApproximate };
}
