import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { formatBytes, formatClock, formatCount, formatDuration } from '../../text.ts';
import { messagesIn } from '../foreign/foreign-mcp.ts';
import type { HarEntry, HarHeader } from '../har-format.ts';
import { indentJson, toHtml } from './html-text.ts';
import { targetOf } from '../serve/recording.ts';

/** A page with more than this of one text would be slow to open; all of it is in the HAR file. */
const LONGEST_TEXT = 256 * 1024;
/** Beyond it, JSON is not indented. */
const LONGEST_JSON = 64 * 1024;
const MOST_ROWS = 2000;

/** One exchange or socket as a row of the page that opens. */
export function entryToHtml(entry: HarEntry, connection: string | undefined): string {
  const { request, response, _error: error, _webSocketMessages: frames } = entry;
  const name = nameOf(entry);
  const status = statusOf(entry);
  // What we have ended ourselves is no failure.
  const isCut = error !== undefined && !error.startsWith('Ended by Wirescope');
  const isBad = isCut || response.status >= 400 || status.includes('error');
  const size =
    frames === undefined
      ? Math.max(response.content.size, 0)
      : frames.reduce((sum, { data }) => sum + data.length, 0);
  const cells = [
    formatClock(entry._mcp.t0),
    name,
    status,
    formatBytes(size),
    entry._mcp.isComplete ? formatDuration(entry.time) : 'open',
  ];
  const parts = [
    facts(entry, connection),
    headerTable('Request headers', request.headers),
    body('Request body', request.postData?.text ?? ''),
    headerTable('Response headers', response.headers),
    response.content.encoding === 'base64'
      ? note('Response body', `${formatBytes(response.content.size)} that are no text`)
      : entry._eventSourceMessages === undefined
        ? body('Response body', response.content.text ?? '')
        : streamTable(entry),
    frames === undefined ? '' : frameTable(entry),
  ];
  const classes = isBad ? 'cells bad' : 'cells';
  return `<details class="row"><summary><span class="${classes}">${cells
    .map((cell) => `<span>${toHtml(cell)}</span>`)
    .join('')}</span></summary><section>${parts.join('')}</section></details>\n`;
}

function nameOf({ request, _mcp: mcp, _resourceType: type }: HarEntry): string {
  if (type === 'websocket') return `WebSocket ${request.url}`;
  const [first] = messagesIn(classifyPayload(request.postData?.text ?? ''));
  if (first?.kind === 'request') {
    return [first.method, targetOf(first)].filter((part) => part !== undefined).join(' ');
  }
  if (first?.kind === 'notification') return first.method;
  if (first !== undefined) return `answer to a request of the server`;
  return `${request.method} ${mcp.purpose === 'stream' ? 'stream ' : ''}${request.url}`;
}

function statusOf(entry: HarEntry): string {
  const { response, _error: error } = entry;
  const status = response.status === 0 ? (error ?? 'no answer') : String(response.status);
  const last = entry._eventSourceMessages?.at(-1)?.data ?? response.content.text ?? '';
  const failed = messagesIn(classifyPayload(last)).find((message) => message.kind === 'error');
  return failed?.kind === 'error' ? `${status}, error ${failed.code ?? ''}` : status;
}

function facts(
  { request, response, timings, _mcp: mcp, _error: error, startedDateTime }: HarEntry,
  connection: string | undefined,
): string {
  const wait = timings.wait > 0 ? `first byte after ${formatDuration(timings.wait)}` : '';
  const rows: [string, string | undefined][] = [
    ['URL', `${request.method} ${request.url}`],
    ['Status', `${response.status} ${response.statusText}`.trim()],
    ['Started', startedDateTime],
    ['Timing', wait === '' ? undefined : wait],
    ['Connection', connection],
    ['Purpose', mcp.purpose],
    ['Failure', error],
  ];
  return table(
    rows.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  );
}

function headerTable(title: string, headers: readonly HarHeader[]): string {
  if (headers.length === 0) return '';
  return heading(title) + table(headers.map(({ name, value }) => [name, value]));
}

function streamTable({ _eventSourceMessages: messages = [], _mcp: mcp }: HarEntry): string {
  const rows = messages.slice(0, MOST_ROWS).map(({ time, eventName, eventId, data = '' }) => {
    const at = `+${formatDuration(time * 1000 - mcp.t0)}`;
    const named = [eventName === 'message' ? '' : eventName, eventId].filter((part) => part !== '');
    return messageRow(at, named.join(' '), data);
  });
  return `${heading('Stream events')}<table>${rows.join('')}</table>${left(messages.length)}`;
}

function frameTable({ _webSocketMessages: messages = [], _mcp: mcp }: HarEntry): string {
  const rows = messages.slice(0, MOST_ROWS).map(({ time, type, opcode, data }) => {
    const at = `+${formatDuration(time * 1000 - mcp.t0)}`;
    const text = opcode === 1 ? data : `${formatCount(data.length, 'character')} of base64`;
    return messageRow(at, type === 'send' ? '↑ sent' : '↓ received', text);
  });
  return `${heading('Frames')}<table>${rows.join('')}</table>${left(messages.length)}`;
}

function left(count: number): string {
  if (count <= MOST_ROWS) return '';
  return `<p>${formatCount(count - MOST_ROWS, 'other')} in the HAR file only.</p>`;
}

function messageRow(at: string, what: string, text: string): string {
  return `<tr><th>${toHtml(at)}</th><th>${toHtml(what)}</th><td><pre>${shown(text)}</pre></td></tr>`;
}

function body(title: string, text: string): string {
  return text === '' ? '' : `${heading(title)}<pre>${shown(text)}</pre>`;
}

function note(title: string, words: string): string {
  return `${heading(title)}<p>${toHtml(words)}</p>`;
}

function shown(text: string): string {
  if (text.length <= LONGEST_JSON) return toHtml(indentJson(text));
  const rest = text.length - LONGEST_TEXT;
  if (rest <= 0) return toHtml(text);
  const cut = `\n… and ${formatCount(rest, 'character')} more, in the HAR file only.`;
  return toHtml(text.slice(0, LONGEST_TEXT) + cut);
}

function heading(text: string): string {
  return `<h2>${toHtml(text)}</h2>`;
}

function table(rows: readonly string[][]): string {
  const lines = rows.map(
    ([name = '', value = '']) =>
      `<tr><th>${toHtml(name)}</th><td><code>${toHtml(value)}</code></td></tr>`,
  );
  return `<table>${lines.join('')}</table>`;
}
