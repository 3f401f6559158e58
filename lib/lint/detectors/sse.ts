import { eventText, spanBytes } from '../../capture/correlate/http-record.ts';
import { judgeEndpoint } from '../../protocol/endpoint.ts';
import { isRecord } from '../../record.ts';
import { formatCount } from '../../text.ts';
import { holdsJson } from './bodies.ts';
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
  const odd = before === announced ? undefined : oddEndpoint(announced.trim());
  if (odd !== undefined) return { rule: SSE.endpoint, side: 'server', ...odd, evidence };
  if (before === undefined && exchange.firstEvent !== undefined) {
    const { eventCount, firstEvent } = exchange;
    return {
      rule: SSE.endpoint,
      severity: 'warning',
      side: 'server',
      message: `${formatCount(eventCount, 'event')} came before the \`endpoint\` event, which must be the first.`,
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

/** Browsers make a URL of nearly everything: what other clients do with it, nobody knows. */
function oddEndpoint(announced: string): Pick<Finding, 'message' | 'severity'> | undefined {
  const bad = /[^!-~]|["<>\\^`{|}]/u.exec(announced)?.[0];
  if (bad === undefined) return undefined;
  const data = announced.length > 80 ? `${announced.slice(0, 80)}…` : announced;
  if (/^["{[]/.test(announced)) {
    return { message: `The \`endpoint\` event holds JSON, ${data}; its data is the URI itself.` };
  }
  return {
    severity: 'warning',
    message: `The endpoint “${data}” is no URI: ${JSON.stringify(bad)} must be percent-encoded there.`,
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
    message: `The stream ${end.outcome === 'aborted' ? 'was given up' : 'ended'} after ${formatCount(exchange.eventCount, 'event')} without an \`endpoint\` event.`,
    advice: 'An HTTP+SSE server must begin its stream with it. Is this a Streamable HTTP server?',
  };
}

function otherName({ connection, exchange, event }: StreamFact): Finding | undefined {
  if (event.kind !== 'sse-event') return undefined;
  const name = event.event ?? 'message';
  if (name === 'message' || name === 'endpoint') return undefined;
  const [value] = parsePayload(eventText(exchange.record, event) ?? '').parts;
  if (!isRecord(value) || shapeOf(value) === 'none') return undefined;
  const isHttpSse = connection.transport === 'http-sse';
  return {
    rule: isHttpSse ? SSE.misplaced : SSE.otherName,
    side: 'server',
    group: name,
    message: `A JSON-RPC message came as \`${name}\` event, which clients do not read; messages are \`message\` events.`,
    advice: 'Leave the `event` line out, or write `event: message`.',
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

function streamInPost({ connection, exchange }: Fact<'http-response'>): Finding | undefined {
  if (connection.transport !== 'http-sse' || !exchange.isEventStream) return undefined;
  if (exchange.record.request.purpose !== 'message') return undefined;
  return {
    rule: SSE.misplaced,
    side: 'server',
    group: 'stream',
    message: `The POST of \`${exchange.methods[0] ?? 'a message'}\` was answered with an event stream, which HTTP+SSE has none of: it is not read.`,
    advice: 'Send messages on the stream that the GET has opened, or connect with Streamable HTTP.',
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
  if (event.kind !== 'sse-ignored' || holdsJson(exchange)) return undefined;
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
  head: [streamInPost],
  end: [noEndpoint],
};
