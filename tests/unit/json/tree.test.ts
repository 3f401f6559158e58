import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../../lib/json/parse.ts';
import { flattenTree, initialExpansion } from '../../../lib/json/tree.ts';

function rootOf(text: string) {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.root;
}

function rowsOf(text: string, expanded: ReadonlySet<number>) {
  return flattenTree(text, rootOf(text), expanded);
}

const EVERYTHING = 1_000_000;

test('keys, their order, duplicates and every digit are as in the text', () => {
  const text = '{"b":12345678901234567890, "a":1.50, "b": "\\u0041"}';
  const rows = rowsOf(text, new Set([0]));
  expect(rows.slice(1).map(({ label, text: value }) => [label, value])).toEqual([
    ['"b"', '12345678901234567890'],
    ['"a"', '1.50'],
    ['"b"', '"\\u0041"'],
  ]);
});

test('a closed container is one row that previews its source', () => {
  const text = `{"list":[${'1,'.repeat(100)}1]}`;
  const [root, list] = rowsOf(text, new Set([0]));
  expect(root).toMatchObject({ depth: 0, size: 1, isExpanded: true, parent: -1 });
  expect(list).toMatchObject({ depth: 1, size: 101, isExpanded: false, parent: 0 });
  expect(list?.text).toBe(text.slice(8, 8 + 120));
  expect(list?.omitted).toBe('[]'.length + 201 - 120);
});

test('empty containers cannot be opened', () => {
  for (const row of rowsOf('[{},[]]', new Set([0, 1, 4])).slice(1)) {
    expect(row).toMatchObject({ isExpandable: false, isExpanded: false });
  }
});

test('a string with line breaks opens into its lines', () => {
  const rows = rowsOf('["one\\ntwo\\n"]', new Set([0, 1]));
  expect(rows.filter(({ kind }) => kind === 'line').map(({ text }) => text)).toEqual([
    'one',
    'two',
    '',
  ]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test('a very long value is cut, and says by how much', () => {
  const text = JSON.stringify('x'.repeat(5000));
  const [row] = rowsOf(text, new Set());
  expect(row?.text.length).toBe(2000);
  expect(row?.omitted).toBe(3002);
});

test('siblings are counted for assistive technology', () => {
  const rows = rowsOf('[1,[2,3],4]', new Set([0, 3]));
  expect(rows.map(({ position, siblings }) => `${position}/${siblings}`)).toEqual([
    '1/1',
    '1/3',
    '2/3',
    '1/2',
    '2/2',
    '3/3',
  ]);
});

test('deep nesting needs no call stack', () => {
  const text = '['.repeat(10_000) + ']'.repeat(10_000);
  const expanded = initialExpansion(rootOf(text), EVERYTHING);
  expect(rowsOf(text, expanded)).toHaveLength(10_000);
});

function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + countNodes(child), 1);
}

test('with everything open there is one row for each value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const rows = rowsOf(text, initialExpansion(rootOf(text), EVERYTHING));
      expect(rows).toHaveLength(countNodes(JSON.parse(text)));
    }),
  );
});

test('the first view stays within its budget, the upper levels first', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 40 }), (value, budget) => {
      const text = JSON.stringify(value);
      const rows = rowsOf(text, initialExpansion(rootOf(text), budget));
      expect(rows.length).toBeLessThanOrEqual(budget);
    }),
  );
  expect(initialExpansion(rootOf('{"a":{"b":1},"c":2}'), 3)).toEqual(new Set([0]));
});
