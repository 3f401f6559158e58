import type { Span, StoredBytes } from './stored-text.ts';
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
  /** The events, with the place of their bytes in `bytes` instead of the bytes. */
  json: string;
  bytes: Uint8Array;
}

type Place = [offset: number, length: number];

/** The form in which a block is stored; `decodeBlock` gives the same events back. */
export function encodeBlock(block: Block): StoredBlock {
  const { events, captureId, firstSequence, lastSequence, sizeBytes } = block;
  const parts: Uint8Array[] = [];
  let length = 0;

  function place({ bytes, ...rest }: StoredBytes): object {
    const at: Place = [length, bytes.length];
    parts.push(bytes);
    length += bytes.length;
    return { ...rest, bytes: at };
  }

  const quote = createQuotes();
  const texts = events.map((event) => {
    switch (event.kind) {
      case 'sse-event':
        return sseEventJson(event, quote);
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
  });
  const json = `[${texts.join(',')}]`;
  const eventCount = events.length;
  const bytes = join(parts, length);
  return { captureId, firstSequence, lastSequence, eventCount, sizeBytes, json, bytes };
}

/** The inverse of `encodeBlock`. The bytes of the events are views of the block's. */
export function decodeBlock(stored: StoredBlock): Block {
  const { captureId, firstSequence, lastSequence, sizeBytes, bytes } = stored;
  const take = (data: StoredBytes) => {
    const [offset, length] = data.bytes as unknown as Place;
    data.bytes = bytes.subarray(offset, offset + length);
  };
  const events = JSON.parse(stored.json) as WireEvent[];
  for (const event of events) {
    if (event.kind === 'http-chunk' || event.kind === 'socket-frame') take(event.data);
    else if (event.kind === 'http-request' && event.body !== undefined) take(event.body);
  }
  return { captureId, firstSequence, lastSequence, sizeBytes, events };
}

type Quote = (text: string) => string;

/** JSON strings of the few texts that every event of a block repeats. */
function createQuotes(): Quote {
  const known = new Map<string, string>();
  return (text) => {
    const quoted = known.get(text) ?? JSON.stringify(text);
    known.set(text, quoted);
    return quoted;
  };
}

/** What `JSON.stringify` gives, in a third of its time: bursts consist of nothing else. */
function sseEventJson(event: EventOf<'sse-event'>, quote: Quote): string {
  const { connectionId, origin, id, data } = event;
  if (origin !== undefined) return JSON.stringify(event);
  return (
    `{"sequence":${event.sequence},"captureId":${quote(event.captureId)},"bootId":${quote(event.bootId)},` +
    `"wallTime":${event.wallTime},"monotonicTime":${event.monotonicTime},` +
    (connectionId === undefined ? '' : `"connectionId":${quote(connectionId)},`) +
    `"kind":"sse-event","httpId":${quote(event.httpId)},"block":${spanJson(event.block)}` +
    (event.event === undefined ? '' : `,"event":${quote(event.event)}`) +
    (id === undefined ? '' : `,"id":${JSON.stringify(id)}`) +
    (data === undefined ? '' : `,"data":[${data.map(spanJson).join(',')}]`) +
    '}'
  );
}

function spanJson({ offset, length }: Span): string {
  return `{"offset":${offset},"length":${length}}`;
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
