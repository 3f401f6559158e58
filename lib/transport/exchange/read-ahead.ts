import { createTurns } from '../../turns.ts';
import type { BodyReader } from './http-door.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** Larger chunks are cut up, so that no part of them holds on to the whole, which may be of 256 MiB. */
const PART_BYTES = 256 * 1024;

/** A body that is read as fast as it comes, up to a limit. */
export interface ReadAhead extends BodyReader {
  /** Whether it was ended because there was no room for more. */
  readonly isCut: boolean;
}

/**
 * Reads a body ahead of whoever reads from it: a browser that nothing slows down takes all that the server sends
 * into its own memory, so what does not fit in `room()` bytes ends the body at once. `cut` is told how many
 * bytes wait then.
 */
export function readAhead(
  body: BodyReader,
  room: () => number,
  cut: (waitingBytes: number) => void,
): ReadAhead {
  const chunks: Chunk[] = [];
  const turns = createTurns();
  let waitingBytes = 0;
  let isCut = false;
  let isOver = false;
  let failure: { error: unknown } | undefined;
  let wake: () => void = () => undefined;

  async function pump(): Promise<void> {
    try {
      while (!isOver) {
        const { done, value } = await body.read();
        if (value !== undefined) add(value);
        if (done) isOver = true;
        wake();
      }
    } catch (error) {
      isOver = true;
      failure = { error };
      wake();
    }
  }

  function add(chunk: Chunk): void {
    const left = Math.max(0, room() - waitingBytes);
    if (chunk.length > left) {
      isCut = true;
      isOver = true;
      body.cancel().catch(() => undefined);
      cut(waitingBytes + chunk.length);
    }
    const length = Math.min(chunk.length, left);
    waitingBytes += length;
    if (length === chunk.length && length <= PART_BYTES) chunks.push(chunk);
    else addParts(chunk, length);
  }

  /** Copies of the beginning; the whole is gone then. */
  function addParts(chunk: Chunk, length: number): void {
    for (let start = 0; start < length; start += PART_BYTES) {
      chunks.push(chunk.slice(start, Math.min(start + PART_BYTES, length)));
    }
    // It would stay until a collector finds it. A view may be one of several.
    if (chunk.length === chunk.buffer.byteLength) chunk.buffer.transfer(0);
  }

  void pump();
  return {
    get isCut() {
      return isCut;
    },
    async read() {
      // Whoever reads works through what there is in one go, were it not for this.
      if (turns.isOver) await turns.next();
      while (chunks.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
      const value = chunks.shift();
      if (value !== undefined) {
        waitingBytes -= value.length;
        return { done: false, value };
      }
      if (failure !== undefined) throw failure.error;
      return { done: true, value: undefined };
    },
    async cancel() {
      isOver = true;
      chunks.length = 0;
      wake();
      await body.cancel();
    },
  };
}
