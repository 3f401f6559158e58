import { headerValue } from '../../capture/correlate/http-record.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import {
  readContent,
  readHeaders,
  readPostData,
  withText,
  type ForeignSource,
} from './foreign-body.ts';
import { looseList, looseNumber, looseObject, looseText, type Loose } from '../loose-json.ts';
import { jsonOf } from '../../text.ts';
import type { Repair } from '../read/read-own.ts';
import { fromBase64 } from '../text-bytes.ts';

/** An event of a stream as other tools list it. */
export interface ForeignMessage {
  atMs?: number;
  event: string;
  id: string;
  /** Absent in files that were made safe to share. */
  data?: string;
}

export interface ForeignFrame {
  atMs?: number;
  direction: 'outgoing' | 'incoming';
  opcode: 'text' | 'binary';
  bytes: Uint8Array;
}

/** An entry of any tool, as far as it can be made out. */
export interface ForeignEntry {
  /** Milliseconds since the epoch; undefined where the file does not say. */
  startedAt: number | undefined;
  waitMs: number | undefined;
  receiveMs: number | undefined;
  method: string;
  url: string;
  requestHeaders: Header[];
  requestBody?: Uint8Array;
  /** 0 where no answer came. */
  status: number;
  statusText: string;
  responseHeaders: Header[];
  mimeType: string;
  /** Absent where it was not recorded. */
  body?: Uint8Array;
  messages: ForeignMessage[];
  /** Present where it is a WebSocket. */
  frames?: ForeignFrame[];
  error?: string;
  address?: string;
  protocol?: string;
  /** What its tool says of it that has no place in the log, as JSON. */
  foreign?: string;
}

/** About the last moment that a date can hold, less what an entry may last, in milliseconds since the epoch. */
const LAST_MOMENT = 8.6e15;
const LONGEST_MS = 1e13;

/** Reads an entry of any tool, however it deviates from HAR 1.2; every liberty that it takes is a repair. */
export function readForeignEntry(
  json: unknown,
  where: string,
  source: ForeignSource,
  repairs: Repair[],
): ForeignEntry {
  const entry = looseObject(json);
  const request = looseObject(entry['request']);
  const response = looseObject(entry['response']);
  const content = withText(response['content']);
  const timings = looseObject(entry['timings']);
  const repair = (what: string | undefined) => {
    if (what !== undefined) repairs.push({ where, what });
  };
  if (entry['response'] === undefined || entry['response'] === null) repair('it has no answer');

  const startedAt = readMoment(entry['startedDateTime']);
  if (startedAt === undefined) repair('its time is not known, so its place in the file decides');
  const url = looseText(request['url']) ?? '';
  if (!URL.canParse(url)) repair(`its URL is not absolute: ${url}`);
  const responseHeaders = readHeaders(response['headers']);
  const mimeType =
    looseText(content['mimeType']) ?? headerValue(responseHeaders, 'content-type') ?? '';
  // Without it nobody would know what was answered.
  const hasText = (looseText(content['text']) ?? '') !== '';
  const isMessage = hasText && /json|event-stream/i.test(mimeType);
  if (isMessage && headerValue(responseHeaders, 'content-type') === undefined) {
    responseHeaders.push({ name: 'Content-Type', value: mimeType });
    repair('the type of its answer is not among the headers, and taken from its content');
  }
  const body = readContent(content, mimeType, source);
  repair(body?.repair);
  const requestBody = readPostData(withText(request['postData']), source);
  repair(requestBody?.repair);
  const status = readStatus(response['status']);
  const error = readError(entry, response, status);
  const address = looseText(entry['serverIPAddress'])?.replaceAll(/[[\]]/g, '');
  const protocol = looseText(response['httpVersion'])?.toLowerCase();
  const foreign = foreignMembers(entry);
  const frames = isSocket(entry, url, status)
    ? readFrames(framesOf(entry, body?.bytes, repair), startedAt, repair)
    : undefined;
  return {
    startedAt,
    waitMs: positive(timings['wait']) ?? positive(entry['time']),
    receiveMs: positive(timings['receive']),
    method: (looseText(request['method']) ?? '').trim().toUpperCase() || 'GET',
    url,
    requestHeaders: readHeaders(request['headers']),
    ...(requestBody === undefined ? {} : { requestBody: requestBody.bytes }),
    status,
    statusText: looseText(response['statusText']) ?? '',
    responseHeaders,
    mimeType,
    ...(body === undefined ? {} : { body: body.bytes }),
    messages: readMessages(entry),
    ...(frames === undefined ? {} : { frames }),
    ...(error === undefined ? {} : { error }),
    ...(foreign === undefined ? {} : { foreign }),
    ...(address === undefined || address === '' ? {} : { address }),
    ...(protocol === undefined || !/^(?:http\/|h[23]$)/.test(protocol) ? {} : { protocol }),
  };
}

/** Some tools write milliseconds, or seconds, in place of a date, or a date that no browser knows. */
function readMoment(value: unknown): number | undefined {
  if (typeof value !== 'string') return toMs(value);
  // A comma before the fraction, the name of a zone behind its offset, digits alone.
  const date = value
    .trim()
    .replace(/(?<=:\d\d),(?=\d)/, '.')
    .replace(/\[[\w/+-]+\]$/, '');
  const moment = /^\d{9,}(?:\.\d+)?$/.test(date) ? toMs(date) : Date.parse(date);
  return moment !== undefined && Math.abs(moment) < LAST_MOMENT ? moment : undefined;
}

/** The status as a number of three digits, also where words follow it; 0 for anything else. */
function readStatus(value: unknown): number {
  const status = typeof value === 'string' ? Number.parseInt(value, 10) : (looseNumber(value) ?? 0);
  return status >= 100 && status < 1000 ? Math.trunc(status) : 0;
}

/** A duration in milliseconds; one that is longer than a life is none. */
function positive(value: unknown): number | undefined {
  const number = looseNumber(value);
  return number !== undefined && number >= 0 && number < LONGEST_MS ? number : undefined;
}

function readError(entry: Loose, response: Loose, status: number): string | undefined {
  const named = [entry['_error'], response['_error'], response['_failureText'], entry['comment']];
  const found = named.map(looseText).find((text) => text !== undefined && text !== '');
  if (status > 0) return looseText(entry['_error'] ?? response['_failureText']);
  return found ?? 'No answer was recorded.';
}

function readMessages(entry: Loose): ForeignMessage[] {
  return looseList(entry['_eventSourceMessages']).map((message) => {
    const atMs = readMoment(message['time']);
    const data = readData(message['data']);
    return {
      ...(atMs === undefined ? {} : { atMs }),
      event: oneLine(message['eventName']) ?? 'message',
      id: oneLine(message['eventId']) ?? '',
      ...(data === undefined ? {} : { data }),
    };
  });
}

/** Some tools write the JSON that a message holds in place of its text. */
function readData(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? jsonOf(value) : looseText(value);
}

/** A field of an event, which no line break can be in. */
function oneLine(value: unknown): string | undefined {
  return looseText(value)?.replaceAll(/[\r\n]/g, ' ');
}

function isSocket(entry: Loose, url: string, status: number): boolean {
  const type = looseText(entry['_resourceType']);
  return /^wss?:/i.test(url) || type === 'websocket' || status === 101;
}

/** In the entry, or one in each line of a file beside it. */
function framesOf(
  entry: Loose,
  body: Uint8Array | undefined,
  repair: (what: string) => void,
): unknown[] {
  const list: unknown = entry['_webSocketMessages'];
  if (Array.isArray(list)) return list;
  const lines = body === undefined ? [] : new TextDecoder().decode(body).split('\n');
  return lines.flatMap((line): unknown[] => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line)];
    } catch {
      repair(`a frame that is no JSON is left out: ${line.slice(0, 80)}`);
      return [];
    }
  });
}

/** Members that are told by events, or that are read again from them. */
const TOLD = new Set([
  '_mcp',
  '_error',
  '_eventSourceMessages',
  '_webSocketMessages',
  '_resourceType',
]);

/** What tools add to an entry for themselves: kept, so that it is there when the entry is written again. */
function foreignMembers(entry: Loose): string | undefined {
  const own = Object.entries(entry).filter(
    // Chrome refuses a whole file for a null of its own.
    ([key, value]) => key.startsWith('_') && !TOLD.has(key) && value !== null,
  );
  // What cannot be written again, since it is nested too deep, is no reason to lose the entry.
  const kept = own.filter(([, value]) => jsonOf(value) !== '…');
  return kept.length === 0 ? undefined : JSON.stringify(Object.fromEntries(kept));
}

function readFrames(
  list: readonly unknown[],
  startedAt: number | undefined,
  repair: (what: string) => void,
): ForeignFrame[] {
  const messages = looseList(list);
  const odd = list.length - messages.length;
  if (odd > 0) repair(`${odd} of its frames are no objects`);
  return messages.flatMap((message): ForeignFrame[] => {
    const type = looseText(message['type'])?.toLowerCase();
    const opcode = looseNumber(message['opcode']) ?? 1;
    const text = readData(message['data']) ?? '';
    if ((type !== 'send' && type !== 'receive') || (opcode !== 1 && opcode !== 2)) {
      repair(`a ${type ?? 'nameless'} frame of opcode ${opcode} is left out: ${text}`);
      return [];
    }
    const at = readMoment(message['time']);
    // Before it began, its clock is another one.
    const atMs =
      at !== undefined && startedAt !== undefined && at < startedAt - 1000 ? undefined : at;
    return [
      {
        ...(atMs === undefined ? {} : { atMs }),
        direction: type === 'send' ? 'outgoing' : 'incoming',
        opcode: opcode === 1 ? 'text' : 'binary',
        bytes: opcode === 1 ? new TextEncoder().encode(text) : readBinary(text, repair),
      },
    ];
  });
}

function readBinary(text: string, repair: (what: string) => void): Uint8Array {
  try {
    return fromBase64(text);
  } catch {
    repair('a binary frame that is no base64 is kept as text');
    return new TextEncoder().encode(text);
  }
}

/** Some tools write seconds, some milliseconds or microseconds, under the same key. */
function toMs(value: unknown): number | undefined {
  const time = looseNumber(value);
  if (time === undefined || time <= 0 || time >= LAST_MOMENT) return undefined;
  if (time > 1e14) return time / 1e3;
  return time > 1e11 ? time : Math.round(time * 1e6) / 1e3;
}
