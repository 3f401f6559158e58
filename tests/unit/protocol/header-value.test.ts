import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeHeaderValue, encodeHeaderValue } from '../../../lib/protocol/header-value.ts';

describe('a mirrored value', () => {
  test.each([
    ['us-west1', 'us-west1'],
    ['a b', 'a b'],
    ['~!@#$%^&*()', '~!@#$%^&*()'],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['a\tb', '=?base64?YQli?='],
    ['', '=?base64??='],
    ['日本', '=?base64?5pel5pys?='],
    ['=?base64?QQ==?=', '=?base64?PT9iYXNlNjQ/UVE9PT89?='],
    // Markers are case-sensitive, and both have to be there.
    ['=?BASE64?QQ==?=', '=?BASE64?QQ==?='],
    ['=?base64?QQ==', '=?base64?QQ=='],
  ])('%j travels as %s', (text, value) => {
    expect(encodeHeaderValue(text)).toBe(value);
    expect(decodeHeaderValue(value)).toBe(text);
  });

  test('comes back as it was, over characters that every proxy passes on', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string());
    fc.assert(
      fc.property(text, (given) => {
        const value = encodeHeaderValue(given);
        expect(value).toMatch(/^[\x21-\x7E]([\x20-\x7E]*[\x21-\x7E])?$/);
        expect(decodeHeaderValue(value)).toBe(given);
      }),
      { numRuns: 500 },
    );
  });

  test.each(['=?base64?*?=', '=?base64?/w==?='])('%s cannot be read', (value) => {
    expect(decodeHeaderValue(value)).toBeUndefined();
  });

  test('keeps a byte order mark', () => {
    expect(decodeHeaderValue(encodeHeaderValue('\uFEFFa'))).toBe('\uFEFFa');
  });
});
