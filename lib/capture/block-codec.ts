import type { Block, StoredBytes, WireEvent } from './wire-event.ts';

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

  const plain = events.map((event) => {
    switch (event.kind) {
      case 'http-chunk':
      case 'socket-frame':
        return { ...event, data: place(event.data) };
      case 'http-request':
        return event.body === undefined ? event : { ...event, body: place(event.body) };
      default:
        return event;
    }
  });
  const json = JSON.stringify(plain);
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

function join(parts: Uint8Array[], length: number): Uint8Array {
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
