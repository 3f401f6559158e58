import { createTurns } from '../../turns.ts';
import type { Place, SseRow, StoredBlock } from './stored-block.ts';
import type { Span, StoredBytes } from './stored-text.ts';
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

/** One text of all events in one go: a text for each of them costs a third more. */
function encode(block: Block): StoredBlock {
  const { events, ...head } = block;
  const parts = new Parts();
  const table = new Table();
  const json = JSON.stringify(events.map((event) => entryOf(event, parts, table)));
  return { ...head, eventCount: events.length, texts: table.texts, json, bytes: parts.join() };
}

function entryOf(event: WireEvent, parts: Parts, table: Table): object {
  switch (event.kind) {
    case 'sse-event':
      return event.origin === undefined ? sseRow(event, table) : event;
    case 'http-chunk':
    case 'socket-frame':
      return { ...event, data: parts.place(event.data) };
    case 'http-request':
      return event.body === undefined ? event : { ...event, body: parts.place(event.body) };
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

  place(data: StoredBytes): object {
    const { bytes } = data;
    const at: Place = [this.#length, bytes.length];
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return { ...data, bytes: at };
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

/** Numbers the texts of a block; `undefined` is -1. */
class Table {
  readonly texts: string[] = [];
  readonly #indexes = new Map<string, number>();

  indexOf(text: string | undefined): number {
    if (text === undefined) return -1;
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    this.#indexes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

/** An SSE event in a third of the text: bursts consist of nothing else. */
function sseRow(event: EventOf<'sse-event'>, table: Table): SseRow {
  const { block, data } = event;
  return [
    event.sequence,
    event.wallTime,
    event.monotonicTime,
    table.indexOf(event.captureId),
    table.indexOf(event.bootId),
    table.indexOf(event.connectionId),
    table.indexOf(event.httpId),
    block.offset,
    block.length,
    table.indexOf(event.event),
    event.id ?? 0,
    data === undefined ? 0 : flat(data),
  ];
}

function flat(spans: readonly Span[]): number[] {
  const numbers: number[] = [];
  for (const { offset, length } of spans) numbers.push(offset, length);
  return numbers;
}
