import type { BodyReader } from './http-door.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** As much is asked for while there is little. */
const FIRST_BYTES = 64 * 1024;
/** As much is asked for at most: copying that takes a few milliseconds. */
const MOST_BYTES = 16 * 1024 * 1024;
const GROWTH = 16;

/**
 * Reads a body in pieces of bounded size, larger ones while the browser has more than was asked for. Firefox
 * else hands out all that it has at once, up to 256 MiB, and copies that first. A body that is no byte stream
 * is read as it comes.
 */
export function readInPieces(body: ReadableStream<Bytes>): BodyReader {
  const reader = byobReader(body);
  if (reader === undefined) return body.getReader();
  let size = FIRST_BYTES;
  /** Room for the next piece: the same again while pieces are small. */
  let room: ArrayBuffer | undefined;
  return {
    async read() {
      const asked = size;
      const { done, value } = await reader.read(new Uint8Array(room ?? new ArrayBuffer(asked)));
      room = undefined;
      if (done) return { done: true, value: undefined };
      if (value.length === asked) {
        size = Math.min(asked * GROWTH, MOST_BYTES);
        return { done: false, value };
      }
      const piece = value.slice();
      size = FIRST_BYTES;
      if (asked === FIRST_BYTES) room = value.buffer;
      else value.buffer.transfer(0);
      return { done: false, value: piece };
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

function byobReader(body: ReadableStream<Bytes>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}
