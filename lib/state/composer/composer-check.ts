import { parseJson, stringValue, type JsonNode } from '../../json/parse.ts';
import type { ClientMethod, ParamKind, ParamShape } from '../../protocol/request-methods.ts';

/** What is wrong with a text, at a place in it; UTF-16 units. Only what is no JSON keeps it from being sent. */
export interface TextProblem {
  from: number;
  to: number;
  severity: 'error' | 'warning';
  message: string;
}

/** Where a text is no JSON; empty where it is, or where there is none. */
export function jsonProblems(text: string): TextProblem[] {
  if (text.trim() === '') return [];
  const parsed = parseJson(text);
  if (parsed.ok) return duplicates(parsed.root);
  const from = Math.min(parsed.offset, Math.max(text.length - 1, 0));
  return [
    { from, to: Math.min(from + 1, text.length), severity: 'error', message: parsed.message },
  ];
}

/** What of params a method does not have, besides where they are no JSON. */
export function paramProblems(text: string, method: ClientMethod | undefined): TextProblem[] {
  const broken = jsonProblems(text);
  if (method === undefined || broken.some(({ severity }) => severity === 'error')) return broken;
  const parsed = parseJson(text);
  if (!parsed.ok) return broken;
  const shape = { ...method.params, _meta: 'object' } as const;
  return [...broken, ...check(text, parsed.root, shape, method.method)];
}

/** What has to be there and is not, in words: of an empty text too. */
export function missingParams(text: string, method: ClientMethod | undefined): string[] {
  const parsed = parseJson(text.trim() === '' ? '{}' : text);
  if (method === undefined || !parsed.ok || parsed.root.kind !== 'object') return [];
  const given = new Set(parsed.root.members.map(({ key }) => key));
  return required(method.params).filter((name) => !given.has(name));
}

/** What of a request may not be meant, in sentences. */
export function requestWarnings(
  method: string,
  paramsText: string,
  about: ClientMethod | undefined,
): string[] {
  const missing = missingParams(paramsText, about);
  const isUnknown = about === undefined && method.trim() !== '';
  return [
    ...(isUnknown ? ['This revision has no such method; it is sent all the same.'] : []),
    ...(missing.length === 0 ? [] : [`${method.trim()} needs ${missing.join(' and ')}.`]),
  ];
}

function required(shape: ParamShape): string[] {
  return Object.keys(shape)
    .filter((name) => name.endsWith('!'))
    .map((name) => name.slice(0, -1));
}

function check(text: string, node: JsonNode, kind: ParamKind, path: string): TextProblem[] {
  const warn = (message: string): TextProblem => {
    const end = node.kind === 'object' || node.kind === 'array' ? node.start + 1 : node.end;
    return { from: node.start, to: end, severity: 'warning', message };
  };
  if (typeof kind === 'string') {
    return isKind(node, kind) ? [] : [warn(`${path} should be ${KINDS[kind] ?? kind}.`)];
  }
  if (isList(kind)) {
    const value = stringValue(text, node);
    if (value !== undefined && kind.includes(value)) return [];
    return [warn(`${path} should be one of ${kind.join(', ')}.`)];
  }
  if (node.kind !== 'object') return [warn(`${path} should be an object.`)];
  const problems: TextProblem[] = [];
  const names = new Map(Object.entries(kind).map(([name, of]) => [name.replace(/!$/, ''), of]));
  for (const { key, keyStart, keyEnd, value } of node.members) {
    const of = names.get(key);
    if (of !== undefined) problems.push(...check(text, value, of, key));
    else {
      const message = `${path} has no “${key}”.`;
      problems.push({ from: keyStart, to: keyEnd, severity: 'warning', message });
    }
  }
  const given = new Set(node.members.map(({ key }) => key));
  const missing = required(kind).filter((name) => !given.has(name));
  if (missing.length > 0) problems.push(warn(`${path} needs ${missing.join(' and ')}.`));
  return problems;
}

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  token: 'a text or an integer',
};

function isKind(node: JsonNode, kind: string): boolean {
  if (kind === 'boolean') return node.kind === 'true' || node.kind === 'false';
  if (kind === 'token') return node.kind === 'string' || node.kind === 'number';
  return node.kind === kind;
}

function isList(kind: ParamKind): kind is readonly string[] {
  return Array.isArray(kind);
}

/** A name that is there twice: most readers take the last one, and nobody sees the first. */
function duplicates(root: JsonNode): TextProblem[] {
  const problems: TextProblem[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'array') for (const item of node.items) open.push(item);
    if (node.kind !== 'object') continue;
    const seen = new Set<string>();
    for (const { key, keyStart, keyEnd, value } of node.members) {
      if (seen.has(key)) {
        const message = `“${key}” is here a second time. Both are sent; readers take the last one.`;
        problems.push({ from: keyStart, to: keyEnd, severity: 'warning', message });
      }
      seen.add(key);
      open.push(value);
    }
  }
  return problems.toSorted((a, b) => a.from - b.from);
}
