import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactNumber, parseExact, toPlain, writeExact } from '../../../lib/json/exact.ts';

test('digits that JavaScript would lose come back', () => {
  const text = '{"a":9007199254740993,"b":[0.1234567890123456789,1e400],"c":1.5,"d":7}';
  expect(writeExact(parseExact(text))).toBe(text);
  expect(parseExact('7')).toBe(7);
  expect(parseExact('9007199254740993')).toBeInstanceOf(ExactNumber);
});

test('a check gets the nearest number', () => {
  expect(toPlain(parseExact('{"a":[9007199254740993]}'))).toEqual({ a: [9007199254740992] });
});

test('every JSON text comes back as the same value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(writeExact(parseExact(text)))).toEqual(JSON.parse(text));
      expect(JSON.stringify(toPlain(parseExact(text)))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test('every integer keeps its digits', () => {
  fc.assert(
    fc.property(fc.bigInt(), (value) => {
      expect(writeExact(parseExact(`[${value}]`))).toBe(`[${value}]`);
    }),
  );
});
