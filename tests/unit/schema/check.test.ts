import { expect, test } from 'vitest';
import { checkValue } from '../../../lib/schema/check.ts';
import { patternLimit } from '../../../lib/schema/pattern.ts';
import { schemaFault } from '../../../lib/schema/schema-fault.ts';

function problemsOf(schema: unknown, value: unknown): string[] {
  return checkValue(schema, value).problems.map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
}

test('every problem has its place and says what is wrong', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 3, maxLength: 4 },
      'a/b~c#%': { type: 'integer', minimum: 5, maximum: 7 },
      list: {
        type: 'array',
        minItems: 1,
        maxItems: 2,
        uniqueItems: true,
        items: {
          type: 'object',
          required: ['x'],
          additionalProperties: false,
          properties: { x: {} },
        },
      },
      kind: { enum: ['a', 'b'] },
      one: { const: 1 },
      part: { multipleOf: 3, exclusiveMinimum: 3, exclusiveMaximum: 9 },
      mail: { type: 'string', format: 'email' },
    },
    required: ['missing "it"'],
  };
  expect(problemsOf(schema, { name: 'ab', 'a/b~c#%': 4, list: [{}, { x: 1, y: 2 }, {}] })).toEqual([
    'missing "it": is required',
    'name: needs at least 3 characters',
    'a/b~c#%: must be at least 5',
    'list: may have at most 2 items',
    'list.0.x: is required',
    'list.1.y: is not allowed here',
    'list.2.x: is required',
    'list: has the same item twice, at 0 and 2',
  ]);
  const second = { name: 'abcde', kind: 'c', one: 2, part: 10, mail: 'nobody', list: [] };
  expect(problemsOf(schema, { ...second, 'missing "it"': 1, 'a/b~c#%': 'x' })).toEqual([
    'name: may have at most 4 characters',
    'a/b~c#%: is a string, where an integer is asked for',
    'list: needs at least 1 items',
    'kind: must be one of ["a","b"]',
    'one: must be 1',
    'part: must be less than 9',
    'part: must be a multiple of 3',
    'mail: must be of the format email',
  ]);
  expect(problemsOf(schema, { 'missing "it"': 1, part: 3, 'a/b~c#%': 8 })).toEqual([
    'a/b~c#%: must be at most 7',
    'part: must be greater than 3',
  ]);
});

test('of alternatives only the one that was meant is blamed', () => {
  const nullable = { anyOf: [{ type: 'string', minLength: 3 }, { type: 'null' }] };
  expect(problemsOf(nullable, 'ab')).toEqual([': needs at least 3 characters']);
  expect(problemsOf(nullable, 7)).toEqual([': fits none of the alternatives']);
  const told = {
    oneOf: [
      {
        properties: { kind: { const: 'a' }, size: { type: 'number' } },
        required: ['kind', 'size'],
      },
      { properties: { kind: { const: 'b' } }, required: ['kind'] },
    ],
  };
  expect(problemsOf(told, { kind: 'a', size: 'x' })).toEqual([
    'size: is a string, where a number is asked for',
  ]);
  expect(problemsOf({ oneOf: [{ type: 'number' }, { minimum: 1 }] }, 2)).toEqual([
    ': fits more than one of the alternatives, where exactly one is asked for',
  ]);
});

test('references within the document are followed, others never', () => {
  const schema = {
    $defs: {
      node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['v'] },
    },
    $ref: '#/$defs/node',
  };
  expect(problemsOf(schema, { v: 1, next: { next: { v: 1 } } })).toEqual(['next.v: is required']);
  expect(checkValue({ $ref: 'https://example.com/s.json' }, 1)).toEqual({
    problems: [],
    notChecked: [
      'Not checked: the schema refers to https://example.com/s.json, which is not part of it.',
    ],
  });
});

test('no schema, however hostile, stops the check or makes it throw', () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `d${at}`,
      { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  );
  let deep: object = { type: 'string' };
  for (let at = 0; at < 20_000; at += 1) deep = { properties: { a: deep } };
  let nested: unknown = 1;
  for (let at = 0; at < 20_000; at += 1) nested = [nested];
  const hostile: [schema: unknown, value: unknown, why: RegExp][] = [
    [{ $ref: '#' }, 1, /circle/],
    [{ $defs: { ...doubling, d60: {} }, $ref: '#/$defs/d0' }, 1, /too branched/],
    [deep, {}, /too deep/],
    [{ items: { $ref: '#' } }, nested, /circle/],
    [{ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`, /could take too long/],
    [{ type: 'string', pattern: '(' }, 'x', /not a regular expression/],
    [{ allOf: 7 }, 1, /broken/],
    [null, 1, /no schema/],
  ];
  for (const [schema, value, why] of hostile) {
    const { problems, notChecked } = checkValue(schema, value);
    expect(problems).toEqual([]);
    expect(notChecked.join(' ')).toMatch(why);
  }
});

test('a pattern is tried on texts that it cannot take long for', () => {
  expect(patternLimit('^\\d{4}-\\d{2}$')).toBe(1_000_000);
  expect(patternLimit('^[a-z]+$')).toBe(100_000);
  expect(patternLimit('[(*+|]')).toBe(1_000_000);
  expect(patternLimit('^(\\d{1,3}\\.){3}\\d{1,3}$')).toBe(1_000_000);
  const optional = ['((a?){16}){16}', '(a?b?)*', `${'a?'.repeat(30)}$`];
  for (const risky of ['(a+)+', '(x|y)*', '(?:a*){2,}', '((a+))*', '(a)\\1', ...optional]) {
    expect(patternLimit(risky)).toBe(20);
  }
  expect(patternLimit('^https?://[a-z]{1,16}(?::\\d{1,5})?$')).toBe(1_000_000);
  expect(patternLimit('\\*\\+\\?')).toBe(1_000_000);
  expect(patternLimit('(')).toBe(0);
  expect(problemsOf({ pattern: '^[a-z]+(-[a-z]+)*$' }, 'Not A Slug')).toEqual([
    ': does not match the pattern',
  ]);
});

test('a broken schema is told with its place', () => {
  expect(schemaFault({ type: 'object', properties: { a: { type: ['string', 'null'] } } })).toBe(
    undefined,
  );
  expect(schemaFault({ properties: { a: { type: 'strin' } } })).toBe(
    'properties.a is of type "strin", which JSON Schema does not have',
  );
  expect(schemaFault({ properties: [] })).toBe('properties is a list, not an object of schemas');
  expect(schemaFault({ required: 'a' })).toBe('required is not a list of names');
  expect(schemaFault({ items: [{ minLength: -1 }] })).toBe('items.0.minLength is -1, not a count');
  expect(schemaFault({ if: {}, else: null })).toBe('else is null, not a schema');
});

test.each<[string, object, unknown, string[]]>([
  [
    'items that are all to differ',
    { type: 'array', uniqueItems: true, items: { type: 'integer' } },
    Array.from({ length: 100_000 }, (_, index) => index),
    ['That no item comes twice is not checked: a list is too long for that.'],
  ],
  [
    'many items with many alternatives',
    { items: { oneOf: Array.from({ length: 2000 }, (_, index) => ({ const: index })) } },
    Array.from({ length: 20_000 }, () => -1),
    ['Not checked: the value is too large for so many alternatives.'],
  ],
])('%s do not stop the page: what is not checked is named', (_name, schema, value, notChecked) => {
  const started = performance.now();
  expect(checkValue(schema, value)).toEqual({ problems: [], notChecked });
  expect(performance.now() - started).toBeLessThan(1000);
  // Short lists are checked as ever.
  expect(checkValue({ uniqueItems: true }, [1, 2, 1]).problems).toHaveLength(1);
});

test('what is wrong with a whole is told of the whole, in words', () => {
  expect(problemsOf({ contains: { type: 'number' }, minContains: 2 }, [1, 'a'])).toEqual([
    ': holds too few items of the kind that is asked for',
  ]);
  expect(problemsOf({ propertyNames: { pattern: '^a' } }, { b: 1 })).toEqual([
    'b: has a name that is not allowed here',
  ]);
  expect(problemsOf({ minProperties: 2 }, {})).toEqual([': needs at least 2 members']);
  expect(problemsOf({ maxProperties: 0 }, { a: 1 })).toEqual([': may have at most 0 members']);
});
