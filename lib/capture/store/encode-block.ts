import { createTurns } from '../../turns.ts';
import { RowWriter } from './encode-row.ts';
import type { Place, StoredBlock } from './stored-block.ts';
import type { StoredBytes } from './stored-text.ts';
import { reasonOf } from './unreadable.ts';
import type { Block, EventOf, WireEvent } from '../wire-event.ts';

/** The form in which a block is stored; `decodeBlock` gives the same events back. */
export function encodeBlock(block: Block): StoredBlock {
  try {
    return encode(block);
  } catch {
    // One event that has no stored form must not keep all others from the disk, now and for ever.
    return encode({ ...block, events: block.events.map((event) => storable(block, event)) });
  }
}

function encode(block: Block): StoredBlock {
  const { events, ...head } = block;
  const parts = new Parts();
  const writer = new RowWriter(block, (bytes) => parts.place(bytes));
  const others: object[] = [];
  for (const event of events) {
    if (!writer.write(event)) others.push(entryOf(event, parts));
  }
  const { texts, base, rows } = writer;
  // One text of all of them: a text for each costs a third more.
  const json = JSON.stringify(others);
  return { ...head, eventCount: events.length, texts, base, rows, json, bytes: parts.join() };
}

function entryOf(event: WireEvent, parts: Parts): object {
  switch (event.kind) {
    case 'http-chunk':
    case 'socket-frame':
      return { ...event, data: parts.placed(event.data) };
    case 'http-request':
      return event.body === undefined ? event : { ...event, body: parts.placed(event.body) };
    default:
      return event;
  }
}

function storable(block: Block, event: WireEvent): WireEvent {
  try {
    encode({ ...block, events: [event] });
    return event;
  } catch (error) {
    return unstorable(event, error);
  }
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

/** The bytes of a block, put one behind the other. */
class Parts {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  place(bytes: Uint8Array): Place {
    const at: Place = [this.#length, bytes.length];
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return at;
  }

  placed(data: StoredBytes): object {
    return { ...data, bytes: this.place(data.bytes) };
  }

  join(): Uint8Array {
    const joined = new Uint8Array(this.#length);
    let offset = 0;
    for (const part of this.#parts) {
      joined.set(part, offset);
      offset += part.length;
    }
    return joined;
  }
}
