import { eventText, headerValue, newHttpRecord } from '../../capture/correlate/http-record.ts';
import type { EventOf, WireEvent } from '../../capture/wire-event.ts';
import { decodeUtf8 } from '../../text.ts';
import { toEntryEvent } from '../event-json.ts';
import { looseObject } from '../loose-json.ts';
import {
  roundMs,
  toCookies,
  toHarHeaders,
  toIsoTime,
  toSeconds,
  toUrlParts,
  totalMs,
} from './entry-parts.ts';
import type {
  ChromeStreamMessage,
  EntryMcp,
  HarEntry,
  HarRequest,
  HarResponse,
  HarTimings,
} from '../har-format.ts';
import { joinBytes, toHarText } from '../text-bytes.ts';

/** What is known of an exchange, by kind: its events as they are in the log, bytes included. */
interface Parts {
  request: EventOf<'http-request'>;
  sent?: EventOf<'http-sent'>;
  received?: EventOf<'http-received'>;
  response?: EventOf<'http-response'>;
  redirect?: EventOf<'http-redirect'>;
  connection?: EventOf<'http-connection'>;
  queued?: EventOf<'http-queued'>;
  released?: EventOf<'http-released'>;
  end?: EventOf<'http-end'>;
  chunks: EventOf<'http-chunk'>[];
  stream: EventOf<'sse-event'>[];
}

/** Above this, the data of stream events stands in the body alone, as in what Chrome exports "sanitized". */
const TWICE_BYTES = 2 * 1024 * 1024;

/** The entry of one exchange. `events` are all of its events in order; the first is its request. */
export function toHttpEntry(events: readonly WireEvent[]): HarEntry {
  const parts = sort(events);
  const { request, response, connection, end } = parts;
  const body = joinBytes(parts.chunks.map(({ data }) => data.bytes));
  const timed = timingsOf(parts);
  const messages = streamMessages(parts, endOfBody(parts));
  const error = errorOf(parts);
  const binary = request.body && toHarText(request.body.bytes);
  const { httpId, bootId, connectionId, links, purpose } = request;
  const mcp: EntryMcp = {
    id: httpId,
    kind: 'http',
    ...(connectionId === undefined ? {} : { connection: connectionId }),
    boot: bootId,
    purpose,
    ...(Object.keys(links).length === 0 ? {} : { links }),
    t0: request.wallTime,
    isComplete: end !== undefined,
    ...(timed.unknown.length === 0 ? {} : { unknownTimings: timed.unknown }),
    ...(binary?.encoding === undefined ? {} : { requestBody: binary }),
    events: events.map((event) => toEntryEvent(event, { bootId, connectionId, httpId })),
  };
  const address = connection?.address;
  return {
    startedDateTime: toIsoTime(request.wallTime),
    time: totalMs(timed.timings),
    request: toRequest(parts),
    response: toResponse(parts, body),
    cache: {},
    timings: timed.timings,
    ...(address === undefined ? {} : { serverIPAddress: address }),
    ...(response === undefined && end === undefined ? { comment: 'No answer had come yet.' } : {}),
    ...foreignMembers(request),
    _resourceType: 'fetch',
    ...(error === undefined ? {} : { _error: error }),
    ...(messages.length === 0 ? {} : { _eventSourceMessages: messages }),
    _mcp: mcp,
  };
}

/** What another tool had added to its entry stands in ours too. */
function foreignMembers({ foreign }: EventOf<'http-request'>): object {
  try {
    return looseObject(JSON.parse(foreign ?? '{}'));
  } catch {
    return {};
  }
}

function sort(events: readonly WireEvent[]): Parts {
  const [request] = events;
  if (request?.kind !== 'http-request') throw new TypeError('An exchange begins with its request.');
  const parts: Parts = { request, chunks: [], stream: [] };
  for (const event of events) {
    switch (event.kind) {
      case 'http-sent':
        parts.sent = event;
        break;
      case 'http-received':
        parts.received = event;
        break;
      case 'http-response':
        parts.response = event;
        break;
      case 'http-redirect':
        parts.redirect = event;
        break;
      case 'http-connection':
        parts.connection = event;
        break;
      case 'http-queued':
        parts.queued = event;
        break;
      case 'http-released':
        parts.released = event;
        break;
      case 'http-end':
        parts.end = event;
        break;
      case 'http-chunk':
        parts.chunks.push(event);
        break;
      case 'sse-event':
        parts.stream.push(event);
        break;
      default:
    }
  }
  return parts;
}

/** Where the body ends, which is further than it is long where a part of it was lost. */
function endOfBody({ chunks }: Parts): number {
  const last = chunks.at(-1);
  return last === undefined ? 0 : last.offset + last.data.bytes.length;
}

function toRequest({ request, sent, connection }: Parts): HarRequest {
  const headers = sent?.headers ?? request.headers;
  const { body } = request;
  // HAR 1.2 knows no encoding of a request body: what is no text stands under `_mcp`.
  const text = body === undefined ? '' : (decodeUtf8(body.bytes) ?? '');
  return {
    method: request.method,
    ...toUrlParts(request.url.text),
    httpVersion: httpVersionOf(connection?.protocol),
    cookies: toCookies(headers, 'cookie'),
    headers: toHarHeaders(headers),
    ...(body === undefined
      ? {}
      : { postData: { mimeType: headerValue(headers, 'content-type') ?? '', text } }),
    headersSize: -1,
    bodySize: body?.bytes.length ?? 0,
  };
}

function toResponse(parts: Parts, body: Uint8Array): HarResponse {
  const { response, received, redirect, connection, chunks } = parts;
  const headers = received?.headers ?? response?.headers ?? [];
  return {
    status: response?.status ?? redirect?.status ?? 0,
    statusText: response?.statusText ?? '',
    httpVersion: httpVersionOf(connection?.protocol),
    cookies: toCookies(headers, 'set-cookie'),
    headers: toHarHeaders(headers),
    content: {
      size: body.length,
      mimeType: headerValue(headers, 'content-type') ?? 'x-unknown',
      ...(chunks.length === 0 ? {} : toHarText(body)),
    },
    redirectURL: redirect?.location ?? '',
    headersSize: -1,
    bodySize: response === undefined ? -1 : body.length,
  };
}

function httpVersionOf(protocol: string | undefined): string {
  return protocol === undefined || protocol === '' ? 'HTTP/1.1' : protocol;
}

function errorOf({ end }: Parts): string | undefined {
  switch (end?.end.outcome) {
    case 'aborted':
      return `Ended by Wirescope: ${end.end.cause}`;
    case 'cut':
      return end.end.errorName;
    case 'failed':
      return end.end.problem.message;
    case 'complete':
    case undefined:
      return undefined;
  }
}

function timingsOf(parts: Parts): { timings: HarTimings; unknown: string[] } {
  const { request, queued, released, response, end } = parts;
  // A moment of another life of the worker counts by wall time.
  const between = (from: WireEvent, to: WireEvent) =>
    roundMs(
      Math.max(
        from.bootId === to.bootId
          ? to.monotonicTime - from.monotonicTime
          : to.wallTime - from.wallTime,
        0,
      ),
    );
  const blocked = queued && released ? between(queued, released) : -1;
  const unknown = ['send'];
  const last = end ?? parts.stream.at(-1) ?? parts.chunks.at(-1);
  const timings = { blocked, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0 };
  if (response !== undefined) timings.wait = between(released ?? request, response);
  // Without an answer, all of it was waiting to be sent, as Chrome has it.
  else if (end !== undefined) timings.blocked = between(request, end);
  else unknown.push('wait');
  if (response !== undefined && last !== undefined) timings.receive = between(response, last);
  else unknown.push('receive');
  return { timings, unknown };
}

function streamMessages({ request, chunks, stream }: Parts, size: number): ChromeStreamMessage[] {
  const record = { ...newHttpRecord(request), chunks, sizeBytes: size };
  let lastId = '';
  return stream.map((event) => {
    // An id that is cleared is an id too (HTML 9.2.6).
    lastId = event.id ?? lastId;
    return {
      time: toSeconds(event.wallTime),
      eventName: event.event ?? 'message',
      eventId: lastId,
      ...(size > TWICE_BYTES ? {} : { data: eventText(record, event) ?? '' }),
    };
  });
}
