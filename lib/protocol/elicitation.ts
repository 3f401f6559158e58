import { isRecord } from '../record.ts';

type Schema = Record<string, unknown>;

/**
 * The content that accepts a form with what it proposes: every `default` of its schema, and nothing for fields
 * without one (client/elicitation, "Requested Schema").
 */
export function formDefaults(requestedSchema: unknown): Schema {
  const properties = isRecord(requestedSchema) ? requestedSchema['properties'] : undefined;
  if (!isRecord(properties)) return {};
  const withDefault = Object.entries(properties).filter(
    (entry): entry is [string, Schema] => isRecord(entry[1]) && 'default' in entry[1],
  );
  return Object.fromEntries(withDefault.map(([name, schema]) => [name, schema['default']]));
}

/** Names of the required fields that have no default: the form cannot be accepted without the user. */
export function unfilledFields(requestedSchema: unknown): string[] {
  const required = isRecord(requestedSchema) ? requestedSchema['required'] : undefined;
  if (!Array.isArray(required)) return [];
  const filled = formDefaults(requestedSchema);
  return required.filter((name): name is string => typeof name === 'string' && !(name in filled));
}

/** Whether a request asks the user to open a URL rather than to fill in a form; `mode` absent means a form. */
export function isUrlElicitation(params: unknown): boolean {
  return isRecord(params) && params['mode'] === 'url';
}
