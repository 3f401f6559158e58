import type { HttpRecord, Moment } from '../capture/items.ts';
import { durationBetween } from './moments.ts';

/** A stretch of an exchange's life. `startMs` counts from the moment it was queued. */
export interface TimingPhase {
  name: string;
  startMs: number;
  durationMs: number;
}

/** A moment of an exchange's life, in ms from the moment it was queued. */
export interface TimingMark {
  name: string;
  atMs: number;
}

export interface Timing {
  phases: TimingPhase[];
  marks: TimingMark[];
  totalMs: number;
  isRunning: boolean;
  /** Some moments belong to another life of the worker: durations come from wall time. */
  isApproximate: boolean;
  /** Stream events that `marks` leaves out. */
  omittedMarks: number;
}

/** More marks than this tell the eye nothing; the stream tab has them all. */
export const MARK_LIMIT = 200;

/** Timing of an exchange as far as it has come. */
export function toTiming(record: HttpRecord): Timing {
  const { request, sent, response, end } = record;
  let isApproximate = false;
  function since(moment: Moment): number {
    const duration = durationBetween(request, moment);
    isApproximate ||= duration.isApproximate;
    return duration.ms;
  }

  const firstByte = record.chunks[0];
  const marks: TimingMark[] = [{ name: 'Queued', atMs: 0 }];
  if (sent) marks.push({ name: 'Sent', atMs: since(sent) });
  if (response) marks.push({ name: 'Response head', atMs: since(response) });
  if (firstByte) marks.push({ name: 'First byte of the body', atMs: since(firstByte) });
  const shown = record.stream.slice(0, MARK_LIMIT);
  for (const [index, event] of shown.entries()) {
    marks.push({ name: `Stream event ${index + 1}`, atMs: since(event) });
  }
  if (end) marks.push({ name: endName(record), atMs: since(end) });

  const last = Math.max(...marks.map(({ atMs }) => atMs));
  const phases: TimingPhase[] = [];
  function addPhase(name: string, from: Moment | undefined, to: Moment | undefined): void {
    if (from === undefined || to === undefined) return;
    const startMs = since(from);
    phases.push({ name, startMs, durationMs: Math.max(since(to) - startMs, 0) });
  }
  addPhase('Queued', request, sent);
  addPhase('Waiting for the response', sent ?? request, response ?? end);
  addPhase('Receiving', response, end ?? record.stream.at(-1) ?? record.chunks.at(-1));
  return {
    phases,
    marks,
    totalMs: last,
    isRunning: end === undefined,
    isApproximate,
    omittedMarks: record.stream.length - shown.length,
  };
}

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
