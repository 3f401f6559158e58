import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toDiffLines, toTextLines, type DiffLine } from '../../../lib/compare/diff-lines.ts';
import { diffJson } from '../../../lib/compare/json-diff.ts';
import type { JsonValue } from '../../../lib/compare/json-value.ts';
import { isVolatileValue } from '../../../lib/compare/volatile.ts';

const linesOf = (before: JsonValue, after: JsonValue, onlyDifferences = false) =>
  toDiffLines(diffJson(before, after), { onlyDifferences }).lines;

const shown = (lines: readonly DiffLine[]) =>
  lines.map(({ kind, before, after, count }) =>
    kind === 'left-out' ? `… ${count}` : `${kind}: ${before ?? ''} | ${after ?? ''}`,
  );

/** One side of a comparison, as a text. */
const side = (lines: readonly DiffLine[], name: 'before' | 'after') =>
  lines.flatMap((line) => (line[name] === undefined ? [] : [line[name]])).join('');

describe('lines', () => {
  test('are JSON with the changed values side by side', () => {
    const lines = linesOf({ a: 1, b: [1, 2], c: 'x' }, { a: 1, b: [1, 3], d: true });
    expect(shown(lines)).toEqual([
      'same: { | {',
      'same: "a": 1, | "a": 1,',
      'same: "b": [ | "b": [',
      'same: 1, | 1,',
      'changed: 2 | 3',
      'same: ], | ],',
      'removed: "c": "x", | ',
      'added:  | "d": true',
      'same: } | }',
    ]);
    expect(lines.map(({ depth }) => depth)).toEqual([0, 1, 1, 2, 2, 1, 1, 1, 0]);
  });

  test('that are equal are counted where only differences are wanted', () => {
    const list = (last: number) => [...Array.from({ length: 40 }, (_, at) => at), last];
    expect(shown(linesOf(list(100), list(200), true))).toEqual([
      '… 39',
      'same: 38, | 38,',
      'same: 39, | 39,',
      'changed: 100 | 200',
      'same: ] | ]',
    ]);
    expect(shown(linesOf(list(1), list(1), true))).toEqual(['… 43']);
  });

  test('of either side read as that side, whatever differs', () => {
    const anyValue = fc.jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom('a', 'b') });
    const compact = (value: unknown) => JSON.stringify(value).replaceAll(/[:,\s]/g, '');
    fc.assert(
      fc.property(anyValue, anyValue, (before, after) => {
        const { lines } = toDiffLines(diffJson(before as JsonValue, after as JsonValue));
        const read = (name: 'before' | 'after') => side(lines, name).replaceAll(/[:,\s]/g, '');
        // Names keep the order of the first value, so the letters are the same in any order.
        const letters = (text: string) => text.split('').toSorted().join('');
        expect(letters(read('before'))).toBe(letters(compact(before)));
        expect(letters(read('after'))).toBe(letters(compact(after)));
      }),
    );
  });

  test('of JSON inside a text are compared as JSON, other texts line by line', () => {
    const inside = (a: number) => ({ text: JSON.stringify({ list: [1, 2], a }) });
    expect(shown(linesOf(inside(1), inside(2), true)).join('\n')).toContain(
      'changed: "a": 1 | "a": 2',
    );
    const poem = (word: string) => ({ text: `one\ntwo ${word}\nthree` });
    expect(shown(linesOf(poem('x'), poem('y')))).toEqual([
      'same: { | {',
      'same: "text": text of several lines: | "text": text of several lines:',
      'same: one | one',
      'changed: two x | two y',
      'same: three | three',
      'same: } | }',
    ]);
  });

  test('that are too long are cut where they differ', () => {
    const [one, other] = [`${'a'.repeat(5000)}X`, `${'a'.repeat(5000)}Y`];
    const [line] = linesOf(one, other);
    expect(line?.before).toMatch(/^…a+X"$/);
    expect(line?.after?.length).toBeLessThan(700);
  });

  test('are bounded, and say so', () => {
    const all = toDiffLines(
      diffJson(
        [],
        Array.from({ length: 30_000 }, (_, at) => at),
      ),
    );
    expect(all.lines).toHaveLength(5000);
    expect(all.isCut).toBe(true);
  });

  test('of what is volatile are shown, and no difference', () => {
    const options = { isVolatile: isVolatileValue };
    const diff = diffJson({ id: 1, progressToken: 3 }, { id: 2 }, options);
    expect(toDiffLines(diff, options).lines.map(({ kind }) => kind)).toEqual([
      'same',
      'ignored',
      'ignored',
      'same',
    ]);
  });

  test('of plain texts are aligned', () => {
    expect(shown(toTextLines('a\nb', 'a\nc\nb').lines)).toEqual([
      'same: a | a',
      'added:  | c',
      'same: b | b',
    ]);
  });
});
