import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { HttpRecord } from '../../../../lib/capture/correlate/items.ts';
import { redirectsBefore } from '../../../../lib/state/detail/redirects.ts';
import { createSecrets, toSecretPieces } from '../../../../lib/state/detail/secrets.ts';
import { toStreamRow } from '../../../../lib/state/detail/stream-rows.ts';
import { toTiming } from '../../../../lib/state/time/timing.ts';
import { fakeBackground, settled } from '../fakes.ts';
import { LogBuilder } from '../log-builder.ts';

function recordOf(log: LogBuilder, httpId: string): HttpRecord {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const record = correlation.https.get(httpId);
  if (record === undefined) throw new Error(`no exchange ${httpId}`);
  return record;
}

function streamLog() {
  const log = new LogBuilder();
  const httpId = log.stream();
  log.wait(5).add({ kind: 'http-sent', httpId, headers: [], added: [] });
  log.wait(10).head(httpId, 200, 'text/event-stream');
  return { log, httpId };
}

test('everything that came over a stream is a row, in order, with its gap', () => {
  const { log, httpId } = streamLog();
  const comment = ': hi\n';
  log.wait(1).chunk(httpId, 0, comment);
  log.add({ kind: 'sse-comment', httpId, line: { offset: 0, length: 5 } });
  log.wait(250);
  const next = log.sseEvent(httpId, comment.length, '{"a":1}', '7');
  log.wait(3).chunk(httpId, next, 'retry: 9\nid:\n\n');
  log.add({ kind: 'sse-retry', httpId, line: { offset: next, length: 9 }, retryMs: 9 });
  log.add({ kind: 'sse-event', httpId, block: { offset: next, length: 14 }, id: '' });
  log.chunk(httpId, next + 14, 'data: cut');
  log.add({ kind: 'sse-discarded', httpId, tail: { offset: next + 14, length: 9 } });
  const record = recordOf(log, httpId);
  const rows = record.stream.map((_, index) => toStreamRow(record, index));
  expect(rows.map((row) => [row?.number, row?.event, row?.gap, row?.isAside])).toEqual([
    ['1', '(comment)', '+1 ms', true],
    ['2', 'message (default)', '+250 ms', false],
    ['3', '(retry)', '+3 ms', true],
    ['4', '(no data)', '+0 ms', false],
    ['5', '(discarded tail)', '+0 ms', true],
  ]);
  expect(rows[0]?.data).toBe(': hi\n');
  expect(rows[1]).toMatchObject({ id: '7', data: '{"a":1}', size: '21 B' });
  expect(rows[2]?.retry).toBe('9 ms');
  expect(rows[3]?.id).toBe('(empty)');
  expect(rows[4]?.data).toBe('data: cut');
  expect(toStreamRow(record, 5)).toBeUndefined();
});

test('timing names each stretch of an exchange', () => {
  const { log, httpId } = streamLog();
  log.wait(20);
  const size = log.sseEvent(httpId, 0, '{}');
  log.wait(100).end(httpId, size);
  const timing = toTiming(recordOf(log, httpId));
  expect(timing.phases).toEqual([
    { name: 'Queued', kind: 'queued', startMs: 0, durationMs: 5 },
    { name: 'Waiting for the response', kind: 'waiting', startMs: 5, durationMs: 10 },
    { name: 'Receiving', kind: 'receiving', startMs: 15, durationMs: 120 },
  ]);
  expect(timing.marks.map(({ name, atMs }) => `${name} ${atMs}`)).toEqual([
    'Queued 0',
    'Sent 5',
    'Response head 15',
    'First byte of the body 35',
    'Stream event 1 35',
    'End 135',
  ]);
  expect(timing).toMatchObject({ totalMs: 135, isRunning: false, isApproximate: false });
});

test('timing across a restart of the worker is marked as approximate', () => {
  const { log, httpId } = streamLog();
  log.bootId = 'boot-2';
  log.wait(50).end(httpId, 0);
  expect(toTiming(recordOf(log, httpId))).toMatchObject({ totalMs: 65, isApproximate: true });
});

test('a text is split at its cuts, in order, whatever their order in the log', () => {
  const cuts = [
    { offset: 9, length: 2, secret: 'bbbb', from: 3 },
    { offset: 2, length: 4, secret: 'aaaa', from: 0 },
  ];
  expect(toSecretPieces('xx****yyy**', cuts)).toEqual([
    { kind: 'plain', text: 'xx' },
    { kind: 'secret', fingerprint: 'aaaa', length: 4, from: 0 },
    { kind: 'plain', text: 'yyy' },
    { kind: 'secret', fingerprint: 'bbbb', length: 2, from: 3 },
  ]);
  expect(toSecretPieces('plain')).toEqual([{ kind: 'plain', text: 'plain' }]);
});

test('revealed secrets show their value, or that it is gone, until hidden', async () => {
  const { background } = fakeBackground({ reveal: async () => ({ aaaa: 'hunter2' }) });
  const secrets = createSecrets(background);
  secrets.reveal(['aaaa', 'bbbb']);
  await settled();
  expect(secrets.revealed.value.get('aaaa')).toEqual({ value: 'hunter2' });
  expect(secrets.revealed.value.get('bbbb')).toBe('gone');
  secrets.hide();
  expect(secrets.revealed.value.size).toBe(0);
});

test('redirects are followed back to the first request, even if a log points in a circle', () => {
  const log = new LogBuilder();
  const ids = ['a', 'b', 'c'];
  for (const [index, httpId] of ids.entries()) {
    log.add({
      kind: 'http-request',
      httpId,
      purpose: 'stream',
      method: 'GET',
      url: { text: `http://127.0.0.1/${httpId}` },
      headers: [],
      links: { reason: 'redirect', causedBy: ids[index - 1] ?? 'c' },
    });
  }
  const correlation = createCorrelation();
  correlation.apply(log.events.slice(1));
  const last = correlation.https.get('c')!;
  expect(redirectsBefore(correlation.https, last).map(({ httpId }) => httpId)).toEqual(['b']);
  const circle = createCorrelation();
  circle.apply(log.events);
  const hops = redirectsBefore(circle.https, circle.https.get('c')!);
  expect(hops.map(({ httpId }) => httpId)).toEqual(['c', 'a', 'b']);
});
