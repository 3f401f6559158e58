import { payloadBytes } from '../correlate/http-record.ts';
import type { Block, WireEvent, WireFact } from '../wire-event.ts';

/** Blocks of about this many events write ten times faster than single records. */
const BLOCK_EVENTS = 100;
const BLOCK_BYTES = 1024 * 1024;
/** Rough cost of an event without its bytes. */
const EVENT_OVERHEAD_BYTES = 200;

/** Cuts consecutive events into blocks of bounded count and size. */
export function packBlocks(events: readonly WireEvent[]): Block[] {
  const blocks: Block[] = [];
  let block: Block | undefined;
  for (const event of events) {
    const bytes = eventBytes(event);
    const full =
      block !== undefined &&
      (block.events.length >= BLOCK_EVENTS || block.sizeBytes + bytes > BLOCK_BYTES);
    if (block === undefined || full || block.captureId !== event.captureId) {
      block = {
        captureId: event.captureId,
        firstSequence: event.sequence,
        lastSequence: event.sequence,
        sizeBytes: 0,
        events: [],
      };
      blocks.push(block);
    }
    block.events.push(event);
    block.lastSequence = event.sequence;
    block.sizeBytes += bytes;
  }
  return blocks;
}

/** What an event costs, in bytes, roughly: its own bytes and a flat share for the rest. */
export function eventBytes(event: WireFact): number {
  return EVENT_OVERHEAD_BYTES + payloadBytes(event);
}

/** What events cost, in bytes, for each connection. */
export function bytesByConnection(events: readonly WireEvent[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const event of events) {
    const { connectionId } = event;
    if (connectionId === undefined) continue;
    sums.set(connectionId, (sums.get(connectionId) ?? 0) + eventBytes(event));
  }
  return sums;
}
