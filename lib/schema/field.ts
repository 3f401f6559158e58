import { writeExact } from '../json/exact.ts';
import { toLine } from '../text.ts';
import { isRecord } from '../record.ts';
import { listOf, numbers, textOf, texts, toLimits } from './keywords.ts';
import { resolveSchema, type SchemaObject } from './resolve.ts';

/** One of the values that a field offers. */
export interface Choice {
  title: string;
  /** What choosing it sends, as JSON text. */
  json: string;
}

/** A member of an object that the schema names. */
export interface Property {
  name: string;
  schema: unknown;
  isRequired: boolean;
}

/** One of several kinds of value that a part may have. */
export interface Variant {
  title: string;
  schema: unknown;
}

export type Shape =
  | { kind: 'text'; format?: string; pattern?: string; minLength?: string; maxLength?: string }
  | { kind: 'number'; isInteger: boolean; limits: string }
  | { kind: 'choice'; choices: Choice[] }
  | { kind: 'null' }
  | {
      kind: 'object';
      properties: Property[];
      /** Schema of members that are not named; undefined where there may be none. */
      additional: unknown;
      /** Schemas of members by a pattern of their names. */
      patterns: [pattern: string, schema: unknown][];
    }
  | {
      kind: 'array';
      prefix: unknown[];
      /** Schema of all further items; undefined where there may be none. */
      items: unknown;
      minItems?: string;
      maxItems?: string;
    }
  | { kind: 'variants'; variants: Variant[] }
  /** Nothing that a form could draw: the part is typed as JSON. */
  | { kind: 'json'; reason?: string };

export interface Field {
  title?: string;
  description?: string;
  isDeprecated: boolean;
  /** What its schema proposes, as JSON text. */
  defaultJson?: string;
  examples: string[];
  shape: Shape;
}

const BOOLEANS: Choice[] = [
  { title: 'true', json: 'true' },
  { title: 'false', json: 'false' },
];
const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
/** A choice of more alternatives is no help. */
const MAX_VARIANTS = 100;

/** Reads a part of a schema as a field of a form. Never throws; what it cannot draw is a field of JSON. */
export function readField(root: unknown, part: unknown): Field {
  const resolved = resolveSchema(root, part);
  if (!resolved.ok) {
    return { isDeprecated: false, examples: [], shape: { kind: 'json', reason: resolved.reason } };
  }
  const { schema } = resolved;
  const title = textOf(schema, 'title');
  const description = textOf(schema, 'description');
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    isDeprecated: schema['deprecated'] === true,
    ...('default' in schema ? { defaultJson: writeExact(schema['default'], 2) } : {}),
    examples: listOf(schema['examples']).map((example) => writeExact(example)),
    shape: toShape(root, schema),
  };
}

function toShape(root: unknown, schema: SchemaObject): Shape {
  if ('const' in schema) return { kind: 'choice', choices: [toChoice(schema['const'], undefined)] };
  const choices = toChoices(schema);
  if (choices !== undefined) return { kind: 'choice', choices };
  const variants = toVariants(root, schema);
  if (variants !== undefined) return variants;
  switch (typeOf(schema)) {
    case 'string':
      return {
        kind: 'text',
        ...texts(schema, ['format', 'pattern']),
        ...numbers(schema, ['minLength', 'maxLength']),
      };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isInteger: schema['type'] === 'integer',
        limits: toLimits(schema),
      };
    case 'boolean':
      return { kind: 'choice', choices: BOOLEANS };
    case 'null':
      return { kind: 'null' };
    case 'object':
      return toObject(root, schema);
    case 'array':
      return toArray(schema);
    default:
      return { kind: 'json' };
  }
}

/** The type that a schema names, or that its keywords mean. */
function typeOf(schema: SchemaObject): string | undefined {
  const { type } = schema;
  if (type !== undefined) return typeof type === 'string' ? type : undefined;
  const has = (...keys: string[]) => keys.some((key) => key in schema);
  if (has('properties', 'additionalProperties', 'patternProperties', 'required')) return 'object';
  if (has('items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems')) return 'array';
  if (has('minLength', 'maxLength', 'pattern', 'format')) return 'string';
  return has('minimum', 'maximum', 'multipleOf') ? 'number' : undefined;
}

/** Plain and titled enumerations; `enumNames` is how titles were given up to 2025-06-18. */
function toChoices(schema: SchemaObject): Choice[] | undefined {
  if (Array.isArray(schema['enum'])) {
    const names = listOf(schema['enumNames']);
    return schema['enum'].map((value: unknown, at) => toChoice(value, names[at]));
  }
  const titled = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])];
  if (titled.length === 0 || !titled.every((each) => isRecord(each) && 'const' in each)) {
    return undefined;
  }
  return titled.filter(isRecord).map((each) => toChoice(each['const'], each['title']));
}

function toChoice(value: unknown, title: unknown): Choice {
  const json = writeExact(value);
  if (typeof title === 'string') return { title, json };
  return { title: typeof value === 'string' && value !== '' ? value : json, json };
}

function toVariants(root: unknown, schema: SchemaObject): Shape | undefined {
  const { type, oneOf, anyOf, ...rest } = schema;
  const keyword = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : undefined;
  if (keyword !== undefined) {
    if (Array.isArray(oneOf) && Array.isArray(anyOf)) {
      return { kind: 'json', reason: 'it has two sets of alternatives' };
    }
    const base = type === undefined ? rest : { ...rest, type };
    const shared = withoutWords(base);
    return {
      kind: 'variants',
      variants: keyword.slice(0, MAX_VARIANTS).map((each: unknown, at) => ({
        title: variantTitle(root, each, at),
        schema: Object.keys(shared).length === 0 ? each : { allOf: [shared, each] },
      })),
    };
  }
  if (!Array.isArray(type)) return undefined;
  const types = type.filter((each) => TYPES.includes(toLine(each))).map(toLine);
  const plain = withoutWords(rest);
  if (types.length === 1) return toShape(root, { ...rest, type: types[0] });
  if (types.length === 0) return { kind: 'json', reason: 'its types are none that JSON has' };
  return {
    kind: 'variants',
    variants: types.map((each) => ({ title: each, schema: { ...plain, type: each } })),
  };
}

/** What is said once, above the alternatives. */
function withoutWords(schema: SchemaObject): SchemaObject {
  const { title: _title, description: _description, default: _default, ...rest } = schema;
  const { examples: _examples, deprecated: _deprecated, ...plain } = rest;
  return plain;
}

function variantTitle(root: unknown, part: unknown, at: number): string {
  const resolved = resolveSchema(root, part);
  const name = `alternative ${at + 1}`;
  if (!resolved.ok) return name;
  const { schema } = resolved;
  const title = textOf(schema, 'title');
  if (title !== undefined) return title;
  const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  // What tells alternatives apart is most often a member that can have one value only.
  const told = properties.flatMap(([key, value]) =>
    isRecord(value) && onlyValue(value) !== undefined
      ? [`${key}: ${writeExact(onlyValue(value))}`]
      : [],
  );
  if (told.length > 0) return told.join(', ');
  if ('const' in schema) return writeExact(schema['const']);
  const type = schema['type'];
  const required = listOf(schema['required']).map(toLine);
  if (properties.length === 0 && required.length > 0) return `with ${required.join(', ')}`;
  return typeof type === 'string' && properties.length === 0
    ? type
    : properties.length > 0
      ? properties.map(([key]) => key).join(', ')
      : (textOf(schema, 'description') ?? name);
}

/** The value of a part that can have one only. */
function onlyValue(schema: SchemaObject): unknown {
  if ('const' in schema) return schema['const'];
  const values = listOf(schema['enum']);
  return values.length === 1 ? values[0] : undefined;
}

function toObject(root: unknown, schema: SchemaObject): Shape {
  const required = new Set(listOf(schema['required']));
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const named = Object.entries(properties).map(([name, each]) => ({
    name,
    schema: each,
    isRequired: required.has(name),
  }));
  // What is required but not described has to be given all the same.
  const missing = [...required].filter(
    (name): name is string => typeof name === 'string' && !Object.hasOwn(properties, name),
  );
  const conditional = conditionalProperties(root, schema).filter(
    ([name]) => !Object.hasOwn(properties, name) && !missing.includes(name),
  );
  const { additionalProperties, patternProperties } = schema;
  const rest = additionalProperties ?? schema['unevaluatedProperties'] ?? true;
  const additional = rest === false ? undefined : rest;
  return {
    kind: 'object',
    properties: [
      ...named,
      ...missing.map((name) => ({ name, schema: additional ?? {}, isRequired: true })),
      ...conditional.map(([name, each]) => ({ name, schema: each, isRequired: false })),
    ],
    additional,
    patterns: isRecord(patternProperties) ? Object.entries(patternProperties) : [],
  };
}

/** Members that are described only where a condition holds; by name, the first description counts. */
function conditionalProperties(root: unknown, schema: SchemaObject): [string, unknown][] {
  const dependent = isRecord(schema['dependentSchemas'])
    ? Object.values(schema['dependentSchemas'])
    : [];
  const found = new Map<string, unknown>();
  for (const part of [schema['then'], schema['else'], ...dependent]) {
    const resolved = isRecord(part) ? resolveSchema(root, part) : undefined;
    const properties = resolved?.ok === true ? resolved.schema['properties'] : undefined;
    for (const [name, each] of Object.entries(isRecord(properties) ? properties : {})) {
      if (!found.has(name)) found.set(name, each);
    }
  }
  return [...found];
}

function toArray(schema: SchemaObject): Shape {
  const { items, prefixItems, additionalItems } = schema;
  const isTuple = Array.isArray(items);
  const prefix = isTuple ? items : listOf(prefixItems);
  const rest = (isTuple ? additionalItems : items) ?? schema['unevaluatedItems'] ?? true;
  return {
    kind: 'array',
    prefix,
    items: rest === false ? undefined : rest,
    ...numbers(schema, ['minItems', 'maxItems']),
  };
}

/** The schema of an item at an index; undefined where there may be none. */
export function itemSchema({ prefix, items }: Shape & { kind: 'array' }, at: number): unknown {
  return at < prefix.length ? prefix[at] : items;
}

/** The schema of a member that the schema does not name; undefined where it may not be there. */
export function memberSchema(shape: Shape & { kind: 'object' }, name: string): unknown {
  for (const [pattern, schema] of shape.patterns) {
    try {
      // Names are short, and typed by the user or told by a message that is here already.
      if (name.length <= 20 && new RegExp(pattern, 'u').test(name)) return schema;
    } catch {
      // A pattern that is none fits nothing.
    }
  }
  return shape.additional;
}
