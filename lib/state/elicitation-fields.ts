type Schema = Record<string, unknown>;

/** One of the values that a field offers. */
export interface Choice {
  title: string;
  /** What choosing it sends, as JSON text. */
  json: string;
}

export type FieldInput =
  | { kind: 'text'; format?: string; pattern?: string; minLength?: number; maxLength?: number }
  | { kind: 'number'; isInteger: boolean; minimum?: number; maximum?: number }
  | { kind: 'boolean' }
  | { kind: 'choice'; choices: Choice[] }
  | { kind: 'choices'; choices: Choice[]; minItems?: number; maxItems?: number }
  /** Not among what the standard allows in a form. */
  | { kind: 'json' };

/** What a field holds: text as typed, a tick, or the indexes of chosen values. `undefined` is not given. */
export type FieldValue = string | boolean | readonly number[] | undefined;

export interface FormField {
  name: string;
  title: string;
  description?: string;
  isRequired: boolean;
  input: FieldInput;
  /** From the schema's default. */
  initial: FieldValue;
}

/** The fields of a form, in the schema's order (client/elicitation, "Requested Schema"). */
export function toFields(requestedSchema: unknown): FormField[] {
  const properties = isRecord(requestedSchema) ? requestedSchema['properties'] : undefined;
  if (!isRecord(properties)) return [];
  const required = listOf(requestedSchema, 'required');
  return Object.entries(properties).map(([name, schema]) =>
    toField(name, isRecord(schema) ? schema : {}, required.includes(name)),
  );
}

function toField(name: string, schema: Schema, isRequired: boolean): FormField {
  const description = textOf(schema, 'description');
  const input = toInput(schema);
  return {
    name,
    title: textOf(schema, 'title') ?? name,
    ...(description === undefined ? {} : { description }),
    isRequired,
    input,
    initial: toInitial(input, schema['default'], isRequired),
  };
}

function toInput(schema: Schema): FieldInput {
  const choices = toChoices(schema);
  if (choices !== undefined) return { kind: 'choice', choices };
  switch (schema['type']) {
    case 'string':
      return {
        kind: 'text',
        ...texts(schema, ['format', 'pattern']),
        ...numbers(schema, ['minLength', 'maxLength']),
      };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isInteger: schema['type'] === 'integer',
        ...numbers(schema, ['minimum', 'maximum']),
      };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array': {
      const items = isRecord(schema['items']) ? toChoices(schema['items']) : undefined;
      return items === undefined
        ? { kind: 'json' }
        : { kind: 'choices', choices: items, ...numbers(schema, ['minItems', 'maxItems']) };
    }
    default:
      return { kind: 'json' };
  }
}

/** Plain and titled enumerations; `enumNames` is how titles were given up to 2025-06-18. */
function toChoices(schema: Schema): Choice[] | undefined {
  if (Array.isArray(schema['enum'])) {
    const names = listOf(schema, 'enumNames');
    return schema['enum'].map((value: unknown, index) => toChoice(value, names[index]));
  }
  const titled = [...listOf(schema, 'oneOf'), ...listOf(schema, 'anyOf')].filter(isRecord);
  if (titled.length === 0 || !titled.every((entry) => 'const' in entry)) return undefined;
  return titled.map((entry) => toChoice(entry['const'], entry['title']));
}

function toChoice(value: unknown, title: unknown): Choice {
  const json = JSON.stringify(value);
  if (typeof title === 'string') return { title, json };
  return { title: typeof value === 'string' ? value : json, json };
}

function toInitial(input: FieldInput, value: unknown, isRequired: boolean): FieldValue {
  switch (input.kind) {
    case 'text':
      return typeof value === 'string' ? value : '';
    case 'number':
    case 'json':
      return value === undefined ? '' : JSON.stringify(value);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      return isRequired ? false : undefined;
    case 'choice':
      return indexesOf(input.choices, [value]);
    case 'choices':
      return indexesOf(input.choices, Array.isArray(value) ? value : []);
  }
}

function indexesOf(choices: readonly Choice[], values: readonly unknown[]): number[] {
  const texts = new Set(values.map((value) => JSON.stringify(value)));
  return choices.flatMap(({ json }, index) => (texts.has(json) ? [index] : []));
}

function texts<Key extends string>(schema: Schema, keys: Key[]): Partial<Record<Key, string>> {
  const found = keys.flatMap((key) => {
    const value = textOf(schema, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(found) as Partial<Record<Key, string>>;
}

function numbers<Key extends string>(schema: Schema, keys: Key[]): Partial<Record<Key, number>> {
  const found = keys.flatMap((key) => {
    const value = schema[key];
    return typeof value === 'number' ? [[key, value] as const] : [];
  });
  return Object.fromEntries(found) as Partial<Record<Key, number>>;
}

function textOf(schema: Schema, key: string): string | undefined {
  const value = schema[key];
  return typeof value === 'string' ? value : undefined;
}

function listOf(schema: unknown, key: string): unknown[] {
  const value = isRecord(schema) ? schema[key] : undefined;
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
