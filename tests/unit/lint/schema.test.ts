import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { schemaFault } from '../../../lib/lint/features/schema-fault.ts';
import { schemaMisfit } from '../../../lib/lint/features/schema-misfit.ts';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

test.each([
  ['the empty schema', {}],
  ['true', true],
  ['a type of several', { type: ['string', 'null'] }],
  [
    'definitions and a reference to one',
    { $defs: { 'a/b': { type: 'string' } }, properties: { a: { $ref: '#/$defs/a~1b' } } },
  ],
  ['a reference to itself', { properties: { next: { $ref: '#' } } }],
  ['a tuple of 2020-12', { prefixItems: [{ type: 'string' }], items: false }],
  ['a tuple of draft-07', { $schema: DRAFT_07, items: [{ type: 'string' }, {}] }],
  [
    'a bound of draft-04',
    { $schema: 'http://json-schema.org/draft-04/schema#', exclusiveMinimum: true },
  ],
  ['keywords of its own', { 'x-mcp-header': 'Region', errorMessage: { type: 1 } }],
  ['a pattern that only the older way of reading takes', { pattern: String.raw`^[\w-.]+\-$` }],
  ['a property that is named like a keyword', { properties: { type: { type: 'string' } } }],
  ['a dialect that is not known', { $schema: 'https://example.com/mine', type: 7 }],
])('%s is valid', (_name, schema) => {
  expect(schemaFault(schema)).toBeUndefined();
});

test.each<[string, unknown, string]>([
  ['no schema at all', 7, 'the schema is 7, not a schema'],
  ['a type that there is not', { type: 'strng' }, 'type is "strng"'],
  ['a type twice', { type: ['string', 'string'] }, 'type is ["string","string"]'],
  [
    'required as a switch',
    { properties: { a: { required: true } } },
    'properties.a: required is true',
  ],
  ['properties in a list', { properties: [] }, 'properties is []'],
  ['an empty anyOf', { anyOf: [] }, 'anyOf is []'],
  ['a tuple of draft-07 in 2020-12', { items: [{}] }, 'items is [{}], not a schema'],
  ['a length below nothing', { minLength: -1 }, 'minLength is -1'],
  ['a bound as a text', { items: { maximum: '3' } }, 'items: maximum is "3"'],
  ['a pattern that is none', { pattern: '(' }, 'pattern "(" is no regular expression'],
  ['a reference into nothing', { $ref: '#/$defs/a' }, '$ref "#/$defs/a" leads nowhere'],
  ['an enum that is no list', { enum: 'a' }, 'enum is "a"'],
  ['a step of nothing', { multipleOf: 0 }, 'multipleOf is 0'],
])('%s is not valid', (_name, schema, says) => {
  expect(schemaFault(schema)).toContain(says);
});

const WEATHER = {
  type: 'object',
  properties: {
    degrees: { type: 'number', minimum: -90, maximum: 60 },
    sky: { enum: ['clear', 'cloudy'] },
    winds: { type: 'array', items: { $ref: '#/$defs/wind' }, maxItems: 2 },
    note: { type: ['string', 'null'], maxLength: 3, pattern: '^[a-z]*$' },
  },
  required: ['degrees'],
  additionalProperties: false,
  $defs: { wind: { anyOf: [{ type: 'integer' }, { const: { calm: true } }] } },
};

test.each([
  { degrees: 20 },
  { degrees: 20, sky: 'clear', winds: [1, { calm: true }], note: null },
  { degrees: -90, note: '🌧🌧🌧'.replaceAll('🌧', 'a') },
])('%j fits', (value) => {
  expect(schemaMisfit(value, WEATHER)).toBeUndefined();
});

test.each<[unknown, string]>([
  [[], '[] is no object'],
  [{}, '"degrees" is missing'],
  [{ degrees: '20' }, 'degrees: "20" is no number'],
  [{ degrees: 61 }, 'degrees: 61 is above 60'],
  [{ degrees: 1, sky: 'dark' }, 'sky: "dark" is none of ["clear","cloudy"]'],
  [{ degrees: 1, winds: [1, 1.5] }, 'winds[1]: 1.5 fits none of its 2 schemas'],
  [{ degrees: 1, winds: [1, 2, 3] }, 'winds: there are more than 2 items'],
  [{ degrees: 1, note: 'abcd' }, 'note: "abcd" is longer than 3'],
  [{ degrees: 1, note: 'A' }, 'note: "A" does not match ^[a-z]*$'],
  [{ degrees: 1, more: 1 }, '"more" is not expected'],
])('%j does not fit', (value, says) => {
  expect(schemaMisfit(value, WEATHER)).toBe(says);
});

test('keywords that are not looked at make nothing a misfit', () => {
  const schema = { not: {}, if: {}, dependentRequired: { a: ['b'] }, contains: false };
  expect(schemaMisfit({ a: 1 }, schema)).toBeUndefined();
  expect(schemaMisfit('x'.repeat(40), { pattern: '^(a+)+$' })).toBeUndefined();
});

/** A schema that says what a value is, part by part. */
function describe(value: unknown): unknown {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) {
    const parts = value.length === 0 ? {} : { prefixItems: value.map(describe) };
    return { type: 'array', ...parts, items: false, minItems: value.length };
  }
  if (typeof value !== 'object') return { type: typeof value, const: value };
  const entries = Object.entries(value);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, part]) => [name, describe(part)])),
    required: entries.map(([name]) => name),
    additionalProperties: false,
  };
}

test('every value fits its own description, and no other value does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
      const schema = describe(value);
      expect(schemaFault(schema)).toBeUndefined();
      expect(schemaMisfit(value, schema)).toBeUndefined();
      // Members may be in another order, and -0 is 0.
      const isSame = JSON.stringify(sorted(value)) === JSON.stringify(sorted(other));
      expect(schemaMisfit(other, schema) === undefined).toBe(isSame);
    }),
    { numRuns: 300 },
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)]));
}
