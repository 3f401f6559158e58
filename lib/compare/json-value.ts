/** A value that JSON can say; integers that a number cannot hold are kept as they are. */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** Reads a JSON text; undefined where it is none, or nested deeper than the engine can follow. */
export function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text, keepDigits) as JsonValue;
  } catch {
    return undefined;
  }
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** Whether a JSON value has members; an array has none in this sense. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list of values; the built-in check does not know of read-only ones. */
export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** A scalar as JSON text, integers beyond 2^53 to the last digit. */
export function scalarText(value: JsonValue): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
