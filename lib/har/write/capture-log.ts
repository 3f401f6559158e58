import type { Block, EventOf, WireEvent } from '../../capture/wire-event.ts';
import { AppError } from '../../errors.ts';
import type { HarLog } from './write-har.ts';

/** Bytes that are in memory at a time; the others are read when their entry is written. */
const HELD_BYTES = 192 * 1024 * 1024;

type BytesEvent = EventOf<'http-chunk' | 'socket-frame'>;

export interface CaptureLogOptions {
  capture: { captureId: string; name: string; lastSequence: number };
  /** Stored blocks that hold events of `from` to `to`, in order. */
  readBlocks(captureId: string, from: number, to: number): AsyncIterable<Block[]>;
  signal?: AbortSignal;
  heldBytes?: number;
}

/** A stored capture as a log to write: all its events, and their bytes as they are wanted. */
export async function openCaptureLog(options: CaptureLogOptions): Promise<HarLog> {
  const { capture, readBlocks, signal, heldBytes: most = HELD_BYTES } = options;
  const { captureId, name, lastSequence } = capture;
  const events: WireEvent[] = [];
  let held = new Map<number, Uint8Array>();
  let heldBytes = 0;

  function hold(event: BytesEvent): void {
    const { bytes } = event.data;
    if (heldBytes + bytes.length > most) {
      held = new Map();
      heldBytes = 0;
    }
    heldBytes += bytes.length;
    held.set(event.sequence, bytes);
  }

  for await (const blocks of readBlocks(captureId, 0, lastSequence)) {
    signal?.throwIfAborted();
    for (const event of blocks.flatMap((block) => block.events)) {
      if (!hasBytes(event)) {
        events.push(event);
        continue;
      }
      hold(event);
      const { bytes, ...rest } = event.data;
      events.push({ ...event, data: { ...rest, bytes: NOTHING, awayBytes: bytes.length } });
    }
  }

  return {
    name,
    events,
    async load(wanted) {
      const found = new Map<number, Uint8Array>();
      const missing = wanted.filter((event) => {
        const bytes = held.get(event.sequence);
        if (bytes !== undefined) found.set(event.sequence, bytes);
        return hasBytes(event) && bytes === undefined;
      });
      const [first, last] = [missing[0], missing.at(-1)];
      if (first !== undefined && last !== undefined) {
        const sequences = new Set(missing.map(({ sequence }) => sequence));
        for await (const blocks of readBlocks(captureId, first.sequence, last.sequence)) {
          signal?.throwIfAborted();
          for (const event of blocks.flatMap((block) => block.events)) {
            if (!hasBytes(event)) continue;
            hold(event);
            if (sequences.has(event.sequence)) found.set(event.sequence, event.data.bytes);
          }
        }
      }
      return wanted.map((event) => withBytes(event, found));
    },
  };
}

const NOTHING = new Uint8Array();

function hasBytes(event: WireEvent): event is BytesEvent {
  return event.kind === 'http-chunk' || event.kind === 'socket-frame';
}

function withBytes(event: WireEvent, found: ReadonlyMap<number, Uint8Array>): WireEvent {
  if (!hasBytes(event)) return event;
  const bytes = found.get(event.sequence);
  if (bytes === undefined) {
    throw new AppError({
      code: 'storage-failed',
      message: 'A part of the capture is no longer there: it was deleted while it was read.',
      advice: 'Nothing was written. Look whether the capture is still in the list, and try again.',
      detail: `event ${event.sequence}`,
    });
  }
  const { awayBytes: _away, ...data } = event.data;
  return { ...event, data: { ...data, bytes } };
}
