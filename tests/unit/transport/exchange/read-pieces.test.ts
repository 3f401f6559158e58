import { expect, test } from 'vitest';
import { readInPieces } from '../../../../lib/transport/exchange/read-pieces.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const MOST_BYTES = 16 * 1024 * 1024;

/** A byte stream that has all of these bytes at once, and gives as much as it is asked for. */
function streamOf(content: Bytes) {
  let at = 0;
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const view = controller.byobRequest?.view;
      if (view === undefined || view === null) throw new Error('Nobody asks for a piece.');
      const part = content.subarray(at, at + view.byteLength);
      new Uint8Array(view.buffer, view.byteOffset).set(part);
      at += part.length;
      if (part.length === 0) controller.close();
      controller.byobRequest?.respond(part.length);
    },
  });
}

function contentOf(length: number): Bytes {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) bytes[index] = index * 7;
  return bytes;
}

async function readAll(stream: ReadableStream<Bytes>) {
  const reader = readInPieces(stream);
  const pieces: Bytes[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (value !== undefined) pieces.push(value);
    if (done) return pieces;
  }
}

test('large bodies come in ever larger pieces up to a bound, whole and in order', async () => {
  const content = contentOf(MOST_BYTES * 2 + 12_345);
  const pieces = await readAll(streamOf(content));
  const sizes = pieces.map(({ length }) => length);
  expect(Math.max(...sizes)).toBe(MOST_BYTES);
  expect(sizes.slice(0, 3)).toEqual([64 * 1024, 1024 * 1024, MOST_BYTES]);
  expect(Buffer.concat(pieces).equals(content)).toBe(true);
});

test('a small piece has no room of its own beyond its bytes', async () => {
  const written: Bytes[] = [contentOf(3), contentOf(1000), contentOf(1)];
  let next = 0;
  const stream = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const bytes = written[next];
      next += 1;
      if (bytes !== undefined) return controller.enqueue(bytes.slice());
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
  const pieces = await readAll(stream);
  expect(pieces).toEqual(written);
  for (const { length, buffer } of pieces) expect(buffer.byteLength).toBe(length);
});

test('a body that is no byte stream is read as it comes', async () => {
  const stream = new ReadableStream<Bytes>({
    start(controller) {
      controller.enqueue(contentOf(5));
      controller.close();
    },
  });
  expect(await readAll(stream)).toEqual([contentOf(5)]);
});
