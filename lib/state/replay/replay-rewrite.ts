import { isList, isObject, readJson, type JsonValue } from '../../compare/json-value.ts';
import { parseJson, stringValue, type JsonNode } from '../../json/parse.ts';

/** What stands for what when many requests are sent again: values that a server has given, and ids of ours. */
export interface Rewriting {
  /** Texts: cursors, ids of tasks, states that are to be sent back. */
  texts: Map<string, string>;
  /** JSON-RPC ids, as JSON text. */
  ids: Map<string, string>;
}

/** Names of what a server gives to be sent back as it is. */
const HANDLES = new Set([
  'nextCursor',
  'cursor',
  'taskId',
  'requestState',
  'elicitationId',
  'sessionId',
  'subscriptionId',
]);

/** Nothing stands for anything else. */
export function newRewriting(): Rewriting {
  return { texts: new Map(), ids: new Map() };
}

/** Learns from an answer and that of its replay which handles stand for which. */
export function learnHandles(rewriting: Rewriting, before: string, after: string): void {
  const [was, is] = [readJson(before), readJson(after)];
  if (was !== undefined && is !== undefined) walk(rewriting, was, is);
}

function walk({ texts }: Rewriting, was: JsonValue, is: JsonValue): void {
  const open: [JsonValue, JsonValue][] = [[was, is]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [one, other] = pair;
    if (isList(one) && isList(other)) {
      for (const [index, item] of one.entries()) {
        const found = other[index];
        if (found !== undefined) open.push([item, found]);
      }
    }
    if (!isObject(one) || !isObject(other)) continue;
    for (const [key, value] of Object.entries(one)) {
      const found = Object.hasOwn(other, key) ? other[key] : undefined;
      if (found === undefined) continue;
      const isHandle = HANDLES.has(key) && typeof value === 'string' && typeof found === 'string';
      if (isHandle && value !== found) texts.set(value, found);
      else open.push([value, found]);
    }
  }
}

/** Params in which everything that has a stand-in is replaced by it; all else is kept to the letter. */
export function rewrite(paramsText: string, { texts, ids }: Rewriting): string {
  if (texts.size === 0 && ids.size === 0) return paramsText;
  const parsed = parseJson(paramsText);
  if (!parsed.ok) return paramsText;
  const places: { node: JsonNode; text: string }[] = [];
  const open: { node: JsonNode; key: string }[] = [{ node: parsed.root, key: '' }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { node, key } = entry;
    if (node.kind === 'array') {
      for (const item of node.items) open.push({ node: item, key });
    } else if (node.kind === 'object') {
      for (const { key: name, value } of node.members) open.push({ node: value, key: name });
    } else if (key === 'requestId') {
      const id = ids.get(paramsText.slice(node.start, node.end));
      if (id !== undefined) places.push({ node, text: id });
    } else if (node.kind === 'string') {
      const found = texts.get(stringValue(paramsText, node) ?? '');
      if (found !== undefined) places.push({ node, text: JSON.stringify(found) });
    }
  }
  let rewritten = paramsText;
  for (const { node, text } of places.toSorted((a, b) => b.node.start - a.node.start)) {
    rewritten = rewritten.slice(0, node.start) + text + rewritten.slice(node.end);
  }
  return rewritten;
}
