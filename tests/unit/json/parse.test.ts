import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { locate } from '../../../lib/json/locate.ts';
import { member, parseJson, sourceText, stringValue } from '../../../lib/json/parse.ts';
import type { JsonNode } from '../../../lib/json/parse.ts';

function root(text: string): JsonNode {
  const result = parseJson(text);
  if (!result.ok) throw new Error(`${result.message} at ${result.offset}`);
  return result.root;
}

/** The value that the nodes stand for. */
function toValue(text: string, node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key, toValue(text, value)]));
    case 'array':
      return node.items.map((item) => toValue(text, item));
    case 'string':
      return stringValue(text, node);
    default:
      return JSON.parse(sourceText(text, node));
  }
}

function expectedOutcome(text: string): unknown {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return 'rejected';
  }
}

/** Every container spans from its bracket to its bracket, around its parts, in order. */
function expectNested(text: string, node: JsonNode): void {
  if (node.kind !== 'object' && node.kind !== 'array') return;
  expect([text[node.start], text[node.end - 1]]).toEqual(
    node.kind === 'object' ? ['{', '}'] : ['[', ']'],
  );
  let behind = node.start + 1;
  const values = node.kind === 'array' ? node.items : node.members.map((entry) => entry.value);
  for (const value of values) {
    expect(value.start).toBeGreaterThanOrEqual(behind);
    behind = value.end;
    expectNested(text, value);
  }
  expect(behind).toBeLessThan(node.end);
  if (node.kind !== 'object') return;
  for (const entry of node.members) {
    expect(JSON.parse(text.slice(entry.keyStart, entry.keyEnd))).toBe(entry.key);
  }
}

const jsonText = fc.oneof(
  fc.json(),
  fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
  fc.jsonValue().map((value) => JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n ')),
);

/** A JSON text with one place cut out and something else put in. */
const mutatedText = fc
  .record({
    text: jsonText,
    at: fc.nat(),
    cut: fc.nat(3),
    put: fc.oneof(
      fc.string({
        unit: fc.constantFrom(...'{}[]",:\\/ue01-+.tfn \t\n\r\0\u00a0\ufeff'.split('')),
      }),
      fc.string({ unit: 'binary' }),
    ),
  })
  .map(({ text, at, cut, put }) => {
    const index = at % (text.length + 1);
    return text.slice(0, index) + put + text.slice(index + cut);
  });

describe('agreement with JSON.parse', { timeout: 30_000 }, () => {
  test('gives the same value for any JSON text', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(toValue(text, root(text))).toEqual(JSON.parse(text));
        expectNested(text, root(text));
      }),
      { numRuns: 500 },
    );
  });

  test('accepts and rejects the same texts', () => {
    fc.assert(
      fc.property(mutatedText, (text) => {
        fc.pre(!text.startsWith('\ufeff'));
        const result = parseJson(text);
        const outcome = result.ok ? { value: toValue(text, result.root) } : 'rejected';
        expect(outcome).toEqual(expectedOutcome(text));
        expect(result.ok ? 0 : result.offset).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    '',
    ' ',
    '{',
    '[',
    '"',
    '[1,]',
    '{"a":1,}',
    '{,}',
    '[,1]',
    '{"a"}',
    '{"a":}',
    '{a:1}',
    '01',
    '-',
    '-01',
    '1.',
    '.5',
    '+1',
    '1e',
    '1e+',
    'NaN',
    'Infinity',
    'tru',
    'nul',
    'True',
    '"\t"',
    '"\\x"',
    '"\\u12g4"',
    '"\\u12',
    '1 2',
    '{}{}',
    '[1}',
    '{"a":1]',
    "'a'",
    '// x\n1',
  ])('rejects %j', (text) => {
    expect(expectedOutcome(text)).toBe('rejected');
    expect(parseJson(text).ok).toBe(false);
  });

  test.each(['-0', '1.0', '1E+2', '1e400', '"\\ud800"', '"\u2028"', '\r\n\t [ ] ', '{"":0}'])(
    'accepts %j',
    (text) => {
      expect(toValue(text, root(text))).toEqual(JSON.parse(text));
    },
  );
});

describe('what JSON.parse loses', () => {
  test('tolerates a leading byte order mark and counts it', () => {
    expect(root('\ufeff{}')).toEqual({ kind: 'object', start: 1, end: 3, members: [] });
    expect(parseJson('\ufeff\ufeff{}')).toMatchObject({ ok: false, offset: 1 });
  });

  test('keeps every digit of a number', () => {
    const text = '{"id": 1915883588174806058, "ratio": 1.0}';
    const id = member(root(text), 'id');
    expect(id && sourceText(text, id)).toBe('1915883588174806058');
    const ratio = member(root(text), 'ratio');
    expect(ratio && sourceText(text, ratio)).toBe('1.0');
  });

  test('keeps duplicate names in order and finds the last', () => {
    const text = '{"a": 1, "b": 2, "\\u0061": 3}';
    const node = root(text);
    expect(node.kind === 'object' && node.members.map((entry) => entry.key)).toEqual([
      'a',
      'b',
      'a',
    ]);
    const last = member(node, 'a');
    expect(last && sourceText(text, last)).toBe('3');
  });

  test('names the members of `__proto__` as ordinary ones', () => {
    const text = '{"__proto__": {"a": 1}}';
    expect(member(member(root(text), '__proto__'), 'a')?.kind).toBe('number');
  });

  test('reaches 10,000 levels without a deep stack', () => {
    const depth = 10_000;
    const arrays = root('['.repeat(depth) + ']'.repeat(depth));
    const objects = root('{"a":'.repeat(depth) + '1' + '}'.repeat(depth));
    expect([arrays.end, objects.end]).toEqual([2 * depth, 6 * depth + 1]);
    let levels = 0;
    let node: JsonNode | undefined = arrays;
    while (node?.kind === 'array') {
      levels += 1;
      node = node.items[0];
    }
    expect(levels).toBe(depth);
    expect(parseJson('['.repeat(depth))).toMatchObject({ ok: false, offset: depth });
  });

  test('gives nothing for a member of no object and for a string that is none', () => {
    expect(member(undefined, 'a')).toBeUndefined();
    expect(member(root('[1]'), '0')).toBeUndefined();
    expect(stringValue('1', root('1'))).toBeUndefined();
  });
});

describe('errors', () => {
  test.each([
    ['{"a": 1,\n  "b": x}', 16, 2, 8, 'Expected a value'],
    ['[1,\r\n2,\r3 4]', 10, 3, 3, 'Expected "," or "]"'],
    ['{"a": 1\n"b": 2}', 8, 2, 1, 'Expected "," or "}"'],
    ['{"a" 1}', 5, 1, 6, 'Expected ":" after the name'],
    ['{"a": 1, }', 9, 1, 10, 'Expected a name in double quotes'],
    ['{"jsonrpc":"2.0",', 17, 1, 18, 'The text ends too early'],
    ['{"jsonrpc":"2.0"', 16, 1, 17, 'The text ends too early'],
    ['{"a":1}</html>', 7, 1, 8, 'Expected nothing after the value'],
    ['', 0, 1, 1, 'The text ends where a value should be'],
    ['"abc', 4, 1, 5, 'The text ends inside a string'],
    ['"a\nb"', 2, 1, 3, 'Control characters must be escaped in a string'],
    ['"\\q"', 2, 1, 3, 'Unknown escape "\\q"'],
    ['"\\u12z4"', 5, 1, 6, 'Expected four hexadecimal digits after "\\u"'],
    ['[-]', 2, 1, 3, 'Expected a digit'],
    ['007', 1, 1, 2, 'A number must not begin with 0'],
    ['[nil]', 2, 1, 3, 'Expected "null"'],
    ['<!doctype html>', 0, 1, 1, 'Expected a value'],
  ])('places the fault in %j', (text, offset, line, column, message) => {
    expect(parseJson(text)).toEqual({ ok: false, offset, message });
    expect(locate(text, offset)).toEqual({ line, column });
  });
});
