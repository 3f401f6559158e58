import { eventText, isHeld, spanBytes } from '../../capture/correlate/http-record.ts';
import type { EventOf } from '../../capture/wire-event.ts';
import { CLOSE_TOO_LARGE } from '../../protocol/diagnose-socket.ts';
import { isRecord } from '../../record.ts';
import { BODY_DETECTORS, holdsJson, JSON_AS_STREAM } from './bodies.ts';
import { revisionIn } from '../claims.ts';
import { V4, V5 } from '../clause.ts';
import type { Detectors, Fact, MessageFact, SocketFact } from '../facts.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { parsePayload, shapeOf } from '../payload.ts';
import { nameOf } from './rpc.ts';
import { HTT } from '../rules/http.ts';
import { msBetween, type ExchangeState } from '../state.ts';

/** A stream may stay open this long after the response, in milliseconds. */
const LINGER_MS = 1000;
/** Clocks of two machines, and timers, differ by this much, in milliseconds. */
const RETRY_TOLERANCE_MS = 50;
/** So many events within such a time, after so long a silence, were held back on the way. */
const LUMP = { events: 5, withinMs: 10, afterMs: 1000 };

const utf8 = new TextDecoder();

function afterResponse(fact: MessageFact): Finding | undefined {
  const { exchange, direction, shape, method } = fact;
  if (direction === 'outgoing' || shape === 'response' || shape === 'none') return undefined;
  if (exchange.record?.request.purpose !== 'message' || exchange.answered === undefined)
    return undefined;
  // A request of the server is a fault by itself in the modern era.
  if (shape === 'request' && fact.revision === V5) return undefined;
  // Progress has a rule of its own, and a batch has no order.
  if (method === 'notifications/progress' || exchange.answered === fact.event) return undefined;
  return {
    rule: HTT.afterResponse,
    side: 'server',
    group: `${exchange.id} message`,
    message: `${nameOf(fact)} came on the stream of \`${exchange.methods[0]}\` after its response.`,
    advice: 'What belongs to no request goes on the GET stream.',
    evidence: [evidenceOf(fact.event, fact.span), evidenceOf(exchange.answered)],
  };
}

function leftOpen({ exchange, event }: Fact<'http-end'>): Finding | undefined {
  const { answered, record } = exchange;
  if (!exchange.isEventStream || answered === undefined) return undefined;
  if (record.request.purpose !== 'message') return undefined;
  const ms = msBetween(answered, event);
  if (ms < LINGER_MS) return undefined;
  return {
    rule: HTT.afterResponse,
    side: 'server',
    message: `The stream of \`${exchange.methods[0]}\` stayed open for ${(ms / 1000).toFixed(1)} s after the response.`,
    advice:
      'Close the stream when the response has been sent: browsers allow only six connections to a host.',
    evidence: [evidenceOf(answered), evidenceOf(event)],
  };
}

function closedEarly({ connection, exchange, event }: Fact<'http-end'>): Finding | undefined {
  const { record, requests, eventCount } = exchange;
  const { end } = event;
  if (!exchange.isEventStream || record.request.purpose !== 'message') return undefined;
  if (end.outcome !== 'complete' && end.outcome !== 'cut') return undefined;
  const open = requests.find(({ answer }) => answer === undefined);
  // What was meant as the answer has a finding of its own.
  if (open === undefined || open.hasBadAnswer === true || holdsJson(exchange)) return undefined;
  const isV4 = revisionIn(connection, exchange) === V4;
  const canResume = exchange.hasEventId && (isV4 || end.outcome === 'cut');
  if (canResume && (exchange.retryMs !== undefined || end.outcome === 'cut')) return undefined;
  const count = `${eventCount} event${eventCount === 1 ? '' : 's'}`;
  return {
    rule: HTT.closedEarly,
    side: 'server',
    message: `The stream ${end.outcome === 'cut' ? 'broke off' : 'ended'} after ${count}, without the response to \`${open.method}\`. ${consequence(exchange, canResume)}`,
    evidence: [evidenceOf(event)],
  };
}

function consequence(exchange: ExchangeState, canResume: boolean): string {
  if (!exchange.hasEventId) return 'It cannot be resumed: no event had an id.';
  return canResume
    ? 'It can be resumed, but no `retry` says when.'
    : 'This revision does not let a server close a stream early.';
}

function overLimit({ exchange, event }: Fact<'http-end'>): Finding | undefined {
  if (event.end.outcome !== 'aborted' || event.end.cause !== 'limit') return undefined;
  return {
    rule: HTT.overLimit,
    side: 'server',
    message: `A message is larger than the size limit: reading stopped after ${exchange.record.sizeBytes} bytes.`,
    advice: 'Raise the size limit and connect again to see all of it.',
  };
}

function frameOverLimit({ event }: SocketFact): Finding | undefined {
  if (event.by !== 'us' || event.code !== CLOSE_TOO_LARGE) return undefined;
  return {
    rule: HTT.overLimit,
    side: 'server',
    message: 'A frame is larger than the size limit: the WebSocket was closed.',
    advice: 'Raise the size limit and connect again.',
  };
}

/** Whether the server sent nothing for half of the time or more: what was still pouring is cut by us. */
function wasSilent({ record, end }: ExchangeState): boolean {
  const last = record.chunks.at(-1);
  if (last === undefined || end === undefined) return false;
  return 2 * msBetween(last, end) >= msBetween(record.request, end);
}

function cutTail({ exchange, event }: Fact<'sse-discarded'>): Finding | undefined {
  const end = exchange.end?.end;
  const isTimeout = end?.outcome === 'aborted' && end.cause === 'deadline';
  if (end?.outcome !== 'complete' && !isTimeout) return undefined;
  if (isTimeout && !wasSilent(exchange)) return undefined;
  const text = utf8.decode(spanBytes(exchange.record, event.tail));
  const { length } = event.tail;
  if (holdsJson(exchange)) {
    return { ...JSON_AS_STREAM, evidence: [evidenceOf(event, event.tail)] };
  }
  const inside = isTimeout
    ? `An event of ${length} bytes was never ended`
    : `The stream ended inside an event: ${length} bytes were discarded`;
  return {
    rule: HTT.cut,
    side: 'server',
    message: `${inside}.${isWholeResponse(text) ? ' That was a whole response: only the blank line behind it is missing.' : ''}`,
    advice: 'Every event must end with a blank line.',
    evidence: [evidenceOf(event, event.tail)],
  };
}

/** Whether the data lines of an unfinished event hold a whole response. */
function isWholeResponse(text: string): boolean {
  const data = text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n');
  const [value] = parsePayload(data).parts;
  return isRecord(value) && shapeOf(value) === 'response';
}

function reconnectedEarly({ connection, exchange }: Fact<'http-request'>): Finding | undefined {
  const { record, root } = exchange;
  const before = exchange.previous;
  const waited = before?.end === undefined ? undefined : msBetween(before.end, record.request);
  if (waited === undefined || root.retryMs === undefined) return undefined;
  if (revisionIn(connection, exchange) !== V4 || waited >= root.retryMs - RETRY_TOLERANCE_MS)
    return undefined;
  return {
    rule: HTT.reconnectedEarly,
    side: 'client',
    message: `The stream was opened again after ${Math.round(waited)} ms; the server had asked for ${root.retryMs} ms.`,
    ...(before?.end === undefined
      ? {}
      : { evidence: [evidenceOf(record.request), evidenceOf(before.end)] }),
  };
}

/** What is not in memory any more is taken for the same: an id is a promise of that. */
export function isSameText(
  text: string,
  { exchange, event }: { exchange: ExchangeState; event: EventOf<'sse-event'> },
): boolean {
  if (!isHeld(exchange.record, event.block)) return true;
  return text === (eventText(exchange.record, event) ?? '');
}

/** Judges an event whose id has been seen before in the session. */
export function repeatedId(
  exchange: ExchangeState,
  event: EventOf<'sse-event'>,
  before: { exchange: ExchangeState; event: EventOf<'sse-event'> },
): Finding | undefined {
  const text = eventText(exchange.record, event) ?? '';
  const isSame = isSameText(text, before);
  const isSameStream = before.exchange.root === exchange.root;
  // A stream that is resumed may be primed again.
  if (isSame && isSameStream && text === '') return undefined;
  const finding = {
    side: 'server',
    group: `${exchange.id} ${isSame ? 'same' : 'other'}`,
    evidence: [evidenceOf(event, event.block), evidenceOf(before.event, before.event.block)],
  } as const;
  const id = JSON.stringify(event.id);
  if (isSame && text !== '' && before.exchange !== exchange) {
    if (isSameStream) {
      return {
        ...finding,
        rule: HTT.redelivered,
        message: `The event with the id ${id} was delivered again when the stream was resumed; it is not acted on.`,
      };
    }
    if (exchange.resumes === undefined) {
      return {
        ...finding,
        rule: HTT.twoStreams,
        message: `The event with the id ${id} came on two streams.`,
      };
    }
    return {
      ...finding,
      rule: HTT.eventId,
      message: `The resumed stream replayed the event ${id}, which belongs to another stream.`,
    };
  }
  return {
    ...finding,
    rule: HTT.eventId,
    message: `The event id ${id} was used for two events; ids must be unique within the session.`,
    advice: 'A client that resumes from this id may lose or repeat messages.',
  };
}

function buffered(fact: MessageFact): Finding | undefined {
  const { exchange, event } = fact;
  if (fact.shape !== 'response' || event.kind !== 'sse-event') return undefined;
  const { firstEvent, eventCount, record } = exchange;
  if (record === undefined || firstEvent === undefined) return undefined;
  if (eventCount < LUMP.events) return undefined;
  const within = msBetween(firstEvent, event);
  const after = msBetween(record.request, firstEvent);
  if (within > LUMP.withinMs || after < LUMP.afterMs) return undefined;
  return {
    rule: HTT.buffered,
    side: 'server',
    message: `${eventCount + 1} events arrived within ${Math.max(1, Math.ceil(within))} ms, after ${(after / 1000).toFixed(1)} s of silence: buffered upstream?`,
    advice: 'A proxy may hold the stream back. `X-Accel-Buffering: no` turns that off in nginx.',
  };
}

function endpointInPost({ exchange, event }: Fact<'sse-event'>): Finding | undefined {
  if (event.event !== 'endpoint' || exchange.record.request.purpose !== 'message') return undefined;
  return {
    rule: HTT.endpointInPost,
    side: 'server',
    message: `The POST of \`${exchange.methods[0] ?? 'a message'}\` was answered with an \`endpoint\` event: this is an HTTP+SSE server (2024-11-05).`,
    advice: 'Connect with HTTP+SSE.',
    evidence: [evidenceOf(event, event.block)],
  };
}

/** What happens on the streams of Streamable HTTP. */
export const HTTP_DETECTORS: Detectors = {
  request: [reconnectedEarly],
  message: [afterResponse, buffered],
  stream: [
    (fact) =>
      fact.event.kind === 'sse-event' ? endpointInPost({ ...fact, event: fact.event }) : undefined,
  ],
  end: [leftOpen, closedEarly, overLimit, ...BODY_DETECTORS],
  tail: [cutTail],
  socket: [frameOverLimit],
};
