import type { Correlation } from '../capture/correlate/correlate.ts';
import {
  bodyBytes,
  eventText,
  headerValue,
  messageText,
  spanBytes,
} from '../capture/correlate/http-record.ts';
import type { EventOf, WireEvent } from '../capture/wire-event.ts';
import { essence } from '../protocol/diagnose.ts';
import { isRecord } from '../record.ts';
import { claimOfPost, revisionIn } from './claims.ts';
import type { PayloadFact } from './facts.ts';
import { isSameText, repeatedId } from './detectors/http.ts';
import { parsePayload } from './payload.ts';
import { readPayload, toMessageFact } from './read-messages.ts';
import { readSocketEvent } from './read-sockets.ts';
import { runDetectors, type Bench } from './run.ts';
import { hasLoneCr } from './detectors/sse.ts';
import { newConnection, newExchange } from './state.ts';
import type { ConnectionState, ExchangeState } from './state.ts';
import { findStream, trackConnection, trackHead, trackStreamEvent } from './track.ts';

/** An exchange, and where to put what is found about it. */
interface Found {
  connection: ConnectionState;
  exchange: ExchangeState;
  itemKey: string;
}

type StreamEvent = EventOf<'sse-event' | 'sse-comment' | 'sse-retry' | 'sse-ignored'>;

/** Judges events one by one, in order; what was judged is never looked at again. */
export function createEventReader(
  correlation: Pick<Correlation, 'https'>,
  bench: Bench,
): (event: WireEvent) => void {
  const { collector, report, detectors } = bench;
  const connections = new Map<string | undefined, ConnectionState>();

  function connectionOf({ connectionId }: WireEvent): ConnectionState {
    const known = connections.get(connectionId);
    if (known !== undefined) return known;
    const connection = newConnection(connectionId);
    connections.set(connectionId, connection);
    return connection;
  }

  function readRequest(event: EventOf<'http-request'>): void {
    const record = correlation.https.get(event.httpId);
    if (record === undefined) return;
    const connection = connectionOf(event);
    const { purpose, links } = event;
    const hop =
      links.reason === 'redirect' ? connection.exchanges.get(links.causedBy ?? '') : undefined;
    const itemKey = hop?.itemKey ?? collector.keyAt(event.sequence) ?? `http ${event.httpId}`;
    const exchange = newExchange(record, itemKey);
    connection.exchanges.set(event.httpId, exchange);
    findStream(connection, exchange);
    if (hop !== undefined) followRedirect(hop, exchange);
    const payload =
      purpose === 'message' && hop === undefined ? sentPayload(connection, exchange) : undefined;
    const fact = { connection, exchange, event };
    runDetectors(report, detectors.request, fact, { ...fact, itemKey: exchange.itemKey });
    if (purpose === 'terminate') connection.hasTerminated = true;
    if (payload !== undefined) readPayload(bench, payload);
  }

  function sentPayload(connection: ConnectionState, exchange: ExchangeState): PayloadFact {
    const { request, httpId } = exchange.record;
    const text = messageText(correlation.https, { in: 'request', httpId }) ?? '';
    const parsed = parsePayload(text);
    const claim = claimOfPost(connection, parsed.parts, request.headers);
    if (claim !== undefined) exchange.revision = claim;
    const payload: PayloadFact = {
      connection,
      exchange,
      event: request,
      direction: 'outgoing',
      revision: revisionIn(connection, exchange),
      text,
      ...parsed,
    };
    const facts = payload.parts.map((part, index) => toMessageFact(payload, part, index));
    exchange.methods = facts.flatMap(({ method }) => (method === undefined ? [] : [method]));
    const shapes = facts.map(({ shape }) => shape);
    exchange.sends =
      (['request', 'notification', 'response'] as const).find((kind) => shapes.includes(kind)) ??
      'nothing';
    // Our answer to a request of the server is shown on the row of that request.
    const answered = facts.find((fact) => fact.request !== undefined)?.request;
    const isOwnRow = collector.keyAt(request.sequence) !== undefined;
    if (answered !== undefined && !isOwnRow) exchange.itemKey = answered.itemKey;
    return payload;
  }

  function find(event: WireEvent, httpId: string): Found | undefined {
    const connection = connectionOf(event);
    const exchange = connection.exchanges.get(httpId);
    return exchange === undefined ? undefined : { connection, exchange, itemKey: exchange.itemKey };
  }

  function readHead(event: EventOf<'http-response'>): void {
    const found = find(event, event.httpId);
    if (found === undefined) return;
    const { exchange } = found;
    exchange.head = event;
    exchange.isEventStream =
      event.status === 200 &&
      essence(headerValue(event.headers, 'content-type')) === 'text/event-stream';
    const fact = { ...found, event };
    runDetectors(report, detectors.head, fact, fact);
    trackHead(fact);
  }

  function readStreamEvent(event: StreamEvent): void {
    const found = find(event, event.httpId);
    if (found === undefined) return;
    const { exchange, connection } = found;
    const isEndpoint = event.kind === 'sse-event' && event.event === 'endpoint';
    const isOnGet = isEndpoint && exchange.record.request.purpose === 'stream';
    // Only an HTTP+SSE server says so there, but it may be of both kinds.
    if (isOnGet && (connection.isTrying || !connection.isComplete))
      connection.transport = 'http-sse';
    const fact = { connection, exchange, event, itemKey: found.itemKey };
    if (event.kind === 'sse-event' && exchange.loneCr === undefined) {
      if (hasLoneCr(spanBytes(exchange.record, event.block))) exchange.loneCr = event;
    }
    runDetectors(report, detectors.stream, fact, fact);
    if (event.kind === 'sse-retry') exchange.root.retryMs = event.retryMs;
    if (event.kind !== 'sse-event') return;
    const text = eventText(exchange.record, event) ?? '';
    if (isEndpoint) exchange.endpoint = text;
    const isRepeat = readRepeated(found, event, text);
    if (!isRepeat && text !== '' && (event.event ?? 'message') === 'message') {
      readPayload(bench, {
        connection,
        exchange,
        event,
        direction: 'incoming',
        revision: revisionIn(connection, exchange),
        span: event.block,
        text,
        bytes: () => spanBytes(exchange.record, event.block),
        ...parsePayload(text),
      });
    }
    trackStreamEvent(found, event);
  }

  /** Whether an event came before, on another exchange: then nobody acts on it again. */
  function readRepeated(found: Found, event: EventOf<'sse-event'>, text: string): boolean {
    const { connection, exchange, itemKey } = found;
    const before = event.id === undefined ? undefined : connection.eventIds.get(event.id);
    if (before === undefined) return false;
    const key = collector.keyAt(event.sequence, String(event.sequence)) ?? itemKey;
    const place = { connection, exchange, event, itemKey: key };
    runDetectors(report, [() => repeatedId(exchange, event, before)], undefined, place);
    return isSameText(text, before) && before.exchange !== exchange;
  }

  function readEnd(event: EventOf<'http-end'>): void {
    const found = find(event, event.httpId);
    if (found === undefined) return;
    const { exchange, connection } = found;
    exchange.end = event;
    readBody(connection, exchange, event);
    const fact = { ...found, event };
    runDetectors(report, detectors.end, fact, fact);
    if (event.end.outcome === 'aborted' && event.end.cause === 'user') {
      for (const request of exchange.requests) request.stopped ??= 'had been cancelled';
    }
    readTail(found);
  }

  function readBody(
    connection: ConnectionState,
    exchange: ExchangeState,
    event: EventOf<'http-end'>,
  ): void {
    const { head, record, sends } = exchange;
    const type = essence(headerValue(head?.headers, 'content-type'));
    if (head === undefined || type !== 'application/json') return;
    if (record.request.purpose !== 'message') return;
    const text = messageText(correlation.https, { in: 'body', httpId: record.httpId }) ?? '';
    const parsed = parsePayload(text);
    // Of a body that was cut off, JSON that is all there counts.
    if (event.end.outcome !== 'complete' && parsed.fault !== undefined) return;
    const isMessage = parsed.parts.some((part) => isRecord(part) && 'jsonrpc' in part);
    // Only the answer to a request has to be a message; what else comes is welcome if it is one.
    const isOwed = sends === 'request' && connection.transport !== 'http-sse';
    if (!isMessage && !(isOwed && head.status >= 200 && head.status < 300)) return;
    readPayload(bench, {
      connection,
      exchange,
      event,
      direction: 'incoming',
      revision: revisionIn(connection, exchange),
      text,
      bytes: () => bodyBytes(record),
      ...parsed,
    });
  }

  /** The tail of a stream and its end belong together, whichever is recorded first. */
  function readTail(found: Found): void {
    const { exchange } = found;
    if (exchange.tail === undefined || exchange.end === undefined) return;
    const fact = { ...found, event: exchange.tail };
    runDetectors(report, detectors.tail, fact, fact);
  }

  function readDiscarded(event: EventOf<'sse-discarded'>): void {
    const found = find(event, event.httpId);
    if (found === undefined) return;
    found.exchange.tail = event;
    readTail(found);
  }

  function readReceived(event: EventOf<'http-received'>): void {
    const found = find(event, event.httpId);
    if (found === undefined) return;
    const fact = { ...found, event };
    runDetectors(report, detectors.received, fact, fact);
  }

  function readDeadline(event: EventOf<'deadline-fired'>): void {
    const connection = connectionOf(event);
    const { carrierId, rpcId } = event;
    const exchange = connection.exchanges.get(carrierId) ?? connection.sockets.get(carrierId);
    if (exchange === undefined) return;
    const fact = { connection, exchange, event };
    runDetectors(report, detectors.deadline, fact, { ...fact, itemKey: exchange.itemKey });
    for (const request of exchange.requests) {
      if ((rpcId ?? request.rpcId) === request.rpcId) request.stopped ??= 'had timed out';
    }
  }

  function readFault(event: EventOf<'fault-injected'>): void {
    const { carrierId, fault } = event;
    const { exchanges, sockets } = connectionOf(event);
    const carrier = exchanges.get(carrierId) ?? sockets.get(carrierId);
    // What comes late, or in pieces, is still what the server says.
    if (carrier === undefined || fault.kind === 'delay' || fault.kind === 'split') return;
    carrier.isProvoked = true;
  }

  function readConnection(event: WireEvent): void {
    if (event.connectionId === undefined) return;
    const fact = { connection: connectionOf(event), event };
    const itemKey = `event ${event.sequence}`;
    runDetectors(report, detectors.connection, fact, { ...fact, itemKey });
    trackConnection(fact);
    report.release(fact.connection);
    if (event.kind === 'connection-failed' || event.kind === 'connection-chosen') {
      report.drop(fact.connection);
    }
    if (event.kind === 'connection-failed' || event.kind === 'connection-closed') {
      report.settle(fact.connection);
    }
  }

  return (event) => {
    switch (event.kind) {
      case 'http-request':
        return readRequest(event);
      case 'http-response':
        return readHead(event);
      case 'sse-event':
      case 'sse-comment':
      case 'sse-retry':
      case 'sse-ignored':
        return readStreamEvent(event);
      case 'sse-discarded':
        return readDiscarded(event);
      case 'http-received':
        return readReceived(event);
      case 'deadline-fired':
        return readDeadline(event);
      case 'http-end':
        return readEnd(event);
      case 'fault-injected':
        return readFault(event);
      case 'socket-opening':
      case 'socket-frame':
      case 'socket-close':
        return readSocketEvent(bench, connectionOf(event), event);
      default:
        return readConnection(event);
    }
  };
}

function followRedirect(from: ExchangeState, to: ExchangeState): void {
  to.sends = from.sends;
  if (from.revision !== undefined) to.revision = from.revision;
  to.methods = from.methods;
  to.requests = from.requests;
  for (const request of to.requests) request.exchange = to;
}
