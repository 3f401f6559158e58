import { V3, type Revision } from '../clause.ts';
import { shown } from '../payload.ts';
import { isRecord } from '../../record.ts';

type Members = Record<string, unknown>;

const SECRET =
  /passw|passphrase|secret|token|api[-_ ]?key|credential|private[-_ ]?key|\b(pin|cvv|ssn)\b/i;
const FORMATS = new Set<unknown>(['email', 'uri', 'date', 'date-time']);

/** Why a form cannot be shown; undefined where it can (client/elicitation, "Requested Schema"). */
export function formFault(schema: unknown, revision: Revision): string | undefined {
  if (!isRecord(schema)) return `its requestedSchema is ${shown(schema)}`;
  if (schema['type'] !== 'object') return `the type of its schema is ${shown(schema['type'])}`;
  const { properties } = schema;
  if (!isRecord(properties)) return `its properties are ${shown(properties)}`;
  for (const [name, field] of Object.entries(properties)) {
    const fault = fieldFault(field, revision);
    if (fault !== undefined) return `the field ${shown(name)} ${fault}`;
  }
  return undefined;
}

/** Names of fields that no form may ask for. */
export function secretFields(schema: unknown): string[] {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  if (!isRecord(properties)) return [];
  return Object.entries(properties)
    .filter(([name, field]) => {
      const title = isRecord(field) ? field['title'] : undefined;
      return SECRET.test(name) || (typeof title === 'string' && SECRET.test(title));
    })
    .map(([name]) => name);
}

function fieldFault(field: unknown, revision: Revision): string | undefined {
  if (!isRecord(field)) return `is ${shown(field)}`;
  const { type, enum: values, format } = field;
  if (type === undefined && Array.isArray(values) && revision === V3) return undefined;
  switch (type) {
    case 'string':
      if (values !== undefined && !isTexts(values)) return `has the enum ${shown(values)}`;
      if ('oneOf' in field && revision === V3)
        return 'has titles by oneOf, which 2025-06-18 does not have';
      if ('oneOf' in field && !areOptions(field['oneOf']))
        return 'has a oneOf that is no list of options';
      return format === undefined || FORMATS.has(format)
        ? undefined
        : `has the format ${shown(format)}`;
    case 'number':
    case 'integer':
    case 'boolean':
      return undefined;
    case 'array':
      return revision === V3 ? 'is an array' : choiceFault(field);
    case 'object':
      return 'is an object, and forms are flat';
    default:
      return `has the type ${shown(type)}`;
  }
}

/** A choice of several. */
function choiceFault({ items }: Members): string | undefined {
  if (!isRecord(items)) return 'is an array of anything';
  const isChoice = isTexts(items['enum']) || areOptions(items['anyOf']);
  return isChoice ? undefined : 'is an array whose items are no list of options';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function areOptions(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((each) => isRecord(each) && typeof each['const'] === 'string')
  );
}
