import type { Block, EventOf, Stamp, WireEvent } from '../wire-event.ts';

/** Events that are stored, or should be, and cannot be read. */
export interface UnreadableRange {
  captureId: string;
  from: number;
  to: number;
  reason: string;
}

/**
 * The event that stands for what cannot be read, so that a row names it. It is made while reading, and never
 * stored; its time is that of an event `near` it.
 */
export function unreadableEvent(range: UnreadableRange, near: Stamp | undefined): EventOf<'gap'> {
  const { captureId, from, to, reason } = range;
  return {
    sequence: to,
    captureId,
    bootId: near?.bootId ?? '',
    wallTime: near?.wallTime ?? Date.now(),
    monotonicTime: near?.monotonicTime ?? 0,
    kind: 'gap',
    what: `Stored events cannot be read (${from} to ${to})`,
    why: reason,
    fromSequence: from,
    toSequence: to,
  };
}

/** A block of nothing but that event. */
export function unreadableBlock(range: UnreadableRange, near: WireEvent | undefined): Block {
  return {
    captureId: range.captureId,
    firstSequence: range.from,
    lastSequence: range.to,
    sizeBytes: 0,
    events: [unreadableEvent(range, near)],
  };
}

/** The platform's own words about a failure. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
