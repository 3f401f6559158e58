import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanOutline, type OutlineScan } from '../../../lib/json/outline-scan.ts';
import { GROUP_SIZE, type Outline } from '../../../lib/json/outline.ts';
import { locate } from '../../../lib/json/locate.ts';
import { parseJson, type JsonNode, type ParseResult } from '../../../lib/json/parse.ts';
import { nameOf, toJsonPath, toJsonPointer } from '../../../lib/json/path.ts';

function scanned(text: string, units = Number.MAX_SAFE_INTEGER): OutlineScan {
  const scan = scanOutline(text);
  while (!scan.isDone) scan.advance(units);
  return scan;
}

/** The nodes of the other parser, as an outline says them. */
function toNode(text: string, outline: Outline, node: number): JsonNode {
  const kind = outline.kindOf(node);
  const [start, end] = [outline.startOf(node), outline.endOf(node)];
  if (kind !== 'object' && kind !== 'array') return { kind, start, end };
  const children: number[] = [];
  for (let child = node + 1; child < outline.nextOf(node); child = outline.nextOf(child)) {
    children.push(child);
  }
  expect(children).toHaveLength(outline.sizeOf(node));
  expect(children.map((child) => outline.placeOf(child))).toEqual([...children.keys()]);
  expect(children.every((child) => outline.parentOf(child) === node)).toBe(true);
  if (kind === 'array') {
    return { kind, start, end, items: children.map((child) => toNode(text, outline, child)) };
  }
  const members = children.map((child) => {
    const keyStart = outline.keyStartOf(child);
    const key = nameOf({ text, outline }, child) ?? '';
    const colon = text.lastIndexOf(':', outline.startOf(child));
    const keyEnd = text.lastIndexOf('"', colon) + 1;
    return { key, keyStart, keyEnd, value: toNode(text, outline, child) };
  });
  return { kind, start, end, members };
}

const jsonText = fc.oneof(
  fc.json(),
  fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
);

const mutatedText = fc
  .record({ text: jsonText, at: fc.nat(), cut: fc.nat(3), put: fc.string({ unit: 'binary' }) })
  .map(({ text, at, cut, put }) => {
    const index = at % (text.length + 1);
    return text.slice(0, index) + put + text.slice(index + cut);
  });

/** Where and why a text is no JSON, as the parser has it. */
function placed(text: string, parsed: ParseResult) {
  if (parsed.ok) return undefined;
  return { ...locate(text, parsed.offset), message: parsed.message };
}

describe('agreement with the parser that reads all at once', { timeout: 30_000 }, () => {
  test('gives the same nodes, however the work is sliced', () => {
    fc.assert(
      fc.property(jsonText, fc.integer({ min: 1, max: 60 }), (text, units) => {
        const { outline, failure } = scanned(text, units);
        expect(failure).toBeUndefined();
        expect({ ok: true, root: toNode(text, outline, 0) }).toEqual(parseJson(text));
      }),
      { numRuns: 300 },
    );
  });

  test('refuses the same texts, at the same place and in the same words', () => {
    fc.assert(
      fc.property(mutatedText, fc.integer({ min: 1, max: 60 }), (text, units) => {
        const parsed = parseJson(text);
        expect(scanned(text, units).failure).toEqual(placed(text, parsed));
      }),
      { numRuns: 1500 },
    );
  });

  test.each(['', ' ', '\ufeff', '\ufeff{}', '\ufeff\ufeff1', '{"a"', '[1,', '"abc', '[1 ', '1 2'])(
    'also on %j',
    (text) => {
      for (const units of [1, 2, 1000]) {
        const parsed = parseJson(text);
        expect(scanned(text, units).failure).toEqual(placed(text, parsed));
      }
    },
  );
});

test('no step reads much further than it was asked to, and what is there is there at once', () => {
  const text = `{"big":"${'x'.repeat(50_000)}","list":[${'{"n":1},'.repeat(20_000)}0]}`;
  const scan = scanOutline(text);
  let steps = 0;
  for (let before = 0; !scan.isDone; before = scan.position) {
    scan.advance(4096);
    steps += 1;
    expect(scan.position - before).toBeLessThanOrEqual(4096 + 16);
    expect(scan.outline.count).toBeGreaterThan(1);
    // Open or whole, the root reaches to what has been read.
    expect(scan.outline.nextOf(0)).toBe(scan.outline.count);
  }
  expect(steps).toBeGreaterThan(text.length / 4200);
  expect(scan.outline.sizeOf(0)).toBe(2);
  const list = scan.outline.childAt(0, 1) ?? -1;
  expect(scan.outline.sizeOf(list)).toBe(20_001);
});

test('children of long lists are found without walking past all before them', () => {
  const { outline } = scanned(`[${'[0],'.repeat(GROUP_SIZE * 5)}7]`);
  for (const place of [0, 1, GROUP_SIZE - 1, GROUP_SIZE, GROUP_SIZE * 3 + 7, GROUP_SIZE * 5]) {
    const child = outline.childAt(0, place) ?? -1;
    expect(child).toBe(1 + place * 2);
    expect(outline.placeOf(child)).toBe(place);
  }
  expect(outline.childAt(0, GROUP_SIZE * 5 + 1)).toBeUndefined();
  expect(outline.childAt(0, -1)).toBeUndefined();
});

test('nesting costs no call stack', () => {
  const depth = 100_000;
  const { outline } = scanned('['.repeat(depth) + ']'.repeat(depth));
  expect(outline.count).toBe(depth);
});

test('a place is said as JSONPath and as JSON Pointer', () => {
  const text = `{"result":{"content":[{"text":1}],"a b":{"it's \\"~/\\"":[0,{"":2}]},"ü":3}}`;
  const { outline } = scanned(text);
  const json = { text, outline };
  const all = Array.from({ length: outline.count }, (_, node) => [
    toJsonPath(json, node),
    toJsonPointer(json, node),
  ]);
  expect(all).toEqual([
    ['$', ''],
    ['$.result', '/result'],
    ['$.result.content', '/result/content'],
    ['$.result.content[0]', '/result/content/0'],
    ['$.result.content[0].text', '/result/content/0/text'],
    [`$.result['a b']`, '/result/a b'],
    [`$.result['a b']['it\\'s "~/"']`, `/result/a b/it's "~0~1"`],
    [`$.result['a b']['it\\'s "~/"'][0]`, `/result/a b/it's "~0~1"/0`],
    [`$.result['a b']['it\\'s "~/"'][1]`, `/result/a b/it's "~0~1"/1`],
    [`$.result['a b']['it\\'s "~/"'][1]['']`, `/result/a b/it's "~0~1"/1/`],
    ['$.result.ü', '/result/ü'],
  ]);
});
