import { member, parseJson, sourceText, type JsonNode } from './parse.ts';

/** Names and indexes from the root of a JSON text down to a value. */
export type JsonPath = readonly (string | number)[];

const INDENT = '  ';

/** The node at a path; undefined where there is none. Of duplicate names the last counts. */
export function nodeAtPath(root: JsonNode | undefined, path: JsonPath): JsonNode | undefined {
  let node = root;
  for (const step of path) {
    if (node === undefined) return undefined;
    if (typeof step === 'string') node = member(node, step);
    else node = node.kind === 'array' ? node.items[step] : undefined;
  }
  return node;
}

/**
 * The text with one value replaced or added: a member that is new comes last, an index behind the last item
 * appends. All other values stay to the letter. A text in which the path leads nowhere is returned as it is.
 */
export function withValue(text: string, path: JsonPath, json: string): string {
  const root = rootOf(text);
  if (root === undefined) return path.length === 0 ? json : text;
  const found = nodeAtPath(root, path);
  if (found !== undefined) return splice(text, found, indented(json, path.length));
  const parent = nodeAtPath(root, path.slice(0, -1));
  const step = path.at(-1);
  const value = indented(json, path.length);
  if (parent?.kind === 'object' && typeof step === 'string') {
    const members = [...membersOf(text, parent), `${JSON.stringify(step)}: ${value}`];
    return splice(text, parent, written('{}', members, path.length - 1));
  }
  if (parent?.kind === 'array' && step === parent.items.length) {
    const items = [...itemsOf(text, parent), value];
    return splice(text, parent, written('[]', items, path.length - 1));
  }
  return text;
}

/** The text without a member or an item; of duplicate names all go. */
export function withoutValue(text: string, path: JsonPath): string {
  const parent = nodeAtPath(rootOf(text), path.slice(0, -1));
  const step = path.at(-1);
  const depth = path.length - 1;
  if (parent?.kind === 'object') {
    const kept = membersOf(text, parent).filter((_, at) => parent.members[at]?.key !== step);
    const isKept = kept.length === parent.members.length;
    return isKept ? text : splice(text, parent, written('{}', kept, depth));
  }
  if (parent?.kind === 'array') {
    const kept = itemsOf(text, parent).filter((_, at) => at !== step);
    return splice(text, parent, written('[]', kept, depth));
  }
  return text;
}

/** The text with an item of an array in another place among its items. */
export function withMovedItem(text: string, path: JsonPath, from: number, to: number): string {
  const list = nodeAtPath(rootOf(text), path);
  if (list?.kind !== 'array') return text;
  const items = itemsOf(text, list);
  const [moved] = items.splice(from, 1);
  if (moved === undefined) return text;
  items.splice(to, 0, moved);
  return splice(text, list, written('[]', items, path.length));
}

function rootOf(text: string): JsonNode | undefined {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.root : undefined;
}

function membersOf(text: string, node: JsonNode & { kind: 'object' }): string[] {
  return node.members.map(
    ({ keyStart, keyEnd, value }) => `${text.slice(keyStart, keyEnd)}: ${sourceText(text, value)}`,
  );
}

function itemsOf(text: string, node: JsonNode & { kind: 'array' }): string[] {
  return node.items.map((item) => sourceText(text, item));
}

function written(brackets: '{}' | '[]', parts: readonly string[], depth: number): string {
  const [open, close] = brackets;
  if (parts.length === 0) return brackets;
  const inner = INDENT.repeat(depth + 1);
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${INDENT.repeat(depth)}${close}`;
}

/** Line breaks of a JSON text lie between its values only, so that they can be indented. */
function indented(json: string, depth: number): string {
  return json.replaceAll('\n', `\n${INDENT.repeat(depth)}`);
}

function splice(text: string, { start, end }: JsonNode, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
