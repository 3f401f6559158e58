import { shown } from '../payload.ts';
import { isRecord } from '../../record.ts';

type Members = Record<string, unknown>;

/** How far a schema is looked at; a hostile one may be endless. */
const DEPTH = 40;
const NODES = 5000;

const TYPES = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
/** Dialects whose keywords mean what they mean here. */
const KNOWN = /^https?:\/\/json-schema\.org\/(draft\/20(19-09|20-12)|draft-0[4-7])\/schema#?$/;
const OLD = /draft-0[4-7]/;

const SCHEMAS = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const MAPS = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const COUNTS = [
  'maxContains',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minContains',
  'minItems',
  'minLength',
  'minProperties',
];
const STRINGS = ['$comment', '$id', '$ref', '$schema', 'description', 'format', 'pattern', 'title'];

/**
 * Why a JSON Schema is not valid in its dialect: where, and what; undefined where nothing is known to be wrong.
 * The keywords that tools use are looked at; dialects that are not known are not judged.
 */
export function schemaFault(schema: unknown): string | undefined {
  const dialect = isRecord(schema) ? schema['$schema'] : undefined;
  if (typeof dialect === 'string' && !KNOWN.test(dialect)) return undefined;
  const isOld = typeof dialect === 'string' && OLD.test(dialect);
  let nodes = 0;

  function faultOf(value: unknown, path: string, depth: number): string | undefined {
    nodes += 1;
    if (depth > DEPTH || nodes > NODES || typeof value === 'boolean') return undefined;
    if (!isRecord(value)) return `${path || 'the schema'} is ${shown(value)}, not a schema`;
    const own = keywordFault(value, schema, isOld);
    if (own !== undefined) return `${path === '' ? '' : `${path}: `}${own}`;
    for (const [name, part] of partsOf(value, isOld)) {
      const fault = faultOf(part, path === '' ? name : `${path}.${name}`, depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  return faultOf(schema, '', 0);
}

/** The schemas that a schema holds, by where they stand. */
function partsOf(schema: Members, isOld: boolean): [string, unknown][] {
  const parts: [string, unknown][] = [];
  for (const name of SCHEMAS) if (name in schema) parts.push([name, schema[name]]);
  for (const name of MAPS) {
    const map = schema[name];
    if (!isRecord(map)) continue;
    for (const [key, part] of Object.entries(map)) parts.push([`${name}.${key}`, part]);
  }
  for (const name of LISTS) {
    const list = schema[name];
    if (Array.isArray(list)) list.forEach((part, index) => parts.push([`${name}[${index}]`, part]));
  }
  const { items } = schema;
  if (Array.isArray(items) && isOld) {
    items.forEach((part, index) => parts.push([`items[${index}]`, part]));
  } else if (items !== undefined) {
    parts.push(['items', items]);
  }
  return parts;
}

/** What is wrong with the keywords of one schema. */
function keywordFault(schema: Members, root: unknown, isOld: boolean): string | undefined {
  const { type, required, enum: values, $ref, pattern, multipleOf } = schema;
  const is = (name: string) => `${name} is ${shown(schema[name])}`;
  if (type !== undefined && !isType(type)) return is('type');
  if (required !== undefined && !isNames(required)) return `${is('required')}, not a list of names`;
  if (values !== undefined && !Array.isArray(values)) return is('enum');
  if (multipleOf !== undefined && !(typeof multipleOf === 'number' && multipleOf > 0)) {
    return is('multipleOf');
  }
  const map = MAPS.find((name) => schema[name] !== undefined && !isRecord(schema[name]));
  if (map !== undefined) return is(map);
  const list = LISTS.find((name) => schema[name] !== undefined && !isFilled(schema[name]));
  if (list !== undefined) return `${is(list)}, not a list of schemas`;
  const count = COUNTS.find((name) => schema[name] !== undefined && !isCount(schema[name]));
  if (count !== undefined) return is(count);
  const text = STRINGS.find(
    (name) => schema[name] !== undefined && typeof schema[name] !== 'string',
  );
  if (text !== undefined) return is(text);
  const bound = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].find((name) => {
    const value = schema[name];
    if (value === undefined || typeof value === 'number') return false;
    return !(isOld && name.startsWith('exclusive') && typeof value === 'boolean');
  });
  if (bound !== undefined) return is(bound);
  if (typeof pattern === 'string' && !isPattern(pattern)) {
    return `pattern ${shown(pattern)} is no regular expression`;
  }
  return typeof $ref === 'string' && isDangling($ref, root)
    ? `$ref ${shown($ref)} leads nowhere`
    : undefined;
}

function isType(type: unknown): boolean {
  if (typeof type === 'string') return TYPES.has(type);
  return (
    isFilled(type) &&
    new Set(type).size === type.length &&
    type.every((each) => TYPES.has(String(each)))
  );
}

function isNames(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return new Set(value).size === value.length && value.every((each) => typeof each === 'string');
}

function isFilled(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}

function isPattern(pattern: string): boolean {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags) instanceof RegExp;
    } catch {
      // What neither way of reading takes is none.
    }
  }
  return false;
}

function isDangling(ref: string, root: unknown): boolean {
  return (ref === '#' || ref.startsWith('#/')) && resolveLocal(ref, root) === undefined;
}

/** What a reference within a schema leads to (RFC 6901); undefined where it leads nowhere, or elsewhere. */
export function resolveLocal(ref: string, root: unknown): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let value: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const name = unescaped(part);
    if (Array.isArray(value)) value = value[Number(name)];
    else if (isRecord(value) && Object.hasOwn(value, name)) value = value[name];
    else return undefined;
  }
  return value;
}

function unescaped(part: string): string {
  const text = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
