import type { BodyReader } from './http-door.ts';

type Chunk = Uint8Array<ArrayBuffer>;

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
    const part = chunk.length > left ? beginningOf(chunk, left) : chunk;
    if (part.length === 0) return;
    chunks.push(part);
    waitingBytes += part.length;
  }

  void pump();
  return {
    get isCut() {
      return isCut;
    },
    async read() {
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

/** A copy; the whole is gone then. */
function beginningOf(chunk: Chunk, length: number): Chunk {
  const part = chunk.slice(0, length);
  // Up to 256 MiB, which would stay until a collector finds them.
  chunk.buffer.transfer(0);
  return part;
}
