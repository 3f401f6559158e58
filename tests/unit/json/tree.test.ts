import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanOutline, type OutlineScan } from '../../../lib/json/outline-scan.ts';
import { GROUP_SIZE } from '../../../lib/json/outline.ts';
import { expansionBelow, openLists } from '../../../lib/json/tree-expansion.ts';
import { flattenTree, type TreeRow } from '../../../lib/json/tree.ts';

const EVERYTHING = 1_000_000;

function scanned(text: string): OutlineScan {
  const scan = scanOutline(text);
  while (!scan.isDone) scan.advance(EVERYTHING);
  if (scan.failure !== undefined) throw new Error(scan.failure.message);
  return scan;
}

function rowsOf(scan: OutlineScan, expanded: Iterable<number>): TreeRow[] {
  const rows = flattenTree(scan, new Set(expanded));
  return Array.from({ length: rows.count }, (_, index) => rows.at(index)!);
}

function initial(scan: OutlineScan, budget: number): number[] {
  return expansionBelow(scan, 0, budget);
}

test('keys, their order, duplicates and every digit are as in the text', () => {
  const text = '{"b":12345678901234567890, "a":1.50, "b": "\\u0041"}';
  const rows = rowsOf(scanned(text), [0]);
  expect(rows.slice(1).map(({ label, text: value }) => [label, value])).toEqual([
    ['"b"', '12345678901234567890'],
    ['"a"', '1.50'],
    ['"b"', '"\\u0041"'],
  ]);
});

test('a closed container is one row that previews its source', () => {
  const text = `{"list":[${'1,'.repeat(100)}1]}`;
  const [root, list] = rowsOf(scanned(text), [0]);
  expect(root).toMatchObject({ depth: 0, size: 1, isExpanded: true, parent: -1 });
  expect(list).toMatchObject({ depth: 1, size: 101, isExpanded: false, parent: 0 });
  expect(list?.text).toBe(text.slice(8, 8 + 120));
  expect(list?.omitted).toBe('[]'.length + 201 - 120);
});

test('empty containers cannot be opened', () => {
  for (const row of rowsOf(scanned('[{},[]]'), [0, 1, 2]).slice(1)) {
    expect(row).toMatchObject({ isExpandable: false, isExpanded: false });
  }
});

test('a string with line breaks opens into its lines', () => {
  const rows = rowsOf(scanned('["one\\ntwo\\n",{"a":"b\\nc"}]'), [0, 1, 2, 3]);
  expect(rows.map(({ kind, text }) => [kind, text]).slice(1)).toEqual([
    ['string', '"one\\ntwo\\n"'],
    ['line', 'one'],
    ['line', 'two'],
    ['line', ''],
    ['object', '{"a":"b\\nc"}'],
    ['string', '"b\\nc"'],
    ['line', 'b'],
    ['line', 'c'],
  ]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test('a very long value is cut, and says by how much', () => {
  const [row] = rowsOf(scanned(JSON.stringify('x'.repeat(5000))), []);
  expect(row?.text.length).toBe(2000);
  expect(row?.omitted).toBe(3002);
});

test('siblings are counted for assistive technology', () => {
  const rows = rowsOf(scanned('[1,[2,3],4]'), [0, 2]);
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
  const scan = scanned('['.repeat(10_000) + ']'.repeat(10_000));
  expect(rowsOf(scan, initial(scan, EVERYTHING))).toHaveLength(10_000);
});

test('a long list is shown in groups, which open one by one', () => {
  const items = GROUP_SIZE * 2 + 3;
  const scan = scanned(JSON.stringify(Array.from({ length: items }, (_, index) => index)));
  const groups = rowsOf(scan, [0]);
  expect(groups.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    `array ${scan.text.slice(0, 120)}`,
    'group 0 … 999',
    'group 1,000 … 1,999',
    'group 2,000 … 2,002',
  ]);
  const rows = rowsOf(scan, [0, groups[3]!.key]);
  expect(
    rows.slice(4).map(({ label, text, depth, parent }) => [label, text, depth, parent]),
  ).toEqual([2000, 2001, 2002].map((value) => [String(value), String(value), 2, 3]));
});

test('a list that no screen has room for is cut, and says so', () => {
  const scan = scanned('[[1,2],[3,4],[5,6]]');
  const all = new Set(initial(scan, EVERYTHING));
  expect(flattenTree(scan, all, 6)).toMatchObject({ count: 6, isCut: true });
  expect(flattenTree(scan, all)).toMatchObject({ count: 10, isCut: false });
});

test('what is still being read is shown as far as it has come', () => {
  const scan = scanOutline('{"a":[1,2,3,4,5,6,7,8,9]}');
  scan.advance(10);
  expect(rowsOf(scan, [0, 1]).map(({ label, size }) => [label, size])).toEqual([
    [undefined, 1],
    ['"a"', 2],
    ['0', 0],
    ['1', 0],
  ]);
});

test('of a text that is being read, the list that will be long is open, and nothing in it', () => {
  const scan = scanOutline(`{"a":{"b":[${'{"c":[1,2]},'.repeat(500)}0]}}`);
  scan.advance(1500);
  const [root, a, b] = [0, 1, 2];
  expect(openLists(scan.outline)).toEqual([b, a, root]);
  while (!scan.isDone) scan.step();
  expect(openLists(scan.outline)).toEqual([]);
});

function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + countNodes(child), 1);
}

test('with everything open there is one row for each value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
      const scan = scanned(JSON.stringify(value, null, indent));
      const rows = rowsOf(scan, initial(scan, EVERYTHING));
      expect(rows).toHaveLength(countNodes(JSON.parse(scan.text)));
      for (const [index, row] of rows.entries()) {
        expect(row.parent).toBeLessThan(index);
        expect(row.depth).toBe(row.parent < 0 ? 0 : rows[row.parent]!.depth + 1);
      }
    }),
  );
});

test('the first view stays within its budget, the upper levels first; the root is always open', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 40 }), (value, budget) => {
      const scan = scanned(JSON.stringify(value));
      const upper = 1 + scan.outline.sizeOf(0);
      const rows = rowsOf(scan, initial(scan, budget));
      expect(rows.length).toBeLessThanOrEqual(Math.max(budget, upper));
    }),
  );
  expect(initial(scanned('{"a":{"b":1},"c":2}'), 3)).toEqual([0]);
});
