import { isRecord } from '../record.ts';
import { atPointer } from './prepare.ts';

export type SchemaObject = Record<string, unknown>;

/** References that lead to references: more than any schema needs. */
const HOPS = 32;
/** Parts that are merged into one: a schema can ask for more than there is time for. */
const PARTS = 500;

/** Keywords that name or describe a document, and nothing about values. */
const NAMES = ['$ref', '$id', '$anchor', '$schema', '$defs', 'definitions'];

export type Resolved = { ok: true; schema: SchemaObject } | { ok: false; reason: string };

/**
 * A part of a schema with its references within the same document followed, and with its `allOf` merged in.
 * Nothing is ever fetched: a reference to anything else is a reason why there is no schema.
 */
export function resolveSchema(root: unknown, part: unknown): Resolved {
  return resolve(root, part, HOPS, { left: PARTS });
}

function resolve(root: unknown, part: unknown, hops: number, budget: { left: number }): Resolved {
  if (hops === 0) return { ok: false, reason: 'its references lead in a circle' };
  budget.left -= 1;
  if (budget.left < 0) return { ok: false, reason: 'it is made of too many parts' };
  if (part === true || part === undefined) return { ok: true, schema: {} };
  if (part === false) return { ok: false, reason: 'nothing is allowed here' };
  if (!isRecord(part)) return { ok: false, reason: 'its schema is no object' };
  let merged = part;
  const { $ref } = part;
  if ($ref !== undefined) {
    const target = typeof $ref === 'string' ? findTarget(root, $ref) : undefined;
    if (target === undefined) {
      return {
        ok: false,
        reason: `it refers to ${JSON.stringify($ref)}, which is not in the schema`,
      };
    }
    const resolved = resolve(root, target, hops - 1, budget);
    if (!resolved.ok) return resolved;
    const own = Object.entries(part).filter(([key]) => !NAMES.includes(key));
    merged = mergeSchemas(resolved.schema, Object.fromEntries(own));
  }
  const { allOf, ...rest } = merged;
  if (!Array.isArray(allOf)) return { ok: true, schema: merged };
  let whole: SchemaObject = rest;
  for (const each of allOf) {
    const resolved = resolve(root, each, hops - 1, budget);
    if (!resolved.ok) return resolved;
    whole = mergeSchemas(whole, resolved.schema);
  }
  return { ok: true, schema: whole };
}

function findTarget(root: unknown, ref: string): unknown {
  const [id = '', place] = ref.split('#', 2);
  // A document that names itself may name itself in its references too.
  const document = id === '' ? root : findNamed(root, '$id', id, HOPS);
  if (document === undefined || place === undefined || place === '') return document;
  const found = atPointer(document, `#${place}`);
  if (found !== undefined || !/^[A-Za-z_]/.test(place)) return found;
  return findNamed(document, '$anchor', place, HOPS);
}

function findNamed(value: unknown, key: '$anchor' | '$id', name: string, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) return undefined;
  if (isRecord(value) && value[key] === name) return value;
  for (const part of Object.values(value)) {
    const found = findNamed(part, key, name, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Both schemas at once, as far as a form has to know: where both say something else, the second one counts. */
function mergeSchemas(first: SchemaObject, second: SchemaObject): SchemaObject {
  const merged = { ...first, ...second };
  const [a, b] = [first['properties'], second['properties']];
  if (isRecord(a) && isRecord(b)) {
    const properties = { ...a };
    for (const [key, schema] of Object.entries(b)) {
      properties[key] = Object.hasOwn(a, key) ? { allOf: [a[key], schema] } : schema;
    }
    merged['properties'] = properties;
  }
  // What holds under a condition only: a form has to know of all of it.
  for (const key of ['then', 'else']) {
    if (isRecord(first[key]) && isRecord(second[key])) {
      merged[key] = { allOf: [first[key], second[key]] };
    }
  }
  const dependent = [first['dependentSchemas'], second['dependentSchemas']];
  if (dependent.every(isRecord)) merged['dependentSchemas'] = Object.assign({}, ...dependent);
  const required = [...listOf(first['required']), ...listOf(second['required'])];
  if (required.length > 0) merged['required'] = required;
  return merged;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
