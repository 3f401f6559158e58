import { writeExact } from '../json/exact.ts';
import { toLine } from '../text.ts';
import { isRecord } from '../record.ts';
import type { Variant } from './field.ts';
import { resolveSchema } from './resolve.ts';

const DEPTH = 4;
/** Parts that are looked at: a guess is not worth more. */
const PARTS = 2000;

interface Context {
  root: unknown;
  budget: { left: number };
}

/** Which alternative a value is most likely meant as: the index of the one that it fits best. */
export function bestVariant(root: unknown, variants: readonly Variant[], value: unknown): number {
  const budget = { left: PARTS };
  const scores = variants.map(({ schema }) => score({ root, budget }, schema, value, DEPTH));
  return scores.indexOf(Math.max(...scores));
}

/** How well a value fits; below 0 where it does not. */
function score(context: Context, part: unknown, value: unknown, depth: number): number {
  context.budget.left -= 1;
  if (context.budget.left < 0) return -1;
  const resolved = resolveSchema(context.root, part);
  if (!resolved.ok) return -1;
  const { schema } = resolved;
  if ('const' in schema) return sameJson(schema['const'], value) ? 10 : -10;
  if (Array.isArray(schema['enum'])) {
    return schema['enum'].some((each) => sameJson(each, value)) ? 8 : -8;
  }
  let points = 0;
  const { type } = schema;
  if (type !== undefined) {
    const types = Array.isArray(type) ? type : [type];
    const isOfType = types.some((each) => isOf(toLine(each), value));
    if (!isOfType) return -20;
    points += 2;
  }
  const choices = [schema['oneOf'], schema['anyOf']].find(Array.isArray);
  if (choices !== undefined && depth > 0) {
    points += Math.max(...choices.map((each) => score(context, each, value, depth - 1)), -20);
  }
  if (!isRecord(value)) return points;
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const name of required) if (!Object.hasOwn(value, toLine(name))) points -= 3;
  for (const [name, member] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) {
      points -= schema['additionalProperties'] === false ? 5 : 1;
    } else if (depth > 0) points += 1 + score(context, properties[name], member, depth - 1) / 2;
  }
  return points;
}

/** Whether a value is of a type of JSON Schema. */
function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function sameJson(one: unknown, other: unknown): boolean {
  return writeExact(one) === writeExact(other);
}
