import { expect, test } from 'vitest';
import { contentMembers, fieldFault } from '../../../lib/state/elicitation-content.ts';
import { toFields } from '../../../lib/state/elicitation-fields.ts';
import type { FieldValue } from '../../../lib/state/elicitation-fields.ts';

/** The one field of a form with this schema. */
function fieldOf(schema: unknown, isRequired = false) {
  const fields = toFields({
    type: 'object',
    properties: { it: schema },
    required: isRequired ? ['it'] : [],
  });
  return fields[0]!;
}

/** What a form with this one field would send. */
function sent(schema: unknown, value: FieldValue, isRequired = false): string {
  return `{${contentMembers([fieldOf(schema, isRequired)], new Map([['it', value]])).join()}}`;
}

test('fields keep the order of the schema, with title, description and default', () => {
  const fields = toFields({
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Full name', description: 'As in your passport' },
      age: { type: 'integer', minimum: 0, maximum: 150, default: 42 },
    },
    required: ['name'],
  });
  expect(fields).toEqual([
    {
      name: 'name',
      title: 'Full name',
      description: 'As in your passport',
      isRequired: true,
      input: { kind: 'text' },
      initial: '',
    },
    {
      name: 'age',
      title: 'age',
      isRequired: false,
      input: { kind: 'number', isInteger: true, minimum: 0, maximum: 150 },
      initial: '42',
    },
  ]);
});

test.each([
  ['enum', { type: 'string', enum: ['a', 'b'], default: 'b' }, ['a', 'b']],
  [
    'enumNames',
    { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'], default: 'b' },
    ['A', 'B'],
  ],
  [
    'oneOf',
    {
      type: 'string',
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'B' },
      ],
      default: 'b',
    },
    ['A', 'B'],
  ],
])('a string with %s is a choice of one', (_, schema, titles) => {
  const { input, initial } = fieldOf(schema);
  expect(input).toMatchObject({ kind: 'choice', choices: titles.map((title) => ({ title })) });
  expect(initial).toEqual([1]);
  expect(sent(schema, [0])).toBe('{"it": "a"}');
});

test.each([
  [{ type: 'string', enum: ['a', 'b', 'c'] }],
  [{ anyOf: [{ const: 'a' }, { const: 'b' }, { const: 'c' }] }],
])('an array of %j is a choice of several, sent in the order of the schema', (items) => {
  const schema = { type: 'array', items, minItems: 1, maxItems: 2, default: ['c'] };
  const field = fieldOf(schema);
  expect(field.input).toMatchObject({ kind: 'choices', minItems: 1, maxItems: 2 });
  expect(field.initial).toEqual([2]);
  expect(sent(schema, [2, 0])).toBe('{"it": ["a", "c"]}');
  expect(fieldFault(field, [0, 1, 2])).toBe('Choose at most 2.');
  expect(fieldFault(field, [])).toBeUndefined();
  expect(fieldFault(fieldOf(schema, true), [])).toBe('Choose at least 1.');
});

test.each([
  [{ type: 'string' }, ''],
  [{ type: 'number' }, ''],
  [{ type: 'boolean' }, undefined],
  [{ type: 'string', enum: ['a'] }, []],
  [{ type: 'array', items: { enum: ['a'] } }, []],
])('an empty optional field of %j is left out', (schema, value) => {
  expect(fieldOf(schema).initial).toEqual(value);
  expect(fieldFault(fieldOf(schema), value)).toBeUndefined();
  expect(sent(schema, value)).toBe('{}');
});

test('a boolean that is required begins as false; an untouched one is not given', () => {
  expect(fieldOf({ type: 'boolean' }, true).initial).toBe(false);
  expect(sent({ type: 'boolean' }, false)).toBe('{"it": false}');
  expect(sent({ type: 'boolean' }, true)).toBe('{"it": true}');
});

test('numbers go to the server as they are typed', () => {
  expect(sent({ type: 'integer' }, ' 9007199254740993 ')).toBe('{"it": 9007199254740993}');
  expect(sent({ type: 'number' }, '1.50')).toBe('{"it": 1.50}');
});

test('what the standard has no field for is filled in as JSON', () => {
  const schema = { type: 'object', default: { a: 1 } };
  expect(fieldOf(schema)).toMatchObject({ input: { kind: 'json' }, initial: '{"a":1}' });
  expect(fieldFault(fieldOf(schema), '{"a"')).toMatch(/^Not JSON at 1:5/);
  expect(sent(schema, '{"a": 2}')).toBe('{"it": {"a": 2}}');
});

test.each([
  [{ type: 'string' }, '', 'This field is required.'],
  [{ type: 'number' }, '', 'This field is required.'],
  [{ type: 'string', enum: ['a'] }, [], 'Choose one: this field is required.'],
  [{ type: 'string', minLength: 3 }, 'ab', 'This needs at least 3 characters.'],
  [{ type: 'string', maxLength: 2 }, 'abc', 'This may have at most 2 characters.'],
  [{ type: 'string', maxLength: 2 }, '🦊🦊', 'no fault'],
  [{ type: 'string', format: 'email' }, 'ada', 'email address'],
  [{ type: 'string', format: 'email' }, 'ada@example.com', 'no fault'],
  [{ type: 'string', format: 'uri' }, 'example.com', 'full URL'],
  [{ type: 'string', format: 'uri' }, 'https://example.com', 'no fault'],
  [{ type: 'string', format: 'date' }, '2026-02-30', 'date, such as'],
  [{ type: 'string', format: 'date' }, '2026-02-28', 'no fault'],
  [{ type: 'string', format: 'date-time' }, '2026-02-28T10:00:00', 'with its zone'],
  [{ type: 'string', format: 'date-time' }, '2026-02-28T10:00:00Z', 'no fault'],
  [{ type: 'string', format: 'unheard-of' }, 'anything', 'no fault'],
  [{ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`, 'no fault'],
  [{ type: 'number' }, '1,5', 'This must be a number.'],
  [{ type: 'number' }, '0x10', 'This must be a number.'],
  [{ type: 'integer' }, '1.5', 'This must be a whole number.'],
  [{ type: 'number', minimum: 1 }, '0.5', 'This must be at least 1.'],
  [{ type: 'number', maximum: 9 }, '10', 'This must be at most 9.'],
  [{ type: 'number', minimum: 1, maximum: 9 }, '-0', 'This must be at least 1.'],
])('a required field of %j with %j: %s', (schema, value, fault) => {
  expect(fieldFault(fieldOf(schema, true), value) ?? 'no fault').toContain(fault);
});

test.each([undefined, null, 'text', {}, { properties: [] }, { properties: { a: 1 } }])(
  'a schema that is %j makes no error',
  (schema) => {
    expect(() => toFields(schema)).not.toThrow();
  },
);
