import { plainJson } from '../json/jsonc.ts';
import { isRecord } from '../record.ts';

/** Values of a file that nobody vouches for: what is not as it should be reads as absent. */
export type Loose = Record<string, unknown>;

/** The value as an object with any members; empty where it is none. */
export function looseObject(value: unknown): Loose {
  return isRecord(value) ? value : {};
}

/** The elements of a list that are objects. */
export function looseList(value: unknown): Loose[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Text; numbers and booleans as they are written, everything else as undefined. */
export function looseText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A finite number, also where it is written as text. */
export function looseNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * JSON as some tools write it: with numbers that JSON has no word for, which read as null, with comments, or with a
 * comma too many. Throws what `JSON.parse` says of the text where that is not all.
 */
export function parseLoose(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const plain = plainJson(text).replaceAll(
      /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity|undefined)\b/g,
      (part) => (part.startsWith('"') ? part : 'null'),
    );
    try {
      return JSON.parse(plain);
    } catch {
      throw error;
    }
  }
}
