import { headerValue, spanBytes } from '../../capture/correlate/http-record.ts';
import type { ConnectionFact, Detectors, Fact, MessageFact } from '../facts.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { SES } from '../rules/session.ts';
import { sessionIn } from '../state.ts';

/** Anything shorter can be guessed. */
const SHORT = 16;
const EXCERPT_BYTES = 4096;

const utf8 = new TextDecoder();

function badId({ exchange, event }: Fact<'http-response'>): Finding | undefined {
  const isInitialize = exchange.methods.includes('initialize') && event.status < 300;
  const header = event.headers.find(({ name }) => name.toLowerCase() === 'mcp-session-id');
  if (!isInitialize || header === undefined) return undefined;
  const { value } = header;
  // In what was cut out as a secret, such characters are left standing.
  const bad = /[^\x21-\x7E]/u.exec(value)?.[0];
  if (bad !== undefined) {
    const code = (bad.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return {
      rule: SES.badId,
      side: 'server',
      message: `The session id holds the character U+${code}; only visible ASCII (0x21 to 0x7E) is allowed.`,
    };
  }
  if (value.length >= SHORT) return undefined;
  return {
    rule: SES.badId,
    severity: 'warning',
    side: 'server',
    message:
      value === ''
        ? 'The session id is empty.'
        : `The session id has only ${value.length} characters, so it can be guessed.`,
    advice: 'Use a random id, for example a UUID; without sessions, send no header.',
  };
}

function sentTwice({ event }: Fact<'http-received'>): Finding | undefined {
  const ids = event.headers.filter(({ name }) => name.toLowerCase() === 'mcp-session-id');
  if (ids.length < 2) return undefined;
  return {
    rule: SES.sentTwice,
    side: 'server',
    group: 'twice',
    message: `The response has ${ids.length} Mcp-Session-Id headers; clients read them as one, joined by a comma.`,
  };
}

function missing({ connection, exchange, event }: Fact<'http-request'>): Finding | undefined {
  const { purpose } = event;
  if (purpose !== 'message' && purpose !== 'stream' && purpose !== 'terminate') return undefined;
  if (exchange.methods.includes('initialize')) {
    if (exchange.session === undefined) return undefined;
    return {
      rule: SES.missing,
      side: 'client',
      message: `\`initialize\` carries the session id ‹${exchange.session}›; it must carry none.`,
    };
  }
  if (connection.session === undefined || exchange.session === connection.session) return undefined;
  return {
    rule: SES.missing,
    side: 'client',
    group: exchange.session ?? 'missing',
    message:
      exchange.session === undefined
        ? `The ${event.method} has no Mcp-Session-Id, although the server assigned ‹${connection.session}›.`
        : `The ${event.method} names the session ‹${exchange.session}›, but ‹${connection.session}› is the current one.`,
    evidence: [
      evidenceOf(event),
      ...(connection.sessionEvent === undefined ? [] : [evidenceOf(connection.sessionEvent)]),
    ],
  };
}

function notRestarted({ connection, exchange, event }: Fact<'http-request'>): Finding | undefined {
  const lost = connection.lostSession;
  if (lost === undefined || exchange.session !== lost.session) return undefined;
  const method = exchange.methods[0];
  // A ping may ask whether the session is really gone.
  if (exchange.sends !== 'request' || method === 'ping' || method === 'initialize')
    return undefined;
  return {
    rule: SES.notRestarted,
    side: 'client',
    group: lost.session,
    message: `\`${method}\` was sent with the session id ‹${lost.session}› after the server had answered 404 to it.`,
    advice: 'After a 404 a client must begin again with `initialize`, without the id.',
    evidence: [evidenceOf(event), evidenceOf(lost.event)],
  };
}

function changed({ connection, exchange, event }: Fact<'http-response'>): Finding | undefined {
  const session = sessionIn(event.headers);
  if (session === undefined) return undefined;
  const isInitialize = exchange.methods.includes('initialize');
  if (isInitialize && event.status >= 200 && event.status < 300) return undefined;
  if (session === connection.session || session === exchange.session) return undefined;
  return {
    rule: SES.changed,
    side: 'server',
    group: session,
    message: `A ${event.status} response ${isInitialize ? 'that refuses `initialize`' : 'that is no answer to `initialize`'} carries the session id ‹${session}›, which is ignored.`,
    advice: 'A session id belongs on the successful answer to `initialize` only.',
  };
}

function usedAfterEnd({ connection, exchange, event }: Fact<'http-response'>): Finding | undefined {
  const { session } = exchange;
  const ended = session === undefined ? undefined : connection.endedSessions.get(session);
  if (ended === undefined || exchange.record.request.sequence < ended.sequence) return undefined;
  if (event.status === 404 || event.status >= 500) return undefined;
  const isAccepted = event.status < 300;
  return {
    rule: SES.ended,
    side: 'server',
    group: `${session} ${event.status}`,
    message: `A request with the ended session ‹${session}› was ${isAccepted ? 'accepted' : 'refused'} with ${event.status}; it must be refused with 404.`,
    evidence: [evidenceOf(event), evidenceOf(ended)],
  };
}

function leftOpen({ connection, event }: ConnectionFact): Finding | undefined {
  if (event.kind !== 'connection-closed' || event.cause !== 'user') return undefined;
  const { session, lostSession, hasFailed, hasTerminated } = connection;
  if (session === undefined || hasFailed || hasTerminated) return undefined;
  if (lostSession?.session === session) return undefined;
  return {
    rule: SES.ended,
    // Whoever closes without ending may want to come back to the session.
    severity: 'info',
    side: 'client',
    message: `The connection was closed without a DELETE, so the server keeps the session ‹${session}›.`,
  };
}

function wrongStatus({ exchange, event }: Fact<'http-end'>): Finding | undefined {
  const status = exchange.head?.status;
  const { record, session } = exchange;
  if (session === undefined || (status !== 400 && status !== 410)) return undefined;
  if (record.request.purpose !== 'message') return undefined;
  const length = Math.min(record.sizeBytes, EXCERPT_BYTES);
  const text = utf8.decode(spanBytes(record, { offset: 0, length }));
  if (status === 400 && !/session/i.test(text)) return undefined;
  return {
    rule: SES.wrongStatus,
    side: 'server',
    group: String(status),
    message: `The server refused the session ‹${session}› with ${status}; the specification asks for 404.`,
    advice: 'Only a 404 tells a client to start a new session.',
    evidence: [evidenceOf(exchange.head ?? event)],
  };
}

function errorInsteadOf404(fact: MessageFact): Finding | undefined {
  const { exchange, members, shape } = fact;
  const error = members?.['error'];
  if (shape !== 'response' || typeof error !== 'string' || !/session/i.test(error))
    return undefined;
  if (exchange.session === undefined || exchange.head?.status !== 200) return undefined;
  const type = headerValue(exchange.head.headers, 'content-type') ?? 'no type';
  return {
    rule: SES.wrongStatus,
    side: 'server',
    group: '200',
    message: `The server refused the session with 200 ${type} and the words “${error.slice(0, 80)}”; the specification asks for 404.`,
    advice: 'Only a 404 tells a client to start a new session.',
  };
}

export const SESSION_DETECTORS: Detectors = {
  request: [missing, notRestarted],
  received: [sentTwice],
  head: [badId, changed, usedAfterEnd],
  message: [errorInsteadOf404],
  end: [wrongStatus],
  connection: [leftOpen],
};
