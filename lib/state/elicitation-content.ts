import type { FieldInput, FieldValue, FormField } from './elicitation-fields.ts';
import { jsonFault } from './json-text.ts';

type TextInput = Extract<FieldInput, { kind: 'text' }>;
type NumberInput = Extract<FieldInput, { kind: 'number' }>;

/** RFC 8259, section 6: what can go to the server to the letter. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Checks of the formats that the standard names for strings, with what to say about a text that fails. */
const FORMATS: Record<string, { isMet(text: string): boolean; fault: string }> = {
  email: {
    isMet: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
    fault: 'This must be an email address, such as ada@example.com.',
  },
  uri: {
    isMet: (text) => URL.canParse(text),
    fault: 'This must be a full URL, such as https://example.com.',
  },
  date: {
    isMet: isDate,
    fault: 'This must be a date, such as 2026-11-30.',
  },
  'date-time': {
    isMet: (text) => DATE_TIME.test(text) && isDate(text.slice(0, 10)),
    fault: 'This must be a date and time with its zone, such as 2026-11-30T09:00:00Z.',
  },
};

/** Why a field cannot be sent like this; undefined where it can. */
export function fieldFault({ input, isRequired }: FormField, value: FieldValue) {
  if (isEmpty(value) && !isRequired) return undefined;
  switch (input.kind) {
    case 'text':
      return isEmpty(value) ? 'This field is required.' : textFault(input, String(value));
    case 'number':
      return isEmpty(value) ? 'This field is required.' : numberFault(input, String(value).trim());
    case 'json': {
      const fault = jsonFault(String(value));
      return isEmpty(value) ? 'This field is required.' : fault && `Not JSON at ${fault}`;
    }
    case 'boolean':
      return undefined;
    case 'choice':
      return isEmpty(value) ? 'Choose one: this field is required.' : undefined;
    case 'choices': {
      const { minItems = 0, maxItems = Infinity } = input;
      const count = Array.isArray(value) ? value.length : 0;
      if (count < minItems) return `Choose at least ${minItems}.`;
      return count > maxItems ? `Choose at most ${maxItems}.` : undefined;
    }
  }
}

/** Members of the content, as JSON text; fields that are not given are left out. */
export function contentMembers(
  fields: readonly FormField[],
  values: ReadonlyMap<string, FieldValue>,
): string[] {
  return fields.flatMap((field) => {
    const json = fieldJson(field, values.get(field.name));
    return json === undefined ? [] : [`${JSON.stringify(field.name)}: ${json}`];
  });
}

function fieldJson({ input, isRequired }: FormField, value: FieldValue): string | undefined {
  if (isEmpty(value) && !(isRequired && input.kind === 'choices')) return undefined;
  switch (input.kind) {
    case 'text':
      return JSON.stringify(value);
    case 'number': {
      const text = String(value).trim();
      return JSON_NUMBER.test(text) ? text : JSON.stringify(value);
    }
    case 'json':
      return String(value);
    case 'boolean':
      return value === true ? 'true' : 'false';
    case 'choice':
    case 'choices': {
      const chosen = Array.isArray(value) ? value : [];
      const texts = input.choices.filter((_, index) => chosen.includes(index));
      return input.kind === 'choice'
        ? texts[0]?.json
        : `[${texts.map(({ json }) => json).join(', ')}]`;
    }
  }
}

function textFault(input: TextInput, text: string): string | undefined {
  const { minLength = 0, maxLength = Infinity } = input;
  // JSON Schema counts characters, not UTF-16 units.
  const length = Array.from(text).length;
  if (length < minLength) return `This needs at least ${minLength} characters.`;
  if (length > maxLength) return `This may have at most ${maxLength} characters.`;
  // A `pattern` is shown, not run: an expression of the server's could stop the whole panel.
  const format = FORMATS[input.format ?? ''];
  return format === undefined || format.isMet(text) ? undefined : format.fault;
}

function numberFault({ isInteger, minimum, maximum }: NumberInput, text: string) {
  const value = Number(text);
  if (!JSON_NUMBER.test(text)) return 'This must be a number.';
  if (isInteger && !Number.isInteger(value)) return 'This must be a whole number.';
  if (minimum !== undefined && value < minimum) return `This must be at least ${minimum}.`;
  if (maximum !== undefined && value > maximum) return `This must be at most ${maximum}.`;
  return undefined;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // The 30th of February would turn into a day of March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isEmpty(value: FieldValue): boolean {
  return value === undefined || (typeof value === 'object' && value.length === 0) || value === '';
}
