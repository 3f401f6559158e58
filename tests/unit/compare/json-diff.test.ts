import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alignKeys } from '../../../lib/compare/align.ts';
import { applyDiff, diffJson, weighDiff } from '../../../lib/compare/json-diff.ts';
import { readJson, type JsonValue } from '../../../lib/compare/json-value.ts';
import { isVolatileValue } from '../../../lib/compare/volatile.ts';

/** Values with few names and few texts, so that two of them have much in common. */
const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.constantFrom('', 'a', 'b', '2026-11-30T18:00:00Z', null, true, 0, 1, 2n ** 70n),
      fc.integer({ min: 0, max: 3 }),
    ),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('id', 'name', 'x', '__proto__', 'at', ''), tie('value'), {
      maxKeys: 4,
    }),
  ),
}));

function shuffled(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => shuffled(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]): [string, JsonValue] => [key, shuffled(member)])
      .toReversed(),
  );
}

const OPTIONS = { isVolatile: isVolatileValue };

describe('a difference', () => {
  test('of equal values is none, in whatever order their names are', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(weighDiff(diffJson(value, structuredClone(value)))).toBe('same');
        expect(weighDiff(diffJson(value, shuffled(value)))).toBe('same');
      }),
    );
  });

  test('applied to the first value gives the second, volatile or not', () => {
    fc.assert(
      fc.property(anyValue, anyValue, fc.boolean(), (before, after, isLenient) => {
        const diff = diffJson(before, after, isLenient ? OPTIONS : {});
        expect(applyDiff(before, diff)).toEqual(after);
      }),
      { numRuns: 2000 },
    );
  });

  test('is there exactly where the values differ, seen from either side', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (one, other) => {
        const weight = weighDiff(diffJson(one, other));
        expect(weighDiff(diffJson(other, one))).toBe(weight);
        const isSame = weight === 'same';
        expect(isSame).toBe(canonical(one) === canonical(other));
      }),
      { numRuns: 1000 },
    );
  });

  test('only in what is volatile weighs less', () => {
    const call = (id: number, at: string) => ({
      id,
      result: { content: [{ text: 'a', createdAt: at }], _meta: { progressToken: id } },
    });
    const [one, other] = [call(1, '2026-11-30T18:00:00Z'), call(2, '2026-11-30T18:00:01.5Z')];
    expect(weighDiff(diffJson(one, other, OPTIONS))).toBe('volatile');
    expect(weighDiff(diffJson(one, other))).toBe('different');
    const changed = { ...other, result: { ...other.result, content: [{ text: 'b' }] } };
    expect(weighDiff(diffJson(one, changed, OPTIONS))).toBe('different');
  });
});

function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return `big ${part}`;
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

describe('lists', () => {
  test('of named things are matched by name, wherever they stand', () => {
    const tool = (name: string, description: string) => ({ name, description });
    const before = [tool('add', 'Adds'), tool('echo', 'Says'), tool('gone', '')];
    const after = [tool('echo', 'Repeats'), tool('add', 'Adds'), tool('new', '')];
    const diff = diffJson(before, after);
    expect(diff).toMatchObject({
      kind: 'array',
      isReordered: true,
      items: [
        { before: 1, after: 0, diff: { kind: 'object' } },
        { before: 0, after: 1, diff: { kind: 'same' } },
        { after: 2, diff: { kind: 'added' } },
        { before: 2, diff: { kind: 'removed' } },
      ],
    });
    expect(applyDiff(before, diff)).toEqual(after);
  });

  test('of plain things are aligned, so that one more in front changes nothing else', () => {
    const diff = diffJson([1, 2, 3, 4], [0, 1, 2, 3, 4]);
    expect(diff.kind === 'array' && diff.items.map((item) => item.diff.kind)).toEqual([
      'added',
      'same',
      'same',
      'same',
      'same',
    ]);
  });

  test('whose ids are new every time are matched by the rest', () => {
    const items = (from: number) => ['a', 'b'].map((text, at) => ({ id: from + at, text }));
    const diff = diffJson(items(1), [{ id: 9, text: 'new' }, ...items(10)], OPTIONS);
    expect(diff.kind === 'array' && diff.items.map((item) => item.diff.kind)).toEqual([
      'added',
      'object',
      'object',
    ]);
  });
});

describe('alignment', () => {
  const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });

  test('names every place once, in order, and only equal keys match', () => {
    fc.assert(
      fc.property(keys, keys, (before, after) => {
        const pairs = alignKeys(before, after);
        const places = (side: 'before' | 'after') =>
          pairs.flatMap((pair) => (pair[side] === undefined ? [] : [pair[side]]));
        expect(places('before')).toEqual(before.map((_, index) => index));
        expect(places('after')).toEqual(after.map((_, index) => index));
        for (const pair of pairs) {
          if (pair.before === undefined || pair.after === undefined) continue;
          expect(before[pair.before]).toBe(after[pair.after]);
        }
      }),
    );
  });

  test('matches as many as can be matched in order', () => {
    fc.assert(
      fc.property(keys, keys, (before, after) => {
        const matched = alignKeys(before, after).filter(
          (pair) => pair.before !== undefined && pair.after !== undefined,
        );
        expect(matched).toHaveLength(longestCommon(before, after));
      }),
    );
  });

  test('of 10,000 keys that differ everywhere takes no time to speak of', () => {
    const names = ['tools/call echo', 'tools/call add', 'ping'];
    const list = (seed: number) =>
      Array.from({ length: 10_000 }, (_, at) => names[(at * seed + (at % 7)) % 3] ?? '');
    const started = performance.now();
    const pairs = alignKeys(list(5), list(11).toReversed());
    expect(performance.now() - started).toBeLessThan(1500);
    const matched = pairs.filter((pair) => pair.before !== undefined && pair.after !== undefined);
    expect(matched.length).toBeGreaterThan(2000);
  });
});

function longestCommon(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, () => 0);
  for (const key of one) {
    const next = [0];
    for (const [at, candidate] of other.entries()) {
      next.push(key === candidate ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe('reading JSON', () => {
  test('keeps the digits of integers that no number holds', () => {
    expect(readJson('[9007199254740993,1.5,-0,1e3,12]')).toEqual([
      9007199254740993n,
      1.5,
      -0,
      1000,
      12,
    ]);
    expect(weighDiff(diffJson(readJson('9007199254740993')!, readJson('9007199254740992')!))).toBe(
      'different',
    );
  });

  test('gives nothing for what is none, or has no end', () => {
    expect(readJson('{')).toBeUndefined();
    expect(readJson('['.repeat(200_000) + ']'.repeat(200_000))).toBeUndefined();
  });
});
