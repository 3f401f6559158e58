import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Issue } from '../../lib/lint/issue.ts';
import type { ConnectRequest } from '../../lib/port/contract.ts';
import { startEverything } from '../server/everything.ts';
import { startMisbehaving, type MisbehavingServer } from '../server/misbehaving.ts';
import { startScripted, type Script } from '../server/scripted.ts';
import { accepted, event, json, log, result, stream } from '../server/scripted-behaviour.ts';
import { startMisbehavingSockets } from '../server/websocket-misbehaving.ts';
import { startTestWorker, type TestWorker } from '../support/connected.ts';
import { issuesOf } from '../support/rules.ts';
import { LIVE_CASES } from '../unit/lint/live-cases.ts';

const QUICK: Partial<ConnectRequest> = {
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

function isGetAnswered({ correlation }: TestWorker, url: string): boolean {
  if (url.startsWith('ws:') || url.includes('get-silent')) return true;
  const gets = [...correlation.https.values()].filter(({ request }) => request.method === 'GET');
  const isOver = /\/get-[^?]*$/.test(url);
  return gets.some(({ response, end }) => end !== undefined || (!isOver && response !== undefined));
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
    // What the calls prove about the GET, they prove only after its answer.
    await worker.until(() => isGetAnswered(worker, url), 'the GET is answered');
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
  return issuesOf(worker.correlation);
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
  expect(await visit(server.url(path), PROGRESS, { transport: 'auto' })).toEqual([]);
});

test.each(['streamable-http', 'auto'] as const)(
  '%s: nothing is found at the reference server',
  async (transport) => {
    const everything = await startEverything();
    try {
      expect(await visit(everything.url, LONG, { transport })).toEqual([]);
    } finally {
      await everything.close();
    }
  },
);

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

/** Peers whose fault is to stay silent: everything else gets the time that it needs on a busy machine. */
function hasToTimeOut(path: string): boolean {
  return /^(silent|sse-silent|sse-unterminated)/.test(path);
}

function optionsFor(path: string): Partial<ConnectRequest> {
  if (path.includes('mb=')) return { messageLimitBytes: 1024 * 1024 };
  return hasToTimeOut(path) ? { idleTimeoutMs: 1500 } : {};
}

/** By the transport itself, and by the automatic choice, whose probe meets the fault as well. */
const WISHES = ['streamable-http', 'auto'] as const;

test.concurrent.each(
  WISHES.flatMap((transport) => LIVE_CASES.map((each) => [transport, ...each] as const)),
)('%s: at %s it is found: %j', async (transport, path, found, says) => {
  const call = { ...PROGRESS, name: 'echo' };
  const issues = await visit(server.url(path), call, { ...optionsFor(path), transport });
  expect(issues.filter(({ side }) => side === 'client')).toEqual([]);
  const kinds = new Set(issues.map(({ ruleId, severity }) => `${ruleId} ${severity}`));
  expect([...kinds].sort()).toEqual(found);
  expect(issues.map(({ message }) => message).join('\n')).toMatch(says);
});

test.concurrent.each(
  WISHES.flatMap((transport) => INNOCENT.map((path) => [transport, path] as const)),
)('%s: at %s there is nothing to find', async (transport, path) => {
  const call = { ...PROGRESS, name: 'echo' };
  expect(await visit(server.url(path), call, { ...optionsFor(path), transport })).toEqual([]);
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
  expect(issuesOf(worker.correlation)).toMatchObject([
    { ruleId: 'LIF-04', side: 'client', message: expect.stringContaining('`prompts`') },
  ]);
});

/** What is found at a scripted HTTP+SSE server: rule, severity and side. */
async function visitHttpSse(
  script: Script,
  transport: 'http-sse' | 'auto' = 'http-sse',
): Promise<string[]> {
  await using scripted = await startScripted(script, { isHttpSse: true });
  const issues = await visit(scripted.url('/sse'), PROGRESS, { transport });
  expect(scripted.of('GET')).toHaveLength(1);
  return issues.map(({ ruleId, severity, side }) => `${ruleId} ${severity} ${side}`);
}

/** A result of a tool. */
const CALLED = result('{"content":[]}');
const ENDPOINT = 'event: endpoint\ndata: /messages?sessionId=1\n\n';

test.each<[name: string, script: Script, found: string[]]>([
  ['does everything right', {}, []],
  [
    'ends its stream without an endpoint',
    { GET: stream([': hello\n\n']) },
    ['SSE-01 error server'],
  ],
  [
    'says something before the endpoint',
    { GET: stream([event(log('early')), ENDPOINT], 'hang') },
    ['SSE-01 warning server'],
  ],
  [
    'announces another origin',
    { GET: stream(['event: endpoint\ndata: http://0.0.0.0:1/m\n\n'], 'hang') },
    ['SSE-02 error server'],
  ],
  ['answers a call in the body', { 'tools/call': json(CALLED) }, ['SSE-03 warning server']],
  [
    'answers a call twice',
    { 'tools/call': accepted([{ push: event(CALLED) }, { push: event(CALLED) }]) },
    ['RPC-04 error server'],
  ],
  [
    'announces a second endpoint',
    { GET: stream([ENDPOINT, ENDPOINT.replace('=1', '=2')], 'hang') },
    ['SSE-22 warning server'],
  ],
])('an HTTP+SSE server that %s', async (_name, script, found) => {
  expect(await visitHttpSse(script)).toEqual(found);
});

test.each<[path: string, found: string[]]>([
  ['ok', []],
  ['silent-discover', []],
  ['odd', ['RPC-01', 'RPC-06', 'RPC-01']],
  ['binary', ['RPC-01', 'RPC-20']],
  ['huge?n=2000000', ['HTT-10']],
])('at %s over a WebSocket it is found: %j', async (path, found) => {
  const sockets = await startMisbehavingSockets();
  try {
    const issues = await visit(sockets.url(path), PROGRESS, { messageLimitBytes: 1024 * 1024 });
    expect(issues.filter(({ side }) => side === 'client')).toEqual([]);
    expect(issues.map(({ ruleId }) => ruleId)).toEqual(found);
  } finally {
    await sockets.close();
  }
});

test('the rungs above HTTP+SSE raise nothing at a server of it', async () => {
  expect(await visitHttpSse({ 'POST /sse': { status: 405 } }, 'auto')).toEqual([]);
});
