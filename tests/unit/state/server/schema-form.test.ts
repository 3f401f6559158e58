import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonPath } from '../../../../lib/json/edit.ts';
import { parseExact } from '../../../../lib/json/exact.ts';
import { itemSchema, memberSchema } from '../../../../lib/schema/field.ts';
import {
  createSchemaForm,
  numberJson,
  type SchemaForm,
} from '../../../../lib/state/server/schema-form.ts';

function formOf(schema: unknown): SchemaForm {
  return createSchemaForm(parseExact(JSON.stringify(schema)));
}

function valueOf({ text }: SchemaForm): unknown {
  return JSON.parse(text.value === '' ? '{}' : text.value);
}

type Sample = { schema: object; value: unknown };

/** A schema, and a value that fits it. */
const sample = fc.letrec<{ any: Sample; leaf: Sample }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.tuple(tie('leaf'), fc.nat(3)).map(([item, count]) => ({
      schema: { type: 'array', items: item.schema, maxItems: 3 },
      value: Array.from({ length: count }, () => item.value),
    })),
    fc
      .dictionary(
        fc.string({ minLength: 1, maxLength: 5 }).filter((name) => name !== '__proto__'),
        fc.record({ part: tie('any'), isGiven: fc.boolean() }),
        { maxKeys: 4 },
      )
      .map((members): Sample => {
        const entries = Object.entries(members);
        const given = entries.filter(([, { isGiven }]) => isGiven);
        return {
          schema: {
            type: 'object',
            properties: Object.fromEntries(entries.map(([key, { part }]) => [key, part.schema])),
            required: given.map(([key]) => key),
            additionalProperties: false,
          },
          value: Object.fromEntries(given.map(([key, { part }]) => [key, part.value])),
        };
      }),
    fc.tuple(tie('any'), fc.boolean()).map(([part, isNull]) => ({
      schema: { anyOf: [{ type: 'null' }, part.schema] },
      value: isNull ? null : part.value,
    })),
  ),
  leaf: fc.oneof(
    fc.string().map((value) => ({ schema: { type: 'string' }, value })),
    fc.maxSafeInteger().map((value) => ({ schema: { type: 'integer' }, value })),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      // JSON has no negative zero that JavaScript would write.
      .map((value) => ({ schema: { type: 'number' }, value: value === 0 ? 0 : value })),
    fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
    fc
      .uniqueArray(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 4 })
      .chain((values) =>
        fc.nat(values.length - 1).map((at) => ({ schema: { enum: values }, value: values[at] })),
      ),
    fc.jsonValue().map((value) => ({
      schema: {},
      value: JSON.parse(JSON.stringify(value)) as unknown,
    })),
  ),
}));

/** Fills a part in as the controls do, until it holds a value. */
function fill(form: SchemaForm, part: unknown, path: JsonPath, value: unknown): void {
  const { shape } = form.fieldOf(part);
  switch (shape.kind) {
    case 'text':
      return form.set(path, JSON.stringify(value));
    case 'number':
      return form.set(path, numberJson(JSON.stringify(value)));
    case 'choice': {
      const json = JSON.stringify(value);
      const chosen = shape.choices.find((choice) => choice.json === json);
      if (chosen === undefined) throw new Error(`${json} is not offered.`);
      return form.set(path, chosen.json);
    }
    case 'null':
      return form.set(path, 'null');
    case 'json':
      return form.setPart(path, JSON.stringify(value));
    case 'variants':
      // The second one is the part itself, the first one nothing.
      form.choose(path, shape.variants, value === null ? 0 : 1);
      if (value !== null) fill(form, shape.variants[1]?.schema, path, value);
      return;
    case 'array': {
      const items = value as unknown[];
      form.set(path, '[]');
      items.forEach((item, at) => {
        form.add([...path, at], itemSchema(shape, at));
        fill(form, itemSchema(shape, at), [...path, at], item);
      });
      return;
    }
    case 'object': {
      const members = Object.entries(value as Record<string, unknown>);
      if (path.length > 0) form.set(path, '{}');
      for (const [name, each] of members) {
        const property = shape.properties.find((known) => known.name === name);
        fill(form, property?.schema ?? memberSchema(shape, name), [...path, name], each);
      }
    }
  }
}

/** Null may stand for itself or for the part, where that may be null too. */
function isTold(schema: unknown): boolean {
  return !JSON.stringify(schema).includes('"anyOf":[{"type":"null"},{}]');
}

describe('a form', () => {
  test('sends what was filled in, which fits the schema; form and JSON are one text', () => {
    fc.assert(
      fc.property(sample.any, ({ schema, value }) => {
        fc.pre(isTold(schema));
        const root = { type: 'object', properties: { it: schema }, required: ['it'] };
        const form = formOf(root);
        form.remove(['it']);
        fill(form, schema, ['it'], value);
        expect(form.fault.value).toBeUndefined();
        expect(valueOf(form)).toEqual({ it: value });
        expect(form.problems.value).toEqual([]);
        // What is only written in another way is the same form.
        const seen = form.sourceAt(['it']);
        form.setJson(JSON.stringify(JSON.parse(form.text.value)));
        expect(valueOf(form)).toEqual({ it: value });
        expect(form.problems.value).toEqual([]);
        expect(JSON.parse(form.sourceAt(['it']) ?? '')).toEqual(JSON.parse(seen ?? ''));
      }),
      { numRuns: 300 },
    );
  });

  test('begins with defaults, and with what can only be one thing', () => {
    const form = formOf({
      type: 'object',
      properties: {
        a: { type: 'string', default: 'x' },
        b: { const: 7 },
        c: { type: 'object', properties: { d: { default: [1] }, e: { type: 'string' } } },
        f: { type: 'string' },
        g: { type: 'object', properties: { h: { default: 1 } } },
      },
      required: ['b', 'c', 'f'],
    });
    expect(valueOf(form)).toEqual({ a: 'x', b: 7, c: { d: [1] } });
    expect(form.problems.value).toMatchObject([
      { path: ['f'], message: 'is required', isMissing: true },
    ]);
    expect(form.faultAt(['f'])).toBeUndefined();
    form.hasTried.value = true;
    expect(form.faultAt(['f'])).toBe('This is required.');
    form.set(['f'], '"now"');
    form.reset();
    expect(valueOf(form)).toEqual({ a: 'x', b: 7, c: { d: [1] } });
  });

  test('keeps the digits of big integers, also those of the schema', () => {
    const schema = parseExact(
      '{"type":"object","properties":{"n":{"type":"integer","default":9007199254740993},"e":{"enum":[12345678901234567890]}}}',
    );
    const form = createSchemaForm(schema);
    expect(form.sourceAt(['n'])).toBe('9007199254740993');
    const { shape } = form.fieldOf((schema as { properties: { e: unknown } }).properties.e);
    expect(shape).toMatchObject({ choices: [{ json: '12345678901234567890' }] });
    form.set(['n'], numberJson('-9007199254740995'));
    expect(form.text.value).toContain('-9007199254740995');
    expect(form.problems.value).toEqual([]);
  });

  test('sends what is no number as a text, and says so', () => {
    const form = formOf({ type: 'object', properties: { n: { type: 'number' } } });
    for (const typed of ['-', '1e', '1.', 'abc', '01', '0x1']) {
      form.set(['n'], numberJson(typed));
      expect(valueOf(form)).toEqual({ n: typed });
      expect(form.faultAt(['n'])).toBe('This is a string, where a number is asked for.');
    }
  });

  test('keeps a part that is not JSON yet, and sends nothing meanwhile', () => {
    const schema = { type: 'object', properties: { any: {}, list: { type: 'array', items: {} } } };
    const form = formOf(schema);
    form.setPart(['any'], '{"a":');
    expect(form.fault.value).toBe('One part is not JSON.');
    expect(form.partFault(['any'])).toMatch(/^Not JSON at 1:/);
    form.setPart(['any'], '{"a":1}');
    expect(form.fault.value).toBeUndefined();
    expect(valueOf(form)).toEqual({ any: { a: 1 } });
    form.setPart(['any'], '');
    expect(valueOf(form)).toEqual({});

    form.set(['list'], '[0, 1, 2]');
    form.setPart(['list', 1], '[');
    form.move(['list'], 1, 2);
    expect(form.partAt(['list', 2])).toBe('[');
    form.remove(['list', 0]);
    expect(form.partAt(['list', 1])).toBe('[');
    expect(form.partAt(['list', 0])).toBe('2');
    form.remove(['list', 1]);
    expect(form.fault.value).toBeUndefined();
  });

  test('knows which alternative is meant, and what was typed in another one', () => {
    const schema = {
      type: 'object',
      properties: {
        it: {
          oneOf: [
            {
              type: 'object',
              properties: { kind: { const: 'a' }, n: { type: 'integer' } },
              required: ['kind'],
            },
            {
              type: 'object',
              properties: { kind: { const: 'b' }, s: { type: 'string' } },
              required: ['kind'],
            },
          ],
        },
      },
    };
    const form = formOf(schema);
    const { shape } = form.fieldOf(schema.properties.it);
    if (shape.kind !== 'variants') throw new Error('There is nothing to choose.');
    const { variants } = shape;
    expect(variants.map(({ title }) => title)).toEqual(['kind: "a"', 'kind: "b"']);
    expect(form.variantAt(['it'], variants)).toBe(-1);
    form.choose(['it'], variants, 1);
    expect(valueOf(form)).toEqual({ it: { kind: 'b' } });
    form.set(['it', 's'], '"kept"');
    form.choose(['it'], variants, 0);
    expect(valueOf(form)).toEqual({ it: { kind: 'a' } });
    form.choose(['it'], variants, 1);
    expect(valueOf(form)).toEqual({ it: { kind: 'b', s: 'kept' } });
    form.setJson('{"it":{"kind":"a","n":1}}');
    expect(form.variantAt(['it'], variants)).toBe(0);
  });

  test('that holds something that is no JSON says where', () => {
    const form = formOf({ type: 'object' });
    form.setJson('{\n  "a": tru\n}');
    expect(form.fault.value).toMatch(/^Not JSON at 2:11/);
    form.setJson('{\n  "a": 1\n}');
    expect(form.fault.value).toBeUndefined();
  });

  test('gives the place of a problem in the text', () => {
    const form = formOf({ type: 'object', properties: { a: { type: 'string' } } });
    form.setJson('{\n  "a": 1\n}');
    expect(form.problems.value).toMatchObject([{ path: ['a'], line: 2, column: 8 }]);
  });
});

/** Schemas from the field that forms have failed on. */
const NASTY: [name: string, schema: object, kind: string][] = [
  ['a boolean schema', { properties: { a: true } }, 'json'],
  ['no type', { properties: { a: {} } }, 'json'],
  ['a type of two', { properties: { a: { type: ['string', 'null'] } } }, 'variants'],
  ['a type of one in a list', { properties: { a: { type: ['string'] } } }, 'text'],
  ['a schema that holds itself', { properties: { a: { $ref: '#' } } }, 'object'],
  ['a reference in a circle', { properties: { a: { $ref: '#/properties/a' } } }, 'json'],
  ['a remote reference', { properties: { a: { $ref: 'https://example.com/x' } } }, 'json'],
  [
    'a reference by anchor',
    { properties: { a: { $ref: '#x' } }, $defs: { x: { $anchor: 'x', type: 'string' } } },
    'text',
  ],
  [
    'an allOf',
    { properties: { a: { allOf: [{ type: 'object' }, { properties: { b: {} } }] } } },
    'object',
  ],
  [
    'titled constants',
    { properties: { a: { oneOf: [{ const: 1, title: 'One' }, { const: null }] } } },
    'choice',
  ],
  ['an array without items', { properties: { a: { type: 'array' } } }, 'array'],
  ['a tuple', { properties: { a: { prefixItems: [{ type: 'string' }], items: false } } }, 'array'],
  ['an empty enum', { properties: { a: { enum: [] } } }, 'choice'],
  ['types that do not exist', { properties: { a: { type: ['strin'] } } }, 'json'],
  ['two sets of alternatives', { properties: { a: { oneOf: [{}], anyOf: [{}] } } }, 'json'],
  [
    'alternatives that hold themselves',
    { properties: { a: { oneOf: [{ $ref: '#/properties/a' }, {}] } } },
    'variants',
  ],
  [
    'properties named like members of objects',
    { properties: { a: { type: 'string' }, constructor: {}, toString: {} } },
    'text',
  ],
];

test.each(NASTY)('%s is drawn, and can be added and removed', (_name, schema, kind) => {
  const form = formOf({ type: 'object', ...schema });
  const root = form.fieldOf(form.schema).shape;
  if (root.kind !== 'object') throw new Error('There are no members.');
  const part = root.properties.find(({ name }) => name === 'a')?.schema;
  expect(form.fieldOf(part).shape.kind).toBe(kind);
  form.add(['a'], part);
  expect(form.nodeAt(['a'])).toBeDefined();
  form.remove(['a']);
  expect(form.nodeAt(['a'])).toBeUndefined();
});

test('no schema keeps a form from being there at once', () => {
  const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
  const self = (keyword: string) => Array.from({ length: 20 }, () => ({ [keyword]: '#' }));
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` };
      return [`d${at}`, { allOf: [next, next] }];
    }),
  );
  const hostile = [
    {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])),
      required: names,
    },
    { $defs: { ...doubling, d40: { type: 'string' } }, properties: { a: { $ref: '#/$defs/d0' } } },
    { properties: { a: { oneOf: self('$ref') } }, required: ['a'] },
  ];
  for (const schema of hostile) {
    const form = formOf(schema);
    form.setJson('{"a":{"a":{"a":{"a":1}}}}');
    const part = form.fieldOf(form.schema).shape;
    if (part.kind !== 'object') throw new Error('There are no members.');
    for (const property of part.properties) {
      const { shape } = form.fieldOf(property.schema);
      if (shape.kind === 'variants') form.variantAt(['a'], shape.variants);
      form.add([property.name], property.schema);
    }
    expect(form.fault.value).toBeUndefined();
  }
});

test('members are sent in the order in which they were added, whatever they are called', () => {
  const schema = parseExact('{"type":"object","additionalProperties":{"type":"integer"}}');
  const form = createSchemaForm(schema);
  for (const name of ['b', '10', 'a', '2']) form.add([name], { type: 'integer' });
  form.set(['10'], '5');
  form.remove(['b']);
  form.add(['b'], { type: 'integer' });
  const names = () => [...form.text.value.matchAll(/"([^"]+)":/g)].map(([, name]) => name);
  expect(names()).toEqual(['10', 'a', '2', 'b']);
  const root = form.nodeAt([]);
  expect(root?.kind === 'object' && root.members.map(({ key }) => key)).toEqual(names());
});
