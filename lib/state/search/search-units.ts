import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { HttpRecord, Item, MessageRef, StreamEvent } from '../../capture/correlate/items.ts';
import type { Cut, Header, Span, StoredBytes } from '../../capture/store/stored-text.ts';
import type { EventOf } from '../../capture/wire-event.ts';
import type { Problem } from '../../errors.ts';
import { findEvent } from '../../capture/correlate/http-record.ts';
import { findFrame } from '../../capture/correlate/socket-record.ts';
import { redirectsBefore } from '../detail/redirects.ts';
import type { DetailTab } from '../view/selection.ts';

export interface SearchLog extends Pick<Correlation, 'items' | 'https' | 'sockets' | 'auths'> {
  /** Nothing comes any more: a body that has not ended is all that there will be of it. */
  isOver?: boolean;
}

/** Where the characters of a unit are; of several spans, each is a line. */
export type UnitText =
  | { in: 'text'; text: string; cuts: readonly Cut[] }
  | { in: 'body'; record: HttpRecord; spans: readonly Span[] }
  | { in: 'request'; data: StoredBytes }
  | { in: 'frame'; frame: EventOf<'socket-frame'> };

/** A text that is searched by itself, and where it is to be seen. */
export interface SearchUnit {
  item: Item;
  /** What it is, for a reader: `Response`, `Header content-type`, `Event id`. */
  part: string;
  tab: DetailTab;
  /** Title of the part of the message tab that shows it. */
  section?: string;
  /** `sequence` of the line of the stream tab. */
  eventSequence?: number;
  text: UnitText;
}

/** What of the log there is to search. */
export interface SearchUnits {
  /** What an item holds that was not handed out before. */
  take(item: Item): Generator<SearchUnit>;
  /** Bodies that are still arriving. They are handed out when they have ended. */
  readonly unfinished: number;
}

/**
 * Cuts the log into units: every text once, with the row that shows it. Messages in streams belong to their own
 * rows; what a carrier has besides them, as headers, comments or ids of events, to the row of the carrier.
 */
export function createSearchUnits(log: SearchLog): SearchUnits {
  /** Messages, by what tells them apart. A batch is the message of several rows. */
  const messages = new Set<string | number>();
  const lines = new WeakMap<object, Set<string>>();
  const streamRead = new WeakMap<HttpRecord, number>();
  const problems = new WeakSet<Problem>();
  const unfinished = new Set<HttpRecord>();

  function* take(item: Item): Generator<SearchUnit> {
    if (item.problem !== undefined && !problems.has(item.problem)) {
      problems.add(item.problem);
      const { message, advice = '', detail = '' } = item.problem;
      yield line(item, 'Error', 'message', `${message} ${advice} ${detail}`.trim());
    }
    switch (item.kind) {
      case 'lifecycle':
        return yield* takeOnce(
          item,
          item,
          'Lifecycle',
          `${item.title} ${item.detail ?? ''}`.trim(),
        );
      case 'auth':
        for (const fact of log.auths.get(item.chain)?.facts ?? []) {
          if (fact.kind !== 'auth-step') continue;
          yield* takeOnce(item, item, 'Step', fact.reason, [], 'auth');
        }
        return;
      case 'socket':
        return yield* takeSocket(item);
      case 'stream':
      case 'http':
        return yield* takeExchange(item, item.httpId);
      case 'notification':
      case 'stray':
        yield* takeMessage(item, item.message, item.kind === 'stray' ? 'Message' : 'Notification');
        if (item.direction === 'outgoing') yield* takeExchange(item, item.httpId);
        return;
      case 'request':
        yield* takeMessage(item, item.message, 'Request');
        if (item.response !== undefined) yield* takeMessage(item, item.response, 'Response');
        if (item.direction === 'outgoing') yield* takeExchange(item, item.httpId);
        else if (item.response?.in === 'request') yield* takeExchange(item, item.response.httpId);
    }
  }

  function* takeMessage(item: Item, ref: MessageRef, section: string): Generator<SearchUnit> {
    const key = 'sequence' in ref ? ref.sequence : `${ref.in} ${ref.httpId}`;
    if (messages.has(key)) return;
    const text = textOf(ref);
    if (text === undefined) return;
    messages.add(key);
    yield { item, part: section, tab: 'message', section, text };
  }

  function textOf(ref: MessageRef): UnitText | undefined {
    if (ref.in === 'frame') {
      const frame = findFrame(log.sockets, ref);
      return frame && { in: 'frame', frame };
    }
    const record = log.https.get(ref.httpId);
    if (record === undefined) return undefined;
    if (ref.in === 'request') {
      const { body } = record.request;
      return body && { in: 'request', data: body };
    }
    const whole = { offset: 0, length: record.sizeBytes };
    const spans = ref.in === 'body' ? [whole] : (findEvent(record, ref.sequence)?.data ?? []);
    return { in: 'body', record, spans };
  }

  /** The exchange that an item has to itself. */
  function* takeExchange(item: Item, httpId: string | undefined): Generator<SearchUnit> {
    const record = log.https.get(httpId ?? '');
    if (record === undefined) return;
    for (const hop of redirectsBefore(log.https, record)) yield* takeHead(item, hop);
    yield* takeHead(item, record);
    yield* takeStream(item, record);
    yield* takeRawBody(item, record);
  }

  function* takeHead(item: Item, record: HttpRecord): Generator<SearchUnit> {
    const { request, sent, response, received, redirect } = record;
    yield* takeOnce(record, item, 'URL', request.url.text, request.url.cuts, 'headers');
    for (const headers of [request.headers, sent?.headers, sent?.added]) {
      yield* takeHeaders(record, item, 'Request header', headers ?? []);
    }
    for (const headers of [received?.headers, response?.headers]) {
      yield* takeHeaders(record, item, 'Response header', headers ?? []);
    }
    if (received !== undefined) {
      yield* takeOnce(record, item, 'Status line', received.statusLine, [], 'headers');
    }
    if (redirect !== undefined) {
      yield* takeOnce(record, item, 'Redirect', redirect.target, [], 'headers');
    }
  }

  function* takeHeaders(
    owner: object,
    item: Item,
    part: string,
    headers: readonly Header[],
  ): Generator<SearchUnit> {
    for (const { name, value, cuts = [] } of headers) {
      const start = name.length + 2;
      const moved = cuts.map((cut) => ({ ...cut, offset: cut.offset + start }));
      yield* takeOnce(owner, item, part, `${name}: ${value}`, moved, 'headers');
    }
  }

  /** A line that several places may say; their case may differ. */
  function* takeOnce(
    owner: object,
    item: Item,
    part: string,
    text: string,
    cuts: readonly Cut[] = [],
    tab: DetailTab = 'message',
  ): Generator<SearchUnit> {
    const seen = lines.get(owner) ?? new Set();
    lines.set(owner, seen);
    const key = `${part} ${text.toLowerCase()}`;
    if (seen.has(key)) return;
    seen.add(key);
    yield line(item, part, tab, text, cuts);
  }

  function* takeStream(item: Item, record: HttpRecord): Generator<SearchUnit> {
    let index = streamRead.get(record) ?? 0;
    for (; index < record.stream.length; index += 1) {
      const event = record.stream[index];
      streamRead.set(record, index + 1);
      if (event !== undefined) yield* takeStreamLine(item, record, event);
    }
  }

  function* takeStreamLine(
    item: Item,
    record: HttpRecord,
    event: StreamEvent,
  ): Generator<SearchUnit> {
    const place = { item, tab: 'stream', eventSequence: event.sequence } as const;
    switch (event.kind) {
      case 'sse-event': {
        const { id, event: type, data = [] } = event;
        if (id) yield { ...place, part: 'Event id', text: plain(id) };
        if (type === undefined || type === 'message') return;
        yield { ...place, part: 'Event type', text: plain(type) };
        yield { ...place, part: 'Event', text: { in: 'body', record, spans: data } };
        return;
      }
      case 'sse-comment':
        return yield { ...place, part: 'Comment', text: bodyText(record, event.line) };
      case 'sse-retry':
      case 'sse-ignored':
        return yield { ...place, part: 'Line', text: bodyText(record, event.line) };
      case 'sse-discarded':
        return yield { ...place, part: 'Cut off', text: bodyText(record, event.tail) };
    }
  }

  /** A body in which no message was found. */
  function* takeRawBody(item: Item, record: HttpRecord): Generator<SearchUnit> {
    unfinished.delete(record);
    const key = `body ${record.httpId}`;
    if (record.stream.length > 0 || record.sizeBytes === 0 || messages.has(key)) return;
    const isComing = record.end === undefined && log.isOver !== true;
    if (isComing) return void unfinished.add(record);
    messages.add(key);
    const section = item.kind === 'request' ? 'Response' : 'Response body';
    const text = bodyText(record, { offset: 0, length: record.sizeBytes });
    yield { item, part: section, tab: 'message', section, text };
  }

  function* takeSocket(item: Item & { kind: 'socket' }): Generator<SearchUnit> {
    const record = log.sockets.get(item.socketId);
    if (record === undefined) return;
    const { opening, open, close } = record;
    yield* takeOnce(record, item, 'URL', opening.url.text, opening.url.cuts);
    if (open?.subprotocol) yield* takeOnce(record, item, 'Subprotocol', open.subprotocol);
    if (close?.reason) yield* takeOnce(record, item, 'Reason', close.reason);
  }

  return {
    take,
    get unfinished() {
      return unfinished.size;
    },
  };
}

function line(
  item: Item,
  part: string,
  tab: DetailTab,
  text: string,
  cuts: readonly Cut[] = [],
): SearchUnit {
  return { item, part, tab, text: { in: 'text', text, cuts } };
}

function bodyText(record: HttpRecord, span: Span): UnitText {
  return { in: 'body', record, spans: [span] };
}

function plain(text: string): UnitText {
  return { in: 'text', text, cuts: [] };
}
