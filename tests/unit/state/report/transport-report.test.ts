import { describe, expect, test } from 'vitest';
import type { StoredProfile } from '../../../../lib/capture/store/stored-profile.ts';
import type { RungVerdict } from '../../../../lib/capture/wire-event.ts';
import type { Problem } from '../../../../lib/errors.ts';
import { reportCandidates } from '../../../../lib/protocol/report-candidates.ts';
import { adviseMoves } from '../../../../lib/state/report/transport-report-advice.ts';
import { judgeClients } from '../../../../lib/state/report/transport-report-clients.ts';
import { createReportLog } from '../../../../lib/state/report/transport-report-log.ts';
import { buildReportText } from '../../../../lib/state/report/transport-report-text.ts';
import {
  deriveReport,
  type TransportReport,
} from '../../../../lib/state/report/transport-report.ts';
import { ENDPOINT, LogBuilder } from '../../../support/builders.ts';

const NOT_FOUND: Problem = {
  code: 'http-not-found',
  message: 'There is no MCP endpoint here (404).',
  answer: { status: 404 },
};

/** The log of one report, candidate by candidate. */
class ReportBuilder extends LogBuilder {
  readonly reportId = 'r1';

  constructor(url = ENDPOINT) {
    super();
    for (const { candidate, url: at, transport } of reportCandidates(url)) {
      this.connectionId = candidate;
      const profile: StoredProfile = {
        url: { text: at },
        transport,
        headers: [],
        originPolicy: { kind: 'none' },
        messageLimitBytes: 1024,
        reconnection: { initialDelayMs: 1000, maxDelayMs: 30_000, factor: 1.5, retries: 0 },
      };
      const report = { reportId: this.reportId, candidate };
      this.add({ kind: 'connection-opened', profile, report });
    }
  }

  on(candidate: string): this {
    this.connectionId = candidate;
    return this;
  }

  /** A legacy handshake that succeeds. */
  initialized(revision = '2025-11-25', capabilities = {}): this {
    const httpId = this.call('1', 'initialize', { protocolVersion: revision });
    this.answer(httpId, {
      jsonrpc: '2.0',
      id: 1,
      result: { protocolVersion: revision, capabilities, serverInfo: { name: 'here' } },
    });
    const transport = this.connectionId.startsWith('http-sse') ? 'http-sse' : 'streamable-http';
    this.add({ kind: 'connection-chosen', transport, era: 'legacy', revision, evidence: [httpId] });
    return this;
  }

  failed(verdict: RungVerdict, problem = NOT_FOUND, reason = 'answered 404'): this {
    this.add({ kind: 'rung-started', rung: 'streamable-http' });
    this.add({ kind: 'rung-judged', rung: 'streamable-http', verdict, reason, evidence: [] });
    this.add({ kind: 'connection-failed', problem });
    return this;
  }

  /** `server/discover` with this answer. */
  discovered(status: number, body: object): this {
    this.answer(this.call('"d"', 'server/discover', {}), body, status);
    return this;
  }

  /** Everything that is not over yet fails. */
  closeAll(): this {
    for (const { candidate } of reportCandidates(ENDPOINT)) {
      this.connectionId = candidate;
      const own = this.events.filter((event) => event.connectionId === candidate);
      const isDecided = own.some(({ kind }) => /^connection-(chosen|failed)$/.test(kind));
      if (!isDecided) this.failed('not-this');
      this.add({ kind: 'connection-closed', cause: 'user' });
    }
    return this;
  }

  report(): TransportReport {
    const log = createReportLog();
    log.apply(this.events);
    return deriveReport(this.reportId, log.reports.get(this.reportId)!);
  }

  row(candidate: string) {
    return this.report().rows.find((row) => row.candidate === candidate)!;
  }
}

const rpcError = (code: number, data?: unknown) => ({
  jsonrpc: '2.0',
  id: 'd',
  error: { code, message: 'no', data },
});

function verdict(report: TransportReport, client: string) {
  return judgeClients(report).find((one) => one.client === client)!;
}

const lines = (report: TransportReport) => adviseMoves(report).flatMap((advice) => advice.lines);

describe('what is tried', () => {
  test('an http URL: the newest revision first, HTTP+SSE last', () => {
    const candidates = reportCandidates('https://h.example/api');
    expect(candidates.map(({ candidate }) => candidate)).toEqual([
      'modern',
      'streamable-http 2025-11-25',
      'streamable-http 2025-06-18',
      'streamable-http 2025-03-26',
      'streamable-http 2024-11-05',
      'http-sse',
    ]);
    expect(candidates.every(({ url, isGuess }) => url.endsWith('/api') && !isGuess)).toBe(true);
  });

  test.each([
    ['https://h.example/mcp', 'https://h.example/sse'],
    ['https://h.example/a/mcp/?k=1', 'https://h.example/a/sse?k=1'],
  ])('%s: also the place where servers often have HTTP+SSE, as a guess', (url, guess) => {
    const last = reportCandidates(url).at(-1);
    expect(last).toEqual({
      candidate: 'http-sse beside',
      url: guess,
      transport: 'http-sse',
      isGuess: true,
    });
  });

  test('a ws URL: nothing but a WebSocket', () => {
    expect(reportCandidates('ws://h.example/mcp').map(({ candidate }) => candidate)).toEqual([
      'websocket',
    ]);
  });
});

describe('a report on its way', () => {
  test('begins with every candidate waiting', () => {
    const report = new ReportBuilder().report();
    expect(report).toMatchObject({ url: ENDPOINT, isRunning: true });
    expect(report.rows.map(({ outcome }) => outcome)).toEqual(report.rows.map(() => 'waiting'));
    expect(report.rows.map(({ offerRevision }) => offerRevision)).toContain('2025-06-18');
  });

  test('counts the cost until a candidate is decided, and nothing after it', () => {
    const log = new ReportBuilder().on('streamable-http 2025-11-25');
    log.add({ kind: 'connection-phase', phase: 'initialize' });
    log.initialized();
    const { sizeBytes } = log.row('streamable-http 2025-11-25');
    log.stream();
    const row = log.row('streamable-http 2025-11-25');
    expect(row).toMatchObject({ outcome: 'answered', exchanges: 1, revision: '2025-11-25' });
    expect(row.sizeBytes).toBe(sizeBytes);
    // The builder's clock moves by one with each event: phase, request, head, chunk, end, chosen.
    expect(row.durationMs).toBe(5);
    expect(row.evidence.stream).toBe('open');
  });

  test('a GET that shows no head in time is neither a stream nor none', () => {
    const log = new ReportBuilder().on('streamable-http 2025-11-25').initialized();
    const httpId = log.request(undefined, { purpose: 'stream', method: 'GET' });
    expect(log.row('streamable-http 2025-11-25').evidence.stream).toBeUndefined();
    log.end(httpId, { outcome: 'aborted', cause: 'deadline', sizeBytes: 0 });
    expect(log.row('streamable-http 2025-11-25').evidence.stream).toBe('silent');
    expect(lines(log.closeAll().report()).join('\n')).not.toContain('GET stream is still');
  });

  test('stopped before it began, and cut off by the end of the worker, are no answers', () => {
    const log = new ReportBuilder().on('modern');
    log.call('"d"', 'server/discover');
    log.on('http-sse').add({ kind: 'connection-closed', cause: 'user' });
    expect(log.row('modern').outcome).toBe('running');
    expect(log.row('http-sse').outcome).toBe('stopped');
    log.restart('later');
    expect(log.row('modern').outcome).toBe('interrupted');
    expect(log.report().isRunning).toBe(false);
  });

  test('a candidate that answers with another era is not what was asked for', () => {
    const log = new ReportBuilder().on('modern').initialized('2025-06-18');
    expect(log.row('modern')).toMatchObject({
      outcome: 'not-this',
      reason: 'answered as legacy 2025-06-18',
    });
  });

  test('events of other connections, and of another report, are left out', () => {
    const log = new ReportBuilder().on('somebody');
    log.opened();
    log.call('1', 'tools/list');
    const collected = createReportLog();
    collected.apply(log.events);
    expect([...collected.reports.keys()]).toEqual(['r1']);
    const ids = collected.reports.get('r1')?.map(({ connectionId }) => connectionId);
    expect(ids).not.toContain('somebody');
    expect(collected.revision.value).toBe(1);
    collected.apply([log.add({ kind: 'wake' })]);
    expect(collected.revision.value).toBe(1);
  });
});

describe('what official clients would do', () => {
  test.each([
    [503, rpcError(-32603), 'no', 'connects'],
    [400, rpcError(-32000), 'connects', 'connects'],
    // Both take even these for a legacy server.
    [400, rpcError(-32020), 'connects', 'connects'],
    [404, rpcError(-32601), 'connects', 'connects'],
    [401, {}, 'unproven', 'unproven'],
  ])('discover answered %i: TypeScript in mode auto %s', (status, body, typescript, python) => {
    const log = new ReportBuilder().on('modern').discovered(status, body).failed('not-this');
    const report = log.on('streamable-http 2025-11-25').initialized().closeAll().report();
    expect(verdict(report, 'TypeScript 2.x, mode auto').verdict).toBe(typescript);
    expect(verdict(report, 'Python 2.x, mode auto').verdict).toBe(python);
    expect(verdict(report, 'TypeScript 2.x, default mode').verdict).toBe('connects');
  });

  test('no answer to discover ends the strict one only', () => {
    const log = new ReportBuilder().on('modern');
    log.call('"d"', 'server/discover');
    log.failed('undecided', { code: 'deadline', message: 'No answer.' }, 'era unproven');
    const report = log.on('streamable-http 2025-11-25').initialized().closeAll().report();
    expect(verdict(report, 'TypeScript 2.x, mode auto')).toMatchObject({
      verdict: 'no',
      reason: expect.stringContaining('gets no answer'),
    });
    expect(verdict(report, 'Python 2.x, mode auto').verdict).toBe('connects');
  });

  test('an endpoint on another origin: only Kotlin does not look', () => {
    const refused: Problem = { code: 'endpoint-refused', message: 'Another origin.' };
    const log = new ReportBuilder().on('http-sse').failed('failed', refused, 'Another origin.');
    const report = log.closeAll().report();
    expect(verdict(report, 'Kotlin 0.14').verdict).toBe('by-hand');
    expect(verdict(report, 'TypeScript 1.x')).toMatchObject({
      verdict: 'no',
      reason: expect.stringContaining('another origin'),
    });
    expect(verdict(report, 'Python 2.x, mode auto').verdict).toBe('no');
  });

  test('a ping without the version header decides about Kotlin', () => {
    const asked = (status: number, body: object) => {
      const log = new ReportBuilder().on('streamable-http 2025-11-25').initialized();
      log.answer(log.call('"p"', 'ping'), body, status);
      return verdict(log.closeAll().report(), 'Kotlin 0.14').verdict;
    };
    expect(asked(200, { jsonrpc: '2.0', id: 'p', result: {} })).toBe('connects');
    expect(asked(400, { jsonrpc: '2.0', id: 'p', error: { code: -32000, message: 'no' } })).toBe(
      'no',
    );
    const silent = new ReportBuilder().on('streamable-http 2025-11-25').initialized().closeAll();
    expect(verdict(silent.report(), 'Kotlin 0.14').verdict).toBe('unproven');
  });

  test('a number in a mirrored header: one client drops the tool, the other cannot mirror', () => {
    const log = new ReportBuilder().on('modern').discovered(200, {
      jsonrpc: '2.0',
      id: 'd',
      result: { supportedVersions: ['2026-07-28'], capabilities: {} },
    });
    log.add({
      kind: 'connection-chosen',
      transport: 'streamable-http',
      era: 'modern',
      revision: '2026-07-28',
      evidence: [],
    });
    const price = { type: 'number', 'x-mcp-header': 'Price' };
    log.answer(log.call('"t"', 'tools/list'), {
      jsonrpc: '2.0',
      id: 't',
      result: { tools: [{ name: 'buy', inputSchema: { type: 'object', properties: { price } } }] },
    });
    const report = log.closeAll().report();
    expect(verdict(report, 'Python 2.x, mode auto')).toMatchObject({
      verdict: 'connects',
      notes: [expect.stringContaining('drops buy')],
    });
    expect(verdict(report, 'TypeScript 2.x, mode auto').notes).toEqual([
      expect.stringContaining('calls of buy fail there'),
    ]);
    expect(verdict(report, 'Python 1.x').notes).toEqual([]);
    expect(lines(report).join('\n')).toContain('mirrored numbers of buy');
  });
});

describe('what to change', () => {
  test('a legacy server with a session and a stream hears what takes their place', () => {
    const log = new ReportBuilder()
      .on('modern')
      .discovered(404, rpcError(-32601))
      .failed('not-this');
    log.on('streamable-http 2025-11-25').initialized('2025-11-25', {
      logging: {},
      resources: { subscribe: true },
    });
    log.add({ kind: 'session-assigned', session: 's', cuts: [], by: 'header' });
    log.stream();
    const text = lines(log.closeAll().report()).join('\n');
    expect(text).toContain('now answered 404, -32601');
    expect(text).toContain('Sessions are still used');
    expect(text).toContain('The GET stream is still served');
    expect(text).toContain('`logging/setLevel` is gone');
    expect(text).toContain('`resources/subscribe` is gone');
    expect(text).not.toContain('tasks');
  });

  test('a server without any of them hears less', () => {
    const log = new ReportBuilder().on('streamable-http 2025-11-25').initialized();
    log.stream(405, null);
    const text = lines(log.closeAll().report()).join('\n');
    expect(text).not.toMatch(/Sessions are still|GET stream is still|is gone/);
  });

  test('revisions that are answered with another one, or refused', () => {
    const log = new ReportBuilder().on('streamable-http 2025-11-25').initialized('2025-06-18');
    const text = lines(log.closeAll().report()).join('\n');
    expect(text).toContain('Speak 2025-11-25: offered it, the server answers with 2025-06-18.');
    expect(text).toContain('Offered 2025-06-18, 2025-03-26, 2024-11-05, the server refuses');
  });

  test('HTTP+SSE at the URL, behind a status that lets no client look for it', () => {
    const busy: Problem = { code: 'http-status', message: 'Busy.', answer: { status: 500 } };
    const log = new ReportBuilder().on('streamable-http 2025-11-25');
    log.answer(log.call('1', 'initialize'), 'busy', 500, 'text/plain');
    log.failed('failed', busy, 'answered 500').on('http-sse').initialized();
    const text = lines(log.closeAll().report()).join('\n');
    expect(text).toContain('answer a POST at this URL with 400, 404 or 405 instead of 500');
    expect(text).toContain('First move to Streamable HTTP');
  });

  test('nothing is advised where nothing was answered', () => {
    expect(adviseMoves(new ReportBuilder().closeAll().report())).toEqual([]);
  });
});

test('the text is a table that no word of a server breaks', () => {
  const hostile: Problem = { code: 'http-status', message: 'a | b\nc <img> \\ d' };
  const log = new ReportBuilder().on('modern').failed('failed', hostile, 'x|y').closeAll();
  const text = buildReportText(log.report(), [
    { transport: 'http-sse', era: 'legacy', revision: '2024-11-05', connections: 3 },
  ]);
  expect(text).toContain(String.raw`refused: x\|y`);
  expect(text).toContain(String.raw`a \| b c \<img> \\ d`);
  expect(text).toContain('| HTTP+SSE | legacy | 2024-11-05 | 3 |');
  const rows = text.split('\n').filter((line) => line.startsWith('| Streamable HTTP'));
  // Cells end at a bar that is not escaped.
  expect(rows.map((row) => row.split(/(?<!\\)\|/).length)).toEqual(rows.map(() => 10));
  expect(rows).toHaveLength(5);
  expect(text.startsWith(`# Transport report: ${ENDPOINT}\n`)).toBe(true);
});
