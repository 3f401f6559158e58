import type { TakenFaults } from './faults-armed.ts';
import { createEventScan, endsBetweenEvents, type EventScan } from './faults-scan.ts';
import type { BodyReader } from '../exchange/http-door.ts';
import type { Droppable } from '../injected.ts';

/** Pieces are handed on one by one up to this many; beyond, the body comes as the server sends it. */
const MOST_PIECES = 10_000;

export interface BodyFaults extends Pick<TakenFaults, 'pieceBytes' | 'cutAfterBytes'> {
  /** A fault strikes now. */
  struck(kind: 'split' | 'cut' | 'drop'): void;
  /** The body is over, whatever it was that ended it. */
  over(): void;
  /** What it rejects with when it is broken off. */
  cut(words: string): Error;
}

type BodyChunk = Awaited<ReturnType<BodyReader['read']>>;

/** A body that can be broken off from outside. */
export interface FaultyBody extends BodyReader, Droppable {}

/** Puts faults into a body, of which `tail` has come already; none is needed to break it off later. */
export function createFaultyBody(
  body: BodyReader,
  faults: BodyFaults,
  tail: Uint8Array = new Uint8Array(),
): FaultyBody {
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let pieceCount = 0;
  let passedBytes = 0;
  let isBetween = endsBetweenEvents(tail);
  let scan: EventScan | undefined;
  let cut: Error | undefined;

  function breakOff(kind: 'cut' | 'drop', words: string): void {
    if (cut !== undefined) return;
    cut = faults.cut(words);
    faults.struck(kind);
    // The connection goes with it; what it still rejects with is of no interest.
    body.cancel().catch(() => undefined);
    faults.over();
  }

  /** What of these bytes still comes through. */
  function admit(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    let admitted = bytes;
    const end = scan?.endIn(bytes);
    if (end !== undefined) {
      admitted = bytes.subarray(0, end);
      breakOff('drop', 'dropped by us after an event');
    }
    const left = (faults.cutAfterBytes ?? Infinity) - passedBytes;
    if (admitted.length >= left) {
      admitted = admitted.subarray(0, left);
      breakOff('cut', `cut by us after ${faults.cutAfterBytes} bytes`);
    }
    passedBytes += admitted.length;
    isBetween = endsBetweenEvents(admitted);
    return admitted;
  }

  function split(bytes: Uint8Array<ArrayBuffer>): void {
    const size = faults.pieceBytes ?? bytes.length;
    if (pieceCount === 0 && bytes.length > size) faults.struck('split');
    for (let at = 0; at < bytes.length; pieceCount += 1) {
      const end = pieceCount < MOST_PIECES ? at + size : bytes.length;
      pieces.push(bytes.subarray(at, end));
      at = end;
    }
  }

  function read(): Promise<BodyChunk> {
    if (faults.cutAfterBytes === 0) breakOff('cut', 'cut by us before the first byte');
    const waiting = pieces.shift();
    if (waiting !== undefined) return Promise.resolve({ done: false, value: waiting });
    return cut === undefined ? body.read().then(take, fail) : Promise.reject(cut);
  }

  function take(chunk: BodyChunk): BodyChunk | Promise<BodyChunk> {
    if (cut !== undefined) return Promise.reject(cut);
    if (chunk.done) {
      faults.over();
      return chunk;
    }
    const admitted = admit(chunk.value);
    if (faults.pieceBytes === undefined && admitted.length > 0) {
      return { done: false, value: admitted };
    }
    split(admitted);
    return read();
  }

  function fail(error: unknown): never {
    faults.over();
    throw cut ?? (error instanceof Error ? error : new Error(String(error)));
  }

  return {
    read,
    cancel(reason) {
      pieces = [];
      faults.over();
      return body.cancel(reason);
    },
    drop: () => breakOff('drop', 'dropped by us'),
    dropAfterEvent(isWanted) {
      scan = isWanted ? createEventScan(!isBetween) : undefined;
    },
  };
}
