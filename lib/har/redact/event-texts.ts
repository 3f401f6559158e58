import type { Header, StoredBytes, StoredUrl } from '../../capture/store/stored-text.ts';
import type { WireEvent } from '../../capture/wire-event.ts';

/** What is made of the texts of an event. Each gives back what it was given where nothing changes. */
export interface TextVisitor {
  url(url: StoredUrl): StoredUrl;
  header(header: Header): Header;
  /** A body of a request, or a frame. */
  bytes(data: StoredBytes): StoredBytes;
  session(session: StoredUrl): StoredUrl;
  /** A text without room for cuts. */
  words(text: string, where: string): string;
  fingerprint(secret: string): string;
}

/** Members that hold names of ours, by which events hang together; and those whose values are from a fixed list. */
const KEPT = new Set(
  `kind captureId bootId connectionId httpId socketId carrierId chain authChain causedBy retryOf evidence resumed
  lost kept purpose method direction opcode by outcome transport era revision phase rung verdict originPolicy
  reportId candidate code state askedBy deadline decision what change removed origin step`.split(
    /\s+/,
  ),
);
/** Of these events the member is words all the same. */
const WORDS_IN = new Set(['gap what', 'override-chosen what', 'link-probed note']);

/**
 * The event with its texts as a visitor wants them; the bytes of chunks are not visited, since one says little
 * without the others.
 */
export function visitEvent(event: WireEvent, visitor: TextVisitor): WireEvent {
  if (event.kind === 'http-chunk') return event;
  if (event.kind === 'session-assigned' || event.kind === 'session-replaced') {
    const { text, cuts = [] } = visitor.session({ text: event.session, cuts: event.cuts });
    return { ...event, session: text, cuts };
  }
  const copy = { ...event };
  visitObject(copy, visitor, event.kind);
  return copy;
}

function visitObject(object: Record<string, unknown>, visitor: TextVisitor, kind: string): object {
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (typeof value === 'number' || typeof value === 'boolean') continue;
    const isKept = KEPT.has(key) && !WORDS_IN.has(`${kind} ${key}`);
    if (!isKept) object[key] = visitValue(value, key, visitor, kind);
  }
  return object;
}

function visitValue(value: unknown, key: string, visitor: TextVisitor, kind: string): unknown {
  if (typeof value === 'string') {
    return key === 'secret' ? visitor.fingerprint(value) : visitor.words(value, key);
  }
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    if (key === 'cuts' || list.every((each) => typeof each === 'number')) return list;
    if (key === 'headers' || key === 'added') {
      return list.map((each) => (isHeader(each) ? visitor.header(each) : each));
    }
    return list.map((each) => visitValue(each, key, visitor, kind));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isBytes(value)) return visitor.bytes(value);
  if (key === 'url' && isUrl(value)) return visitor.url(value);
  return visitObject({ ...value }, visitor, kind);
}

function isHeader(value: unknown): value is Header {
  if (typeof value !== 'object' || value === null) return false;
  const { name, value: text }: { name?: unknown; value?: unknown } = value;
  return typeof name === 'string' && typeof text === 'string';
}

function isBytes(value: object): value is StoredBytes {
  return 'bytes' in value && value.bytes instanceof Uint8Array;
}

function isUrl(value: object): value is StoredUrl {
  return 'text' in value && typeof value.text === 'string';
}
