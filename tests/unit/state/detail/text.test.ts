import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hexDump } from '../../../../lib/state/detail/hex-dump.ts';
import { toVisiblePieces } from '../../../../lib/state/detail/visible-text.ts';
import {
  decodeUtf8,
  formatBytes,
  formatClock,
  formatCount,
  formatDuration,
  formatGap,
  formatRunning,
  jsonOf,
  toLine,
} from '../../../../lib/text.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [99_949, '99.9 kB'],
  [99_950, '100 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [16_777_216, '16.8 MB'],
  [999_499_999, '999 MB'],
  [999_500_000, '1.0 GB'],
  [82_595_000_000, '82.6 GB'],
])('%d bytes are %s', (sizeBytes, text) => {
  expect(formatBytes(sizeBytes)).toBe(text);
});

test.each([
  [0, '0 ms'],
  [-3, '0 ms'],
  [0.42, '0.4 ms'],
  [9.96, '10 ms'],
  [41.4, '41 ms'],
  [999.6, '1.00 s'],
  [1240, '1.24 s'],
  [59_999, '1 min 0 s'],
  [123_000, '2 min 3 s'],
  [3_660_000, '1 h 1 min'],
])('%d ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [0, '0.0 s'],
  [1299, '1.2 s'],
  [12_900, '12 s'],
  [61_000, '1 min 1 s'],
])('%d ms and counting are %s', (ms, text) => {
  expect(formatRunning(ms)).toBe(text);
});

test('gaps, counts and times of day read as in DevTools', () => {
  expect(formatGap(250)).toBe('+250 ms');
  expect([0, 1, 1032].map((count) => formatCount(count, 'row'))).toEqual([
    '0 rows',
    '1 row',
    '1,032 rows',
  ]);
  expect(formatClock(new Date(2026, 0, 2, 3, 4, 5, 6).getTime())).toBe('03:04:05.006');
});

test('bytes that are not UTF-8 have no text; a byte order mark stays', () => {
  expect(decodeUtf8(new Uint8Array([0xff]))).toBeUndefined();
  expect(decodeUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))).toBe('\uFEFFa');
});

test('a hex dump gives offset, bytes and ASCII', () => {
  const bytes = new TextEncoder().encode('data: 0123456789\r\n');
  expect(hexDump(bytes, 16)).toBe(
    [
      '00000010  64 61 74 61 3a 20 30 31 32 33 34 35 36 37 38 39  data: 0123456789',
      `00000020  0d 0a${' '.repeat(42)}  ..`,
    ].join('\n'),
  );
});

test('characters that look like nothing get a mark', () => {
  const marks = toVisiblePieces('a\u2028b\u0000\u200B\uD800\tc\n').flatMap(
    ({ mark }) => mark ?? [],
  );
  expect(marks).toEqual(['U+2028', 'NUL', 'ZWSP', 'U+D800']);
});

test('line ends are marked on demand', () => {
  expect(toVisiblePieces('a\r\n', true)).toEqual([
    { text: 'a' },
    { text: '\r', mark: 'CR' },
    { text: '\n', mark: 'LF' },
  ]);
});

test('the pieces of a text always join to the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, lineEnds) => {
      const pieces = toVisiblePieces(text, lineEnds);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    }),
  );
});

test.each<[unknown, string]>([
  ['a "text"', 'a "text"'],
  [Infinity, 'Infinity'],
  [undefined, 'undefined'],
  [null, 'null'],
  [{ toString: 1, valueOf: 1 }, '{"toString":1,"valueOf":1}'],
  [JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`), '…'],
])('the value %# of a message has a line', (value, line) => {
  expect(toLine(value)).toBe(line);
});

test('JSON of a value keeps its type apart', () => {
  expect(['1', 1, undefined].map(jsonOf)).toEqual(['"1"', '1', undefined]);
});
