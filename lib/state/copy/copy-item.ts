import { headerValue } from '../../capture/correlate/http-record.ts';
import type { HttpRecord, Item, MessageRef } from '../../capture/correlate/items.ts';
import { isMessageHeld, recordedText } from '../../capture/correlate/socket-record.ts';
import { member, parseJson, sourceText } from '../../json/parse.ts';
import { recordedCuts } from '../detail/body-cuts.ts';
import { compactJson } from './copy-compact.ts';
import { buildCurl } from './copy-curl.ts';
import type { PlainRequest } from './copy-curl.ts';
import { buildFetch } from './copy-fetch.ts';
import type { SecretWriter } from './copy-secrets.ts';
import { GLYPH_NAMES, toRow } from '../view/rows.ts';
import type { RowSource } from '../view/rows.ts';

/** What of a row can be copied. */
export type CopyKind =
  | 'message'
  | 'response'
  | 'result'
  | 'json-rpc'
  | 'curl'
  | 'fetch'
  | 'url'
  | 'row';

export const COPY_TITLES: Record<CopyKind, string> = {
  message: 'Message',
  response: 'Response',
  result: 'Result',
  'json-rpc': 'As JSON-RPC',
  curl: 'As cURL',
  fetch: 'As fetch',
  url: 'URL',
  row: 'Row as text',
};

/** What can be copied of an item, in the order of a menu. */
export function copyKinds(item: Item, source: RowSource): CopyKind[] {
  const kinds: CopyKind[] = [];
  if ('message' in item) kinds.push('message');
  if (item.kind === 'request' && item.response !== undefined) kinds.push('response', 'result');
  if ('message' in item) kinds.push('json-rpc');
  if (ownRecord(item, source) !== undefined) kinds.push('curl', 'fetch');
  if (urlOf(item, source) !== undefined) kinds.push('url');
  return [...kinds, 'row'];
}

/** Where the bytes lie that a copy is made of: they may have to be read from disk first. */
export function messagesOf(item: Item): MessageRef[] {
  if (!('message' in item)) return [];
  const response = item.kind === 'request' ? item.response : undefined;
  return response === undefined ? [item.message] : [item.message, response];
}

/** Whether all that is said in an item is in memory. Asking for what is not brings it. */
export function isItemHeld(item: Item, source: RowSource): boolean {
  const away = messagesOf(item).filter((ref) => !isMessageHeld(source, ref));
  for (const ref of away) recordedText(source, ref);
  return away.length === 0;
}

/** The text of a copy; what becomes of secrets is the writer's choice. Undefined where there is no such thing. */
export function buildCopy(
  kind: CopyKind,
  item: Item,
  source: RowSource,
  writer: SecretWriter,
): string | undefined {
  switch (kind) {
    case 'message':
      return 'message' in item ? writtenText(item.message, source, writer) : undefined;
    case 'response':
    case 'result': {
      const text = responseText(item, source, writer);
      return text === undefined || kind === 'response' ? text : resultOf(text);
    }
    case 'json-rpc':
      return messagesOf(item)
        .map((ref) => compactJson(writtenText(ref, source, writer) ?? ''))
        .join('\n');
    case 'curl':
    case 'fetch': {
      const record = ownRecord(item, source);
      if (record === undefined) return undefined;
      const request = plainRequest(record, writer);
      return kind === 'curl' ? buildCurl(request) : buildFetch(request);
    }
    case 'url': {
      const url = urlOf(item, source);
      return url && writer.url(url);
    }
    case 'row':
      return writer.words(rowText(item, source));
  }
}

/** Text of a message as received, but for its secrets. */
export function writtenText(
  ref: MessageRef,
  source: RowSource,
  writer: SecretWriter,
): string | undefined {
  const text = recordedText(source, ref);
  return text === undefined ? undefined : writer.text(text, recordedCuts(source, ref));
}

function responseText(item: Item, source: RowSource, writer: SecretWriter): string | undefined {
  if (item.kind !== 'request' || item.response === undefined) return undefined;
  return writtenText(item.response, source, writer);
}

/** The result of a response, or its error, to the letter; all of it where it is no single response. */
function resultOf(text: string): string {
  const parsed = parseJson(text);
  const root = parsed.ok ? parsed.root : undefined;
  const node = member(root, 'result') ?? member(root, 'error');
  return node === undefined ? text : sourceText(text, node);
}

/** The exchange that an item is the request of: what an answer carries was never sent by us. */
function ownRecord(item: Item, source: RowSource): HttpRecord | undefined {
  if (item.kind === 'lifecycle' || item.kind === 'socket' || item.httpId === undefined) {
    return undefined;
  }
  if ('direction' in item && item.direction === 'incoming') return undefined;
  return source.https.get(item.httpId);
}

function urlOf(item: Item, source: RowSource) {
  const record = item.httpId === undefined ? undefined : source.https.get(item.httpId);
  const socket = item.socketId === undefined ? undefined : source.sockets.get(item.socketId);
  return record?.request.url ?? socket?.opening.url;
}

function plainRequest({ request, sent }: HttpRecord, writer: SecretWriter): PlainRequest {
  const headers = sent === undefined ? request.headers : [...sent.headers, ...sent.added];
  const type = headerValue(headers, 'content-type') ?? '';
  const isForm = type.toLowerCase().startsWith('application/x-www-form-urlencoded');
  return {
    method: request.method,
    url: writer.url(request.url),
    headers: headers.map((header) => ({ name: header.name, value: writer.header(header) })),
    ...(request.body === undefined ? {} : { body: writer.body(request.body, isForm) }),
  };
}

function rowText(item: Item, source: RowSource): string {
  const row = toRow(item, source);
  const name = [row.name, row.target].filter(Boolean).join(' ');
  const parts = [
    row.time,
    GLYPH_NAMES[row.glyph].toLowerCase(),
    name,
    row.kind,
    row.status,
    row.size,
    row.duration,
    row.note,
  ];
  return parts.filter(Boolean).join('\t');
}
