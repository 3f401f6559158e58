import type { Correlation } from '../../capture/correlate/correlate.ts';
import { lengthOf } from '../../capture/correlate/http-record.ts';
import type { HttpRecord, Item, MessageRef, RequestItem } from '../../capture/correlate/items.ts';
import { findFrame } from '../../capture/correlate/socket-record.ts';
import { formatBytes, formatClock, formatDuration } from '../../text.ts';
import { authSummary } from '../auth/auth-state.ts';
import { indexFromSequence } from './by-sequence.ts';
import { roundStateOf } from './call-state.ts';
import { isPending, toLevel, toStatusText } from './item-status.ts';
import type { RowLevel } from './item-status.ts';
import { messageEraOf, toEraBadge } from '../connect/message-era.ts';
import { durationBetween } from '../../capture/correlate/moments.ts';
import type { Duration } from '../../capture/correlate/moments.ts';
import { toFilterWords } from '../server/subscription-words.ts';

/** What carries an item, as one sign; `GLYPH_NAMES` says it in words. */
export type Glyph = '↑' | '↓' | '⇣' | '·';

export const GLYPH_NAMES: Record<Glyph, string> = {
  '↑': 'Outgoing',
  '↓': 'Incoming',
  '⇣': 'Stream',
  '·': 'Lifecycle',
};

/** One line of the traffic table, flat and ready to paint. */
export interface Row {
  key: string;
  revision: number;
  glyph: Glyph;
  /** JSON-RPC method, HTTP request or lifecycle title. */
  name: string;
  /** Tool, prompt or resource that the method is about. */
  target: string;
  /** Progress, cause of a failure, detail of a lifecycle fact. */
  note: string;
  kind: string;
  status: string;
  size: string;
  time: string;
  /** ISO time, for hovering. */
  isoTime: string;
  /** Empty while pending: then the clock shows it. */
  duration: string;
  startedAt: number;
  level: RowLevel;
  isPending: boolean;
  depth: 0 | 1;
  /** Revision or era in which it was said; empty where nothing tells. */
  era: string;
  /** A subscription that can be ended from here. */
  isListening: boolean;
  /** We have put a fault into it on purpose. */
  isInjected: boolean;
}

/** The records that rows are made from. */
export type RowSource = Pick<
  Correlation,
  'https' | 'sockets' | 'connections' | 'chains' | 'subscriptions' | 'auths'
>;

/** A row from an item as it stands now; cheap, and stale as soon as the item's revision grows. */
export function toRow(item: Item, source: RowSource): Row {
  const record = item.httpId === undefined ? undefined : source.https.get(item.httpId);
  const sizeBytes = sizeBytesOf(item, source);
  const era = messageEraOf(item, source);
  return {
    key: item.key,
    revision: item.revision,
    glyph: toGlyph(item),
    ...toNames(item, record, source),
    kind: toKind(item),
    status: toStatusText(item, source),
    size: sizeBytes === undefined ? '' : formatBytes(sizeBytes),
    time: formatClock(item.started.wallTime),
    isoTime: new Date(item.started.wallTime).toISOString(),
    duration: toDuration(item, source),
    startedAt: item.started.wallTime,
    level: toLevel(item, source),
    isPending: isPending(item, source),
    depth: isNested(item) ? 1 : 0,
    era: era === undefined ? '' : toEraBadge(era),
    isListening:
      item.kind === 'request' && item.outcome === 'pending' && source.subscriptions.has(item.key),
    isInjected: isInjected(item, source),
  };
}

/** The row of the fault, or of what it was put into; what else came over that is the server's own. */
export function isInjected(item: Item, { https, sockets }: RowSource): boolean {
  const record = item.httpId === undefined ? undefined : https.get(item.httpId);
  switch (item.kind) {
    case 'lifecycle':
      return item.event.kind === 'fault-injected' || item.event.origin?.kind === 'injected';
    case 'socket':
      return (sockets.get(item.socketId)?.faults.length ?? 0) > 0;
    case 'stream':
    case 'http':
      return (record?.faults.length ?? 0) > 0;
    case 'request':
    case 'notification':
      return item.direction === 'outgoing' && (record?.faults.length ?? 0) > 0;
    case 'stray':
    case 'auth':
      return false;
  }
}

function isNested(item: Item): boolean {
  if (item.kind === 'request') return item.round !== undefined;
  return (item.kind === 'notification' || item.kind === 'stray') && item.parent !== undefined;
}

function toGlyph(item: Item): Glyph {
  switch (item.kind) {
    case 'request':
    case 'notification':
    case 'stray':
      return item.direction === 'outgoing' ? '↑' : '↓';
    case 'stream':
    case 'socket':
      return '⇣';
    case 'http':
      return '↑';
    case 'auth':
    case 'lifecycle':
      return '·';
  }
}

const STRAY_NAMES = {
  response: 'Response to no known request',
  batch: 'Batch',
  duplicate: 'Event that came before',
  'not-json': 'Not JSON',
  'not-rpc': 'Not JSON-RPC',
} as const;

/** What a row is called, what it is about, and what there is to say about it. */
export function toNames(
  item: Item,
  record: HttpRecord | undefined,
  source: RowSource,
): Pick<Row, 'name' | 'target' | 'note'> {
  const decisive = roundStateOf(item, source)?.decisive ?? item;
  const cause = decisive.problem?.message ?? '';
  switch (item.kind) {
    case 'request': {
      const failure = 'toolFailure' in decisive ? decisive.toolFailure : undefined;
      return {
        name: item.method,
        target: requestTarget(item, source),
        note: cause || (failure ?? ''),
      };
    }
    case 'notification':
      return { name: item.method, target: item.summary ?? '', note: cause };
    case 'stray':
      return { name: STRAY_NAMES[item.what], target: '', note: cause };
    case 'stream':
      return { name: 'GET stream', target: '', note: cause };
    case 'socket':
      return { name: 'WebSocket', target: item.subprotocol ?? '', note: cause };
    case 'http':
      return { name: record?.request.method ?? 'HTTP', target: toPath(record), note: cause };
    case 'auth': {
      const summary = authSummary(item, source.auths.get(item.chain));
      const note = cause === '' ? summary : `${summary} · ${cause}`;
      return { name: 'Authorization', target: '', note };
    }
    case 'lifecycle':
      return { name: item.title, target: '', note: item.detail ?? cause };
  }
}

function requestTarget({ key, target, round }: RequestItem, { subscriptions }: RowSource): string {
  const subscription = subscriptions.get(key);
  if (subscription !== undefined) {
    return toFilterWords(subscription.acknowledged ?? subscription.asked);
  }
  const parts = [target, round === undefined ? undefined : `round ${round.number}`];
  return parts.filter((part) => part !== undefined).join(', ');
}

function toPath(record: HttpRecord | undefined): string {
  const url = record?.request.url.text ?? '';
  return URL.parse(url)?.pathname ?? url;
}

/** What an item is, in the words of the kind column. */
export function toKind(item: Item): string {
  switch (item.kind) {
    case 'request':
      return item.direction === 'incoming' ? 'server request' : 'request';
    case 'stray':
      return item.what === 'response' ? 'response' : 'unknown';
    case 'http':
      return 'HTTP';
    case 'notification':
    case 'stream':
    case 'socket':
    case 'auth':
      return item.kind;
    case 'lifecycle':
      // Of HTTP facts only the end of a stream is a row of its own.
      if (item.event.kind === 'http-end') return 'stream';
      // The first word of a fact's kind names what it is about: connection, permission, worker.
      return item.event.kind.split('-', 1)[0] ?? item.kind;
  }
}

/** How long it took; undefined for a moment, and for what is not over. */
export function durationOf(item: Item, source: RowSource): Duration | undefined {
  // An incoming notification is a moment, not a stretch of time.
  const isMoment = item.kind === 'notification' && item.direction === 'incoming';
  // A call of several rounds is over with its last one.
  const { ended } = roundStateOf(item, source)?.decisive ?? item;
  if (ended === undefined || isMoment) return undefined;
  if (item.kind === 'lifecycle' || item.kind === 'stray') return undefined;
  return durationBetween(item.started, ended);
}

function toDuration(item: Item, source: RowSource): string {
  const duration = durationOf(item, source);
  if (duration === undefined) return '';
  const { ms, isApproximate } = duration;
  return isApproximate ? `≈ ${formatDuration(ms)}` : formatDuration(ms);
}

/** Bytes of what a row is about: of the answer, where it has an exchange of its own. */
export function sizeBytesOf(item: Item, source: RowSource): number | undefined {
  const record = item.httpId === undefined ? undefined : source.https.get(item.httpId);
  switch (item.kind) {
    case 'request':
      if (item.direction === 'incoming') return messageBytes(item.message, source);
      if (item.socketId === undefined) return record?.sizeBytes;
      return item.response && messageBytes(item.response, source);
    case 'socket':
      return source.sockets.get(item.socketId)?.sizeBytes;
    case 'stream':
    case 'http':
      return record?.sizeBytes;
    case 'notification':
    case 'stray':
      return messageBytes(item.message, source);
    case 'auth':
    case 'lifecycle':
      return undefined;
  }
}

function messageBytes(ref: MessageRef, source: RowSource): number | undefined {
  if (ref.in === 'frame') {
    const frame = findFrame(source.sockets, ref);
    return frame && lengthOf(frame.data);
  }
  const record = source.https.get(ref.httpId);
  switch (ref.in) {
    case 'request':
      return record?.request.body?.bytes.length;
    case 'body':
      return record?.sizeBytes;
    case 'event': {
      const event = record?.stream[indexFromSequence(record.stream, ref.sequence)];
      return event?.kind === 'sse-event' ? event.block.length : undefined;
    }
  }
}
