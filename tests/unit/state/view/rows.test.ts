import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import { toRow } from '../../../../lib/state/view/rows.ts';
import { LogBuilder } from '../log-builder.ts';

function rowsOf(log: LogBuilder) {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  return correlation.items.map((item) => toRow(item, correlation));
}

function rowNamed(log: LogBuilder, name: string) {
  const row = rowsOf(log).find((candidate) => candidate.name === name);
  if (row === undefined) throw new Error(`no row ${name}`);
  return row;
}

test('a request with its response is one row', () => {
  const log = new LogBuilder();
  const httpId = log.request(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}',
  );
  log.wait(41).answer(httpId, '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
  expect(rowsOf(log)).toHaveLength(1);
  expect(rowNamed(log, 'tools/call')).toMatchObject({
    glyph: '↑',
    target: 'echo',
    kind: 'request',
    status: '200',
    size: '48 B',
    duration: '41 ms',
    level: 'normal',
    isPending: false,
    isoTime: '2026-11-30T09:00:00.000Z',
  });
});

test('a request that has no answer yet is pending and has no duration', () => {
  const log = new LogBuilder();
  log.request('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  expect(rowNamed(log, 'ping')).toMatchObject({
    status: 'pending',
    duration: '',
    isPending: true,
  });
});

test('a JSON-RPC error is red and says so in words', () => {
  const log = new LogBuilder();
  const httpId = log.request('{"jsonrpc":"2.0","id":1,"method":"nope"}');
  log.answer(httpId, '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"No such method"}}');
  const row = rowNamed(log, 'nope');
  expect(row).toMatchObject({ status: '200 · error', level: 'error' });
  expect(row.note).toContain('No such method');
});

test('a tool that says isError is red although JSON-RPC calls it a result', () => {
  const log = new LogBuilder();
  const httpId = log.request(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}',
  );
  log.answer(
    httpId,
    '{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"No disk"}]}}',
  );
  expect(rowNamed(log, 'tools/call')).toMatchObject({
    note: 'No disk',
    status: '200 · tool error',
    level: 'error',
  });
});

test('a network failure names its cause in the row', () => {
  const log = new LogBuilder();
  const httpId = log.request('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  log.add({
    kind: 'http-end',
    httpId,
    end: {
      outcome: 'failed',
      problem: { code: 'network-refused', message: 'The server refused the connection.' },
    },
  });
  expect(rowNamed(log, 'ping')).toMatchObject({
    status: 'failed',
    note: 'The server refused the connection.',
    level: 'error',
  });
});

test('progress is indented under the request whose stream brought it', () => {
  const log = new LogBuilder();
  const httpId = log.request(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":7},"name":"t"}}',
  );
  log.head(httpId, 200, 'text/event-stream');
  const data =
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":3,"total":5}}';
  log.sseEvent(httpId, 0, data);
  expect(rowNamed(log, 'notifications/progress')).toMatchObject({
    glyph: '↓',
    target: '3 of 5',
    kind: 'notification',
    depth: 1,
    duration: '',
    size: `${'data: '.length + data.length + 2} B`,
  });
});

test('an open GET stream is a pending row of its own', () => {
  const log = new LogBuilder();
  const httpId = log.stream();
  log.head(httpId, 200, 'text/event-stream');
  expect(rowNamed(log, 'GET stream')).toMatchObject({
    glyph: '⇣',
    kind: 'stream',
    status: '200 · open',
    isPending: true,
  });
});

test('lifecycle rows are about what their fact is about', () => {
  const log = new LogBuilder();
  log.opened();
  const [row] = rowsOf(log);
  expect(row).toMatchObject({ glyph: '·', kind: 'connection', status: '', duration: '' });
});

test('a duration across a restart of the worker is marked as approximate', () => {
  const log = new LogBuilder();
  const httpId = log.request('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  const correlation = createCorrelation();
  correlation.apply(log.take());
  log.bootId = 'boot-2';
  log.wait(250).answer(httpId, '{"jsonrpc":"2.0","id":1,"result":{}}');
  correlation.apply(log.take());
  const item = correlation.items.find(({ kind }) => kind === 'request');
  expect(item && toRow(item, correlation).duration).toBe('≈ 250 ms');
});
