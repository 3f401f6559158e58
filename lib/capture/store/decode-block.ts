import type { BlockRecord, Place, SseRow, StoredBlock } from './stored-block.ts';
import type { Span, StoredBytes } from './stored-text.ts';
import type { Block, EventOf, WireEvent } from '../wire-event.ts';

/**
 * The inverse of `encodeBlock`. The bytes of the events are views of the block's. Throws where the block is not
 * whole: nothing is ever shown that was not recorded.
 */
export function decodeBlock(stored: BlockRecord): Block {
  if ('events' in stored) return stored;
  const { eventCount, texts = [], json, bytes, ...head } = stored;
  const take = (data: StoredBytes) => {
    const place: unknown = data.bytes;
    const [offset, length] = Array.isArray(place) ? (place as Place) : [0, 0];
    if (offset + length > bytes.length) throw new RangeError('Bytes of the block are missing.');
    data.bytes = bytes.subarray(offset, offset + length);
  };
  const entries = JSON.parse(json) as (WireEvent | SseRow)[];
  if (entries.length !== eventCount) throw new RangeError('Events of the block are missing.');
  const events = entries.map((entry) => (Array.isArray(entry) ? fromSseRow(entry, texts) : entry));
  for (const event of events) {
    if (event.kind === 'http-chunk' || event.kind === 'socket-frame') take(event.data);
    else if (event.kind === 'http-request' && event.body !== undefined) take(event.body);
  }
  return { ...head, events };
}

/** Whether a record has the shape of a block at all. */
export function isBlockRecord(record: unknown): record is BlockRecord {
  if (typeof record !== 'object' || record === null) return false;
  const { firstSequence, lastSequence, ...rest } = record as Partial<StoredBlock & Block>;
  if (typeof firstSequence !== 'number' || typeof lastSequence !== 'number') return false;
  if (Array.isArray(rest.events)) return true;
  return typeof rest.json === 'string' && rest.bytes instanceof Uint8Array;
}

function fromSseRow(row: SseRow, texts: readonly string[]): WireEvent {
  const [sequence, wallTime, monotonicTime, captureId, bootId, connectionId, httpId] = row;
  const [, , , , , , , offset, length, name, id, data] = row;
  const event: EventOf<'sse-event'> = {
    sequence,
    captureId: texts[captureId] ?? '',
    bootId: texts[bootId] ?? '',
    wallTime,
    monotonicTime,
    kind: 'sse-event',
    httpId: texts[httpId] ?? '',
    block: { offset, length },
  };
  const connection = texts[connectionId];
  const eventName = texts[name];
  if (connection !== undefined) event.connectionId = connection;
  if (eventName !== undefined) event.event = eventName;
  if (id !== 0) event.id = id;
  if (data !== 0) event.data = toSpans(data);
  return event;
}

function toSpans(flat: readonly number[]): Span[] {
  const spans: Span[] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    spans.push({ offset: flat[index] ?? 0, length: flat[index + 1] ?? 0 });
  }
  return spans;
}
