import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mirrorArguments, paramHeadersOf } from '../../../lib/protocol/param-headers.ts';

const marked = (type: unknown, name: unknown = 'Region') => ({ type, 'x-mcp-header': name });
const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  ...more,
});

function reasonOf(schema: unknown): string | undefined {
  const found = paramHeadersOf(schema);
  return found.ok ? undefined : found.reason;
}

describe('annotations that a client can follow', () => {
  test('are found at any depth of properties, in order', () => {
    const schema = object({
      region: marked('string'),
      options: object({
        dry: marked('boolean', 'Dry-Run'),
        deep: object({ n: marked('integer', 'N') }),
      }),
      plain: { type: 'string' },
    });
    expect(paramHeadersOf(schema)).toEqual({
      ok: true,
      headers: [
        { name: 'Region', path: ['region'] },
        { name: 'Dry-Run', path: ['options', 'dry'] },
        { name: 'N', path: ['options', 'deep', 'n'] },
      ],
    });
  });

  test('are none where there are none, whatever the schema is', () => {
    for (const schema of [undefined, null, true, 7, 'x', [], {}, object({})]) {
      expect(paramHeadersOf(schema)).toEqual({ ok: true, headers: [] });
    }
  });

  test('may be of a property that is called as a keyword is', () => {
    const schema = object({ properties: marked('string'), items: marked('string', 'Items') });
    expect(paramHeadersOf(schema)).toMatchObject({
      ok: true,
      headers: [{ path: ['properties'] }, { path: ['items'] }],
    });
  });
});

describe('one annotation that breaks a rule makes the tool unusable', () => {
  test.each<[string, object, RegExp]>([
    ['no text', object({ a: marked('string', 7) }), /“a” is empty or no text/],
    ['empty', object({ a: marked('string', '') }), /empty/],
    ['with a space', object({ a: marked('string', 'A b') }), /“A b” of “a” is no header name/],
    ['with a colon', object({ a: marked('string', 'A:') }), /no header name/],
    ['with a line break', object({ a: marked('string', 'A\r\nB: c') }), /no header name/],
    ['beyond ASCII', object({ a: marked('string', 'Ä') }), /no header name/],
    [
      'used twice, but for case',
      object({ a: marked('string', 'Region'), b: object({ c: marked('string', 'region') }) }),
      /“region” is used twice/,
    ],
    ['of a number', object({ a: marked('number') }), /"number"; only string, integer and boolean/],
    ['of an object', object({ a: marked('object') }), /"object"/],
    ['of two types', object({ a: marked(['string', 'null']) }), /string/],
    ['without a type', object({ a: marked(undefined) }), /null/],
    ['of the root', { ...object({}), ...marked('string') }, /the root/],
    ['of an item', object({ a: { type: 'array', items: marked('string') } }), /cannot be reached/],
    [
      'below an item',
      object({ a: { type: 'array', items: object({ b: marked('string') }) } }),
      /cannot be reached/,
    ],
    ['in a composition', object({}, { anyOf: [object({ a: marked('string') })] }), /reached/],
    ['in a condition', object({}, { else: object({ a: marked('string') }) }), /reached/],
    ['in a definition', object({}, { $defs: { a: marked('string') } }), /reached/],
    ['behind a good one', object({ a: marked('string'), b: marked('number', 'B') }), /“b”/],
  ])('%s', (_, schema, reason) => {
    expect(reasonOf(schema)).toMatch(reason);
  });
});

describe('the arguments of a call', () => {
  const headers = [
    { name: 'Region', path: ['region'] },
    { name: 'Dry-Run', path: ['options', 'dry'] },
  ];

  test('are mirrored by their path, as text', () => {
    expect(mirrorArguments(headers, { region: 'é', options: { dry: false } })).toEqual([
      { name: 'Mcp-Param-Region', value: '=?base64?w6k=?=' },
      { name: 'Mcp-Param-Dry-Run', value: 'false' },
    ]);
    expect(mirrorArguments(headers, { region: 42 })).toEqual([
      { name: 'Mcp-Param-Region', value: '42' },
    ]);
  });

  test.each([undefined, null, 7, [], {}, { region: null, options: 'x' }, { region: { a: 1 } }])(
    'have no header where there is no value: %j',
    (given) => {
      expect(mirrorArguments(headers, given)).toEqual([]);
    },
  );

  test('are never taken from what every object has', () => {
    const inherited = [{ name: 'A', path: ['toString', 'name'] }];
    expect(mirrorArguments(inherited, {})).toEqual([]);
    expect(mirrorArguments(inherited, { toString: { name: 'own' } })).toHaveLength(1);
  });

  test('never break the line of a header, whatever they are', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (region, dry) => {
        for (const { value } of mirrorArguments(headers, { region, options: { dry } })) {
          expect(value).toMatch(/^[\x20-\x7E]+$/);
        }
      }),
      { numRuns: 300 },
    );
  });
});
