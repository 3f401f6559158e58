import { lengthOf } from '../../capture/correlate/http-record.ts';
import type { Span, StoredBytes } from '../../capture/store/stored-text.ts';
import type { EventOf, WireEvent } from '../../capture/wire-event.ts';
import { formatBytes } from '../../text.ts';
import { createShortening, tooLong, type Shortening } from './shortening.ts';
import { joinBytes } from '../text-bytes.ts';
import { groupByCarrier, type HarLog } from './write-har.ts';

/**
 * The log with the long texts cut that stand in bodies and frames of more than `limitBytes`: messages stay JSON, with
 * their ids and members. What is no JSON is cut at the limit. A gap at the end of the log names each such body.
 */
export function shortenLog(log: HarLog, limitBytes: number): HarLog {
  const gaps = [...groupByCarrier(log.events).carriers.values()].flatMap((events) =>
    largeIn(events, limitBytes).map((what) => ({ what, of: events[0] })),
  );
  const last = log.events.at(-1);
  if (last === undefined || gaps.length === 0) return log;
  const named = gaps.map(({ what, of }, index): WireEvent => {
    const { captureId, bootId, wallTime, monotonicTime } = last;
    const stamp = {
      captureId,
      bootId,
      wallTime,
      monotonicTime,
      sequence: last.sequence + index + 1,
    };
    const { connectionId } = of ?? {};
    return {
      ...stamp,
      ...(connectionId === undefined ? {} : { connectionId }),
      kind: 'gap',
      what,
      why: 'Long texts were cut when the file was written.',
      ...(of === undefined ? {} : { fromSequence: of.sequence }),
    };
  });
  return {
    ...log,
    truncation: { limitBytes, bodies: gaps.length },
    events: [...log.events, ...named],
    load: async (wanted) => shortenGroup(await log.load(wanted), limitBytes),
  };
}

/** What is larger than the limit in an exchange or a socket, in words. */
function largeIn(events: readonly WireEvent[], limitBytes: number): string[] {
  const [first] = events;
  const large: string[] = [];
  let size = 0;
  for (const event of events) {
    if (event.kind === 'http-chunk') size += lengthOf(event.data);
    const own =
      event.kind === 'http-request'
        ? event.body && { what: 'request', bytes: lengthOf(event.body) }
        : event.kind === 'socket-frame' && { what: 'frame', bytes: lengthOf(event.data) };
    if (own && own.bytes > limitBytes) large.push(wordLarge(`a ${own.what}`, own.bytes));
  }
  // No more than its method: an address may hold a secret.
  const to = first?.kind === 'http-request' ? `the answer to a ${first.method}` : 'an answer';
  if (size > limitBytes) large.push(wordLarge(to, size));
  return large;
}

function wordLarge(what: string, bytes: number): string {
  return `Parts of ${what} (${formatBytes(bytes)})`;
}

const latin1 = new TextDecoder('latin1');

function shortenGroup(events: readonly WireEvent[], limitBytes: number): WireEvent[] {
  const chunks = events.filter((event) => event.kind === 'http-chunk');
  const body = joinBytes(chunks.map(({ data }) => data.bytes));
  const cut = body.length > limitBytes ? bodyShortening(body, events, limitBytes) : undefined;
  let start = 0;
  return events.map((event) => {
    switch (event.kind) {
      case 'http-request':
        if (event.body === undefined || event.body.bytes.length <= limitBytes) return event;
        return { ...event, body: shortenBytes(event.body, limitBytes) };
      case 'socket-frame':
        if (event.data.bytes.length <= limitBytes) return event;
        return { ...event, data: shortenBytes(event.data, limitBytes) };
      case 'http-chunk': {
        if (cut === undefined) return event;
        const { data } = event;
        // Where a part of a body was lost, offsets are ahead of the bytes.
        const ahead = event.offset - start;
        const kept = cut.take(data, start);
        const offset = cut.map(start) + ahead;
        start += data.bytes.length;
        return { ...event, offset, data: kept };
      }
      case 'sse-event':
        return cut === undefined ? event : shortenEvent(event, cut);
      case 'sse-comment':
      case 'sse-retry':
      case 'sse-ignored':
        return cut === undefined ? event : { ...event, line: cut.span(event.line) };
      case 'sse-discarded':
        return cut === undefined ? event : { ...event, tail: cut.span(event.tail) };
      default:
        return event;
    }
  });
}

function shortenEvent(event: EventOf<'sse-event'>, cut: Shortening): WireEvent {
  const { block, data } = event;
  return {
    ...event,
    block: cut.span(block),
    ...(data === undefined ? {} : { data: data.map((span) => cut.span(span)) }),
  };
}

/** In a stream, only what events hold is cut: its lines stay. */
function bodyShortening(
  body: Uint8Array,
  events: readonly WireEvent[],
  limitBytes: number,
): Shortening {
  const text = latin1.decode(body);
  const isStream = events.some((event) => event.kind.startsWith('sse-'));
  if (!isStream) return createShortening(tooLong(text, limitBytes));
  const spans: Span[] = events.flatMap((event) =>
    event.kind === 'sse-event' ? (event.data ?? []) : [],
  );
  const removed = spans.flatMap(({ offset, length }) =>
    tooLong(text.slice(offset, offset + length), limitBytes).map((span) => ({
      offset: span.offset + offset,
      length: span.length,
    })),
  );
  return createShortening(removed);
}

function shortenBytes(data: StoredBytes, limitBytes: number): StoredBytes {
  return createShortening(tooLong(latin1.decode(data.bytes), limitBytes)).take(data, 0);
}
