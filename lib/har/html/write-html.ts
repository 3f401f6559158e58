import { sha256 } from '../../redact/sha256.ts';
import { formatCount } from '../../text.ts';
import type { HarConnection, LogMcp } from '../har-format.ts';
import { entryToHtml } from './html-entry.ts';
import { PAGE_STYLE, runPage } from './html-page.ts';
import { toHtml } from './html-text.ts';
import { toBase64 } from '../text-bytes.ts';
import { openEntries, type HarLog, type WriteOptions } from '../write/write-har.ts';

const utf8 = new TextEncoder();

/**
 * Writes a recording as one page of HTML that needs nothing else, a piece at a time: a row for each exchange and
 * socket, its details, and a search. What servers said is text in it; its policy lets nothing else run or load.
 */
export async function* writeHtml(log: HarLog, options: WriteOptions): AsyncGenerator<string> {
  const { creator } = options;
  const { mcp, comment, entries, count } = await openEntries(log, options);
  const script = `(${runPage.toString()})()`;
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(PAGE_STYLE)}; base-uri 'none'; form-action 'none'`;
  const connections = new Map(mcp.connections.map((each) => [each.id, wordConnection(each)]));
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${toHtml(log.name)}</title>
<style>${PAGE_STYLE}</style></head>
<body><header><h1>${toHtml(log.name)}</h1>
${summary(mcp, count, comment)}
<p>Written by ${toHtml(`${creator.name} ${creator.version}`)}. This page loads nothing from elsewhere.</p></header>
<div class="find" role="search"><label for="search">Search</label>
<input id="search" type="search" autocomplete="off" spellcheck="false">
<output id="count" for="search">${count}</output></div>
<main><div class="columns"><div class="cells"><span>Time</span><span>Name</span><span>Status</span><span>Size</span><span>Duration</span></div></div>
`;
  for await (const entry of entries) {
    yield entryToHtml(entry, connections.get(entry._mcp.connection ?? ''));
  }
  yield `</main>\n<script>${script}</script></body></html>\n`;
}

function hashOf(text: string): string {
  return `'sha256-${toBase64(sha256(utf8.encode(text)))}'`;
}

function summary(mcp: LogMcp, count: number, comment: string | undefined): string {
  const { startedMs, endedMs } = mcp.capture;
  const { selection } = mcp;
  const part = selection === undefined ? '' : `, of ${selection.of.toLocaleString('en')}`;
  const lines = [
    `${formatCount(count, 'exchange')}${part}, ${new Date(startedMs).toISOString()} to ${new Date(endedMs).toISOString()}`,
    ...mcp.connections.map(wordConnection),
    ...(comment === undefined ? [] : [comment]),
  ];
  return lines.map((line) => `<p>${toHtml(line)}</p>`).join('\n');
}

function wordConnection({ url, transport, revision, server }: HarConnection): string {
  const name = server === undefined ? '' : `${server.name} ${server.version}`.trim();
  return [name, transport, revision, url]
    .filter((part) => part !== undefined && part !== '')
    .join(' · ');
}
