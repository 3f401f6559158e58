import { expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { RungRecord } from '../../../lib/capture/correlate/items.ts';
import { LogBuilder } from '../../support/builders.ts';

function correlate(log: LogBuilder) {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const record = correlation.connections.get('c1');
  if (record === undefined) throw new Error('The log has no connection.');
  return { record, items: correlation.items };
}

const shortly = ({ rung, verdict, fromSequence, toSequence }: RungRecord) => [
  rung,
  verdict,
  fromSequence,
  toSequence,
];

test('a rung has its verdict, its evidence and the stretch of the log that is its own', () => {
  const log = new LogBuilder();
  log.opened();
  log.add({ kind: 'rung-started', rung: 'modern' });
  const probe = log.call('"d"', 'server/discover');
  log.answer(probe, 'Not found', 404, 'text/plain');
  log.add({
    kind: 'rung-judged',
    rung: 'modern',
    verdict: 'not-this',
    reason: 'not a modern server: 404',
    evidence: [probe],
  });
  log.add({ kind: 'rung-started', rung: 'streamable-http' });
  const { record, items } = correlate(log);
  expect(record.rungs).toEqual([
    {
      rung: 'modern',
      started: { wallTime: expect.any(Number), monotonicTime: 2, bootId: 'boot' },
      fromSequence: 2,
      ended: { wallTime: expect.any(Number), monotonicTime: 7, bootId: 'boot' },
      toSequence: 7,
      verdict: 'not-this',
      reason: 'not a modern server: 404',
      evidence: [probe],
    },
    {
      rung: 'streamable-http',
      started: { wallTime: expect.any(Number), monotonicTime: 8, bootId: 'boot' },
      fromSequence: 8,
      evidence: [],
    },
  ]);
  expect(items.at(-1)).toMatchObject({
    title: 'Modern era: not spoken here',
    detail: 'not a modern server: 404',
    level: 'info',
  });
});

test('a rung that is passed over has begun and ended at once', () => {
  const log = new LogBuilder();
  log.opened();
  log.add({
    kind: 'rung-judged',
    rung: 'modern',
    verdict: 'skipped',
    reason: 'known as legacy since 12:04: not probed',
    evidence: [],
  });
  const { record, items } = correlate(log);
  expect(record.rungs.map(shortly)).toEqual([['modern', 'skipped', 2, 2]]);
  expect(items.at(-1)).toMatchObject({ title: 'Modern era: not tried' });
});

test('a WebSocket whose server turns out to be modern is that rung', () => {
  const log = new LogBuilder();
  log.opened('ws://127.0.0.1:3001/mcp');
  log.add({ kind: 'rung-started', rung: 'websocket' });
  log.add({
    kind: 'rung-judged',
    rung: 'modern',
    verdict: 'chosen',
    reason: 'speaks 2026-07-28',
    evidence: ['s1'],
  });
  expect(correlate(log).record.rungs.map(shortly)).toEqual([['modern', 'chosen', 2, 3]]);
});

test('connecting anew forgets the rungs of the time before', () => {
  const log = new LogBuilder();
  log.opened();
  for (const verdict of ['chosen', 'undecided'] as const) {
    log.add({ kind: 'rung-started', rung: 'streamable-http' });
    log.add({ kind: 'rung-judged', rung: 'streamable-http', verdict, reason: '', evidence: [] });
  }
  log.add({ kind: 'rung-started', rung: 'http-sse' });
  expect(correlate(log).record.rungs.map(shortly)).toEqual([
    ['streamable-http', 'undecided', 4, 5],
    ['http-sse', undefined, 6, undefined],
  ]);
});

test('the end of connecting ends the rung that is being tried, without a verdict', () => {
  const ends = [
    (log: LogBuilder) => log.add({ kind: 'connection-closed', cause: 'user' }),
    (log: LogBuilder) => log.restart('boot-2'),
    (log: LogBuilder) =>
      log.add({ kind: 'connection-failed', problem: { code: 'deadline', message: 'Late.' } }),
  ];
  for (const end of ends) {
    const log = new LogBuilder();
    log.opened();
    log.add({ kind: 'rung-started', rung: 'modern' });
    end(log);
    expect(correlate(log).record.rungs.map(shortly)).toEqual([['modern', undefined, 2, 3]]);
  }
});

test('the record tells what was wanted, and why it failed', () => {
  const log = new LogBuilder();
  log.opened();
  const problem = { code: 'deadline', message: 'Late.' } as const;
  log.add({ kind: 'connection-failed', problem });
  expect(correlate(log).record).toMatchObject({
    choice: 'streamable-http',
    problem,
    state: 'failed',
  });
});
