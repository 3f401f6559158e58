import type { HttpRecord, Item, Moment } from '../../capture/correlate/items.ts';
import { createStopwatch } from './timing-clock.ts';
import { toDeadlines, type TimingDeadline } from './timing-deadlines.ts';
import { largestGaps, type TimingGap } from './timing-gaps.ts';

/** A stretch of an exchange's life. `startMs` counts from the moment that it was to be sent. */
export interface TimingPhase {
  name: string;
  kind: 'queued' | 'waiting' | 'receiving' | 'user';
  startMs: number;
  durationMs: number;
  /** It goes on: until now. */
  isOpen?: true;
}

/** A moment of an exchange's life, in ms from the moment that it was to be sent. */
export interface TimingMark {
  name: string;
  atMs: number;
}

export interface Timing {
  phases: TimingPhase[];
  marks: TimingMark[];
  /** When something came, in ms; no more of them than an eye can tell apart. */
  ticks: number[];
  /** When nothing came for long, the longest first. */
  gaps: TimingGap[];
  deadlines: TimingDeadline[];
  totalMs: number;
  isRunning: boolean;
  /** Some moments belong to another life of the worker: durations come from wall time. */
  isApproximate: boolean;
  /** Stream events that `marks` leaves out. */
  omittedMarks: number;
}

/** More marks than this tell the eye nothing; the stream tab has them all. */
export const MARK_LIMIT = 200;

/** Timing of an exchange as far as it has come; `asked` are the requests of the server that came with it. */
export function toTiming(record: HttpRecord, asked: readonly Item[] = []): Timing {
  const { request, queued, released, sent, response, chunks, stream, end } = record;
  const watch = createStopwatch(request);
  const { since } = watch;

  const firstByte = chunks[0];
  const marks: TimingMark[] = [{ name: 'Queued', atMs: 0 }];
  const mark = (name: string, moment: Moment | undefined) => {
    if (moment !== undefined) marks.push({ name, atMs: since(moment) });
  };
  mark('No connection free', queued);
  mark('Connection free', released);
  mark('Sent', sent);
  mark('Response head', response);
  mark('First byte of the body', firstByte);
  const shown = stream.slice(0, MARK_LIMIT);
  for (const [index, event] of shown.entries()) mark(`Stream event ${index + 1}`, event);
  for (const event of record.deadlines) {
    if (event.kind === 'deadline-fired') mark(`Deadline (${event.deadline}) fired`, event);
  }
  mark(endName(record), end);

  const last = end ?? stream.at(-1) ?? chunks.at(-1);
  const totalMs = Math.max(...marks.map(({ atMs }) => atMs), last === undefined ? 0 : since(last));
  const phases: TimingPhase[] = [];
  const phase = (
    name: string,
    kind: TimingPhase['kind'],
    from: Moment | undefined,
    to: Moment | undefined,
  ) => {
    if (from === undefined || (to === undefined && end !== undefined)) return;
    const startMs = since(from);
    const endMs = to === undefined ? totalMs : since(to);
    const durationMs = Math.max(endMs - startMs, 0);
    phases.push({ name, kind, startMs, durationMs, ...(to === undefined ? { isOpen: true } : {}) });
  };
  phase('Waiting for a connection', 'queued', queued, released ?? end);
  phase('Queued', 'queued', released ?? (queued === undefined ? request : undefined), sent ?? end);
  const isAway = sent !== undefined || response !== undefined;
  if (isAway) phase('Waiting for the response', 'waiting', sent ?? request, response ?? end);
  phase('Receiving', 'receiving', response, end);
  for (const item of asked) {
    if (item.kind !== 'request' || item.answeredBy === 'policy') continue;
    phase(`Your answer to ${item.method}`, 'user', item.started, item.ended ?? end);
  }

  const arrivals = stream.length > 0 ? stream : chunks;
  const what = stream.length > 0 ? 'event' : 'chunk';
  return {
    phases,
    marks,
    ticks: toTicks(arrivals, since, totalMs),
    gaps: largestGaps(response, arrivals, end, what, since),
    deadlines: toDeadlines(record.deadlines, since),
    totalMs,
    isRunning: end === undefined,
    isApproximate: watch.isApproximate,
    omittedMarks: stream.length - shown.length,
  };
}

/** Places of moments, once for each of `PLACES` parts of the time. */
export function toTicks(
  moments: readonly Moment[],
  since: (moment: Moment) => number,
  totalMs: number,
): number[] {
  const ticks: number[] = [];
  let before = -1;
  for (const moment of moments) {
    const atMs = since(moment);
    const place = Math.round((atMs / Math.max(totalMs, 0.001)) * PLACES);
    if (place === before) continue;
    before = place;
    ticks.push(atMs);
  }
  return ticks;
}

const PLACES = 400;

function endName(record: HttpRecord): string {
  const end = record.end?.end;
  switch (end?.outcome) {
    case 'aborted':
      return `Ended by Wirescope (${end.cause})`;
    case 'cut':
      return 'Cut off';
    case 'failed':
      return 'Failed';
    case 'complete':
    case undefined:
      return 'End';
  }
}
