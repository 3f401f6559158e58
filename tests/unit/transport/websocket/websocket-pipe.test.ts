import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPartReader, toParts } from '../../../../lib/browser/socket/socket-pipe.ts';

function pass(frames: readonly (string | Uint8Array<ArrayBuffer>)[]) {
  const read = createPartReader();
  // Chrome's ports carry JSON.
  const parts = frames.flatMap((frame) => JSON.parse(JSON.stringify([...toParts(frame)])));
  return parts.map(read).filter((frame) => frame !== undefined);
}

const BINARY = fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes));
const TEXT = fc.string({ unit: 'grapheme', maxLength: 300 });

test('any frames come out of the pipe as they went in, in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(TEXT, BINARY), { maxLength: 20 }), (frames) => {
      expect(pass(frames)).toEqual(frames);
    }),
  );
});

test('a long frame goes in parts, none of which cuts a character in two', () => {
  const text = `x${'😀'.repeat(5 * 1024 * 1024)}`;
  const parts = [...toParts(text)];
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.map(({ isLast }) => isLast).indexOf(true)).toBe(parts.length - 1);
  for (const { part } of parts) expect(part.isWellFormed()).toBe(true);
  expect(pass([text])[0] === text).toBe(true);
});

test('an empty frame is a frame', () => {
  expect(pass(['', new Uint8Array()])).toEqual(['', new Uint8Array()]);
});
