import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileSearch, matchText } from '../../../../lib/state/search/search-pattern.ts';
import type { SearchQuery } from '../../../../lib/state/search/search-pattern.ts';
import { byteWindows, textWindow } from '../../../../lib/state/search/search-text.ts';

function find(text: string, query: Partial<SearchQuery> & { text: string }): string[] {
  const whole = { isCaseSensitive: false, isWholeWord: false, isRegex: false, ...query };
  const pattern = compileSearch(whole);
  if ('problem' in pattern) throw new Error(pattern.problem);
  return matchText(text, pattern).map(({ start, end }) => text.slice(start, end));
}

test('text is found in any case, to the letter, or as a whole word', () => {
  expect(find('Echo echo ECHOes', { text: 'echo' })).toEqual(['Echo', 'echo', 'ECHO']);
  expect(find('Echo echo ECHOes', { text: 'echo', isCaseSensitive: true })).toEqual(['echo']);
  expect(find('Echo echo ECHOes', { text: 'echo', isWholeWord: true })).toEqual(['Echo', 'echo']);
  expect(find('größe Größen', { text: 'größe', isWholeWord: true })).toEqual(['größe']);
});

test('what means something in an expression means nothing in a text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string(), (text, around) => {
      const found = find(`${around}${text}${around}`, { text, isCaseSensitive: true });
      expect(found).toContain(text);
    }),
  );
});

test('an expression that only the older mode allows is taken as well', () => {
  expect(find('a-b {', { text: 'a\\-b \\{', isRegex: true })).toEqual(['a-b {']);
  expect(find('x{', { text: 'x{', isRegex: true })).toEqual(['x{']);
  expect(find('one\ntwo', { text: '^two$', isRegex: true })).toEqual(['two']);
  expect(find('foo foobar', { text: 'foo|bar', isRegex: true, isWholeWord: true })).toEqual([
    'foo',
  ]);
  expect(find('abc', { text: 'x*', isRegex: true })).toEqual([]);
});

test.each(['(', 'a)', '[z-a]', '*', '(?<n>a)(?<n>b)'])('%s is said to be broken', (text) => {
  const query = { text, isCaseSensitive: false, isWholeWord: true, isRegex: true };
  const pattern = compileSearch(query);
  expect(pattern).toMatchObject({ problem: expect.stringContaining('Not a regular expression: ') });
  expect('problem' in pattern && pattern.problem).not.toContain('undefined');
});

test('text found in windows over any bytes is what is found in the bytes', () => {
  // Where a text overlaps itself, what counts as the next match depends on where one begins to look.
  const needle = fc
    .string({ unit: fc.constantFrom('a', 'é', '€', '😀') })
    .map((rest) => `b${rest}`);
  const junk = fc.array(fc.constantFrom(0xc3, 0xe2, 0x82, 0xf0, 0x9f, 0xff, 0x80, 0x61, 0x0a));
  fc.assert(
    fc.property(needle, fc.array(junk), fc.integer({ min: 1, max: 40 }), (text, parts, size) => {
      const needleBytes = Buffer.from(text);
      const bytes = Buffer.concat(parts.flatMap((part) => [Buffer.from(part), needleBytes]));
      const query = { text, isCaseSensitive: true, isWholeWord: false, isRegex: false };
      const pattern = compileSearch(query);
      if ('problem' in pattern) throw new Error(pattern.problem);
      const source = {
        length: bytes.length,
        cuts: [],
        read: (offset: number, length: number) => bytes.subarray(offset, offset + length),
      };
      let count = 0;
      let lastEnd = 0;
      for (const window of byteWindows(source, size, pattern.overlap)) {
        for (const { start, end } of matchText(window.searched, pattern)) {
          if (window.offset + start < lastEnd) continue;
          lastEnd = window.offset + end;
          count += 1;
        }
      }
      let expected = 0;
      for (let at = bytes.indexOf(needleBytes); at >= 0;) {
        expected += 1;
        at = bytes.indexOf(needleBytes, at + needleBytes.length);
      }
      expect(count).toBe(expected);
    }),
  );
});

test('a secret is blank to whoever searches, in windows of any size', () => {
  const bytes = Buffer.from('{"é":1,"token":"********","x":"*"}');
  const cuts = [{ offset: bytes.indexOf('********'), length: 8, secret: 'a91c', from: 0 }];
  for (let size = 1; size < 60; size += 1) {
    const source = {
      length: bytes.length,
      cuts,
      read: (offset: number, length: number) => bytes.subarray(offset, offset + length),
    };
    let text = '';
    let searched = '';
    for (const window of byteWindows(source, size, 3)) {
      text = text.slice(0, window.offset) + window.text;
      searched = searched.slice(0, window.offset) + window.searched;
    }
    expect(text).toBe(bytes.toString());
    expect(searched).toBe('{"é":1,"token":"\n\n\n\n\n\n\n\n","x":"*"}');
  }
  expect(textWindow('k: ***', [{ offset: 3, length: 3, secret: 'a', from: 0 }]).searched).toBe(
    'k: \n\n\n',
  );
});
