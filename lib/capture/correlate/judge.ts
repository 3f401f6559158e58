import type { Problem } from '../../errors.ts';
import { diagnoseBody, diagnoseHead, essence, type Expectation } from '../../protocol/diagnose.ts';
import {
  diagnoseAbort,
  diagnoseCut,
  diagnoseHttpSse,
  diagnoseSilence,
  diagnoseSilentStream,
  diagnoseStreamEnd,
  fellSilent,
} from '../../protocol/diagnose-end.ts';
import { diagnoseLostCall } from '../../protocol/diagnose-modern.ts';
import { sessionInEndpoint } from '../../protocol/endpoint-session.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { eraOf } from '../../protocol/revisions.ts';
import { LISTEN } from './correlate-subscriptions.ts';
import { bodyBytes, headerValue, spanBytes } from './http-record.ts';
import type { HttpRecord } from './items.ts';
import { envelopeRevision } from './message-details.ts';
import type { EventOf, HttpEnd } from '../wire-event.ts';

/** Enough of a body for a verdict. */
const EXCERPT_BYTES = 64 * 1024;

const utf8 = new TextDecoder();

/** Whether the response head says SSE. */
export function isEventStream(record: HttpRecord): boolean {
  return essence(headerValue(record.response?.headers, 'content-type')) === 'text/event-stream';
}

/** Whether a request was sent as the modern era has it: by its header, or by the envelope in its params. */
function isModern({ request }: HttpRecord): boolean {
  const header = headerValue(request.headers, 'mcp-protocol-version');
  if (eraOf(header ?? '') === 'modern') return true;
  const payload = classifyPayload(
    request.body === undefined ? '' : utf8.decode(request.body.bytes),
  );
  const message = payload.kind === 'message' ? payload.message : undefined;
  return message?.kind === 'request' && envelopeRevision(message.params) !== undefined;
}

/**
 * Whether a JSON-RPC error is the server's answer, although its status is none of success: modern servers give
 * errors one (2026-07-28, Streamable HTTP). At 401 and 403 it is the status that counts.
 */
export function isModernRefusal(record: HttpRecord): boolean {
  const status = record.response?.status ?? 0;
  const isRefusal = status >= 400 && status < 500 && status !== 401 && status !== 403;
  return isRefusal && isModern(record);
}

/**
 * Says why an exchange that has ended did not do what it was for; `undefined` where it did, or where the user
 * ended it. Not for one that brought its response; `rpcMethod` is the caller's knowledge.
 */
export function judgeExchange(
  record: HttpRecord,
  expects: Expectation,
  rpcMethod?: string,
): Problem | undefined {
  const { end, response } = record;
  if (end === undefined) return undefined;
  const method = rpcMethod ?? record.request.method;
  if (end.end.outcome === 'failed') return end.end.problem;
  if (end.end.outcome === 'aborted' && end.end.cause !== 'not-needed') {
    return judgeAbort(record, end.end, method, expects);
  }
  if (response === undefined) return undefined;
  const head = diagnoseHead(headFacts(record, expects, rpcMethod));
  if (head !== undefined) return isInjected(response) ? ownAnswer(head, response.status) : head;
  if (expects !== 'response') return undefined;
  if (isEventStream(record)) {
    if (end.end.outcome === 'aborted' && beginsAsHttpSse(record)) return diagnoseHttpSse(method);
    if (isModern(record)) {
      return diagnoseLostCall(method, end.end.outcome === 'cut' ? end.end.errorName : undefined);
    }
    return diagnoseStreamEnd({
      rpcMethod: method,
      eventCount: record.stream.filter((event) => event.kind === 'sse-event').length,
      resumable: record.stream.some((event) => event.kind === 'sse-event' && !!event.id),
      startText: excerptOf(record),
      tailBytes: tailBytes(record),
      ...(end.end.outcome === 'cut' ? { errorName: end.end.errorName } : {}),
    });
  }
  if (end.end.outcome === 'cut') return diagnoseCut(method, end.end);
  const text = utf8.decode(bodyBytes(record));
  const payload = classifyPayload(text);
  return diagnoseBody(
    payload.kind === 'not-json' || payload.kind === 'not-rpc'
      ? payload
      : { kind: 'not-rpc', reason: 'it holds no response' },
    method,
    text,
  );
}

function isInjected({ origin }: EventOf<'http-response'>): boolean {
  return origin?.kind === 'injected';
}

/** Nobody is to look for it at the server. */
function ownAnswer({ code }: Problem, status: number): Problem {
  return {
    code,
    message: `Wirescope answered ${status} in place of the server, as asked for in the lab. Nothing was sent.`,
  };
}

function judgeAbort(
  record: HttpRecord,
  end: HttpEnd & { outcome: 'aborted' },
  method: string,
  expects: Expectation,
): Problem | undefined {
  const { cause, note } = end;
  const hadHead = record.response !== undefined;
  if (hadHead && fellSilent(end) && note !== undefined) return diagnoseSilentStream(note);
  if (cause === 'user') return expects === 'response' ? judgeCancelled(record, method) : undefined;
  if (cause === 'deadline') {
    const fired = record.deadlines.findLast((event) => event.kind === 'deadline-fired');
    return diagnoseSilence({
      rpcMethod: method,
      waitedMs: fired?.durationMs ?? elapsedMs(record),
      headStatus: record.response?.status,
      receivedBytes: record.sizeBytes,
    });
  }
  if (cause === 'limit' || cause === 'too-fast') {
    return diagnoseAbort(end, method);
  }
  if (cause === 'close' && method === LISTEN) {
    return { code: 'aborted', message: 'The subscription ended with the connection.' };
  }
  return cause === 'close' && expects === 'response'
    ? { code: 'aborted', message: `\`${method}\` was unanswered when the connection was closed.` }
    : undefined;
}

/** In the legacy eras the cancellation is a message of its own, and says it there. */
function judgeCancelled(record: HttpRecord, method: string): Problem | undefined {
  if (!isModern(record)) return undefined;
  const what = method === LISTEN ? 'ends the subscription' : 'cancels the request on the server';
  return { code: 'aborted', message: `Cancelled: closing the stream ${what}.` };
}

function headFacts(record: HttpRecord, expects: Expectation, rpcMethod: string | undefined) {
  const { request, response, sent } = record;
  const excerpt = excerptOf(record);
  const payload = classifyPayload(excerpt);
  const error =
    payload.kind === 'message' && payload.message.kind === 'error' ? payload.message : undefined;
  const optional = {
    rpcMethod,
    location: record.redirect?.target,
    allow: headerValue(response?.headers, 'allow'),
    retryAfter: headerValue(response?.headers, 'retry-after'),
    challenge: headerValue(response?.headers, 'www-authenticate'),
    sentOrigin: headerValue(sent?.headers, 'origin'),
    rpcError: error?.message,
  };
  return {
    expects,
    url: request.url.text,
    status: response?.status ?? 0,
    statusText: response?.statusText ?? '',
    contentType: headerValue(response?.headers, 'content-type'),
    sentSession: hasSession(record, expects),
    bodyText: excerpt,
    ...(error?.code === undefined ? {} : { rpcCode: error.code }),
    ...(withoutUndefined(optional) as { [Key in keyof typeof optional]?: string }),
  };
}

/** Whether the request named a session: in a header, or as a message to the endpoint of an HTTP+SSE server. */
function hasSession({ request }: HttpRecord, expects: Expectation): boolean {
  if (headerValue(request.headers, 'mcp-session-id') !== undefined) return true;
  const { url, purpose } = request;
  const isAccepted = purpose === 'message' && expects === 'acceptance';
  return isAccepted && URL.canParse(url.text) && sessionInEndpoint(url.text) !== undefined;
}

function withoutUndefined(object: Record<string, string | undefined>): Record<string, string> {
  const entries = Object.entries(object).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

function beginsAsHttpSse(record: HttpRecord): boolean {
  const first = record.stream.find((event) => event.kind === 'sse-event');
  return first?.kind === 'sse-event' && first.event === 'endpoint';
}

function excerptOf(record: HttpRecord): string {
  const length = Math.min(record.sizeBytes, EXCERPT_BYTES);
  return utf8.decode(spanBytes(record, { offset: 0, length }));
}

function tailBytes(record: HttpRecord): number {
  const discarded = record.stream.find((event) => event.kind === 'sse-discarded');
  return discarded?.kind === 'sse-discarded' ? discarded.tail.length : 0;
}

/** Some limits are too small a matter to be recorded as deadlines; the log still tells how long they were. */
function elapsedMs({ request, end }: HttpRecord): number {
  return end === undefined ? 0 : end.monotonicTime - request.monotonicTime;
}
