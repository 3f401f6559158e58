import { eventText, spanBytes } from '../../capture/correlate/http-record.ts';
import { judgeEndpoint } from '../../protocol/endpoint.ts';
import { isRecord } from '../../record.ts';
import type { Detectors, Fact, MessageFact } from '../facts.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { parsePayload, shapeOf } from '../payload.ts';
import { nameOf } from './rpc.ts';
import { SSE } from '../rules/sse.ts';

const CR = 0x0d;
const LF = 0x0a;

const utf8 = new TextDecoder();

type StreamFact = Fact<'sse-event' | 'sse-retry' | 'sse-ignored' | 'sse-comment'>;

function endpoint({ exchange, event }: StreamFact): Finding | undefined {
  if (event.kind !== 'sse-event' || event.event !== 'endpoint') return undefined;
  const { request } = exchange.record;
  if (request.purpose !== 'stream') return undefined;
  const announced = eventText(exchange.record, event) ?? '';
  const evidence = [evidenceOf(event, event.block)];
  const verdict = URL.canParse(request.url.text)
    ? judgeEndpoint(announced, request.url.text)
    : undefined;
  if (verdict?.kind === 'refused') {
    const { message, advice } = verdict.problem;
    return {
      rule: verdict.url === undefined ? SSE.endpoint : SSE.otherOrigin,
      side: 'server',
      message,
      ...(advice === undefined ? {} : { advice }),
      evidence,
    };
  }
  const before = exchange.endpoint;
  if (before === undefined && exchange.firstEvent !== undefined) {
    const { eventCount, firstEvent } = exchange;
    return {
      rule: SSE.endpoint,
      severity: 'warning',
      side: 'server',
      message: `${eventCount === 1 ? '1 event' : `${eventCount} events`} came before the \`endpoint\` event, which must be the first.`,
      evidence: [evidenceOf(firstEvent), ...evidence],
    };
  }
  if (before === undefined || before === announced) return undefined;
  return {
    rule: SSE.secondEndpoint,
    side: 'server',
    message: `The stream announced a second endpoint, “${announced}”, after “${before}”.`,
    advice: 'Not every client follows. One stream should announce one endpoint.',
    evidence,
  };
}

function noEndpoint({ connection, exchange, event }: Fact<'http-end'>): Finding | undefined {
  // Nobody said that this is an HTTP+SSE server: it was tried.
  if (connection.isTrying) return undefined;
  if (!exchange.isEventStream || exchange.record.request.purpose !== 'stream') return undefined;
  if (exchange.endpoint !== undefined) return undefined;
  const { end } = event;
  if (end.outcome === 'aborted' && end.cause !== 'deadline') return undefined;
  return {
    rule: SSE.endpoint,
    side: 'server',
    message: `The stream ${end.outcome === 'aborted' ? 'was given up' : 'ended'} after ${exchange.eventCount} events without an \`endpoint\` event.`,
    advice: 'An HTTP+SSE server must begin its stream with it. Is this a Streamable HTTP server?',
  };
}

function otherName({ connection, exchange, event }: StreamFact): Finding | undefined {
  if (connection.transport !== 'http-sse' || event.kind !== 'sse-event') return undefined;
  const name = event.event ?? 'message';
  if (name === 'message' || name === 'endpoint') return undefined;
  const [value] = parsePayload(eventText(exchange.record, event) ?? '').parts;
  if (!isRecord(value) || shapeOf(value) === 'none') return undefined;
  return {
    rule: SSE.misplaced,
    side: 'server',
    group: name,
    message: `A JSON-RPC message came as \`${name}\` event; messages are \`message\` events.`,
    evidence: [evidenceOf(event, event.block)],
  };
}

function answerInPost(fact: MessageFact): Finding | undefined {
  const { exchange, direction, shape, connection } = fact;
  if (connection.transport !== 'http-sse' || direction === 'outgoing' || shape === 'none')
    return undefined;
  if (exchange.record?.request.purpose !== 'message') return undefined;
  return {
    rule: SSE.misplaced,
    side: 'server',
    group: 'body',
    message: `In the body of a POST came ${nameOf(fact)}; with HTTP+SSE all messages of the server go on the stream.`,
  };
}

/** Whether a line of an event ends with CR alone. */
export function hasLoneCr(bytes: Uint8Array): boolean {
  let at = bytes.indexOf(CR);
  // The last byte may be the first half of CRLF.
  while (at >= 0 && (bytes[at + 1] ?? LF) === LF) at = bytes.indexOf(CR, at + 1);
  return at >= 0;
}

function lineEnds({ exchange, event }: StreamFact): Finding | undefined {
  if (event.kind !== 'sse-event' || exchange.loneCr !== event) return undefined;
  return {
    rule: SSE.lineEnds,
    side: 'server',
    group: exchange.id,
    message:
      'Lines of this stream end with CR alone, which is allowed, but which some clients do not read.',
    evidence: [evidenceOf(event, event.block)],
  };
}

function ignoredLine({ exchange, event }: StreamFact): Finding | undefined {
  if (event.kind !== 'sse-ignored') return undefined;
  const line = utf8.decode(spanBytes(exchange.record, event.line)).slice(0, 80);
  return {
    rule: SSE.ignoredLine,
    side: 'server',
    group: `${exchange.id} ${event.reason}`,
    message: `The line ${JSON.stringify(line)} is ignored: ${event.reason}.`,
    evidence: [evidenceOf(event, event.line)],
  };
}

/** HTTP+SSE, and what any event stream should be like. */
export const SSE_DETECTORS: Detectors = {
  stream: [endpoint, otherName, lineEnds, ignoredLine],
  message: [answerInPost],
  end: [noEndpoint],
};
