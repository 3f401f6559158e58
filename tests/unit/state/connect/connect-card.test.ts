import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { TransportChoice } from '../../../../lib/capture/store/stored-profile.ts';
import type { EventOf, Rung, RungVerdict } from '../../../../lib/capture/wire-event.ts';
import type { Problem } from '../../../../lib/errors.ts';
import { toConnectCard, toFoundBy } from '../../../../lib/state/connect/connect-card.ts';
import { ENDPOINT, LogBuilder } from '../../../support/builders.ts';

/** A log of connecting, with the facts that a ladder writes. */
class LadderLog extends LogBuilder {
  constructor(choice: TransportChoice = 'auto', url = ENDPOINT) {
    super();
    this.opened(url);
    const opened = this.events[0] as EventOf<'connection-opened'>;
    opened.profile.transport = choice;
  }

  start(rung: Rung): this {
    this.add({ kind: 'rung-started', rung });
    return this;
  }

  judge(rung: Rung, verdict: RungVerdict, reason: string, ...evidence: string[]): this {
    this.add({ kind: 'rung-judged', rung, verdict, reason, evidence });
    return this;
  }

  discover(): string {
    return this.start('modern').call('"d"', 'server/discover', { _meta: {} });
  }

  notModern(): this {
    const probe = this.discover();
    this.answer(probe, 'Not found', 404, 'text/plain');
    return this.judge('modern', 'not-this', 'not a modern server: 404', probe);
  }

  fail(problem: Problem): this {
    this.add({ kind: 'connection-failed', problem });
    return this;
  }
}

function cardOf(log: LogBuilder) {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const card = toConnectCard('c1', correlation);
  if (card === undefined) throw new Error('There is no card.');
  const lines = card.lines.map(({ sign, name, status, said, judgement, time }) =>
    [sign, name, status, said, judgement, time].filter((part) => part !== '').join(' | '),
  );
  return { card, lines, correlation };
}

const LATE: Problem = { code: 'deadline', message: 'Late.' };

test('a log without rungs has no card', () => {
  const log = new LogBuilder();
  log.opened();
  const correlation = createCorrelation();
  correlation.apply(log.events);
  expect(toConnectCard('c1', correlation)).toBeUndefined();
  expect(toConnectCard('c2', correlation)).toBeUndefined();
  expect(toFoundBy('c1', correlation)).toBeUndefined();
});

test('while it connects, each exchange is a line, and the last one counts its time', () => {
  const log = new LadderLog().notModern().start('streamable-http');
  const initialize = log.call('1', 'initialize');
  log.add({
    kind: 'http-response',
    httpId: initialize,
    status: 405,
    statusText: '',
    headers: [{ name: 'Allow', value: 'GET' }],
  });
  log.end(initialize);
  log.judge('streamable-http', 'not-this', 'not Streamable HTTP', initialize).start('http-sse');
  const get = log.request(undefined, { purpose: 'stream', method: 'GET' });
  log.head(get, 200, 'text/event-stream');
  const { card, lines } = cardOf(log);
  expect(card).toMatchObject({ state: 'connecting', verdict: '', title: expect.any(String) });
  expect(lines).toEqual([
    'answered | server/discover | 404 | text/plain | not a modern server: 404 | 3 ms',
    'answered | initialize | 405 | Allow: GET | not Streamable HTTP | 2 ms',
    'running | GET, expecting `endpoint` | 200 | text/event-stream',
  ]);
  const started = log.events.find((event) => 'httpId' in event && event.httpId === get);
  expect(card.lines[2]?.running).toEqual({ since: started?.wallTime, limitMs: 10_000 });
  expect(card.lines[2]?.item).toMatchObject({ kind: 'stream', httpId: get });
});

test('a recorded deadline says how long an exchange may take', () => {
  const log = new LadderLog();
  const probe = log.discover();
  const deadline = log.add({
    kind: 'deadline-started',
    carrierId: probe,
    rpcId: '"d"',
    deadline: 'connect',
    durationMs: 2000,
  });
  const { card } = cardOf(log);
  expect(card.lines[0]?.running).toEqual({ since: deadline.wallTime, limitMs: 2000 });
});

test('a rung that has sent nothing yet is a line all the same', () => {
  const { card, lines } = cardOf(new LadderLog('websocket', 'ws://x/').start('websocket'));
  expect(lines).toEqual(['running | WebSocket']);
  expect(card.lines[0]?.item).toBeUndefined();
});

test('what was found is told with what found it', () => {
  const log = new LadderLog();
  const probe = log.discover();
  log.answer(probe, { jsonrpc: '2.0', id: 'd', result: { supportedVersions: ['2026-07-28'] } });
  log.judge('modern', 'chosen', 'speaks 2026-07-28', probe);
  log.add({
    kind: 'connection-chosen',
    transport: 'streamable-http',
    era: 'modern',
    revision: '2026-07-28',
    evidence: [probe],
  });
  log.call('2', 'tools/list');
  const { card, lines, correlation } = cardOf(log);
  expect(card).toMatchObject({
    state: 'found',
    verdict: 'Streamable HTTP · modern 2026-07-28, found by server/discover.',
  });
  expect(card.firstError).toBeUndefined();
  expect(lines).toEqual([
    'answered | server/discover | 200 | application/json | speaks 2026-07-28 | 3 ms',
  ]);
  expect(toFoundBy('c1', correlation)).toBe('found by server/discover');
});

test('HTTP+SSE is found by its stream, on which the request is a line of its own', () => {
  const log = new LadderLog('http-sse').start('http-sse');
  const get = log.stream();
  log.sse(get, 'event: endpoint\ndata: /messages\n\n');
  const initialize = log.call('1', 'initialize');
  log.head(initialize, 202, null);
  log.end(initialize);
  log.message(get, { jsonrpc: '2.0', id: 1, result: {} });
  log.judge('http-sse', 'chosen', 'legacy 2025-11-25', get, initialize);
  log.add({
    kind: 'connection-chosen',
    transport: 'http-sse',
    era: 'legacy',
    revision: '2025-11-25',
    evidence: [get, initialize],
  });
  const { card, lines } = cardOf(log);
  expect(card.verdict).toBe('HTTP+SSE · legacy 2025-11-25, found by its `endpoint` event.');
  expect(lines).toEqual([
    'answered | GET, expecting `endpoint` | 200 | text/event-stream | `endpoint` announced | 3 ms',
    expect.stringMatching(/^answered \| initialize \| 202 \| legacy 2025-11-25 \| \d+ ms$/),
  ]);
});

test('an era that stays unproven is told with what was found', () => {
  const log = new LadderLog();
  const probe = log.discover();
  log.answer(probe, 'Oh', 500, 'text/plain');
  log.judge('modern', 'undecided', 'era unproven: probe answered 500', probe);
  log.start('streamable-http');
  const initialize = log.call('1', 'initialize');
  log.answer(initialize, { jsonrpc: '2.0', id: 1, result: {} });
  log.judge('streamable-http', 'chosen', 'legacy 2025-11-25', initialize);
  log.add({
    kind: 'connection-chosen',
    transport: 'streamable-http',
    era: 'legacy',
    revision: '2025-11-25',
    evidence: [initialize],
  });
  const { card, lines } = cardOf(log);
  expect(card.verdict).toBe(
    'Streamable HTTP · legacy 2025-11-25, found by initialize. Era unproven: probe answered 500.',
  );
  expect(card.firstError?.message).toMatch(/`server\/discover` with 500/);
  expect(lines[0]).toMatch(/^failed \| server\/discover \| 500/);
});

test('the first error is kept where a later one ends connecting, and not said twice', () => {
  const log = new LadderLog();
  const probe = log.discover();
  log.answer(probe, '', 503, null);
  log.judge('modern', 'undecided', 'era unproven: probe answered 503', probe);
  log.start('streamable-http');
  const initialize = log.call('1', 'initialize');
  log.answer(initialize, 'no', 400, 'text/plain');
  log.judge('streamable-http', 'not-this', 'answered 400', initialize);
  log.fail(LATE);
  const { card } = cardOf(log);
  expect(card.firstError?.message).toMatch(/503/);
  expect(card.verdict).toBe(
    'Nothing that Wirescope speaks was found. server/discover: 503; initialize: 400.',
  );
  const same = new LadderLog();
  const silent = same.discover();
  same.end(silent, { outcome: 'failed', problem: LATE });
  same.judge('modern', 'failed', 'no connection', silent).fail(LATE);
  expect(cardOf(same).card.firstError).toBeUndefined();
  expect(cardOf(same).lines).toEqual(['failed | server/discover | no connection | 1 ms']);
});

test('where the first error is why connecting failed, a later one is not put before it', () => {
  const log = new LadderLog().notModern().start('streamable-http');
  const initialize = log.call('1', 'initialize');
  log.answer(initialize, 'no', 405, 'text/plain');
  log.judge('streamable-http', 'not-this', 'answered 405', initialize).start('http-sse');
  const get = log.request(undefined, { purpose: 'stream', method: 'GET' });
  log.answer(get, 'Oh', 500, 'text/plain');
  log.judge('http-sse', 'failed', 'answered 500', get);
  const { correlation } = cardOf(log);
  const problem = correlation.items.find(({ httpId }) => httpId === initialize)?.problem;
  expect(problem?.code).toBe('http-method-not-allowed');
  log.fail(problem ?? LATE);
  const { card, lines } = cardOf(log);
  expect(card.firstError).toBeUndefined();
  expect(lines.slice(1)).toEqual([
    'answered | initialize | 405 | text/plain | not Streamable HTTP: answered 405 | 3 ms',
    'failed | GET, expecting `endpoint` | 500 | text/plain | answered 500 | 3 ms',
  ]);
});

test('a clear no is no error, silence is one', () => {
  const log = new LadderLog('http-sse').start('http-sse');
  const get = log.request(undefined, { purpose: 'stream', method: 'GET' });
  log.end(get, { outcome: 'aborted', cause: 'deadline' });
  log.judge('http-sse', 'not-this', 'no answer in time', get).fail(LATE);
  const { card, lines } = cardOf(log);
  expect(lines).toEqual([
    'failed | GET, expecting `endpoint` | not HTTP+SSE: no answer in time | 1 ms',
  ]);
  expect(card.verdict).toBe('Only HTTP+SSE was tried, as you chose.');
  expect(card.firstError).toBeUndefined();
});

test('an error in JSON-RPC is quoted unless the judgement quotes it', () => {
  const error = { code: -32601, message: 'Method not found' };
  function linesWith(reason: string): string[] {
    const log = new LadderLog();
    const probe = log.discover();
    log.answer(probe, { jsonrpc: '2.0', id: 'd', error });
    log.judge('modern', 'not-this', reason, probe);
    return cardOf(log).lines;
  }
  expect(linesWith('not a modern server')).toEqual([
    'answered | server/discover | 200 | -32601 Method not found | not a modern server | 3 ms',
  ]);
  expect(linesWith('not a modern server: -32601 Method not found')).toEqual([
    'answered | server/discover | 200 | application/json | not a modern server: -32601 Method not found | 3 ms',
  ]);
});

test('a rung that is passed over says why', () => {
  const log = new LadderLog();
  log.judge('modern', 'skipped', 'known as legacy since 5 min: not probed');
  log.start('streamable-http');
  log.call('1', 'initialize');
  const { card, lines } = cardOf(log);
  expect(lines).toEqual([
    'skipped | server/discover | known as legacy since 5 min: not probed',
    'running | initialize',
  ]);
  expect(card.lines[0]?.sign).toBe('skipped');
});

test('stopped by the user: what was running is over, and nothing is claimed', () => {
  const log = new LadderLog();
  const probe = log.discover();
  log.add({ kind: 'connection-closed', cause: 'user' });
  log.end(probe, { outcome: 'aborted', cause: 'close' });
  const { card, lines } = cardOf(log);
  expect(card).toMatchObject({
    state: 'stopped',
    verdict: 'Connecting was stopped before anything was found.',
  });
  expect(lines).toHaveLength(1);
  expect(card.lines[0]).toMatchObject({ sign: 'failed', name: 'server/discover' });
  expect(card.lines[0]?.running).toBeUndefined();
});

test('exchanges of another connection are none of its lines', () => {
  const log = new LadderLog().start('modern');
  log.connectionId = 'c2';
  log.opened();
  log.call('9', 'tools/list');
  log.connectionId = 'c1';
  expect(cardOf(log).lines).toEqual(['running | server/discover']);
});

test('a rung that repeats itself does not fill the screen', () => {
  const log = new LadderLog().start('modern');
  for (let id = 1; id <= 40; id += 1) {
    log.answer(log.call(`"${id}"`, 'server/discover'), '', 400, null);
  }
  expect(cardOf(log).lines).toHaveLength(12);
});
