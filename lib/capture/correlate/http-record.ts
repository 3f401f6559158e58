import { essence } from '../../protocol/diagnose.ts';
import type { HttpRecord, MessageRef } from './items.ts';
import type { Header, Span, StoredBytes } from '../store/stored-text.ts';
import type { EventOf, WireFact } from '../wire-event.ts';

// A byte order mark is part of what came, so it stays in the text.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** What is known about an exchange besides its body, once each. */
export type HeadEvent = EventOf<
  | 'http-queued'
  | 'http-released'
  | 'http-sent'
  | 'http-received'
  | 'http-connection'
  | 'http-response'
  | 'http-redirect'
>;

/** The record of an exchange that has just begun. */
export function newHttpRecord(request: EventOf<'http-request'>): HttpRecord {
  const { httpId, connectionId } = request;
  return {
    httpId,
    connectionId,
    request,
    chunks: [],
    stream: [],
    deadlines: [],
    faults: [],
    sizeBytes: 0,
  };
}

/** The exchange of which this one is another attempt with the same message: after a redirect, or authorized. */
export function attemptBefore({ links }: EventOf<'http-request'>): string | undefined {
  const { reason, causedBy, retryOf, authChain } = links;
  if (reason === 'redirect') return causedBy;
  return authChain === undefined ? undefined : retryOf;
}

/** Whether the response head says JSON. */
export function isJson(record: HttpRecord): boolean {
  return essence(headerValue(record.response?.headers, 'content-type')) === 'application/json';
}

/** Puts such a fact where it belongs. */
export function keepHead(record: HttpRecord, event: HeadEvent): void {
  switch (event.kind) {
    case 'http-queued':
      record.queued = event;
      return;
    case 'http-released':
      record.released = event;
      return;
    case 'http-sent':
      record.sent = event;
      return;
    case 'http-received':
      record.received = event;
      return;
    case 'http-connection':
      record.connection = event;
      return;
    case 'http-redirect':
      record.redirect = event;
      return;
    case 'http-response':
      record.response = event;
  }
}

/** How many bytes there are, be they in memory or not. */
export function lengthOf({ bytes, awayBytes }: StoredBytes): number {
  return awayBytes ?? bytes.length;
}

/** Whether the bytes at a span are in memory, all of them. */
export function isHeld(record: HttpRecord, span: Span): boolean {
  return awayAt(record, span).length === 0;
}

function awayAt({ chunks }: HttpRecord, { offset, length }: Span): EventOf<'http-chunk'>[] {
  const away: EventOf<'http-chunk'>[] = [];
  for (let index = firstChunkAt(chunks, offset); index < chunks.length; index += 1) {
    const chunk = chunks[index];
    if (chunk === undefined || chunk.offset >= offset + length) break;
    if (chunk.data.awayBytes !== undefined) away.push(chunk);
  }
  return away;
}

/** The chunks in which a span lies, in order. */
export function chunksAt(
  { chunks }: HttpRecord,
  { offset, length }: Span,
): EventOf<'http-chunk'>[] {
  const from = firstChunkAt(chunks, offset);
  let to = from;
  while (to < chunks.length && (chunks[to]?.offset ?? Infinity) < offset + length) to += 1;
  return chunks.slice(from, to);
}

/**
 * Bytes of a response body at a span. What has not arrived is missing from the end; a hole that a loss of
 * events left reads as zero bytes. Where some are on disk only, there are none until they have been read.
 */
export function spanBytes(record: HttpRecord, span: Span): Uint8Array {
  const { chunks } = record;
  const away = awayAt(record, span);
  if (away.length > 0) {
    // Looking at them is asking for them.
    for (const { data } of away) void data.bytes;
    return new Uint8Array();
  }
  let index = firstChunkAt(chunks, span.offset);
  const first = chunks[index];
  if (first === undefined) return new Uint8Array();
  const start = span.offset - first.offset;
  if (start >= 0 && start + span.length <= first.data.bytes.length) {
    return first.data.bytes.subarray(start, start + span.length);
  }
  const joined = new Uint8Array(Math.min(span.length, Math.max(0, record.sizeBytes - span.offset)));
  for (; index < chunks.length; index += 1) {
    const chunk = chunks[index];
    if (chunk === undefined || chunk.offset >= span.offset + joined.length) break;
    const at = chunk.offset - span.offset;
    const piece = chunk.data.bytes.subarray(Math.max(0, -at), Math.max(0, joined.length - at));
    joined.set(piece, Math.max(0, at));
  }
  return joined;
}

/** The response body received so far. */
export function bodyBytes(record: HttpRecord): Uint8Array {
  return spanBytes(record, { offset: 0, length: record.sizeBytes });
}

/** Text of an SSE event: its data lines joined by LF, as the HTML standard says (9.2.6). */
export function eventText(record: HttpRecord, event: EventOf<'sse-event'>): string | undefined {
  return event.data?.map((span) => utf8.decode(spanBytes(record, span))).join('\n');
}

/** Decoded text of a message in an exchange; `undefined` where the log does not hold it. */
export function messageText(
  https: ReadonlyMap<string, HttpRecord>,
  ref: MessageRef,
): string | undefined {
  const record = 'httpId' in ref ? https.get(ref.httpId) : undefined;
  if (record === undefined) return undefined;
  switch (ref.in) {
    case 'request': {
      const body = record.request.body;
      return body === undefined ? undefined : utf8.decode(body.bytes);
    }
    case 'body':
      return utf8.decode(bodyBytes(record));
    case 'event': {
      const event = findEvent(record, ref.sequence);
      return event === undefined ? undefined : eventText(record, event);
    }
    case 'frame':
      return undefined;
  }
}

/** The SSE event with a sequence. The list is in order of sequence. */
export function findEvent(record: HttpRecord, sequence: number): EventOf<'sse-event'> | undefined {
  let low = 0;
  let high = record.stream.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const event = record.stream[middle];
    if (event === undefined) return undefined;
    if (event.sequence === sequence) return event.kind === 'sse-event' ? event : undefined;
    if (event.sequence < sequence) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** First value of a header, by its name in any case. */
export function headerValue(
  headers: readonly Header[] | undefined,
  name: string,
): string | undefined {
  return headers?.find((header) => header.name.toLowerCase() === name)?.value;
}

function firstChunkAt(chunks: readonly EventOf<'http-chunk'>[], offset: number): number {
  let low = 0;
  let high = chunks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((chunks[middle]?.offset ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Bytes of a body or frame that an event holds. */
export function payloadBytes(event: WireFact): number {
  switch (event.kind) {
    case 'http-request':
      return event.body?.bytes.length ?? 0;
    case 'http-chunk':
    case 'socket-frame':
      return event.data.bytes.length;
    default:
      return 0;
  }
}
