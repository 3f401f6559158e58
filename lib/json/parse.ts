import { failAt, scanLiteral, scanNumber, scanString, skipSpace, SyntaxFailure } from './scan.ts';

export interface JsonMember {
  key: string;
  /** Where the name stands in the text, quotes included. */
  keyStart: number;
  keyEnd: number;
  value: JsonNode;
}

type ObjectNode = { kind: 'object'; start: number; end: number; members: JsonMember[] };
type ArrayNode = { kind: 'array'; start: number; end: number; items: JsonNode[] };
type ScalarKind = 'string' | 'number' | 'true' | 'false' | 'null';

/** One value with its place in the text, in UTF-16 units: the text itself stays the truth. */
export type JsonNode = ObjectNode | ArrayNode | { kind: ScalarKind; start: number; end: number };

export type ParseResult =
  | { ok: true; root: JsonNode }
  /** `offset` counts UTF-16 units from 0. */
  | { ok: false; offset: number; message: string };

/** A container whose end has not been reached, with the name that the next value belongs to. */
type Open = { node: ObjectNode; key: Omit<JsonMember, 'value'> } | { node: ArrayNode };

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const BOM = 0xfeff;

/**
 * Parses one JSON text (RFC 8259) into nodes with positions. Accepts what `JSON.parse` accepts, and a leading
 * byte order mark (8.1 allows it). Duplicate names and every digit are kept; depth costs no stack.
 */
export function parseJson(text: string): ParseResult {
  try {
    const root = parseValue(text, text.charCodeAt(0) === BOM ? 1 : 0);
    const end = skipSpace(text, root.end);
    if (end < text.length) failAt(end, 'Expected nothing after the value');
    return { ok: true, root };
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    return { ok: false, offset: error.offset, message: error.message };
  }
}

/** The value of a member by its name; of duplicates the last, as `JSON.parse` has it. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.kind !== 'object') return undefined;
  return node.members.findLast((candidate) => candidate.key === key)?.value;
}

/** The text of a node, exactly as it stands. */
export function sourceText(text: string, node: JsonNode): string {
  return text.slice(node.start, node.end);
}

/** The value of a string node with its escapes resolved; undefined for any other node. */
export function stringValue(text: string, node: JsonNode): string | undefined {
  return node.kind === 'string' ? unquote(text, node.start, node.end) : undefined;
}

function parseValue(text: string, from: number): JsonNode {
  const open: Open[] = [];
  let position = from;
  for (;;) {
    let node = readNode(text, skipSpace(text, position));
    if (node.kind === 'object' || node.kind === 'array') {
      const first = skipSpace(text, node.start + 1);
      const isObject = node.kind === 'object';
      if (text.charCodeAt(first) !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
        const opened: Open =
          node.kind === 'object' ? { node, key: readKey(text, first) } : { node };
        open.push(opened);
        position = 'key' in opened ? behindColon(text, opened.key.keyEnd) : first;
        continue;
      }
      node.end = first + 1;
    }
    // A value is complete: close all containers that end with it, up to the next comma.
    for (;;) {
      const parent = open.at(-1);
      if (parent === undefined) return node;
      if ('key' in parent) parent.node.members.push({ ...parent.key, value: node });
      else parent.node.items.push(node);

      const next = skipSpace(text, node.end);
      const code = text.charCodeAt(next);
      if (code === COMMA) {
        position = next + 1;
        if ('key' in parent) {
          parent.key = readKey(text, skipSpace(text, position));
          position = behindColon(text, parent.key.keyEnd);
        }
        break;
      }
      const closing = 'key' in parent ? CLOSE_BRACE : CLOSE_BRACKET;
      if (code !== closing) expected(text, next, `"," or "${String.fromCharCode(closing)}"`);
      parent.node.end = next + 1;
      node = parent.node;
      open.pop();
    }
  }
}

/** A scalar whole, or the beginning of a container. */
function readNode(text: string, start: number): JsonNode {
  switch (text.charCodeAt(start)) {
    case OPEN_BRACE:
      return { kind: 'object', start, end: start, members: [] };
    case OPEN_BRACKET:
      return { kind: 'array', start, end: start, items: [] };
    case QUOTE:
      return { kind: 'string', start, end: scanString(text, start) };
    case 0x74:
      return { kind: 'true', start, end: scanLiteral(text, start, 'true') };
    case 0x66:
      return { kind: 'false', start, end: scanLiteral(text, start, 'false') };
    case 0x6e:
      return { kind: 'null', start, end: scanLiteral(text, start, 'null') };
    default:
      return { kind: 'number', start, end: scanNumber(text, start) };
  }
}

function readKey(text: string, start: number): Omit<JsonMember, 'value'> {
  if (text.charCodeAt(start) !== QUOTE) expected(text, start, 'a name in double quotes');
  const end = scanString(text, start);
  return { key: unquote(text, start, end), keyStart: start, keyEnd: end };
}

function behindColon(text: string, keyEnd: number): number {
  const position = skipSpace(text, keyEnd);
  if (text.charCodeAt(position) !== COLON) expected(text, position, '":" after the name');
  return position + 1;
}

function expected(text: string, position: number, what: string): never {
  failAt(position, position < text.length ? `Expected ${what}` : 'The text ends too early');
}

function unquote(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  return raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw;
}
