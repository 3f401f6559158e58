import type { CaptureLog } from '../../capture/store/capture-log.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import type { HttpRecord, Item } from '../../capture/correlate/items.ts';
import { diffHeaders, type HeaderDiff, type ShownHeader } from '../../compare/header-diff.ts';
import { diffJson, weighDiff, type JsonDiff, type OneSided } from '../../compare/json-diff.ts';
import { isObject, readJson, type JsonValue } from '../../compare/json-value.ts';
import { isVolatileValue } from '../../compare/volatile.ts';
import { readMessage } from './capture-text.ts';
import { durationBetween } from '../../capture/correlate/moments.ts';
import { toSecretPieces } from '../detail/secrets.ts';

/** What is compared of an exchange, in the order in which it is shown. */
export const PARTS = [
  'status',
  'answer',
  'params',
  'response headers',
  'request headers',
  'timing',
] as const;

export type ComparedPart = (typeof PARTS)[number];

/** `volatile`: only ids, times and the like differ. */
export type Weight = 'same' | 'volatile' | 'different';

/** How a text became another one; absent on both sides where neither exchange has it. */
export type TextDiff =
  | { kind: 'json'; diff: JsonDiff | OneSided }
  | { kind: 'text'; before: string; after: string }
  | { kind: 'absent' };

/** One exchange beside another, or alone. */
export interface ExchangeSides {
  before?: { log: CaptureLog; item: Item } | undefined;
  after?: { log: CaptureLog; item: Item } | undefined;
}

export interface ExchangeDiff {
  params: TextDiff;
  answer: TextDiff;
  requestHeaders: HeaderDiff[];
  responseHeaders: HeaderDiff[];
}

/** A longer text is compared letter by letter only. */
const JSON_LENGTH = 8 * 1024 * 1024;

/** Slower or faster than this tells something: by how much, and how many times. */
const [TIMING_MS, TIMING_FACTOR] = [250, 2];

/** Reads both exchanges and compares them; `isLenient` leaves ids, times and the like out of account. */
export async function diffExchange(
  { before, after }: ExchangeSides,
  isLenient: boolean,
): Promise<ExchangeDiff> {
  const options = isLenient ? { isVolatile: isVolatileValue } : {};
  const [was, is] = await Promise.all([readSide(before), readSide(after)]);
  return {
    params: diffTexts(was?.params, is?.params, options),
    answer: diffTexts(was?.answer, is?.answer, options),
    requestHeaders: strict(diffHeaders(was?.requestHeaders ?? [], is?.requestHeaders ?? [])),
    responseHeaders: strict(diffHeaders(was?.responseHeaders ?? [], is?.responseHeaders ?? [])),
  };

  function strict(headers: HeaderDiff[]): HeaderDiff[] {
    if (isLenient) return headers;
    return headers.map((header) => {
      if (header.kind !== 'ignored') return header;
      if (header.before.length === 0) return { ...header, kind: 'added' };
      return { ...header, kind: header.after.length === 0 ? 'removed' : 'changed' };
    });
  }
}

interface Side {
  params: string | undefined;
  answer: string | undefined;
  requestHeaders: ShownHeader[];
  responseHeaders: ShownHeader[];
}

async function readSide(side: ExchangeSides['before']): Promise<Side | undefined> {
  if (side === undefined) return undefined;
  const { log, item } = side;
  const record = recordOf(side);
  const message = 'message' in item ? item.message : undefined;
  const response = item.kind === 'request' ? item.response : undefined;
  return {
    params: message && (await readMessage(log, message)),
    answer: response === undefined ? await readBody(log, record) : await readMessage(log, response),
    requestHeaders: shownHeaders(record?.sent?.headers ?? record?.request.headers),
    responseHeaders: shownHeaders(record?.received?.headers ?? record?.response?.headers),
  };
}

/** The exchange that belongs to the item; a request of the server came on somebody else's. */
function recordOf({ log, item }: { log: CaptureLog; item: Item }): HttpRecord | undefined {
  if ('direction' in item && item.direction === 'incoming') return undefined;
  return item.httpId === undefined ? undefined : log.correlation.https.get(item.httpId);
}

/** A body in which no message was found. */
async function readBody(log: CaptureLog, record: HttpRecord | undefined) {
  if (record === undefined || record.stream.length > 0 || record.sizeBytes === 0) return undefined;
  return readMessage(log, { in: 'body', httpId: record.httpId });
}

function shownHeaders(headers: readonly Header[] = []): ShownHeader[] {
  return headers.map(({ name, value, cuts }) => ({
    name,
    value: toSecretPieces(value, cuts)
      .map((piece) => (piece.kind === 'plain' ? piece.text : `‹${piece.fingerprint}›`))
      .join(''),
  }));
}

function diffTexts(
  before: string | undefined,
  after: string | undefined,
  options: Parameters<typeof diffJson>[2],
): TextDiff {
  if (before === undefined && after === undefined) return { kind: 'absent' };
  const [was, is] = [payloadOf(before), payloadOf(after)];
  if (was !== undefined && is !== undefined) {
    return { kind: 'json', diff: diffJson(was, is, options) };
  }
  if (before === undefined && is !== undefined) {
    return { kind: 'json', diff: { kind: 'added', value: is, isIgnored: false } };
  }
  if (after === undefined && was !== undefined) {
    return { kind: 'json', diff: { kind: 'removed', value: was, isIgnored: false } };
  }
  return { kind: 'text', before: before ?? '', after: after ?? '' };
}

/** What a message is about, without its id: params, result or error. */
function payloadOf(text: string | undefined): JsonValue | undefined {
  if (text === undefined || text.length > JSON_LENGTH) return undefined;
  const message = readJson(text);
  if (!isObject(message) || message['jsonrpc'] === undefined) return message;
  if (message['method'] !== undefined) return message['params'] ?? {};
  return message['result'] ?? message['error'] ?? message;
}

/** How much the parts of two exchanges differ, timing and status included. */
export function weighExchange(
  { before, after }: Required<ExchangeSides>,
  diff: ExchangeDiff,
  statuses: readonly [string, string],
): Record<ComparedPart, Weight> {
  return {
    status: statuses[0] === statuses[1] ? 'same' : 'different',
    answer: weighText(diff.answer),
    params: weighText(diff.params),
    'response headers': weighHeaders(diff.responseHeaders),
    'request headers': weighHeaders(diff.requestHeaders),
    timing: weighTiming(durationOf(before?.item), durationOf(after?.item)),
  };
}

function weighText(diff: TextDiff): Weight {
  if (diff.kind === 'json') return weighDiff(diff.diff);
  if (diff.kind === 'absent') return 'same';
  return diff.before === diff.after ? 'same' : 'different';
}

function weighHeaders(headers: readonly HeaderDiff[]): Weight {
  if (headers.some(({ kind }) => kind !== 'same' && kind !== 'ignored')) return 'different';
  return headers.some(({ kind }) => kind === 'ignored') ? 'volatile' : 'same';
}

/** Milliseconds from begin to end of an exchange. */
function durationOf(item: Item | undefined): number | undefined {
  return item?.ended && durationBetween(item.started, item.ended).ms;
}

function weighTiming(before: number | undefined, after: number | undefined): Weight {
  if (before === undefined || after === undefined) return before === after ? 'same' : 'different';
  const [less, more] = [Math.min(before, after), Math.max(before, after)];
  return more - less >= TIMING_MS && more >= less * TIMING_FACTOR ? 'different' : 'same';
}
