import { readEarlyRow, RowReader } from './decode-row.ts';
import type { BlockRecord, EarlySseRow, Place, StoredBlock } from './stored-block.ts';
import type { StoredBytes } from './stored-text.ts';
import type { Block, WireEvent } from '../wire-event.ts';

/**
 * The inverse of `encodeBlock`. The bytes of the events are views of the block's. Throws where the block is not
 * whole: nothing is ever shown that was not recorded.
 */
export function decodeBlock(stored: BlockRecord): Block {
  if ('events' in stored) return stored;
  const { eventCount, texts = [], base, rows, json, bytes, ...head } = stored;
  const take = (place: unknown): Uint8Array => {
    const [offset, length] = Array.isArray(place) ? (place as Place) : [0, 0];
    if (offset + length > bytes.length) throw new RangeError('Bytes of the block are missing.');
    return bytes.subarray(offset, offset + length);
  };
  const others = (JSON.parse(json) as (WireEvent | EarlySseRow)[]).map((entry) =>
    Array.isArray(entry) ? readEarlyRow(entry, texts) : withBytes(entry, take),
  );
  const events =
    base === undefined || rows === undefined
      ? others
      : inOrder(eventCount, new RowReader({ ...head, texts, base, rows }, take), others);
  if (events.length !== eventCount) throw new RangeError('Events of the block are missing.');
  return { ...head, events };
}

/** Puts the events that are no rows where they belong among those that are. */
function inOrder(count: number, rows: RowReader, others: readonly WireEvent[]): WireEvent[] {
  const events: WireEvent[] = [];
  let used = 0;
  while (events.length < count) {
    const event = rows.next() ?? others[used++];
    if (event === undefined) break;
    events.push(event);
  }
  return events;
}

/** In an event that is no row, places are where its bytes belong. */
function withBytes(event: WireEvent, take: (place: unknown) => Uint8Array): WireEvent {
  const data: StoredBytes | undefined =
    event.kind === 'http-chunk' || event.kind === 'socket-frame'
      ? event.data
      : event.kind === 'http-request'
        ? event.body
        : undefined;
  if (data !== undefined) data.bytes = take(data.bytes);
  return event;
}

/** Whether a record has the shape of a block at all. */
export function isBlockRecord(record: unknown): record is BlockRecord {
  if (typeof record !== 'object' || record === null) return false;
  const { firstSequence, lastSequence, ...rest } = record as Partial<StoredBlock & Block>;
  if (typeof firstSequence !== 'number' || typeof lastSequence !== 'number') return false;
  if (Array.isArray(rest.events)) return true;
  return typeof rest.json === 'string' && rest.bytes instanceof Uint8Array;
}
