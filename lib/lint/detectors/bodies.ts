import { bodyBytes, headerValue, spanBytes } from '../../capture/correlate/http-record.ts';
import { essence } from '../../protocol/diagnose.ts';
import type { Detect, Fact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { parsePayload } from '../payload.ts';
import { HTT } from '../rules/http.ts';
import type { ExchangeState } from '../state.ts';

const utf8 = new TextDecoder();

/** A body that is called a stream but is JSON: its own rule says so. */
export function holdsJson({ record, eventCount }: ExchangeState): boolean {
  if (eventCount > 0) return false;
  const [first] = spanBytes(record, { offset: 0, length: 1 });
  return first === 0x7b || first === 0x5b;
}

/** The finding about it, but for where it shows. */
export const JSON_AS_STREAM = {
  rule: HTT.typeMismatch,
  side: 'server',
  message: 'The body is called text/event-stream, but it is JSON.',
  advice: 'Send the content type application/json with it.',
} as const satisfies Finding;

/** JSON that is written over several lines leaves no tail. */
function jsonAsStream({ exchange, event }: Fact<'http-end'>): Finding | undefined {
  const isOver = event.end.outcome === 'complete' && exchange.isEventStream;
  if (!isOver || exchange.tail !== undefined || !holdsJson(exchange)) return undefined;
  return JSON_AS_STREAM;
}

/** A body that breaks off may be the fault of the network; one that holds all is wrongly framed. */
function wrongEnd({ exchange, event }: Fact<'http-end'>): Finding | undefined {
  const { end } = event;
  const { head, record } = exchange;
  const isTimeout = end.outcome === 'aborted' && end.cause === 'deadline';
  if ((end.outcome !== 'cut' && !isTimeout) || record.sizeBytes === 0) return undefined;
  if (record.request.purpose !== 'message' || head === undefined) return undefined;
  if (essence(headerValue(head.headers, 'content-type')) !== 'application/json') return undefined;
  if (parsePayload(utf8.decode(bodyBytes(record))).fault !== undefined) return undefined;
  return {
    rule: HTT.wrongEnd,
    side: 'server',
    message: isTimeout
      ? `The JSON of ${record.sizeBytes} bytes was all there, but the body was never ended, so it was waited for.`
      : `The connection broke before the body was over, although its JSON of ${record.sizeBytes} bytes is whole.`,
    advice: 'Content-Length must be the number of bytes; a chunked body ends with an empty chunk.',
  };
}

/** Bodies that are JSON, or should be, as a whole. */
export const BODY_DETECTORS: readonly Detect<Fact<'http-end'>>[] = [jsonAsStream, wrongEnd];
