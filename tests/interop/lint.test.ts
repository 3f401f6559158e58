import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Issue, Severity } from '../../lib/lint/issue.ts';
import { createLint } from '../../lib/lint/lint.ts';
import type { ConnectRequest } from '../../lib/port/contract.ts';
import { startEverything } from '../server/everything.ts';
import { startMisbehaving, type MisbehavingServer } from '../server/misbehaving.ts';
import { startTestWorker, type TestWorker } from '../support/connected.ts';

const QUICK: Partial<ConnectRequest> = {
  idleTimeoutMs: 1500,
  reconnection: { initialDelayMs: 20, maxDelayMs: 50, factor: 1.5, retries: 1 },
};

let server: MisbehavingServer;

beforeAll(async () => {
  server = await startMisbehaving();
});

afterAll(async () => {
  await server.close();
});

function pending({ correlation }: TestWorker): number {
  return correlation.items.filter(
    (item) =>
      item.kind === 'request' && item.direction === 'outgoing' && item.outcome === 'pending',
  ).length;
}

/** Connects, calls a tool once, pings, ends the session; then judges all of it. */
async function visit(
  url: string,
  call: unknown = { name: 'echo', arguments: { text: 'hello' } },
  options: Partial<ConnectRequest> = {},
): Promise<readonly Issue[]> {
  await using worker = await startTestWorker();
  const { functions } = worker.manager;
  const id = await worker.connect(url, { ...QUICK, ...options });
  const { state } = await worker.state(id, 'connected', 'failed');
  if (state === 'connected') {
    for (const [method, params] of [
      ['tools/call', JSON.stringify(call)],
      ['ping', undefined],
    ] as const) {
      // A refusal is on the row of the request.
      await functions.send(id, method, params).catch(() => undefined);
      await worker.until(() => pending(worker) === 0, `${method} is over`);
    }
  }
  await functions.disconnect(id, true);
  await worker.recorder.flushed();
  const lint = createLint(worker.correlation);
  lint.apply(new Set(worker.correlation.items));
  return lint.all;
}

const PROGRESS = { name: 'progress', arguments: { steps: 3 }, _meta: { progressToken: 'a' } };
const LONG = {
  name: 'trigger-long-running-operation',
  arguments: { duration: 0.2, steps: 2 },
  _meta: { progressToken: 'a' },
};

test.each([
  'ok',
  'version-2025-06-18',
  'version-2025-03-26',
  'no-session',
  'get-405',
  'delete-405',
])('nothing is found at a server that behaves well: %s', async (path) => {
  expect(await visit(server.url(path), PROGRESS)).toEqual([]);
});

test('nothing is found at the reference server', async () => {
  const everything = await startEverything();
  try {
    expect(await visit(everything.url, LONG)).toEqual([]);
  } finally {
    await everything.close();
  }
});

/** A path of the misbehaving server, what must be found there and nothing else, and what it must say. */
type Case = [path: string, found: string[], says: RegExp];

const E: Severity = 'error';
const W: Severity = 'warning';
const I: Severity = 'info';

const CASES: Case[] = [
  ['web-page', [`HTT-01 ${E}`], /`initialize` was answered 200 text\/html/],
  ['web-page?at=tools/call', [`HTT-01 ${E}`], /`tools\/call` was answered 200 text\/html/],
  ['no-content-type', [`HTT-01 ${E}`], /200 without a content type/],
  ['text-plain', [`HTT-01 ${E}`], /200 text\/plain/],
  ['octet-stream', [`HTT-01 ${E}`], /200 application\/octet-stream/],
  ['empty-200', [`HTT-01 ${E}`], /200 without a content type/],
  ['get-204?at=tools/call', [`HTT-01 ${E}`], /204 without a content type/],
  ['sse-header-json-body', [`HTT-21 ${E}`], /called text\/event-stream, but it is JSON/],
  ['json-header-sse-body', [`HTT-21 ${E}`], /called application\/json, but it is an event stream/],
  ['empty-json', [`RPC-01 ${E}`], /body is empty/],
  ['not-json', [`RPC-01 ${E}`], /not one JSON value: Expected a value, at offset 0/],
  ['two-json', [`RPC-01 ${E}`], /Expected nothing after the value, at offset 8\d/],
  ['not-rpc', [`RPC-01 ${E}`], /\{"status":"ok"\} is not a JSON-RPC message/],
  ['json-with-bom', [`RPC-21 ${I}`], /byte order mark/],
  ['json-batch', [`RPC-06 ${E}`], /batch array of 2 messages.*2025-11-25 is spoken here/],
  ['sse-batch', [`RPC-06 ${E}`], /batch array of 2 messages/],
  ['wrong-id', [`RPC-04 ${E}`], /The id type differs: sent 1, got "1"/],
  ['other-id', [`RPC-04 ${E}`], /has the id 987; the request has 1/],
  ['result-twice', [`RPC-04 ${E}`], /answered a second time/],
  ['id-null-error', [`RPC-05 ${I}`], /with the id null/],
  ['status-400-rpc', [`RPC-05 ${I}`], /with the id null/],
  ['sse-invalid-utf8', [`RPC-20 ${W}`], /Invalid UTF-8 at byte 75 of the event \(0xff\)/],
  ['sse-not-json-event', [`RPC-01 ${E}`], /The text ends too early, at offset 17/],
  ['sse-heartbeat', [`RPC-01 ${E}`], /\{"type":"heartbeat"\} is not a JSON-RPC message/],
  ['accepted-202-request', [`HTT-02 ${E}`], /request `tools\/call` was answered 202/],
  [
    'accepted-202-on-get',
    [`HTT-02 ${E}`, `HTT-04 ${E}`],
    /came on the GET stream, after the request had been answered 202|belongs on the answer to the POST/,
  ],
  ['accepted-202-on-get?twice', [`HTT-04 ${E}`], /came on the GET stream/],
  ['initialized-200', [`HTT-02 ${W}`], /`notifications\/initialized` was answered 200/],
  ['initialized-204', [`HTT-02 ${W}`], /answered 204/],
  ['initialized-202-text', [`HTT-02 ${E}`], /202 with a body of 8 bytes/],
  ['get-200-html', [`HTT-03 ${E}`], /200 text\/html; a server without a stream answers 405/],
  ['get-200-json', [`HTT-03 ${E}`], /200 application\/json/],
  ['get-204', [`HTT-03 ${I}`], /204: the server asks not to try again/],
  ['get-400', [`HTT-03 ${E}`], /400 text\/plain/],
  ['get-404', [`HTT-03 ${W}`], /404 text\/html/],
  ['get-406', [`HTT-03 ${E}`], /406/],
  ['get-409', [`HTT-03 ${W}`], /409/],
  ['get-501', [`HTT-03 ${E}`], /501/],
  ['get-ends', [`HTT-24 ${W}`], /opened and closed with nothing in it/],
  ['progress-after-result', [`PRG-01 ${E}`], /Progress came after the response to `tools\/call`/],
  ['sse-no-response', [`HTT-06 ${W}`], /after 1 event, .*no event had an id/],
  ['sse-empty', [`HTT-06 ${W}`], /after 0 events/],
  ['sse-reset', [`HTT-06 ${W}`], /broke off after 1 event/],
  ['sse-cut-tail', [`HTT-06 ${W}`, `HTT-10 ${W}`], /whole response: only the blank line/],
  ['sse-unterminated', [`HTT-10 ${W}`], /bytes was never ended.*only the blank line/],
  ['sse-huge-event?mb=2', [`HTT-10 ${W}`], /larger than the size limit/],
  ['json-huge?mb=2', [`HTT-10 ${W}`], /larger than the size limit/],
  ['sse-cr', [`SSE-20 ${I}`], /end with CR alone/],
  ['sse-odd-fields', [`SSE-21 ${I}`], /"id: a\\u0000b" is ignored/],
  ['sse-endpoint', [`HTT-25 ${W}`], /answered with an `endpoint` event/],
  ['version-unknown', [`LIF-03 ${W}`], /chose "2099-01-01", which is no known revision/],
  ['version-number', [`LIF-03 ${W}`], /chose 20251125/],
  ['version-missing', [`LIF-03 ${W}`], /chose nothing/],
  ['silent?at=ping', [`LIF-06 ${W}`], /`ping` was not answered within 1\.5 s/],
  ['session-400', [`RPC-05 ${I}`, `SES-20 ${W}`], /with 400; the specification asks for 404/],
];

/** Strange, but no fault of the protocol, or of no server. */
const INNOCENT = [
  'redirect-307',
  'redirect-307?at=tools/call',
  'redirect-302?at=tools/call',
  'status-401',
  'status-404',
  'status-405',
  'status-503?at=tools/call',
  'rpc-error',
  'big-integers',
  'truncated-json',
  'reset',
  'silent?at=tools/call',
  'sse-silent',
  'sse-bom',
  'sse-separators',
  'sse-drip',
  'sse-burst?n=200',
  'late-answer?ms=50',
  'initialized-500',
  'get-silent',
  'delete-204',
  'delete-404',
  'delete-500',
];

function optionsFor(path: string): Partial<ConnectRequest> {
  return path.includes('mb=') ? { messageLimitBytes: 1024 * 1024 } : {};
}

test.concurrent.each(CASES)('at %s it is found: %j', async (path, found, says) => {
  const call = { ...PROGRESS, name: 'echo' };
  const issues = await visit(server.url(path), call, optionsFor(path));
  expect(issues.filter(({ side }) => side === 'client')).toEqual([]);
  const kinds = new Set(issues.map(({ ruleId, severity }) => `${ruleId} ${severity}`));
  expect([...kinds].sort()).toEqual(found);
  expect(issues.map(({ message }) => message).join('\n')).toMatch(says);
});

test.concurrent.each(INNOCENT)('at %s there is nothing to find', async (path) => {
  expect(await visit(server.url(path), { ...PROGRESS, name: 'echo' })).toEqual([]);
});

test('a heartbeat of JSON is one issue with a count, on every row of it', async () => {
  const [issue, ...rest] = await visit(server.url('sse-heartbeat'));
  expect(rest).toEqual([]);
  expect(issue).toMatchObject({ ruleId: 'RPC-01', count: 5 });
  expect(issue?.evidence).toHaveLength(5);
});

test('a request for which the server declared nothing is an issue of the client', async () => {
  await using worker = await startTestWorker();
  const id = await worker.connect(server.url('ok'));
  await worker.state(id, 'connected');
  await worker.manager.functions.send(id, 'prompts/list', undefined);
  await worker.until(() => pending(worker) === 0, 'the answer');
  const lint = createLint(worker.correlation);
  lint.apply(new Set(worker.correlation.items));
  expect(lint.all).toMatchObject([
    { ruleId: 'LIF-04', side: 'client', message: expect.stringContaining('`prompts`') },
  ]);
});
