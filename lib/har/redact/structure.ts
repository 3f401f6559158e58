import type { EventOf, WireEvent } from '../../capture/wire-event.ts';
import { scanOutline } from '../../json/outline-scan.ts';
import type { Outline } from '../../json/outline.ts';
import { shiftSpans, spanOf, type SecretSpan } from '../../redact/spans.ts';

/** Members whose texts are words of the protocol: without them nobody could tell what happened. */
const WORDS = new Set(
  `jsonrpc method id progressToken requestId protocolVersion type role mimeType resultType level action mode
  ttlMs cacheScope`.split(/\s+/),
);
/** Members whose `name` is that of a tool, a prompt or a program, and lists of such. */
const NAMED = new Set(['params', 'serverInfo', 'clientInfo', 'implementation']);
const LISTED = new Set(['tools', 'prompts', 'resources', 'resourceTemplates']);
const OWN = /^io\.modelcontextprotocol\//;

/**
 * Where the contents of messages stand: every text of a JSON document but its keys and the words of the protocol. A
 * body that is no JSON is contents as a whole; in a stream, `events` say where its messages are.
 */
export function structureSpans(text: string, events: readonly WireEvent[] = []): SecretSpan[] {
  const stream = events.filter((event) => event.kind === 'sse-event');
  if (stream.length > 0) return stream.flatMap((event) => inEvent(text, event));
  return inText(text);
}

function inEvent(text: string, { data = [], event }: EventOf<'sse-event'>): SecretSpan[] {
  if (event === 'endpoint') return [];
  const [only] = data;
  if (only === undefined) return [];
  if (data.length === 1) {
    const { offset, length } = only;
    return shiftSpans(inText(text.slice(offset, offset + length)), offset);
  }
  return data.map(({ offset, length }) => contents(text, offset, length));
}

function inText(text: string): SecretSpan[] {
  const trimmed = text.trimStart();
  if (trimmed === '') return [];
  const scan = scanOutline(text);
  while (!scan.isDone && scan.failure === undefined) scan.step();
  if (scan.failure !== undefined)
    return [contents(text, text.length - trimmed.length, trimmed.length)];
  return inDocument(text, scan.outline);
}

function inDocument(text: string, outline: Outline): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (let node = 0; node < outline.count; node += 1) {
    if (outline.kindOf(node) !== 'string' || isWord(text, outline, node)) continue;
    const start = outline.startOf(node) + 1;
    const length = outline.endOf(node) - 1 - start;
    if (length > 0) found.push(contents(text, start, length));
  }
  return found;
}

function isWord(text: string, outline: Outline, node: number): boolean {
  const key = keyOf(text, outline, node);
  if (WORDS.has(key) || OWN.test(key)) return true;
  if ((key !== 'name' && key !== 'version') || outline.parentOf(node) < 0) return false;
  // The name of an argument is contents; that of a tool is not.
  const owner = outline.parentOf(node);
  const ownerKey = keyOf(text, outline, owner);
  if (NAMED.has(ownerKey) || OWN.test(ownerKey)) return true;
  const list = outline.parentOf(owner);
  return list >= 0 && outline.kindOf(list) === 'array' && LISTED.has(keyOf(text, outline, list));
}

function keyOf(text: string, outline: Outline, node: number): string {
  const start = outline.keyStartOf(node);
  return start < 0 ? '' : text.slice(start + 1, text.indexOf('"', start + 1));
}

function contents(text: string, offset: number, length: number): SecretSpan {
  return spanOf(text, offset, length, 'str', 'contents');
}
