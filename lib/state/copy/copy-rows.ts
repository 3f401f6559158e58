import { recordedText } from '../../capture/correlate/socket-record.ts';
import type { Item, MessageRef } from '../../capture/correlate/items.ts';
import { compactJson } from './copy-compact.ts';
import { messagesOf, writtenText } from './copy-item.ts';
import type { SecretWriter } from './copy-secrets.ts';
import { durationBetween } from '../../capture/correlate/moments.ts';
import { toRow } from '../view/rows.ts';
import type { RowSource } from '../view/rows.ts';

/** One row as one line of JSON, with its messages as they came but for white space and secrets. */
export function buildRowLine(item: Item, source: RowSource, writer: SecretWriter): string {
  const row = toRow(item, source);
  const members: string[] = [];
  const add = (key: string, json: string) => members.push(`${JSON.stringify(key)}:${json}`);
  const addText = (key: string, text: string | undefined) => {
    if (text !== undefined && text !== '') add(key, JSON.stringify(writer.words(text)));
  };
  addText('time', row.isoTime);
  addText('kind', row.kind);
  addText('direction', 'direction' in item ? item.direction : undefined);
  addText('name', row.name);
  addText('target', row.target);
  addText('status', row.status);
  addText('connection', item.connectionId);
  if (item.ended !== undefined) {
    const { ms } = durationBetween(item.started, item.ended);
    add('durationMs', String(Math.round(ms * 1000) / 1000));
  }
  addText('note', row.note);
  const [message, response] = messagesOf(item);
  if (message !== undefined) add('message', toJson(message, source, writer));
  if (response !== undefined) add('response', toJson(response, source, writer));
  return `{${members.join(',')}}`;
}

/** A message as JSON: itself, or a string where it is none. */
function toJson(ref: MessageRef, source: RowSource, writer: SecretWriter): string {
  const text = writtenText(ref, source, writer) ?? '';
  return isJson(recordedText(source, ref) ?? '') ? compactJson(text) : JSON.stringify(text);
}

function isJson(text: string): boolean {
  try {
    // A leading mark is allowed in JSON, but `parse` does not know it.
    JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
    return true;
  } catch {
    return false;
  }
}
