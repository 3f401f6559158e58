import { createTurns } from '../turns.ts';
import type { Place, StoredBlock } from './stored-block.ts';
import type { StoredBytes } from './stored-text.ts';
import { reasonOf } from './unreadable.ts';
import type { Block, EventOf, WireEvent } from './wire-event.ts';

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

function join(parts: Uint8Array[], length: number): Uint8Array {
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
