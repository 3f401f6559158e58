import type { Correlation } from '../../capture/correlate/correlate.ts';
import { headerValue } from '../../capture/correlate/http-record.ts';
import type {
  HttpRecord,
  Item,
  Moment,
  RungRecord,
  SocketRecord,
  StreamEvent,
} from '../../capture/correlate/items.ts';
import { recordedText } from '../../capture/correlate/socket-record.ts';
import type { Rung } from '../../capture/wire-event.ts';
import type { Problem } from '../../errors.ts';
import { essence } from '../../protocol/diagnose.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { formatDuration } from '../../text.ts';
import { indexFromSequence } from '../view/by-sequence.ts';
import { httpStatus } from '../detail/http-status.ts';
import { durationBetween } from '../../capture/correlate/moments.ts';

/** Where no deadline is recorded, every phase of connecting has this long. */
const CONNECT_LIMIT_MS = 10_000;

/** One exchange of connecting, as far as it has come; or a rung that has none. */
export interface ConnectLine {
  key: string;
  rung: Rung;
  sign: 'running' | 'answered' | 'failed' | 'skipped';
  /** Method, or what else the exchange is. */
  name: string;
  status: string;
  /** Media type of the answer, or the server's own words. */
  said: string;
  judgement: string;
  /** How long it took; empty while it runs. */
  time: string;
  /** Since when (wall time, ms), and how long it may take. */
  running?: { since: number; limitMs: number };
  /** The row to look at. */
  item?: Item;
}

/** The first exchanges of a rung, at most this many: one that repeats for ever does not fill the screen. */
const LINE_LIMIT = 12;

type Source = Pick<Correlation, 'items' | 'https' | 'sockets'>;

const RUNG_NAMES: Record<Rung, string> = {
  modern: 'server/discover',
  'streamable-http': 'initialize',
  'http-sse': 'GET, expecting `endpoint`',
  websocket: 'WebSocket',
};

const NOT_THIS: Partial<Record<Rung, string>> = {
  'streamable-http': 'not Streamable HTTP',
  'http-sse': 'not HTTP+SSE',
};

/** The lines of a rung: one for each of its exchanges, or one in their place. */
export function toRungLines(rung: RungRecord, connectionId: string, source: Source): ConnectLine[] {
  const items = exchangesOf(rung, connectionId, source);
  if (items.length === 0) return [emptyLine(rung)];
  const deciding = decidingItem(rung, items);
  return items.map((item) => toLine(item, item === deciding, rung, source));
}

/** What went wrong with the exchanges of a rung. A server that does not speak it is nothing wrong. */
export function toRungProblems(rung: RungRecord, connectionId: string, source: Source): Problem[] {
  if (rung.verdict === 'chosen' || rung.verdict === 'skipped') return [];
  return exchangesOf(rung, connectionId, source).flatMap(({ problem }) => problem ?? []);
}

function exchangesOf(rung: RungRecord, connectionId: string, { items }: Source): Item[] {
  const found: Item[] = [];
  const end = rung.toSequence ?? Infinity;
  for (
    let index = indexFromSequence(items, rung.fromSequence);
    index < items.length && found.length < LINE_LIMIT;
    index += 1
  ) {
    const item = items[index];
    if (item === undefined || item.sequence > end) break;
    if (item.connectionId === connectionId && isShown(item)) found.push(item);
  }
  return found;
}

function isShown(item: Item): boolean {
  switch (item.kind) {
    case 'request':
      return item.direction === 'outgoing';
    case 'notification':
      // `notifications/initialized` is of interest only where it goes wrong.
      return item.direction === 'outgoing' && item.problem !== undefined;
    case 'stream':
    case 'socket':
    case 'http':
      return true;
    case 'stray':
    case 'auth':
    case 'lifecycle':
      return false;
  }
}

/** The exchange that the verdict is about: the last one of its evidence. */
function decidingItem({ evidence }: RungRecord, items: readonly Item[]): Item | undefined {
  const proves = ({ httpId = '', socketId = '' }: Item) =>
    evidence.includes(httpId) || evidence.includes(socketId);
  return items.findLast(proves) ?? items.at(-1);
}

function emptyLine({ rung, verdict, reason, started, ended }: RungRecord): ConnectLine {
  const line = { rung, name: RUNG_NAMES[rung], status: '', said: '', time: '' };
  const key = `${rung} ${started.wallTime}`;
  if (ended !== undefined) {
    const sign = verdict === 'skipped' ? 'skipped' : 'failed';
    return { ...line, key, sign, judgement: reason ?? 'not finished' };
  }
  const running = { since: started.wallTime, limitMs: CONNECT_LIMIT_MS };
  return { ...line, key, sign: 'running', judgement: '', running };
}

function toLine(item: Item, isDeciding: boolean, rung: RungRecord, source: Source): ConnectLine {
  const record = source.https.get(item.httpId ?? '');
  const socket = source.sockets.get(item.socketId ?? '');
  const answered = answeredAt(item, record, socket);
  const error = rpcError(item, source);
  const verdict = isDeciding ? toJudgement(rung) : undefined;
  const line = {
    key: item.key,
    rung: rung.rung,
    item,
    name: toName(item, rung, record),
    status: toStatus(item, record),
    said: toSaid(item, record, socket, verdict?.includes(error ?? '') === true ? '' : error),
    judgement: verdict ?? item.problem?.message ?? toNews(record),
  };
  if (answered === undefined && rung.ended === undefined) {
    return { ...line, sign: 'running', time: '', running: toRunning(item, record, socket) };
  }
  return {
    ...line,
    sign: hasFailed(item, isDeciding, rung, record) ? 'failed' : 'answered',
    time: answered === undefined ? '' : toTime(item.started, answered),
  };
}

/** The reason in the record may be as short as a status: here it says what that means. */
function toJudgement({ rung, verdict, reason }: RungRecord): string | undefined {
  const words = NOT_THIS[rung];
  if (verdict !== 'not-this' || words === undefined || reason === undefined) return reason;
  return reason.startsWith('not ') ? reason : `${words}: ${reason}`;
}

/** What an exchange that decides nothing has brought all the same. */
function toNews(record: HttpRecord | undefined): string {
  const isAnnounced = (event: StreamEvent) =>
    event.kind === 'sse-event' && event.event === 'endpoint';
  return record?.stream.some(isAnnounced) === true ? '`endpoint` announced' : '';
}

function hasFailed(
  item: Item,
  isDeciding: boolean,
  { verdict }: RungRecord,
  record: HttpRecord | undefined,
): boolean {
  if (verdict === undefined || !isDeciding) {
    return item.problem !== undefined && httpStatus(record) === undefined;
  }
  if (verdict === 'undecided' || verdict === 'failed') return true;
  // A clear no is an answer; silence is none.
  return verdict === 'not-this' && item.problem !== undefined && !wasAnswered(item, record);
}

function wasAnswered(item: Item, record: HttpRecord | undefined): boolean {
  if (httpStatus(record) !== undefined) return true;
  return item.kind === 'request' && item.response !== undefined;
}

/** When an exchange had shown what connecting needs of it. Streams and sockets then stay open. */
function answeredAt(
  item: Item,
  record: HttpRecord | undefined,
  socket: SocketRecord | undefined,
): Moment | undefined {
  if (item.kind === 'socket') return socket?.open ?? item.ended;
  if (item.kind !== 'stream') return item.ended;
  return record?.stream.find(({ kind }) => kind === 'sse-event') ?? item.ended;
}

function toName(item: Item, { rung }: RungRecord, record: HttpRecord | undefined): string {
  switch (item.kind) {
    case 'request':
    case 'notification':
      return item.method;
    case 'stream':
      return rung === 'http-sse' ? 'GET, expecting `endpoint`' : 'GET stream';
    case 'socket':
      return 'WebSocket';
    case 'http':
    case 'stray':
    case 'auth':
    case 'lifecycle':
      return `${record?.request.method ?? 'HTTP'}, ${record?.request.purpose ?? 'exchange'}`;
  }
}

function toStatus(item: Item, record: HttpRecord | undefined): string {
  const status = httpStatus(record);
  if (status !== undefined) return String(status);
  if (item.kind !== 'socket') return '';
  return item.closeCode === undefined ? '' : String(item.closeCode);
}

function toSaid(
  item: Item,
  record: HttpRecord | undefined,
  socket: SocketRecord | undefined,
  error: string | undefined,
): string {
  if (error !== undefined && error !== '') return error;
  if (item.kind === 'socket') return socket?.close?.reason ?? item.subprotocol ?? '';
  const headers = record?.response?.headers;
  const allow = httpStatus(record) === 405 ? headerValue(headers, 'allow') : undefined;
  if (allow !== undefined) return `Allow: ${allow}`;
  if (record?.response === undefined) return item.problem?.detail ?? '';
  return essence(headerValue(headers, 'content-type'));
}

/** Code and words of a JSON-RPC error. */
function rpcError(item: Item, source: Source): string | undefined {
  if (item.kind !== 'request' || item.response === undefined) return undefined;
  const payload = classifyPayload(recordedText(source, item.response) ?? '');
  const message = payload.kind === 'message' ? payload.message : undefined;
  return message?.kind === 'error' ? `${message.code ?? ''} ${message.message}`.trim() : undefined;
}

function toRunning(
  item: Item,
  record: HttpRecord | undefined,
  socket: SocketRecord | undefined,
): { since: number; limitMs: number } {
  const rpcId = item.kind === 'request' ? item.rpcId : undefined;
  const deadline = (record?.deadlines ?? socket?.deadlines ?? []).findLast(
    (event) => event.deadline === 'connect' && (event.rpcId === undefined || event.rpcId === rpcId),
  );
  if (deadline === undefined) {
    return { since: item.started.wallTime, limitMs: CONNECT_LIMIT_MS };
  }
  return { since: deadline.wallTime, limitMs: deadline.durationMs };
}

function toTime(from: Moment, to: Moment): string {
  const { ms, isApproximate } = durationBetween(from, to);
  return `${isApproximate ? '≈ ' : ''}${formatDuration(ms)}`;
}
