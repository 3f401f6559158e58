import { expect, test } from 'vitest';
import { readField } from '../../../lib/schema/field.ts';
import { initialJson } from '../../../lib/schema/initial.ts';
import { createSchemaForm } from '../../../lib/state/server/schema-form.ts';

function namesOf(schema: object): string[] {
  const { shape } = readField(schema, schema);
  return shape.kind === 'object' ? shape.properties.map(({ name }) => name) : [shape.kind];
}

const text = { type: 'string' };

test.each<[string, string]>([
  ['a condition', '{"if":{},"then":{"properties":{"b":{}}},"else":{"properties":{"c":{}}}}'],
  [
    'several conditions',
    '{"allOf":[{"if":{},"then":{"properties":{"b":{}}}},{"if":{},"then":{"properties":{"c":{}}}}]}',
  ],
  [
    'another member',
    '{"dependentSchemas":{"a":{"properties":{"b":{}}},"b":{"properties":{"c":{}}}}}',
  ],
  [
    'a condition that is kept elsewhere',
    '{"then":{"$ref":"#/$defs/more"},"$defs":{"more":{"properties":{"b":{},"c":{}}}}}',
  ],
])('members that hang on %s are fields too', (_what, json) => {
  const schema = JSON.parse(json) as object;
  expect(namesOf({ type: 'object', properties: { a: text }, ...schema })).toEqual(['a', 'b', 'c']);
});

test('references by the name of a document are followed within it', () => {
  const schema = {
    $id: 'https://a.example/tool',
    $defs: { word: text, size: { $id: 'size', type: 'integer' } },
  };
  expect(readField(schema, { $ref: 'https://a.example/tool#/$defs/word' }).shape.kind).toBe('text');
  expect(readField(schema, { $ref: 'size' }).shape.kind).toBe('number');
  expect(readField(schema, { $ref: 'other' }).shape).toMatchObject({ kind: 'json' });
});

test.each([
  [{ type: 'number', default: 'abc' }],
  [{ type: 'string', default: null }],
  [{ type: 'boolean', default: 'true' }],
  [{ type: 'array', default: {} }],
  [{ type: 'object', default: [] }],
])('a default that its own schema excludes is proposed to nobody: %j', (schema) => {
  expect(initialJson(schema, schema, false)).toBeUndefined();
});

test('alternatives are called by what tells them apart', () => {
  const titles = (...anyOf: object[]) => {
    const { shape } = readField({}, { type: 'object', anyOf });
    return shape.kind === 'variants' ? shape.variants.map(({ title }) => title) : [];
  };
  expect(titles({ required: ['a'] }, { required: ['b', 'c'] })).toEqual(['with a', 'with b, c']);
  expect(titles({ properties: { t: { enum: ['x'] } } }, { properties: { u: {} } })).toEqual([
    't: "x"',
    'u',
  ]);
});

test('a form of alternatives stands also where its text was emptied', () => {
  const schema = { oneOf: [{ properties: { a: text } }, { type: 'null' }] };
  const form = createSchemaForm(schema);
  form.setJson('');
  const { shape } = form.fieldOf(schema);
  expect(shape.kind === 'variants' && form.variantAt([], shape.variants)).toBe(0);
  expect(form.sourceAt([])).toBe('{}');
});
