import type { Item, MessageRef } from '../../capture/correlate/items.ts';
import { findFrame, recordedText } from '../../capture/correlate/socket-record.ts';
import type { StoredBytes } from '../../capture/store/stored-text.ts';
import { member, parseJson, sourceText } from '../../json/parse.ts';
import { withoutEnvelope } from '../../protocol/envelope.ts';
import { decodeUtf8, formatClock } from '../../text.ts';
import { recordedCuts } from '../detail/body-cuts.ts';
import { writeFrame, type FrameForm } from './composer-frame.ts';
import { ownExchange, toBodyText, toExactRequest } from '../replay/replay-exact.ts';
import { toMarked } from '../replay/replay-marks.ts';
import type { ReplaySource } from '../replay/replay-plan.ts';

/** What is composed: a request of the connection, a text to the letter, or a whole HTTP request. */
export type ComposerMode = 'request' | 'text' | 'http';

/** A header as it is edited; what was typed may go to any origin. */
export interface DraftHeader {
  name: string;
  value: string;
  isTyped?: boolean;
}

/** What can be kept of a composition, with marks in the place of secrets. */
export interface Draft {
  mode: ComposerMode;
  method?: string;
  paramsText?: string;
  /** Of the request, besides those of the connection. */
  headers?: DraftHeader[];
  text?: string;
  /** How the text stands for a frame, where that is binary. */
  frame?: FrameForm;
  verb?: string;
  url?: string;
  httpHeaders?: DraftHeader[];
  body?: string;
  timeoutSeconds?: string;
}

/** A composition that begins with something recorded. */
export interface RecordedDraft extends Draft {
  /** The body as it was recorded: it is sent to the byte as long as its text is not changed. */
  recordedBody?: StoredBytes;
  /** Where its secrets may go. */
  secretOrigin?: string;
  connectionId?: string;
  /** What it is a replay of, with words for it. */
  origin: { sequence: number; words: string };
}

/** The composition with which editing an item begins, in every mode in which it can be sent; a reason where in none. */
export function draftOf(item: Item, source: ReplaySource): RecordedDraft | { refused: string } {
  const origin = { sequence: item.sequence, words: wordsFor(item) };
  const on = item.connectionId === undefined ? {} : { connectionId: item.connectionId };
  const record = ownExchange(item, source.https);
  if (record === undefined) {
    if (!('message' in item) || item.direction !== 'outgoing') {
      return { refused: 'Only what was sent can be edited and sent again.' };
    }
    const binary = binaryOf(item, source);
    if (binary !== undefined) return { ...binary, ...on, origin };
    const text = textOf(item, source) ?? '';
    return { ...asRequest(item, text), mode: modeOf(item, text, 'text'), text, ...on, origin };
  }
  const request = toExactRequest(record);
  if ('refused' in request) return request;
  const body = record.request.body;
  const text = body && toBodyText(body);
  return {
    ...(text === undefined ? {} : { ...asRequest(item, text), text }),
    mode: modeOf(item, text, 'http'),
    verb: request.method,
    url: request.url,
    httpHeaders: request.headers,
    ...(text === undefined ? {} : { body: text }),
    ...(body === undefined ? {} : { recordedBody: body }),
    ...(request.origin === undefined ? {} : { secretOrigin: request.origin }),
    ...on,
    origin,
  };
}

/** A binary frame, byte by byte, where it is no request that can be written anew, and has no secret in it. */
function binaryOf(item: Item & { message: MessageRef }, source: ReplaySource): Draft | undefined {
  const frame = item.message.in === 'frame' ? findFrame(source.sockets, item.message) : undefined;
  if (frame?.opcode !== 'binary' || frame.data.cuts !== undefined) return undefined;
  const asText = decodeUtf8(frame.data.bytes);
  const request = asText === undefined ? {} : asRequest(item, asText);
  const text = writeFrame('hex', frame.data.bytes) ?? '';
  return { ...request, mode: 'text', text, frame: 'hex' };
}

function textOf(item: Item, source: ReplaySource): string | undefined {
  if (!('message' in item)) return undefined;
  const text = recordedText(source, item.message);
  return text === undefined ? undefined : toMarked(text, recordedCuts(source, item.message));
}

function modeOf(item: Item, text: string | undefined, otherwise: ComposerMode): ComposerMode {
  const parsed = text === undefined ? undefined : parseJson(text);
  const isOne = parsed?.ok === true && parsed.root.kind === 'object';
  return isOne && (item.kind === 'request' || item.kind === 'notification') ? 'request' : otherwise;
}

function asRequest(item: Item, text: string): Pick<Draft, 'method' | 'paramsText'> {
  if (item.kind !== 'request' && item.kind !== 'notification') return {};
  const parsed = parseJson(text);
  const params = parsed.ok ? member(parsed.root, 'params') : undefined;
  return {
    method: item.method,
    paramsText: params === undefined ? '' : withoutEnvelope(sourceText(text, params)),
  };
}

function wordsFor(item: Item): string {
  const name = 'method' in item ? item.method : 'the request';
  return `${name} at ${formatClock(item.started.wallTime)}`;
}
