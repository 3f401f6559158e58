import type { WireFact } from '../../capture/wire-event.ts';
import { createSseReader, type SseEvent } from '../../transport/sse/sse-reader.ts';
import { decodeUtf8 } from '../../text.ts';
import type { ForeignEntry, ForeignMessage } from './foreign-entry.ts';
import type { ForeignText } from './foreign-mcp.ts';

/** A fact of an imported exchange. */
export interface TimedFact {
  atMs: number;
  /** The file does not say when: `atMs` is only the latest time at which it can have been. */
  isTimeUnknown?: true;
  fact: WireFact;
}

/** What a stream held, with its body; made up of Chrome's list where no body was recorded. */
export interface ForeignStream {
  body: Uint8Array;
  events: (SseEvent & { atMs?: number })[];
  others: WireFact[];
  isRebuilt: boolean;
}

/** Reads the stream of an entry; undefined where it is none, or where nothing of it was recorded. */
export function readStream(entry: ForeignEntry, httpId: string): ForeignStream | undefined {
  if (!/event-stream/i.test(entry.mimeType)) return undefined;
  const body = entry.body ?? rebuild(entry.messages);
  if (body === undefined) return undefined;
  const events: ForeignStream['events'] = [];
  const others: WireFact[] = [];
  const reader = createSseReader(
    {
      event: (event) => void events.push(event),
      comment: (line) => void others.push({ kind: 'sse-comment', httpId, line }),
      retry: (line, retryMs) => void others.push({ kind: 'sse-retry', httpId, line, retryMs }),
      ignored: (line, reason) => void others.push({ kind: 'sse-ignored', httpId, line, reason }),
      discarded: (tail) => void others.push({ kind: 'sse-discarded', httpId, tail }),
    },
    { limitBytes: body.length + 1, onLimit: () => undefined },
  );
  reader.push(body);
  reader.end();
  takeTimes(events, entry.messages);
  return { body, events, others, isRebuilt: entry.body === undefined };
}

/** Joined by place, since both lists are in order; other data at the same place is another stream. */
function takeTimes(events: ForeignStream['events'], messages: readonly ForeignMessage[]): void {
  const dispatched = events.filter(({ text }) => text !== undefined);
  for (const [index, event] of dispatched.entries()) {
    const message = messages[index];
    if (message?.atMs === undefined) continue;
    if (message.data === undefined || message.data === event.text) event.atMs = message.atMs;
  }
}

/** A stream that says the same as the list of its events does. */
function rebuild(messages: readonly ForeignMessage[]): Uint8Array | undefined {
  if (messages.every(({ data }) => data === undefined)) return undefined;
  const blocks = messages.map(({ id, event, data = '' }, index) => {
    const isNewId = id !== (messages[index - 1]?.id ?? '');
    const lines = [
      ...(isNewId ? [`id: ${id}`] : []),
      ...(event === 'message' ? [] : [`event: ${event}`]),
      ...data.split(/\r\n|[\r\n]/).map((line) => `data: ${line}`),
    ];
    return `${lines.join('\n')}\n\n`;
  });
  return new TextEncoder().encode(blocks.join(''));
}

/** The facts after the request of an exchange: head, body, what its stream held, and its end. */
export function answerFacts(
  entry: ForeignEntry,
  httpId: string,
  startedAt: number,
  stream: ForeignStream | undefined,
): TimedFact[] {
  const headAt = startedAt + (entry.waitMs ?? 0);
  const endAt = headAt + (entry.receiveMs ?? 0);
  if (entry.status === 0) {
    const message = entry.error ?? 'No answer was recorded.';
    const problem = { code: 'network-failed', message } as const;
    return [
      { atMs: endAt, fact: { kind: 'http-end', httpId, end: { outcome: 'failed', problem } } },
    ];
  }
  const { status, statusText, responseHeaders: headers, address, protocol } = entry;
  const facts: TimedFact[] = [
    { atMs: headAt, fact: { kind: 'http-response', httpId, status, statusText, headers } },
  ];
  if (address !== undefined || protocol !== undefined) {
    const known = { ...(address && { address }), ...(protocol && { protocol }) };
    facts.push({ atMs: headAt, fact: { kind: 'http-connection', httpId, ...known } });
  }
  const body = stream?.body ?? entry.body;
  if (stream !== undefined) {
    for (const fact of streamFacts(stream, httpId, endAt)) facts.push(fact);
  } else if (body !== undefined && body.length > 0) {
    const data = { bytes: Uint8Array.from(body) };
    facts.push({ atMs: endAt, fact: { kind: 'http-chunk', httpId, offset: 0, data } });
  }
  const lastAt = facts.reduce((latest, { atMs }) => Math.max(latest, atMs), endAt);
  const sizeBytes = body?.length ?? 0;
  const end =
    entry.error === undefined
      ? ({ outcome: 'complete', sizeBytes } as const)
      : ({ outcome: 'cut', sizeBytes, errorName: entry.error } as const);
  facts.push({ atMs: lastAt, fact: { kind: 'http-end', httpId, end } });
  return facts;
}

/** Chunks end where events do, so that each has the time of its own event. */
function streamFacts({ body, events, others }: ForeignStream, httpId: string, endAt: number) {
  const facts: TimedFact[] = [];
  let offset = 0;
  let at = Number.NEGATIVE_INFINITY;
  const addChunk = (to: number, when: Omit<TimedFact, 'fact'>): void => {
    if (to <= offset) return;
    const data = { bytes: body.slice(offset, to) };
    facts.push({ ...when, fact: { kind: 'http-chunk', httpId, offset, data } });
    offset = to;
  };
  for (const { text: _text, atMs, ...event } of events) {
    // No event comes before the one that stands before it.
    at = Math.max(at, atMs ?? endAt);
    const when = atMs === undefined ? { atMs: at, isTimeUnknown: true as const } : { atMs: at };
    addChunk(event.block.offset + event.block.length, when);
    facts.push({ ...when, fact: { kind: 'sse-event', httpId, ...event } });
  }
  const when = { atMs: Math.max(at, endAt), isTimeUnknown: true as const };
  addChunk(body.length, when);
  for (const fact of others) facts.push({ ...when, fact });
  return facts;
}

/** The facts that a recorder would have made of a WebSocket; `startedAt` is wall time. */
export function socketFacts(entry: ForeignEntry, socketId: string, startedAt: number): TimedFact[] {
  const { url, requestHeaders, responseHeaders, status, frames = [] } = entry;
  const asked = protocolsIn(requestHeaders);
  const openAt = startedAt + (entry.waitMs ?? 0);
  const opening: WireFact = {
    kind: 'socket-opening',
    socketId,
    url: { text: url.replace(/^http/i, 'ws') },
    subprotocols: asked,
  };
  const facts: TimedFact[] = [{ atMs: startedAt, fact: opening }];
  if (status === 101 || frames.length > 0) {
    const subprotocol = protocolsIn(responseHeaders)[0] ?? '';
    facts.push({ atMs: openAt, fact: { kind: 'socket-open', socketId, subprotocol } });
  }
  let at = openAt;
  for (const { atMs, direction, opcode, bytes } of frames) {
    at = Math.max(at, atMs ?? at);
    const data = { bytes: Uint8Array.from(bytes) };
    facts.push({
      atMs: at,
      ...(atMs === undefined ? { isTimeUnknown: true as const } : {}),
      fact: { kind: 'socket-frame', socketId, direction, opcode, data },
    });
  }
  return facts;
}

function protocolsIn(headers: readonly { name: string; value: string }[]): string[] {
  return headers
    .filter(({ name }) => name.toLowerCase() === 'sec-websocket-protocol')
    .flatMap(({ value }) => value.split(','))
    .map((protocol) => protocol.trim());
}

/** Everything that came and is text. */
export function textsIn(entry: ForeignEntry, stream: ForeignStream | undefined): ForeignText[] {
  if (entry.frames !== undefined) {
    return entry.frames.map(({ bytes, atMs }) =>
      textAt({ event: '', data: decodeUtf8(bytes) ?? '' }, atMs),
    );
  }
  if (stream !== undefined) {
    return stream.events.flatMap(({ event = 'message', text, atMs }) =>
      text === undefined ? [] : [textAt({ event, data: text }, atMs)],
    );
  }
  const text = /json/i.test(entry.mimeType) && entry.body ? decodeUtf8(entry.body) : undefined;
  return text === undefined ? [] : [{ event: '', data: text, isAnswer: true }];
}

function textAt(text: ForeignText, atMs: number | undefined): ForeignText {
  return atMs === undefined ? text : { ...text, atMs };
}
