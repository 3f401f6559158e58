import type { Outline } from './outline.ts';
import { stringValue } from './parse.ts';
import { scanString } from './scan.ts';

/** A JSON text with the places of its values. */
export interface Outlined {
  text: string;
  outline: Outline;
}

/** The name of a node, its escapes resolved; undefined for an item of an array and at the root. */
export function nameOf({ text, outline }: Outlined, node: number): string | undefined {
  const start = outline.keyStartOf(node);
  if (start < 0) return undefined;
  return stringValue(text, { kind: 'string', start, end: scanString(text, start) });
}

/** The value of a string node with its escapes resolved; undefined for any other node. */
export function stringAt({ text, outline }: Outlined, node: number): string | undefined {
  if (outline.kindOf(node) !== 'string') return undefined;
  return stringValue(text, {
    kind: 'string',
    start: outline.startOf(node),
    end: outline.endOf(node),
  });
}

/** The text of a node, exactly as it stands; of one that is still being read, nothing. */
export function sourceAt({ text, outline }: Outlined, node: number): string {
  return text.slice(outline.startOf(node), outline.endOf(node));
}

/** Names and indexes from the root down to a node. */
function stepsTo(json: Outlined, node: number): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at = node; json.outline.parentOf(at) >= 0; at = json.outline.parentOf(at)) {
    steps.unshift(nameOf(json, at) ?? json.outline.placeOf(at));
  }
  return steps;
}

/** A name that needs no brackets (RFC 9535, 2.5.1.1, "member-name-shorthand"). */
const SHORTHAND = /^[A-Za-z_\u0080-\u{10FFFF}][\w\u0080-\u{10FFFF}]*$/u;

/** The place of a node as a JSONPath query (RFC 9535): `$.result.content[0]['a b']`. */
export function toJsonPath(json: Outlined, node: number): string {
  const parts = stepsTo(json, node).map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return SHORTHAND.test(step) ? `.${step}` : `['${quoted(step)}']`;
  });
  return `$${parts.join('')}`;
}

/** The place of a node as a JSON Pointer (RFC 6901): `/result/content/0/a~1b`; empty at the root. */
export function toJsonPointer(json: Outlined, node: number): string {
  return stepsTo(json, node)
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** The inside of a string in single quotes (RFC 9535, 2.3.1.1). */
function quoted(name: string): string {
  return JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
}
