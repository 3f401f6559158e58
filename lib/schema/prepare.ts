import { toLine } from '../text.ts';
import { isRecord } from '../record.ts';
import { patternLimit } from './pattern.ts';

/** A schema as the checker gets it, and what was left out of it. */
export interface PreparedSchema {
  schema: object | boolean;
  /** What is not checked, and why; sentences. */
  left: string[];
}

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
 * Copies a schema for the checker, which marks the objects that it is given. Patterns that could run away on a
 * text of `longest` UTF-16 units are left out. Throws a `RangeError` where it is too deep or too branched.
 */
export function prepareSchema(schema: object | boolean, longest: number): PreparedSchema {
  const left = new Set<string>();

  function copy(value: unknown, isMap: boolean): unknown {
    if (Array.isArray(value)) return value.map((part) => copy(part, false));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
      if (!isMap) {
        if (DATA.has(key)) return [[key, structuredClone(part)] as const];
        if (key === 'pattern' && !isTried(part)) return [];
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
    if (longest <= limit && limit > 0) return true;
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
  if (isRecord(copied)) checkCost(copied);
  return { schema: copied, left: [...left] };
}

/** Counts the steps that one value can take through choices and references that lead to each other. */
function checkCost(root: Record<string, unknown>): void {
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
