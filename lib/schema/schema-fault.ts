import { jsonOf } from '../text.ts';
import { isRecord } from '../record.ts';

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const DEPTH = 64;

type Kind = 'schema' | 'schemas' | 'map' | 'text' | 'texts' | 'number' | 'count' | 'list' | 'flag';

/** What the keywords of JSON Schema 2020-12 hold, as far as forms and checks rely on it. */
const KEYWORDS = new Map<string, Kind>([
  ['additionalProperties', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['contains', 'schema'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['allOf', 'schemas'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['prefixItems', 'schemas'],
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['dependentSchemas', 'map'],
  ['$defs', 'map'],
  ['$ref', 'text'],
  ['$anchor', 'text'],
  ['$id', 'text'],
  ['title', 'text'],
  ['description', 'text'],
  ['format', 'text'],
  ['pattern', 'text'],
  ['required', 'texts'],
  ['enum', 'list'],
  ['examples', 'list'],
  ['minLength', 'count'],
  ['maxLength', 'count'],
  ['minItems', 'count'],
  ['maxItems', 'count'],
  ['minProperties', 'count'],
  ['maxProperties', 'count'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['multipleOf', 'number'],
  ['uniqueItems', 'flag'],
]);

/** What is wrong with a schema itself, with its place; undefined for one that can be used. */
export function schemaFault(schema: unknown): string | undefined {
  return faultOf(schema, '', DEPTH);
}

function faultOf(schema: unknown, at: string, depth: number): string | undefined {
  if (typeof schema === 'boolean' || depth === 0) return undefined;
  const place = at === '' ? 'the schema' : at;
  if (!isRecord(schema)) return `${place} is ${named(schema)}, not a schema`;
  const typeFault = faultOfType(schema['type'], place);
  if (typeFault !== undefined) return typeFault;
  for (const [key, value] of Object.entries(schema)) {
    const kind = KEYWORDS.get(key);
    const isItems = key === 'items';
    const path = at === '' ? key : `${at}.${key}`;
    const fault = isItems
      ? // A list of schemas is how tuples were written up to draft 7.
        faultOfKind(value, Array.isArray(value) ? 'schemas' : 'schema', path, depth)
      : kind === undefined
        ? undefined
        : faultOfKind(value, kind, path, depth);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfType(type: unknown, place: string): string | undefined {
  if (type === undefined) return undefined;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  const wrong = types.find((each) => typeof each !== 'string' || !TYPES.has(each));
  if (types.length === 0) return `${place} allows no type`;
  return wrong === undefined
    ? undefined
    : `${place} is of type ${jsonOf(wrong)}, which JSON Schema does not have`;
}

function faultOfKind(value: unknown, kind: Kind, path: string, depth: number): string | undefined {
  switch (kind) {
    case 'schema':
      return faultOf(value, path, depth - 1);
    case 'schemas':
      if (!Array.isArray(value)) return `${path} is ${named(value)}, not a list of schemas`;
      return firstOf(
        value.map((each, index) => [`${path}.${index}`, each]),
        depth,
      );
    case 'map':
      if (!isRecord(value)) return `${path} is ${named(value)}, not an object of schemas`;
      return firstOf(
        Object.entries(value).map(([key, each]) => [`${path}.${key}`, each]),
        depth,
      );
    case 'text':
      return typeof value === 'string' ? undefined : `${path} is ${named(value)}, not a text`;
    case 'texts': {
      const isGood = Array.isArray(value) && value.every((each) => typeof each === 'string');
      return isGood ? undefined : `${path} is not a list of names`;
    }
    case 'list':
      return Array.isArray(value) ? undefined : `${path} is ${named(value)}, not a list`;
    case 'number':
      return typeof value === 'number' ? undefined : `${path} is ${named(value)}, not a number`;
    case 'count': {
      const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0;
      return isCount ? undefined : `${path} is ${shown(value)}, not a count`;
    }
    case 'flag':
      return typeof value === 'boolean'
        ? undefined
        : `${path} is ${named(value)}, not true or false`;
  }
}

function firstOf(parts: [path: string, schema: unknown][], depth: number): string | undefined {
  for (const [path, schema] of parts) {
    const fault = faultOf(schema, path, depth - 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function named(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function shown(value: unknown): string {
  const text = jsonOf(value) ?? '';
  return text.length > 40 ? named(value) : text;
}
