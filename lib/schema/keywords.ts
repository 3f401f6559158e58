import { ExactNumber } from '../json/exact.ts';
import type { SchemaObject } from './resolve.ts';

/** What a number may be, in words. */
export function toLimits(schema: SchemaObject): string {
  const words: [key: string, before: string][] = [
    ['minimum', 'at least'],
    ['exclusiveMinimum', 'more than'],
    ['maximum', 'at most'],
    ['exclusiveMaximum', 'less than'],
    ['multipleOf', 'a multiple of'],
  ];
  return words
    .flatMap(([key, before]) => {
      const digits = digitsOf(schema[key]);
      return digits === undefined ? [] : [`${before} ${digits}`];
    })
    .join(', ');
}

/** The digits of a number, all of them. */
function digitsOf(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.digits;
  return typeof value === 'number' ? String(value) : undefined;
}

/** Those of the named members that are texts, as JSON Schema wants its annotations. */
export function texts<Key extends string>(
  schema: SchemaObject,
  keys: Key[],
): Partial<Record<Key, string>> {
  const found = keys.flatMap((key) => {
    const value = textOf(schema, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(found) as Partial<Record<Key, string>>;
}

/** Members that are numbers, as their digits. */
export function numbers<Key extends string>(
  schema: SchemaObject,
  keys: Key[],
): Partial<Record<Key, string>> {
  const found = keys.flatMap((key) => {
    const digits = digitsOf(schema[key]);
    return digits === undefined ? [] : [[key, digits] as const];
  });
  return Object.fromEntries(found) as Partial<Record<Key, string>>;
}

/** A member that is a text with something in it. */
export function textOf(schema: SchemaObject, key: string): string | undefined {
  const value = schema[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A list, or an empty one in place of anything else. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
