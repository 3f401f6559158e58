import type { Correlation } from '../../capture/correlate/correlate.ts';
import type {
  HttpRecord,
  Item,
  LifecycleItem,
  RequestItem,
  StrayItem,
} from '../../capture/correlate/items.ts';

export type HintSource = Pick<
  Correlation,
  'items' | 'https' | 'sockets' | 'connections' | 'chains' | 'subscriptions'
>;

/** Something that the server sent. */
export interface Sign {
  item: Item;
  /** Wall time, ms. */
  time: number;
}

/** What the log holds around a row that waits. */
export interface Survey {
  /** The last thing that came on the same connection since, and does not belong to the row. */
  sign?: Sign;
  /** The last thing that came and does belong to it. */
  word?: Sign;
  /** Responses on the same connection since, for which no request was found. */
  strays: StrayItem[];
  /** What the server asks on the same connection, and nobody has answered. */
  questions: RequestItem[];
  /** The standalone stream of the connection, where it is open. */
  stream?: Item;
  /** Exchanges to the same host that are under way, the oldest first. */
  open: Item[];
  /** What became of the connection, the browser and the worker since. */
  events: LifecycleItem[];
}

/** Looks through the log for what may tell why a row waits; one pass over the rows. */
export function survey(item: Item, source: HintSource): Survey {
  const found: Survey = { strays: [], questions: [], open: [], events: [] };
  const host = hostOf(recordOf(item, source));
  for (const other of source.items) {
    if (other === item) continue;
    if (other.kind === 'lifecycle') {
      const isNear = other.connectionId === undefined || other.connectionId === item.connectionId;
      if (isNear && other.sequence > item.sequence) found.events.push(other);
      continue;
    }
    noteOpen(other, host, source, found);
    if (other.connectionId === item.connectionId) noteNear(other, item, source, found);
  }
  return found;
}

function noteOpen(other: Item, host: string | undefined, source: HintSource, found: Survey): void {
  if (other.ended !== undefined || host === undefined) return;
  const isOurs = !('direction' in other) || other.direction === 'outgoing';
  const record = isOurs ? recordOf(other, source) : undefined;
  const isWaiting = record?.queued !== undefined && record.released === undefined;
  if (record === undefined || record.end !== undefined || isWaiting) return;
  if (hostOf(record) === host) found.open.push(other);
}

function noteNear(other: Item, item: Item, source: HintSource, found: Survey): void {
  const sign = signOf(other, source);
  if (sign !== undefined && sign.time >= item.started.wallTime) {
    const isOwn = 'parent' in other && other.parent === item.key;
    if (isOwn) found.word = later(found.word, sign);
    else found.sign = later(found.sign, sign);
  }
  if (other.kind === 'stray' && other.what === 'response' && other.sequence > item.sequence) {
    found.strays.push(other);
  }
  if (other.kind === 'stream' && other.outcome === 'open' && other.parent === undefined) {
    found.stream = other;
  }
  const isAsked = other.kind === 'request' && other.direction === 'incoming';
  if (isAsked && other.outcome === 'pending') found.questions.push(other);
}

/** When the server was last heard of by way of a row. */
function signOf(item: Item, source: HintSource): Sign | undefined {
  switch (item.kind) {
    case 'request':
      if (item.direction === 'incoming') return { item, time: item.started.wallTime };
      return item.response === undefined || item.ended === undefined
        ? undefined
        : { item, time: item.ended.wallTime };
    case 'notification':
    case 'stray':
      return item.direction === 'incoming' ? { item, time: item.started.wallTime } : undefined;
    case 'stream':
    case 'http': {
      const record = recordOf(item, source);
      const last = record?.stream.at(-1) ?? record?.chunks.at(-1) ?? record?.response;
      return last && { item, time: last.wallTime };
    }
    case 'socket':
    case 'auth':
    case 'lifecycle':
      return undefined;
  }
}

function later(one: Sign | undefined, other: Sign): Sign {
  return one !== undefined && one.time > other.time ? one : other;
}

function recordOf(item: Item, { https }: HintSource): HttpRecord | undefined {
  return item.httpId === undefined ? undefined : https.get(item.httpId);
}

function hostOf(record: HttpRecord | undefined): string | undefined {
  const url = record?.request.url.text;
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}
