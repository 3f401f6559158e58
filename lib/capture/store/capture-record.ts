import type { CaptureSpan } from './capture-span.ts';
import type { Block } from '../wire-event.ts';

/** A recording, as the list of captures shows it. */
export interface CaptureRecord extends CaptureSpan {
  lastSequence: number;
  /** Kept whatever the limit says. */
  isPinned?: true;
  /** It was read from a file, and what had to be put right for that. */
  imported?: ImportedFrom;
}

export interface ImportedFrom {
  file: string;
  repairCount: number;
  /** The first of them. */
  repairs: { where: string; what: string }[];
  /** What a file of ours says of itself beside its events, as JSON: it is said again when it is written. */
  head?: string;
  /** Its secrets had been replaced when it was written. */
  isRedacted?: true;
  /** How many events the file held: a page that is closed while it reads one leaves fewer. */
  events?: number;
}

/** A capture that begins now, in milliseconds since the epoch. */
export function newCapture(startedAt: number, captureId: string = crypto.randomUUID()) {
  const name = `Capture of ${new Date(startedAt).toLocaleString()}`;
  const record: CaptureRecord = {
    captureId,
    name,
    startedAt,
    lastSequence: 0,
    eventCount: 0,
    sizeBytes: 0,
  };
  return record;
}

/**
 * The record after more was stored; `storedBytes` is what that takes. A capture that has no record any more
 * gets one: its sequences are in use all the same.
 */
export function grownCapture(
  known: CaptureRecord | undefined,
  captureId: string,
  added: readonly Block[],
  storedBytes: number,
): CaptureRecord {
  const grown = known ?? newCapture(added[0]?.events[0]?.wallTime ?? 0, captureId);
  const { eventCount, lastSequence, sizeBytes } = grown;
  // What was open when a capture began is added later, and is older.
  const endedAt = Math.max(grown.endedAt ?? 0, added.at(-1)?.events.at(-1)?.wallTime ?? 0);
  return {
    ...grown,
    ...(endedAt === 0 ? {} : { endedAt }),
    eventCount: added.reduce((count, block) => count + block.events.length, eventCount),
    sizeBytes: sizeBytes + storedBytes,
    lastSequence: Math.max(lastSequence, ...added.map((block) => block.lastSequence)),
  };
}
