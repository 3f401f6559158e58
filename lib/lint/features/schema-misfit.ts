import { shown } from '../payload.ts';
import { isRecord } from '../../record.ts';
import { resolveLocal } from './schema-fault.ts';

type Members = Record<string, unknown>;

/** How far a value is looked at. */
const DEPTH = 40;

/**
 * Why a value does not fit a JSON Schema: where, and what; undefined where nothing is known to be wrong. Keywords
 * that are not looked at count as fulfilled, so what is named is wrong indeed.
 */
export function schemaMisfit(value: unknown, schema: unknown): string | undefined {
  return misfit(value, schema, { root: schema, path: '', depth: 0 });
}

interface Place {
  root: unknown;
  path: string;
  depth: number;
}

function at({ path }: Place, what: string): string {
  return path === '' ? what : `${path}: ${what}`;
}

function misfit(value: unknown, schema: unknown, place: Place): string | undefined {
  if (schema === false) return at(place, 'nothing may be here');
  if (!isRecord(schema) || place.depth > DEPTH) return undefined;
  return (
    typeMisfit(value, schema, place) ??
    valueMisfit(value, schema, place) ??
    partMisfit(value, schema, place) ??
    combinedMisfit(value, schema, place)
  );
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function typeMisfit(value: unknown, { type }: Members, place: Place): string | undefined {
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : undefined;
  if (types === undefined) return undefined;
  const kind = kindOf(value);
  if (types.includes(kind)) return undefined;
  if (types.includes('integer') && Number.isInteger(value)) return undefined;
  return at(place, `${shown(value)} is no ${types.join(' or ')}`);
}

function valueMisfit(value: unknown, schema: Members, place: Place): string | undefined {
  const { enum: values, minimum, maximum, minLength, maxLength, pattern } = schema;
  const wrong = (what: string) => at(place, `${shown(value)} ${what}`);
  if (Array.isArray(values) && !values.some((each) => isSame(each, value))) {
    return wrong(`is none of ${shown(values)}`);
  }
  if ('const' in schema && !isSame(schema['const'], value)) {
    return wrong(`is not ${shown(schema['const'])}`);
  }
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) return wrong(`is below ${minimum}`);
    if (typeof maximum === 'number' && value > maximum) return wrong(`is above ${maximum}`);
  }
  if (typeof value !== 'string') return undefined;
  const length =
    typeof minLength === 'number' || typeof maxLength === 'number' ? codePoints(value) : 0;
  if (typeof minLength === 'number' && length < minLength)
    return wrong(`is shorter than ${minLength}`);
  if (typeof maxLength === 'number' && length > maxLength)
    return wrong(`is longer than ${maxLength}`);
  // A slow expression on a long text would hold up everything.
  const isQuick = typeof pattern === 'string' && pattern.length < 200 && value.length < 1000;
  if (!isQuick) return undefined;
  return isMatch(pattern, value) === false ? wrong(`does not match ${pattern}`) : undefined;
}

/** Length as JSON Schema counts it. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function isMatch(pattern: string, text: string): boolean | undefined {
  // A group that is repeated may take for ever.
  if (/\)[+*{]/.test(pattern)) return undefined;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return undefined;
  }
}

function partMisfit(value: unknown, schema: Members, place: Place): string | undefined {
  if (Array.isArray(value)) return itemMisfit(value, schema, place);
  if (!isRecord(value)) return undefined;
  const { properties, required, additionalProperties, patternProperties } = schema;
  const missing = Array.isArray(required)
    ? required.find((name) => typeof name === 'string' && !Object.hasOwn(value, name))
    : undefined;
  if (missing !== undefined) return at(place, `${shown(missing)} is missing`);
  const known = isRecord(properties) ? properties : {};
  for (const [name, part] of Object.entries(value)) {
    const inner = {
      ...place,
      path: place.path === '' ? name : `${place.path}.${name}`,
      depth: place.depth + 1,
    };
    if (Object.hasOwn(known, name)) {
      const fault = misfit(part, known[name], inner);
      if (fault !== undefined) return fault;
    } else if (additionalProperties !== undefined && patternProperties === undefined) {
      if (additionalProperties === false) return at(place, `${shown(name)} is not expected`);
      const fault = misfit(part, additionalProperties, inner);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function itemMisfit(values: unknown[], schema: Members, place: Place): string | undefined {
  const { items, prefixItems, minItems, maxItems } = schema;
  if (typeof minItems === 'number' && values.length < minItems) {
    return at(place, `there are fewer than ${minItems} items`);
  }
  if (typeof maxItems === 'number' && values.length > maxItems) {
    return at(place, `there are more than ${maxItems} items`);
  }
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? undefined : items;
  for (let index = 0; index < values.length && index < 1000; index += 1) {
    const inner = { ...place, path: `${place.path}[${index}]`, depth: place.depth + 1 };
    const fault = misfit(values[index], index < first.length ? first[index] : rest, inner);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function combinedMisfit(value: unknown, schema: Members, place: Place): string | undefined {
  const { $ref, allOf, anyOf, oneOf } = schema;
  const inner = { ...place, depth: place.depth + 1 };
  if (typeof $ref === 'string') {
    const fault = misfit(value, resolveLocal($ref, place.root), inner);
    if (fault !== undefined) return fault;
  }
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const fault = misfit(value, part, inner);
    if (fault !== undefined) return fault;
  }
  for (const choice of [anyOf, oneOf]) {
    if (!Array.isArray(choice) || choice.length === 0) continue;
    if (choice.every((part) => misfit(value, part, inner) !== undefined)) {
      return at(place, `${shown(value)} fits none of its ${choice.length} schemas`);
    }
  }
  return undefined;
}

/** Equal as JSON, whatever the order of members. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((part, index) => isSame(part, other[index]))
    );
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}
