import { expect, test } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import { DEFAULT_CONNECT } from '../../lib/port/contract.ts';
import type { ConnectRequest } from '../../lib/port/contract.ts';
import { adviseMoves } from '../../lib/state/report/transport-report-advice.ts';
import { judgeClients } from '../../lib/state/report/transport-report-clients.ts';
import { createReportLog } from '../../lib/state/report/transport-report-log.ts';
import { deriveReport, type TransportReport } from '../../lib/state/report/transport-report.ts';
import { startMisbehaving } from '../server/misbehaving.ts';
import { startPeer } from '../server/peers.ts';
import { json, plain } from '../server/scripted-behaviour.ts';
import { header } from '../server/scripted-http.ts';
import { startScripted } from '../server/scripted.ts';
import { startTinyModern } from '../server/tiny-modern.ts';
import { startTestWorker, type TestWorker } from '../support/connected.ts';

const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

function current(worker: TestWorker, reportId: string): TransportReport | undefined {
  const log = createReportLog();
  log.apply(worker.events);
  const events = log.reports.get(reportId);
  return events && deriveReport(reportId, events);
}

async function begin(worker: TestWorker, url: string, options: Partial<ConnectRequest> = {}) {
  const request = { ...DEFAULT_CONNECT, ...options, url };
  const { reportId } = await worker.manager.functions.report(request);
  return reportId;
}

/** Resolves with the report once all of it is over. */
function finished(worker: TestWorker, reportId: string): Promise<TransportReport> {
  return worker.until(() => {
    const report = current(worker, reportId);
    return report?.isRunning === false && report;
  }, 'the report is over');
}

async function reportOn(url: string, options: Partial<ConnectRequest> = {}) {
  await using worker = await startTestWorker();
  return await finished(worker, await begin(worker, url, options));
}

/** `candidate: outcome`, with what was negotiated. */
function outcomes({ rows }: TransportReport): string[] {
  return rows.map(({ candidate, outcome, revision }) =>
    [`${candidate}: ${outcome}`, revision].filter(Boolean).join(' '),
  );
}

function verdicts(report: TransportReport): Record<string, string> {
  return Object.fromEntries(judgeClients(report).map(({ client, verdict }) => [client, verdict]));
}

function reasonOf(report: TransportReport, client: string): string {
  return judgeClients(report).find((one) => one.client === client)?.reason ?? '';
}

function advice(report: TransportReport): string {
  return adviseMoves(report)
    .flatMap(({ title, lines }) => [title, ...lines])
    .join('\n');
}

/** Ids of all connections that a report opened, with how the log says they ended. */
function endsOf(worker: TestWorker, reportId: string): string[] {
  return worker.events
    .filter((event) => event.kind === 'connection-opened' && event.report?.reportId === reportId)
    .map(({ connectionId }) => worker.correlation.connections.get(connectionId!)!.state);
}

test('a modern server is answered on the one rung that it speaks', async () => {
  await using server = await startTinyModern();
  const report = await reportOn(server.url);
  expect(outcomes(report)).toEqual([
    'modern: answered 2026-07-28',
    ...LEGACY.map((revision) => `streamable-http ${revision}: refused`),
    'http-sse: not-this',
  ]);
  expect(report.serverName).toBe('tiny-modern');
  const [modern] = report.rows;
  expect(modern).toMatchObject({ era: 'modern', exchanges: 1, evidence: { checksHeaders: true } });
  expect(modern?.evidence.mirroredTools.map(({ name }) => name)).toContain('mirror');
  expect(verdicts(report)).toEqual({
    'TypeScript 2.x, default mode': 'no',
    'TypeScript 2.x, mode auto': 'connects',
    'TypeScript 1.x': 'no',
    'Python 2.x, mode auto': 'connects',
    'Python 1.x': 'no',
    'Kotlin 0.14': 'no',
  });
  expect(reasonOf(report, 'Python 1.x')).toContain('speaks 2026-07-28 only');
  expect(advice(report)).toContain('Only 2026-07-28 is spoken');
});

test('a legacy server beside a live connection, twice: nothing of it is in the way', async () => {
  await using server = await startPeer('everything-streamable');
  await using worker = await startTestWorker();
  const live = await worker.connect(server.url('/mcp'));
  const { session } = await worker.state(live, 'connected');
  for (let round = 1; round <= 2; round += 1) {
    const reportId = await begin(worker, server.url('/mcp'));
    const report = await finished(worker, reportId);
    expect(outcomes(report)).toEqual([
      'modern: not-this',
      ...LEGACY.map((revision) => `streamable-http ${revision}: answered ${revision}`),
      'http-sse: not-this',
      'http-sse beside: not-this',
    ]);
    expect(report.rows[1]).toMatchObject({
      era: 'legacy',
      exchanges: 2,
      evidence: { hasSession: true, stream: 'open', needsVersionHeader: false },
    });
    expect(report.rows[1]?.sizeBytes).toBeGreaterThan(500);
    expect(report.rows[1]?.durationMs).toBeGreaterThan(0);
    expect(Object.values(verdicts(report))).toEqual(Array.from({ length: 6 }, () => 'connects'));
    expect(endsOf(worker, reportId)).toEqual([
      'failed',
      'closed',
      'closed',
      'closed',
      'closed',
      'failed',
      'failed',
    ]);
  }
  const terminated = worker.events.filter(({ kind }) => kind === 'connection-terminated');
  expect(terminated).toHaveLength(8);
  expect(worker.summary(live)).toMatchObject({ state: 'connected', session });
  await worker.manager.functions.send(live, 'ping', undefined);
  await worker.until(() =>
    worker.correlation.items.some(
      (item) => item.kind === 'request' && item.connectionId === live && item.method === 'ping',
    ),
  );
  const listed = [...worker.correlation.connections.keys()].filter((id) => worker.has(id));
  expect(listed).toEqual([live]);
});

test('HTTP+SSE at the URL: what has to be chosen by hand, and how to move on', async () => {
  await using server = await startPeer('everything-sse');
  const report = await reportOn(server.url('/sse'));
  expect(outcomes(report).at(-1)).toBe('http-sse: answered 2025-11-25');
  expect(outcomes(report).slice(0, -1)).toEqual([
    'modern: not-this',
    ...LEGACY.map((revision) => `streamable-http ${revision}: not-this`),
  ]);
  expect(Object.values(verdicts(report))).toEqual(Array.from({ length: 6 }, () => 'by-hand'));
  expect(advice(report)).toContain('From HTTP+SSE to Streamable HTTP\nTake POST at one URL');
  expect(advice(report)).toContain('becomes the header `Mcp-Session-Id`');
  expect(advice(report)).toContain('First move to Streamable HTTP');
  expect(advice(report)).not.toContain('GET stream is still served');
});

test('a server of everything: modern, legacy, and HTTP+SSE where it was guessed', async () => {
  await using server = await startPeer('mcp-proxy');
  const report = await reportOn(server.url('/mcp'));
  expect(outcomes(report)).toEqual([
    'modern: answered 2026-07-28',
    ...LEGACY.map((revision) => `streamable-http ${revision}: answered ${revision}`),
    'http-sse: not-this',
    'http-sse beside: answered 2025-11-25',
  ]);
  expect(report.rows.at(-1)).toMatchObject({ isGuess: true, url: server.url('/sse') });
  expect(advice(report)).toContain(`HTTP+SSE is still served at ${server.url('/sse')}`);
});

test('a WebSocket', async () => {
  await using server = await startPeer('supergateway-ws');
  const report = await reportOn(server.url('/message').replace('http', 'ws'));
  expect(outcomes(report)).toEqual(['websocket: answered 2025-11-25']);
  expect(verdicts(report)).toMatchObject({
    'TypeScript 2.x, default mode': 'no',
    'TypeScript 1.x': 'by-hand',
    'Python 2.x, mode auto': 'no',
    'Kotlin 0.14': 'by-hand',
  });
});

test('a server that insists on MCP-Protocol-Version refuses Kotlin only', async () => {
  const server = await startMisbehaving();
  const report = await reportOn(server.url('ok'));
  await server.close();
  expect(report.rows[1]).toMatchObject({
    outcome: 'answered',
    evidence: { needsVersionHeader: true, stream: 'open' },
  });
  // It answers an offer that it does not know with a revision of its own.
  expect(outcomes(report)[4]).toBe('streamable-http 2024-11-05: answered 2025-11-25');
  const { 'Kotlin 0.14': kotlin, ...others } = verdicts(report);
  expect(kotlin).toBe('no');
  expect(new Set(Object.values(others))).toEqual(new Set(['connects']));
});

test('a server that answers the probe with a 5xx keeps out who takes that for a failure', async () => {
  await using server = await startScripted({ 'server/discover': plain(503, 'text/plain', 'busy') });
  const report = await reportOn(server.url('/endpoint'));
  expect(report.rows[0]).toMatchObject({
    outcome: 'refused',
    evidence: { first: { status: 503 } },
  });
  expect(verdicts(report)).toMatchObject({
    'TypeScript 2.x, default mode': 'connects',
    'TypeScript 2.x, mode auto': 'no',
    'Python 2.x, mode auto': 'connects',
  });
});

test('a server that speaks none: the reason on every rung, and no advice', async () => {
  await using server = await startScripted({ '*': json('{"error":"no such route"}', 404) });
  const report = await reportOn(server.url('/mcp'));
  expect(report.rows.map(({ outcome }) => outcome)).toEqual(
    Array.from({ length: 7 }, () => 'not-this'),
  );
  expect(report.rows.every(({ problem }) => problem !== undefined)).toBe(true);
  expect(new Set(Object.values(verdicts(report)))).toEqual(new Set(['no']));
  expect(adviseMoves(report)).toEqual([]);
});

test('a server that asks for authorization is not judged', async () => {
  await using server = await startScripted({ '*': plain(401, 'text/plain', 'log in') });
  const report = await reportOn(server.url('/mcp'));
  expect(new Set(Object.values(verdicts(report)))).toEqual(new Set(['unproven']));
});

test('stopped, it closes what is open and tries no more', async () => {
  await using server = await startScripted({ '*': { ending: 'silent' } });
  const origins: string[] = [];
  const keptAlive: boolean[] = [];
  await using worker = await startTestWorker({
    setOrigin: (id) => Promise.resolve(void origins.push(`set ${id}`)),
    clearOrigin: (id) => Promise.resolve(void origins.push(`clear ${id}`)),
    keepAlive: (isOn) => void keptAlive.push(isOn),
  });
  const reportId = await begin(worker, server.url('/mcp'));
  await server.until(() => server.requests.length === 2, 'two at once');
  expect(keptAlive).toEqual([false, true]);
  expect(current(worker, reportId)?.rows.map(({ outcome }) => outcome)).toEqual([
    'running',
    'running',
    ...Array.from({ length: 5 }, () => 'waiting'),
  ]);
  await worker.manager.functions.stopReport(reportId);
  await worker.recorder.flushed();
  const report = current(worker, reportId);
  expect(report?.isRunning).toBe(false);
  expect(report?.rows.map(({ outcome }) => outcome)).toEqual(
    Array.from({ length: 7 }, () => 'stopped'),
  );
  expect(endsOf(worker, reportId)).toEqual(Array.from({ length: 7 }, () => 'closed'));
  await server.until(() => server.requests.every(({ isAbandoned }) => isAbandoned), 'let go');
  expect(server.requests).toHaveLength(2);
  expect(keptAlive).toEqual([false, true, false]);
  const set = origins.filter((entry) => entry.startsWith('set'));
  expect(set).toHaveLength(2);
  expect(origins.toSorted()).toEqual(
    [...set, ...set.map((entry) => entry.replace('set', 'clear'))].toSorted(),
  );
  // What is over can be stopped again.
  await worker.manager.functions.stopReport(reportId);
});

test('where a live connection wants another Origin, the reason stands on every row', async () => {
  await using server = await startScripted();
  const clash = new AppError({ code: 'internal', message: 'Another Origin is sent there.' });
  await using worker = await startTestWorker({ setOrigin: () => Promise.reject(clash) });
  const report = await finished(worker, await begin(worker, server.url('/mcp')));
  expect(report.rows.map(({ outcome, problem }) => `${outcome}: ${problem?.message}`)).toEqual(
    Array.from({ length: 7 }, () => `refused: ${clash.message}`),
  );
  expect(server.requests).toEqual([]);
});

test('headers of the form go with every request, and a secret one is in none of the log', async () => {
  await using server = await startScripted();
  await using worker = await startTestWorker();
  const headers = [{ name: 'X-Pin', value: 'p-7741-secret', secret: true }];
  await finished(worker, await begin(worker, server.url('/mcp'), { headers }));
  expect(server.requests.length).toBeGreaterThan(10);
  const sent = server.requests.map((request) => header(request, 'x-pin'));
  expect(new Set(sent)).toEqual(new Set(['p-7741-secret']));
  await worker.recorder.flushed();
  const disk = JSON.stringify(worker.blocks, (_key, value: unknown) =>
    value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
  );
  expect(disk).toContain('X-Pin');
  expect(disk).not.toContain('p-7741-secret');
});

test('without permission nothing is sent, and nothing is opened', async () => {
  await using server = await startScripted();
  await using worker = await startTestWorker();
  worker.granted.clear();
  await expect(begin(worker, server.url('/mcp'))).rejects.toMatchObject({
    problem: { code: 'permission-denied', message: expect.stringContaining('nothing was sent') },
  });
  await worker.recorder.flushed();
  expect(worker.events).toEqual([]);
  expect(server.requests).toEqual([]);
});
