import { toLine } from '../text.ts';
import { isRecord } from '../record.ts';
import { patternLimit } from './pattern.ts';

/** A schema as the checker gets it, and what was left out of it. */
export interface PreparedSchema {
  schema: object | boolean;
  /** What is not checked, and why; sentences. */
  left: string[];
  /** Steps that one value can take at most. */
  cost: number;
}

/** Of the values that are to be checked. */
export interface Extent {
  /** Length of the longest text, in UTF-16 units. */
  longestText: number;
  /** Items of the longest list. */
  longestList: number;
}

/** The items of a longer list are not compared with each other. */
export const LONG_LIST = 2000;

/** Keywords whose values are data. */
const DATA = new Set(['const', 'default', 'enum', 'examples']);
/** Keywords whose members are schemas, whatever they are called. */
const MAPS = new Set([
  '$defs',
  'definitions',
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
]);
/** More steps than this for one value, and a check would stop the page. */
const COST_LIMIT = 100_000;
const SHOWN = 80;

/**
 * Copies a schema for the checker, which marks the objects that it is given. What could run away on values of
 * that extent is left out. Throws a `RangeError` where it is too deep or too branched.
 */
export function prepareSchema(
  schema: object | boolean,
  { longestText, longestList }: Extent,
): PreparedSchema {
  const left = new Set<string>();

  function copy(value: unknown, isMap: boolean): unknown {
    if (Array.isArray(value)) return value.map((part) => copy(part, false));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
      if (!isMap) {
        if (DATA.has(key)) return [[key, structuredClone(part)] as const];
        if (key === 'pattern' && !isTried(part)) return [];
        if (key === 'uniqueItems' && part === true && longestList > LONG_LIST) {
          left.add('That no item comes twice is not checked: a list is too long for that.');
          return [];
        }
        // Not of the standard, and its expression can run away.
        if (key === 'format' && part === 'url') return [];
        if (key === '$dynamicRef') left.add('“$dynamicRef” is not followed.');
        if (key === 'patternProperties' && isRecord(part)) {
          const tried = Object.entries(part).filter(([pattern]) => isTried(pattern));
          return [[key, copy(Object.fromEntries(tried), true)] as const];
        }
      }
      return [[key, copy(part, !isMap && MAPS.has(key))] as const];
    });
    return Object.fromEntries(members);
  }

  function isTried(pattern: unknown): boolean {
    const limit = typeof pattern === 'string' ? patternLimit(pattern) : 0;
    if (longestText <= limit && limit > 0) return true;
    const shown = toLine(pattern).slice(0, SHOWN);
    left.add(
      limit === 0
        ? `The pattern ${shown} is not a regular expression.`
        : `The pattern ${shown} is not checked: it could take too long.`,
    );
    return false;
  }

  const copied = typeof schema === 'boolean' ? schema : copy(schema, false);
  if (typeof copied !== 'boolean' && !isRecord(copied)) throw new TypeError('no schema');
  const cost = isRecord(copied) ? costliest(copied) : 1;
  return { schema: copied, left: [...left], cost };
}

/** Counts the steps that one value can take at most, through choices and references that lead to each other. */
function costliest(root: Record<string, unknown>): number {
  const costs = new Map<object, number>();

  function costOf(schema: unknown): number {
    if (!isRecord(schema)) return 1;
    const known = costs.get(schema);
    if (known !== undefined) return known;
    // A circle ends with the value that goes through it.
    costs.set(schema, 1);
    let cost = 1;
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      const parts: unknown = schema[key];
      if (Array.isArray(parts)) for (const part of parts) cost += costOf(part);
    }
    for (const key of ['if', 'then', 'else', 'not']) if (key in schema) cost += costOf(schema[key]);
    const ref = schema['$ref'];
    if (typeof ref === 'string') cost += costOf(atPointer(root, ref));
    if (cost > COST_LIMIT) throw new RangeError('too branched');
    costs.set(schema, cost);
    return cost;
  }

  function visit(value: unknown): void {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isRecord(value)) {
      costOf(value);
      Object.values(value).forEach(visit);
    }
  }
  visit(root);
  let most = 1;
  for (const cost of costs.values()) most = Math.max(most, cost);
  return most;
}

/** The part of a document that a reference of the form `#/a/b` points to. */
export function atPointer(root: unknown, ref: string): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let value: unknown = root;
  for (const step of ref.slice(2).split('/')) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
