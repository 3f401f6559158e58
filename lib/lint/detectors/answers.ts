import { headerValue } from '../../capture/correlate/http-record.ts';
import { essence } from '../../protocol/diagnose.ts';
import type { Detectors, Fact } from '../facts.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { HTT } from '../rules/http.ts';
import { msBetween, type ConnectionState, type ExchangeState } from '../state.ts';

/** What ends sooner was not kept open, or not opened in earnest; in milliseconds. */
const BRIEF_MS = 1000;

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** `200 text/html`, `204 without a content type`. */
function shownHead({ status, headers }: Fact<'http-response'>['event']): string {
  const type = essence(headerValue(headers, 'content-type'));
  return `${status} ${type === '' ? 'without a content type' : type}`;
}

function named({ methods, sends }: ExchangeState): string {
  if (sends === 'response') return 'Our response';
  return methods.length === 1 ? `\`${methods[0]}\`` : 'The message';
}

function contentType({ exchange, event }: Fact<'http-response'>): Finding | undefined {
  if (exchange.sends !== 'request' || !isSuccess(event.status) || event.status === 202)
    return undefined;
  const type = essence(headerValue(event.headers, 'content-type'));
  if (type === 'application/json' || type === 'text/event-stream') return undefined;
  return {
    rule: HTT.contentType,
    side: 'server',
    message: `${named(exchange)} was answered ${shownHead(event)}; a request needs application/json or text/event-stream.`,
  };
}

function acceptedRequest({ exchange, event }: Fact<'http-response'>): Finding | undefined {
  if (exchange.sends !== 'request' || event.status !== 202) return undefined;
  return {
    rule: HTT.accepted,
    side: 'server',
    message: `${named(exchange)} is a request and was answered 202, which is for notifications and responses.`,
    advice: 'Answer a request with JSON or an event stream.',
  };
}

function accepted({ exchange, event }: Fact<'http-end'>): Finding | undefined {
  const { head, sends, record } = exchange;
  if (head === undefined || !isSuccess(head.status)) return undefined;
  if (sends !== 'notification' && sends !== 'response') return undefined;
  const { end } = event;
  if (end.outcome === 'aborted' && end.cause !== 'not-needed') return undefined;
  const bytes = record.sizeBytes;
  if (head.status === 202 && bytes === 0) return undefined;
  const isEmpty = bytes === 0;
  return {
    rule: HTT.accepted,
    ...(isEmpty ? { severity: 'warning' as const } : {}),
    side: 'server',
    message:
      head.status === 202
        ? `${named(exchange)} was answered 202 with a body of ${bytes} bytes; it must have none.`
        : `${named(exchange)} was answered ${shownHead(head)}${isEmpty ? '' : ` and ${bytes} bytes`}; 202 was expected.`,
    evidence: [evidenceOf(head)],
  };
}

function bodyKeptOpen({ exchange, event }: Fact<'http-end'>): Finding | undefined {
  const { head, record } = exchange;
  if (head?.status !== 202 || record.sizeBytes > 0) return undefined;
  if (event.end.outcome !== 'aborted' || event.end.cause !== 'not-needed') return undefined;
  const ms = msBetween(head, event);
  if (ms < BRIEF_MS) return undefined;
  return {
    rule: HTT.bodyKeptOpen,
    side: 'server',
    message: `The server kept the body of the 202 open; it was given up after ${(ms / 1000).toFixed(1)} s.`,
    advice: 'A 202 has no body: end the response at once.',
    evidence: [evidenceOf(head), evidenceOf(event)],
  };
}

/** Statuses that say nothing about streams: redirects, authorization, too many requests, a broken server. */
export function isBesideThePoint(status: number): boolean {
  const isServerError = status >= 500 && status !== 501;
  return (status >= 300 && status < 400) || [401, 403, 407, 429].includes(status) || isServerError;
}

/** Whether a GET, judged by its head, did not bring the stream that it was for. */
function isRefusedGet({ exchange, event }: Fact<'http-response'>): boolean {
  if (exchange.record.request.purpose !== 'stream') return false;
  return !exchange.isEventStream && !isBesideThePoint(event.status);
}

function getRefused(fact: Fact<'http-response'>): Finding | undefined {
  const { exchange, event, connection } = fact;
  if (!isRefusedGet(fact) || connection.initializeResult === undefined) return undefined;
  // The server may have ended the session: the next POST will tell.
  if (event.status === 404 && exchange.session !== undefined) return undefined;
  return refusedGet(exchange, event);
}

/** What is wrong with a GET that brought no stream; nothing, where the server offers none in due form. */
function refusedGet(
  exchange: ExchangeState,
  event: Fact<'http-response'>['event'],
): Finding | undefined {
  const { status } = event;
  const evidence = [evidenceOf(event)];
  const { itemKey } = exchange;
  if (exchange.resumes !== undefined) {
    if (status === 409) return undefined;
    return {
      rule: HTT.resumeRefused,
      side: 'server',
      itemKey,
      message: `The server gave its events ids, but refused to resume the stream after ${exchange.resumes} (${status}).`,
      advice: 'Without ids, clients know at once that nothing can be resumed.',
      evidence,
    };
  }
  if (status === 405) return undefined;
  const mild = status === 204 ? 'info' : status === 409 || status === 404 ? 'warning' : undefined;
  return {
    rule: HTT.getStatus,
    ...(mild === undefined || (status === 404 && exchange.session === undefined)
      ? {}
      : { severity: mild }),
    side: 'server',
    itemKey,
    message:
      status === 204
        ? 'The GET for a stream was answered 204: the server asks not to try again.'
        : `The GET for a stream was answered ${shownHead(event)}; a server without a stream answers 405.`,
    evidence,
  };
}

/** A POST went through in the session of a GET that was answered 404: the session lives, so 404 was wrong. */
function getRefusedAlthough({
  connection,
  exchange,
  event,
}: Fact<'http-response'>): Finding | undefined {
  const refused = connection.refusedGet;
  if (refused === undefined || !confirmsSession(connection, exchange)) return undefined;
  return isSuccess(event.status) ? refusedGet(refused.exchange, refused.event) : undefined;
}

/** Whether the answer to this POST tells if the session of a refused GET still lives. */
export function confirmsSession(connection: ConnectionState, exchange: ExchangeState): boolean {
  const refused = connection.refusedGet;
  const { request } = exchange.record;
  return (
    refused !== undefined &&
    request.purpose === 'message' &&
    request.sequence > refused.event.sequence &&
    exchange.session === refused.exchange.session
  );
}

function emptyStream({ connection, exchange, event }: Fact<'http-end'>): Finding | undefined {
  // A stream that only tries for HTTP+SSE asks for no stream of this transport.
  if (connection.isTrying) return undefined;
  const { record, head } = exchange;
  if (record.request.purpose !== 'stream' || !exchange.isEventStream) return undefined;
  if (head === undefined || event.end.outcome !== 'complete' || record.sizeBytes > 0)
    return undefined;
  const ms = msBetween(head, event);
  if (ms >= BRIEF_MS) return undefined;
  const cursor = exchange.resumes === undefined ? '' : ` Last-Event-ID was ${exchange.resumes}.`;
  return {
    rule: HTT.emptyStream,
    side: 'server',
    group: 'empty',
    message: `The GET stream was opened and closed with nothing in it, after ${Math.round(ms)} ms.${cursor}`,
    advice:
      'A server without a stream should answer 405; clients may open a stream that ends again and again.',
  };
}

/** What an exchange is answered with, before anything is read of it. */
export const ANSWER_DETECTORS: Detectors = {
  head: [contentType, acceptedRequest, getRefused, getRefusedAlthough],
  end: [accepted, bodyKeptOpen, emptyStream],
};
