import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createTokenSieve,
  LONGEST_TOKEN_BODY,
} from '../../../../lib/transport/sieve/token-sieve.ts';

function sift(...chunks: string[]) {
  const found: string[] = [];
  const sieve = createTokenSieve((value) => void found.push(value));
  const parts = [...chunks.map((chunk) => new TextEncoder().encode(chunk)), undefined];
  const out = parts.flatMap((chunk) => sieve.admit(chunk) ?? []);
  return { found, text: out.map((bytes) => new TextDecoder().decode(bytes)).join('') };
}

describe('the secrets of an answer', () => {
  test.each([
    ['{"access_token":"a-1","refresh_token" : "r-1","scope":"x"}', ['a-1', 'r-1']],
    [
      '{"client_id":"c","client_secret":"s\\u002f\\"1","registration_access_token":"t"}',
      ['s/"1', 't'],
    ],
    ['access_token=a%2B1&token_type=bearer&refresh_token=r', ['a+1', 'r']],
    ['{"access_token":"cut o', ['cut o']],
    ['{"id_token":"a.b.c"', ['a.b.c']],
    ['{"scope":"access_token"}', []],
    ['<html>', []],
  ])('%s', (text, secrets) => {
    expect(sift(text)).toEqual({ found: secrets, text });
  });

  test('are found wherever the chunks are cut, and no byte is lost', () => {
    const text = '{"access_token":"secret-of-this-test","é":1,"refresh_token":"another-secret"}';
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), text.length];
        const chunks = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
        expect(sift(...chunks)).toEqual({ found: ['secret-of-this-test', 'another-secret'], text });
      }),
    );
  });

  test('do not make an endless body wait for its end', () => {
    const sieve = createTokenSieve(undefined);
    const chunk = new Uint8Array(LONGEST_TOKEN_BODY);
    expect(sieve.admit(chunk)).toBeUndefined();
    // Whoever reads stops here: it is longer than it may be.
    expect(sieve.admit(chunk)?.length).toBe(2 * LONGEST_TOKEN_BODY);
  });
});
