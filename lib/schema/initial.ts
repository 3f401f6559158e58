import { itemSchema, readField, type Field } from './field.ts';

/** A schema that requires itself never ends; what is deeper than this is left for the user. */
const DEPTH = 8;
/** Nor is a proposal worth more parts than this. */
const PARTS = 1000;

/**
 * What a part holds before anybody has typed, as JSON text: its default, the only value that it can have, or an
 * object of what it requires. Undefined where there is nothing to propose.
 */
export function initialJson(root: unknown, part: unknown, isRequired: boolean): string | undefined {
  return propose({ root, left: PARTS }, part, isRequired, DEPTH);
}

interface Proposal {
  root: unknown;
  /** Parts that may still be looked at. */
  left: number;
}

function propose(
  proposal: Proposal,
  part: unknown,
  isRequired: boolean,
  depth: number,
): string | undefined {
  proposal.left -= 1;
  if (proposal.left < 0) return undefined;
  const field = readField(proposal.root, part);
  if (field.defaultJson !== undefined && isOfKind(field.defaultJson, field))
    return field.defaultJson;
  if (!isRequired || depth === 0) return undefined;
  return emptyOf(proposal, field, depth);
}

/** Whether a default is of the kind that its own schema asks for: some servers write them as texts, or as null. */
function isOfKind(json: string, { shape }: Field): boolean {
  switch (shape.kind) {
    case 'text':
      return json.startsWith('"');
    case 'number':
      return /^-?\d/.test(json);
    case 'object':
      return json.startsWith('{');
    case 'array':
      return json.startsWith('[');
    case 'null':
      return json === 'null';
    case 'choice':
      return shape.choices.some((choice) => choice.json === json) || /^[[{]/.test(json);
    case 'variants':
    case 'json':
      return true;
  }
}

function emptyOf(proposal: Proposal, { shape }: Field, depth: number): string | undefined {
  switch (shape.kind) {
    case 'choice':
      return shape.choices.length === 1 ? shape.choices[0]?.json : undefined;
    case 'null':
      return 'null';
    case 'object': {
      const members = shape.properties.flatMap(({ name, schema, isRequired }) => {
        const json = propose(proposal, schema, isRequired, depth - 1);
        return json === undefined ? [] : [`${JSON.stringify(name)}: ${indented(json)}`];
      });
      return members.length === 0 ? '{}' : `{\n  ${members.join(',\n  ')}\n}`;
    }
    case 'array': {
      const count = Math.min(Number(shape.minItems ?? 0), shape.prefix.length);
      const items = Array.from({ length: count }, (_, at) =>
        propose(proposal, itemSchema(shape, at), true, depth - 1),
      );
      const isWhole = items.every((item) => item !== undefined);
      return isWhole && items.length > 0 ? `[\n  ${items.map(indented).join(',\n  ')}\n]` : '[]';
    }
    case 'variants': {
      const [first] = shape.variants;
      return first === undefined ? undefined : propose(proposal, first.schema, true, depth - 1);
    }
    case 'text':
    case 'number':
    case 'json':
      return undefined;
  }
}

/** What a part begins with when the user adds it: something that can be seen, even where it is not valid yet. */
export function addedJson(root: unknown, part: unknown): string {
  return added(root, part, DEPTH);
}

function added(root: unknown, part: unknown, depth: number): string {
  const proposed = propose({ root, left: PARTS }, part, true, DEPTH);
  if (proposed !== undefined) return proposed;
  const { shape, examples } = readField(root, part);
  const [example] = examples;
  if (example !== undefined) return example;
  switch (shape.kind) {
    case 'choice':
      return shape.choices[0]?.json ?? 'null';
    case 'text':
      return '""';
    case 'number':
      return '0';
    case 'variants': {
      const [first] = shape.variants;
      return first === undefined || depth === 0 ? 'null' : added(root, first.schema, depth - 1);
    }
    case 'object':
      return '{}';
    case 'array':
      return '[]';
    case 'json':
    case 'null':
      return 'null';
  }
}

function indented(json: string): string {
  return json.replaceAll('\n', '\n  ');
}
