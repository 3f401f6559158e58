import { headerValue } from '../../capture/correlate/http-record.ts';
import { isBesideThePoint } from './answers.ts';
import { revisionIn } from '../claims.ts';
import { V5 } from '../clause.ts';
import type { Detectors, Fact, MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { isModernOnly } from './refusals.ts';
import { HTT } from '../rules/http.ts';
import { SES } from '../rules/session.ts';
import { sessionIn, type ExchangeState } from '../state.ts';

type Head = Fact<'http-response'>;

/** What an exchange is about, for a sentence. */
function calledBy({ methods, record }: ExchangeState): string {
  return methods[0] ?? record.request.method;
}

function isModern({ connection, exchange }: Head | Fact<'http-request'>): boolean {
  return revisionIn(connection, exchange) === V5;
}

function sessionId(fact: Head): Finding | undefined {
  const session = isModern(fact) ? sessionIn(fact.event.headers) : undefined;
  if (session === undefined || fact.exchange.methods.includes('initialize')) return undefined;
  return {
    rule: SES.inModern,
    side: 'server',
    group: 'modern',
    message: `The answer to \`${calledBy(fact.exchange)}\` carries a session id; 2026-07-28 has no sessions.`,
    advice: 'Clients ignore it. Hand out what has to last as a value of a tool.',
  };
}

function removedMethod(fact: Head): Finding | undefined {
  const { connection, exchange, event } = fact;
  const { method } = exchange.record.request;
  const { status } = event;
  if (!isModern(fact) || !isModernOnly(connection)) return undefined;
  if (method !== 'GET' && method !== 'DELETE') return undefined;
  if (status === 405 || isBesideThePoint(status)) return undefined;
  return {
    rule: HTT.removedMethod,
    side: 'server',
    group: `${method} ${status}`,
    message: `The server speaks 2026-07-28 only, but answered a ${method} with ${status}, not with 405.`,
  };
}

function mayBeHeldBack(fact: Head): Finding | undefined {
  const { exchange, event } = fact;
  if (!isModern(fact) || !exchange.isEventStream) return undefined;
  if (headerValue(event.headers, 'x-accel-buffering')?.toLowerCase() === 'no') return undefined;
  // nginx reads the header and takes it out.
  if (/nginx/i.test(headerValue(event.headers, 'server') ?? '')) return undefined;
  return {
    rule: HTT.mayBeHeldBack,
    side: 'server',
    group: 'stream',
    message: `The stream of \`${calledBy(exchange)}\` was opened without \`X-Accel-Buffering: no\`, so a proxy may hold its events back.`,
  };
}

function eventId(fact: Fact<'sse-event'>): Finding | undefined {
  const { connection, exchange, event } = fact;
  if (event.id === undefined || revisionIn(connection, exchange) !== V5) return undefined;
  return {
    rule: HTT.resumable,
    side: 'server',
    group: 'id',
    message: `The events of \`${calledBy(exchange)}\` have ids; in 2026-07-28 no stream can be resumed.`,
  };
}

function lastEventId(fact: Fact<'http-request'>): Finding | undefined {
  const given = headerValue(fact.event.headers, 'last-event-id');
  if (given === undefined || !isModern(fact)) return undefined;
  return {
    rule: HTT.resumable,
    side: 'client',
    group: 'last',
    message: `The ${fact.event.method} carries Last-Event-ID; in 2026-07-28 no stream can be resumed.`,
  };
}

function cancelled({ direction, revision, method, exchange }: MessageFact): Finding | undefined {
  if (method !== 'notifications/cancelled' || direction === 'incoming') return undefined;
  if (revision !== V5 || exchange.record === undefined) return undefined;
  return {
    rule: HTT.cancelledByMessage,
    side: 'client',
    group: 'cancelled',
    message:
      '`notifications/cancelled` was posted; over HTTP, closing the stream cancels a request.',
  };
}

/** Streamable HTTP of the modern era: what it has no more, and what its streams need. */
export const MODERN_HTTP_DETECTORS: Detectors = {
  request: [lastEventId],
  head: [sessionId, removedMethod, mayBeHeldBack],
  stream: [
    (fact) =>
      fact.event.kind === 'sse-event' ? eventId({ ...fact, event: fact.event }) : undefined,
  ],
  message: [cancelled],
};
