import { transportOf } from '../capture/store/stored-profile.ts';
import type { EventOf } from '../capture/wire-event.ts';
import { isRecord } from '../record.ts';
import { confirmsSession } from './detectors/answers.ts';
import { ACKNOWLEDGED, knownRevision, legacyRevision } from './claims.ts';
import { V5 } from './clause.ts';
import type { ConnectionFact, Fact, MessageFact } from './facts.ts';
import { initializeResult } from './detectors/lifecycle.ts';
import { tokenOf, tokenText } from './payload.ts';
import { progressOf } from './detectors/progress.ts';
import { isResponseOnGet } from './detectors/responses.ts';
import { subscriptionOf } from './detectors/subscriptions.ts';
import { trackModernResponse } from './track-modern.ts';
import {
  requestKey,
  sessionIn,
  type Carrier,
  type ConnectionState,
  type ExchangeState,
  type RequestState,
} from './state.ts';

/** Remembers what a message changes, after the rules have looked at it. */
export function trackMessage(fact: MessageFact): void {
  const { connection, exchange, shape, method, direction, request } = fact;
  if (fact.revision !== V5) connection.messageCount += 1;
  if (shape === 'request') trackRequest(fact);
  if (shape === 'response' && request !== undefined) {
    trackInitializeResult(fact);
    const isOnGet = isResponseOnGet(fact);
    if (isUsable(fact.members)) request.answer ??= { event: fact.event, exchange, isOnGet };
    else request.hasBadAnswer = true;
    if (isAllAnswered(exchange)) exchange.answered ??= fact.event;
    trackModernResponse(fact);
  }
  if (shape !== 'notification') return;
  const subscription = subscriptionOf(fact);
  if (method === ACKNOWLEDGED && subscription !== undefined) subscription.isAcknowledged = true;
  if (direction === 'outgoing' && method === 'notifications/initialized') {
    connection.initialized ??= fact.event;
  }
  const params = fact.members?.['params'];
  if (method === 'notifications/cancelled' && direction === 'incoming') exchange.isCancelled = true;
  if (method === 'notifications/cancelled' && isRecord(params)) {
    const rpcId = tokenText(params['requestId']);
    const target = connection.requests.get(requestKey(direction, rpcId ?? ''));
    if (target !== undefined) target.stopped ??= 'had been cancelled';
  }
  const reported = progressOf(fact);
  const progress = isRecord(params) ? params['progress'] : undefined;
  if (reported !== undefined && typeof progress === 'number') reported.progress = progress;
}

/** A WebSocket is never done: there, nobody looks through all that it has carried. */
function isAllAnswered({ record, requests }: Carrier): boolean {
  return record !== undefined && requests.length > 0 && requests.every(({ answer }) => answer);
}

/** Whether a client can take it for the answer. */
function isUsable(members: Record<string, unknown> | undefined): boolean {
  return members !== undefined && ('result' in members || isRecord(members['error']));
}

function trackRequest(fact: MessageFact): void {
  const { connection, exchange, method, rpcId, direction, members } = fact;
  if (method === undefined || rpcId === undefined) return;
  const params = members?.['params'];
  const token = tokenOf(params);
  if (method === 'initialize' && direction === 'outgoing') beginHandshake(connection, params);
  const request: RequestState = {
    rpcId,
    method,
    direction,
    revision: fact.revision,
    ...(direction === 'outgoing' && isRecord(params) ? { params } : {}),
    event: fact.event,
    itemKey: fact.itemKey,
    exchange,
    generation: connection.generation,
    isTask: isRecord(params) && 'task' in params,
    ...(token === undefined ? {} : { token }),
    ...(direction === 'incoming' ? { text: fact.text } : {}),
  };
  connection.requests.set(requestKey(direction, rpcId), request);
  if (token !== undefined) connection.tokens.set(requestKey(direction, token), request);
  if (direction === 'outgoing') exchange.requests.push(request);
  if (method === 'initialize' && direction === 'outgoing') connection.initialize = request;
}

/** A session begins anew: ids, tokens and event ids may be used again. */
function beginHandshake(connection: ConnectionState, params: unknown): void {
  connection.generation += 1;
  connection.eventIds.clear();
  delete connection.initializeResult;
  delete connection.initialized;
  delete connection.revision;
  if (!isRecord(params)) return;
  const offered = legacyRevision(params['protocolVersion']);
  if (offered !== undefined) connection.offered = offered;
  connection.clientCapabilities = params['capabilities'];
}

function trackInitializeResult(fact: MessageFact): void {
  const result = initializeResult(fact);
  if (result === undefined) return;
  const { connection } = fact;
  connection.initializeResult = fact.event;
  connection.serverCapabilities = result['capabilities'];
  const revision = legacyRevision(result['protocolVersion']);
  if (revision !== undefined) connection.revision = revision;
}

/** Remembers the head of an answer. */
export function trackHead({ connection, exchange, event }: Fact<'http-response'>): void {
  if (exchange.isProvoked === true) return;
  const { purpose } = exchange.record.request;
  const isSuccess = event.status >= 200 && event.status < 300;
  const { session } = exchange;
  if (confirmsSession(connection, exchange)) delete connection.refusedGet;
  if (purpose === 'stream' && event.status === 404 && session !== undefined) {
    if (connection.initializeResult !== undefined) connection.refusedGet = { exchange, event };
  }
  if (purpose === 'message' && event.status === 404 && session !== undefined) {
    connection.lostSession = { session, event };
  }
  if (purpose === 'terminate' && isSuccess && session !== undefined) {
    connection.endedSessions.set(session, event);
    if (connection.session === session) delete connection.session;
  }
  if (!isSuccess || !exchange.methods.includes('initialize')) return;
  const assigned = sessionIn(event.headers);
  connection.hasTerminated = false;
  delete connection.lostSession;
  if (assigned === undefined) delete connection.session;
  else Object.assign(connection, { session: assigned, sessionEvent: event });
}

/** Remembers an event of a stream. */
export function trackStreamEvent(
  { connection, exchange }: Pick<Fact<'sse-event'>, 'connection' | 'exchange'>,
  event: EventOf<'sse-event'>,
): void {
  exchange.eventCount += 1;
  exchange.firstEvent ??= event;
  if (event.id === undefined || event.id === '') return;
  exchange.hasEventId = true;
  if (!connection.eventIds.has(event.id)) connection.eventIds.set(event.id, { exchange, event });
}

/** Remembers what happened to a connection. */
export function trackConnection({ connection, event }: ConnectionFact): void {
  switch (event.kind) {
    case 'connection-opened':
      connection.isComplete = true;
      connection.transport = transportOf(event.profile.transport);
      connection.isReport = event.report !== undefined;
      connection.isTrying = connection.isReport || event.profile.transport === 'auto';
      return;
    case 'connection-chosen': {
      connection.transport = event.transport;
      const revision = knownRevision(event.revision);
      if (revision !== undefined) connection.revision = revision;
      connection.isTrying = false;
      if (revision === V5) connection.isModern = true;
      else if (connection.initialize === undefined) connection.isAttached = true;
      return;
    }
    case 'session-assigned':
      if (connection.initialize === undefined && event.by !== 'endpoint') {
        connection.isAttached = true;
      }
      return;
    case 'connection-failed':
      connection.hasFailed = true;
      return;
    default:
      return;
  }
}

/** Finds the stream that a GET goes on with. */
export function findStream(connection: ConnectionState, exchange: ExchangeState): void {
  const { links, purpose } = exchange.record.request;
  if (purpose !== 'stream') return;
  const { resumes } = exchange;
  const byId = resumes === undefined ? undefined : connection.eventIds.get(resumes)?.exchange;
  const linked =
    links.reason === 'resume' || links.reason === 'reopen' ? links.causedBy : undefined;
  const previous = (linked === undefined ? undefined : connection.exchanges.get(linked)) ?? byId;
  if (previous === undefined) return;
  exchange.previous = previous;
  exchange.root = previous.root;
}
