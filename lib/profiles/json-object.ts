export type JsonObject = Record<string, unknown>;

/** Whether a value is an object, and not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first member among these names that is a text with something in it. */
export function stringOf(value: unknown, ...names: string[]): string | undefined {
  if (!isObject(value)) return undefined;
  return names
    .map((name) => (Object.hasOwn(value, name) ? value[name] : undefined))
    .find((member): member is string => typeof member === 'string' && member.trim() !== '')
    ?.trim();
}
