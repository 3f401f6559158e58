import { createCorrelation } from '../../capture/correlate/correlate.ts';
import {
  bodyBytes,
  eventText,
  headerValue,
  messageText,
} from '../../capture/correlate/http-record.ts';
import type { HttpRecord, Moment, RequestItem } from '../../capture/correlate/items.ts';
import { isEventStream } from '../../capture/correlate/judge.ts';
import { durationBetween } from '../../capture/correlate/moments.ts';
import type { EventOf, WireEvent } from '../../capture/wire-event.ts';
import { classifyPayload, type Message } from '../../protocol/jsonrpc.ts';
import { messagesIn } from '../foreign/foreign-mcp.ts';

/** One message of a server, and when it came, in milliseconds after what it is counted from. */
export interface RecordedMessage {
  atMs: number;
  text: string;
  /** `id` of the SSE event that carried it. */
  eventId?: string;
}

/** A request of the client with all that the server said to it. */
export interface RecordedCall {
  method: string;
  /** What it was about: a tool, a prompt, a resource. */
  target: string | undefined;
  /** Its params in one spelling, without `_meta`. */
  params: string;
  rpcId: string;
  progressToken: string | undefined;
  /** Messages up to its response, that included; times count from the request. */
  messages: RecordedMessage[];
  /** HTTP status, where it is not a success. */
  refusal?: { status: number; type: string; body: string };
  /** Whether messages came as events of a stream. */
  isStream: boolean;
  /** How it went on after the last message. */
  end: 'complete' | 'cut' | 'open';
}

/** A stream that carries no answer: what a server says by itself. */
export interface RecordedStream {
  messages: RecordedMessage[];
  end: RecordedCall['end'];
}

/** A capture as a server: what it answers, and what it says unasked. */
export interface Recording {
  calls: RecordedCall[];
  streams: RecordedStream[];
  /** Whether the server had sessions. */
  hasSession: boolean;
}

/** Finds in a log what its servers said, so that it can be said again. All bytes have to be in memory. */
export function readRecording(events: readonly WireEvent[]): Recording {
  const correlation = createCorrelation();
  correlation.apply(events);
  const calls: RecordedCall[] = [];
  const answering = new Set<string>();
  for (const item of correlation.items) {
    if (item.kind !== 'request' || item.direction !== 'outgoing') continue;
    const call = readCall(item, correlation);
    if (call === undefined) continue;
    calls.push(call);
    if (item.httpId !== undefined) answering.add(item.httpId);
  }
  const https = [...correlation.https.values()];
  const streams = https
    .filter((http) => http.request.purpose === 'stream' && isEventStream(http))
    .filter((http) => !isEndpointStream(http))
    .map((http) => ({
      messages: streamMessages(http, http.request),
      end: endOf(http),
    }));
  const hasSession = https.some(
    ({ response }) => headerValue(response?.headers, 'mcp-session-id') !== undefined,
  );
  return { calls, streams, hasSession };
}

type Log = ReturnType<typeof createCorrelation>;

function readCall(item: RequestItem, log: Log): RecordedCall | undefined {
  const text = textOf(item.message, log);
  if (text === undefined) return undefined;
  const sent = messagesIn(classifyPayload(text)).find(
    (message) => message.kind === 'request' && message.id === item.rpcId,
  );
  if (sent?.kind !== 'request') return undefined;
  const http = item.httpId === undefined ? undefined : log.https.get(item.httpId);
  const call = {
    method: item.method,
    target: item.target,
    params: paramsKey(sent.params),
    rpcId: item.rpcId,
    progressToken: progressTokenIn(sent.params),
  };
  const response = responseOf(item, log);
  if (http === undefined || (response !== undefined && response.httpId !== item.httpId)) {
    // It was answered elsewhere: on a stream of HTTP+SSE, or on a socket.
    const messages = [
      ...progressOf(item, call.progressToken, log),
      ...(response === undefined ? [] : [response]),
    ];
    return { ...call, messages, isStream: true, end: response === undefined ? 'open' : 'complete' };
  }
  const status = http.response?.status ?? 0;
  if (status >= 400 && response === undefined) {
    const type = headerValue(http.response?.headers, 'content-type') ?? '';
    const refusal = { status, type, body: new TextDecoder().decode(bodyBytes(http)) };
    return { ...call, messages: [], refusal, isStream: false, end: 'complete' };
  }
  if (isEventStream(http)) {
    const messages = streamMessages(http, item.started);
    return { ...call, messages, isStream: true, end: endOf(http) };
  }
  return {
    ...call,
    messages: response === undefined ? [] : [response],
    isStream: false,
    end: response === undefined ? endOf(http) : 'complete',
  };
}

/** What was told of a call while others used the same channel. */
function progressOf(
  { connectionId, started, sequence }: RequestItem,
  token: string | undefined,
  log: Log,
): RecordedMessage[] {
  if (token === undefined) return [];
  return log.items.flatMap((item) => {
    if (item.kind !== 'notification' || item.direction !== 'incoming') return [];
    if (item.connectionId !== connectionId || item.sequence < sequence) return [];
    if (item.method !== 'notifications/progress') return [];
    const text = textOf(item.message, log);
    const isOfIt = text !== undefined && text.includes(`"progressToken":${token}`);
    return isOfIt ? [{ atMs: pauseBetween(started, item.started), text }] : [];
  });
}

type Ref = RequestItem['message'];

function textOf(ref: Ref, { https, sockets }: Log): string | undefined {
  if (ref.in !== 'frame') return messageText(https, ref);
  const frame = sockets.get(ref.socketId)?.frames.find(({ sequence }) => sequence === ref.sequence);
  return frame === undefined ? undefined : new TextDecoder().decode(frame.data.bytes);
}

function responseOf(
  { response, started, ended = started }: RequestItem,
  log: Log,
): (RecordedMessage & { httpId?: string }) | undefined {
  const text = response === undefined ? undefined : textOf(response, log);
  if (response === undefined || text === undefined) return undefined;
  const atMs = pauseBetween(started, ended);
  return { atMs, text, ...('httpId' in response ? { httpId: response.httpId } : {}) };
}

/** The stream of HTTP+SSE carries all answers: those are kept with their calls. */
function isEndpointStream({ stream }: HttpRecord): boolean {
  return stream.some((event) => event.kind === 'sse-event' && event.event === 'endpoint');
}

function streamMessages(http: HttpRecord, started: Moment): RecordedMessage[] {
  const events = http.stream.filter(
    (event): event is EventOf<'sse-event'> => event.kind === 'sse-event',
  );
  return events.flatMap((event) => {
    const text = eventText(http, event);
    if (text === undefined || text === '') return [];
    const { id } = event;
    const atMs = pauseBetween(started, event);
    return [{ atMs, text, ...(id === undefined ? {} : { eventId: id }) }];
  });
}

/** How long a server waited, in milliseconds, whatever the clock was set to meanwhile. */
function pauseBetween(start: Moment, end: Moment): number {
  return Math.max(durationBetween(start, end).ms, 0);
}

function endOf({ end }: HttpRecord): RecordedCall['end'] {
  if (end === undefined) return 'open';
  switch (end.end.outcome) {
    case 'complete':
      return 'complete';
    case 'aborted':
      // The client went; the server would have gone on.
      return 'open';
    case 'cut':
    case 'failed':
      return 'cut';
  }
}

/** The same params give the same key, whatever the order of their members; `_meta` is of one request only. */
export function paramsKey(params: unknown): string {
  return JSON.stringify(params ?? {}, (key, value: unknown) => {
    if (key === '_meta') return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The progress token of a request, as JSON. */
export function progressTokenIn(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const { _meta: meta }: { _meta?: { progressToken?: unknown } } = params;
  return meta?.progressToken === undefined ? undefined : JSON.stringify(meta.progressToken);
}

/** The name of a tool or prompt, or the URI of a resource, that a request is about. */
export function targetOf(message: Message & { kind: 'request' }): string | undefined {
  const { params } = message;
  if (typeof params !== 'object' || params === null) return undefined;
  const { name, uri }: { name?: unknown; uri?: unknown } = params;
  const target = name ?? uri;
  return typeof target === 'string' ? target : undefined;
}
