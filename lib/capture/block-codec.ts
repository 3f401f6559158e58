import { createTurns } from '../turns.ts';
import type { Span, StoredBytes } from './stored-text.ts';
import { reasonOf } from './unreadable.ts';
import type { Block, EventOf, WireEvent } from './wire-event.ts';

/**
 * A block as the database keeps it: all events as one JSON text, all their bytes as one array. Copying one
 * string and one buffer costs a fraction of cloning a hundred objects, and every write is such a copy.
 */
export interface StoredBlock {
  captureId: string;
  firstSequence: number;
  lastSequence: number;
  eventCount: number;
  sizeBytes: number;
  roots?: number[];
  /** Texts that the events of the block repeat; early blocks have none, and no rows. */
  texts?: string[];
  /** The events, with the place of their bytes in `bytes` instead of the bytes; SSE events as rows. */
  json: string;
  bytes: Uint8Array;
}

/** What a record of a block may be: the first ones were kept as they are. */
export type BlockRecord = StoredBlock | Block;

type Place = [offset: number, length: number];

/** The form in which a block is stored; `decodeBlock` gives the same events back. */
export function encodeBlock(block: Block): StoredBlock {
  const { events, ...head } = block;
  const parts: Uint8Array[] = [];
  let length = 0;

  function place({ bytes, ...rest }: StoredBytes): object {
    const at: Place = [length, bytes.length];
    parts.push(bytes);
    length += bytes.length;
    return { ...rest, bytes: at };
  }

  const table = createTable();

  function encode(event: WireEvent): string {
    switch (event.kind) {
      case 'sse-event':
        return sseRow(event, table.indexOf);
      case 'http-chunk':
      case 'socket-frame':
        return JSON.stringify({ ...event, data: place(event.data) });
      case 'http-request':
        return event.body === undefined
          ? JSON.stringify(event)
          : JSON.stringify({ ...event, body: place(event.body) });
      default:
        return JSON.stringify(event);
    }
  }

  const entries = events.map((event) => {
    try {
      return encode(event);
    } catch (error) {
      // One event that has no stored form must not keep all others from the disk, now and for ever.
      return JSON.stringify(unstorable(event, error));
    }
  });
  const json = `[${entries.join(',')}]`;
  const eventCount = events.length;
  const bytes = join(parts, length);
  const { texts } = table;
  return { ...head, eventCount, texts, json, bytes };
}

function unstorable(event: WireEvent, error: unknown): EventOf<'gap'> {
  const { sequence, captureId, bootId, wallTime, monotonicTime } = event;
  return {
    ...{ sequence, captureId, bootId, wallTime, monotonicTime },
    ...(event.connectionId === undefined ? {} : { connectionId: event.connectionId }),
    kind: 'gap',
    what: `An event that was shown cannot be stored (${event.kind})`,
    why: reasonOf(error),
    fromSequence: sequence,
    toSequence: sequence,
  };
}

/** The stored form of many, made in turns: what shares a thread with the worker must not wait for all of them. */
export async function encodeBlocks(blocks: readonly Block[]): Promise<StoredBlock[]> {
  const encoded: StoredBlock[] = [];
  const turns = createTurns();
  for (const block of blocks) {
    encoded.push(encodeBlock(block));
    if (turns.isOver) await turns.next();
  }
  return encoded;
}

/** Frees the bytes of blocks that the database has its copy of, without waiting for a collector. */
export function letGoOf(blocks: readonly StoredBlock[]): void {
  for (const { bytes } of blocks) {
    if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
  }
}

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

/** Numbers the texts of a block; `undefined` is -1. */
function createTable() {
  const texts: string[] = [];
  const indexes = new Map<string, number>();
  return {
    texts,
    indexOf(text: string | undefined): number {
      if (text === undefined) return -1;
      const known = indexes.get(text);
      if (known !== undefined) return known;
      indexes.set(text, texts.length);
      return texts.push(text) - 1;
    },
  };
}

type SseRow = [
  sequence: number,
  wallTime: number,
  monotonicTime: number,
  captureId: number,
  bootId: number,
  connectionId: number,
  httpId: number,
  blockOffset: number,
  blockLength: number,
  event: number,
  id: string | 0,
  /** Offset and length of each `data` line. */
  data: number[] | 0,
];

/** An SSE event in a third of the text: bursts consist of nothing else. */
function sseRow(
  event: EventOf<'sse-event'>,
  indexOf: (text: string | undefined) => number,
): string {
  const { sequence, wallTime, monotonicTime, captureId, bootId, block, id, data } = event;
  if (event.origin !== undefined) return JSON.stringify(event);
  const texts = `${indexOf(captureId)},${indexOf(bootId)},${indexOf(event.connectionId)},${indexOf(event.httpId)}`;
  let spans = '0';
  if (data !== undefined) {
    spans = '';
    for (const { offset, length } of data) spans += `${spans === '' ? '' : ','}${offset},${length}`;
    spans = `[${spans}]`;
  }
  return `[${sequence},${wallTime},${monotonicTime},${texts},${block.offset},${block.length},${indexOf(event.event)},${id === undefined ? 0 : JSON.stringify(id)},${spans}]`;
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

function join(parts: Uint8Array[], length: number): Uint8Array {
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
