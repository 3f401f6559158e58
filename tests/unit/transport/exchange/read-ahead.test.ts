import { expect, test } from 'vitest';
import type { BodyReader } from '../../../../lib/transport/exchange/http-door.ts';
import { readAhead } from '../../../../lib/transport/exchange/read-ahead.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const PART_BYTES = 256 * 1024;

function contentOf(length: number): Bytes {
  return Uint8Array.from({ length }, (_, index) => index * 13);
}

function bodyOf(...chunks: Bytes[]) {
  let isCancelled = false;
  const body: BodyReader = {
    read: () => {
      const value = chunks.shift();
      return Promise.resolve(
        value === undefined || isCancelled
          ? { done: true, value: undefined }
          : { done: false, value },
      );
    },
    cancel: () => Promise.resolve(void (isCancelled = true)),
  };
  return body;
}

async function readAll(body: BodyReader) {
  const parts: Bytes[] = [];
  for (;;) {
    const { done, value } = await body.read();
    if (value !== undefined) parts.push(value);
    if (done) return parts;
  }
}

test('a large chunk is handed on in parts of their own, and is gone then', async () => {
  const chunk = contentOf(3 * PART_BYTES + 10);
  const content = chunk.slice();
  const parts = await readAll(
    readAhead(
      bodyOf(chunk),
      () => Infinity,
      () => undefined,
    ),
  );
  expect(parts.map(({ length }) => length)).toEqual([PART_BYTES, PART_BYTES, PART_BYTES, 10]);
  for (const { buffer, length } of parts) expect(buffer.byteLength).toBe(length);
  expect(Buffer.concat(parts).equals(content)).toBe(true);
  expect(chunk.buffer.detached).toBe(true);
});

test('a view of a buffer that others read from leaves it alone', async () => {
  const whole = contentOf(3 * PART_BYTES);
  const view = whole.subarray(0, 2 * PART_BYTES);
  const parts = await readAll(
    readAhead(
      bodyOf(view),
      () => Infinity,
      () => undefined,
    ),
  );
  expect(Buffer.concat(parts).equals(whole.subarray(0, 2 * PART_BYTES))).toBe(true);
});

test('what does not fit ends the body, and what fits is handed on', async () => {
  const told: number[] = [];
  const chunks = [contentOf(PART_BYTES * 2), contentOf(50)];
  const content = Buffer.concat(chunks);
  const ahead = readAhead(
    bodyOf(...chunks),
    () => PART_BYTES + 300,
    (bytes) => told.push(bytes),
  );
  const parts = await readAll(ahead);
  expect(Buffer.concat(parts).equals(content.subarray(0, PART_BYTES + 300))).toBe(true);
  expect(told).toEqual([PART_BYTES * 2]);
  expect(ahead.isCut).toBe(true);
});
