import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import { LogBuilder } from '../../support/builders.ts';
import { correlate, failure, notification, result } from './correlated.ts';

describe('a request', () => {
  test('is pending until its response, which is folded in', () => {
    const log = new LogBuilder();
    const h = log.call('7', 'tools/call', { name: 'echo' }, { links: { replayOf: 3 } });
    expect(correlate(log).requests).toMatchObject([
      {
        method: 'tools/call',
        target: 'echo',
        rpcId: '7',
        outcome: 'pending',
        direction: 'outgoing',
        replayOf: 3,
      },
    ]);
    expect(correlate(log).requests[0]!.ended).toBeUndefined();
    log.answer(h, result('7', { content: [] }));
    const { requests, strays, text, items } = correlate(log);
    expect(requests).toMatchObject([{ outcome: 'result', response: { in: 'body', httpId: h } }]);
    expect(requests[0]!.problem).toBeUndefined();
    expect(requests[0]!.ended).toBeDefined();
    expect(text(requests[0]!.response)).toBe(result('7', { content: [] }));
    expect([strays, items.length]).toEqual([[], 1]);
  });

  test('says that its tool failed', () => {
    const log = new LogBuilder();
    log.answer(log.call('1', 'tools/call'), result('1', { isError: true }));
    expect(correlate(log).requests).toMatchObject([{ outcome: 'result', toolFailure: '' }]);
    const content = [{ type: 'image' }, { type: 'text', text: 'No such file' }, null];
    log.answer(log.call('2', 'tools/call'), result('2', { isError: true, content }));
    expect(correlate(log).requests.at(-1)).toMatchObject({ toolFailure: 'No such file' });
    log.answer(log.call('3', 'tools/call'), result('3', { isError: true, content: 'x' }));
    expect(correlate(log).requests.at(-1)).toMatchObject({ toolFailure: '' });
  });

  test('that is answered by an error keeps the words of the server', () => {
    const log = new LogBuilder();
    log.answer(log.call('1'), failure('1', 'No such thing'));
    expect(correlate(log).requests).toMatchObject([
      { outcome: 'error', problem: { code: 'rpc-error', message: 'No such thing (-32000)' } },
    ]);
  });

  test.each(['null', undefined])('takes an error with id %s on its own exchange', (id) => {
    const log = new LogBuilder();
    const text = failure(id ?? '0', 'boom').replace(id === undefined ? '"id":0,' : '\0', '');
    log.answer(log.call('1'), text);
    const { requests, strays } = correlate(log);
    expect(requests).toMatchObject([{ outcome: 'error' }]);
    expect(strays).toEqual([]);
  });

  test('gets the reason of a 400 first, whatever the id in its body', () => {
    const log = new LogBuilder();
    log.answer(log.call('3'), failure('null', 'App is not enabled'), 400);
    expect(correlate(log).requests).toMatchObject([
      {
        outcome: 'error',
        problem: { code: 'http-status', message: expect.stringMatching(/400.*App is not enabled/) },
      },
    ]);
  });

  test('is settled by its exchange when the id has another type', () => {
    const log = new LogBuilder();
    log.answer(log.call('7'), result('"7"'));
    const { requests, strays } = correlate(log);
    expect(requests).toMatchObject([{ outcome: 'result', rpcId: '7' }]);
    expect(strays).toEqual([]);
  });

  test('keeps how long it waited for a connection', () => {
    const log = new LogBuilder();
    const httpId = log.call('1');
    const queued = log.add({ kind: 'http-queued', httpId, reason: 'All are in use.' });
    const released = log.add({ kind: 'http-released', httpId });
    expect(correlate(log).https.get(httpId)).toMatchObject({ queued, released });
  });

  test.each(['user', 'policy'] as const)('of the server keeps that the %s answered it', (by) => {
    const log = new LogBuilder();
    const stream = log.stream();
    const asked = { jsonrpc: '2.0', id: 7, method: 'roots/list' };
    log.message(stream, { ...asked, id: '7' });
    log.message(stream, asked);
    log.add({ kind: 'server-request-answered', carrierId: 'answer', rpcId: '7', by });
    const { requests } = correlate(log);
    expect(requests.map(({ rpcId, answeredBy }) => [rpcId, answeredBy])).toEqual([
      ['"7"', undefined],
      ['7', by],
    ]);
  });

  test('with id 1 is another one than with id "1"', () => {
    const log = new LogBuilder();
    const one = log.call('1');
    const text = log.call('"1"');
    log.head(one, 200, 'text/event-stream');
    log.head(text, 200, 'text/event-stream');
    // Each answer comes on the stream of the other one.
    log.message(text, result('1', { of: 'number' }));
    log.message(one, result('"1"', { of: 'text' }));
    const { requests, text: read } = correlate(log);
    expect(requests.map((request) => read(request.response))).toEqual([
      result('1', { of: 'number' }),
      result('"1"', { of: 'text' }),
    ]);
  });

  test('keeps every digit of a large id', () => {
    const log = new LogBuilder();
    const stream = log.stream();
    log.call('9007199254740993');
    log.call('9007199254740992');
    log.message(stream, result('9007199254740992', { n: 2 }));
    log.message(stream, result('9007199254740993', { n: 3 }));
    const { requests, strays, text } = correlate(log);
    expect(requests.map((request) => request.rpcId)).toEqual([
      '9007199254740993',
      '9007199254740992',
    ]);
    expect(requests.map((request) => text(request.response))).toEqual([
      result('9007199254740993', { n: 3 }),
      result('9007199254740992', { n: 2 }),
    ]);
    expect(strays).toEqual([]);
  });

  test('may be answered on the GET stream', () => {
    const log = new LogBuilder();
    const stream = log.stream();
    const h = log.call('2');
    log.message(stream, result('2'));
    log.head(h, 202, null);
    log.end(h);
    expect(correlate(log).requests).toMatchObject([
      { outcome: 'result', response: { in: 'event', httpId: stream } },
    ]);
  });

  test('fails at a 202, until its response comes on the GET stream all the same', () => {
    const log = new LogBuilder();
    const stream = log.stream();
    const h = log.call('2');
    log.head(h, 202, null);
    log.end(h);
    log.message(stream, result('2'));
    expect(correlate(log).requests).toMatchObject([
      {
        outcome: 'result',
        problem: { code: 'accepted-request' },
        response: { in: 'event', httpId: stream },
      },
    ]);
  });

  test('is never completed by a request of the server with the same id (C106)', () => {
    const log = new LogBuilder();
    const h = log.call('3', 'tools/call');
    log.head(h, 200, 'text/event-stream');
    log.message(h, '{"jsonrpc":"2.0","id":3,"method":"ping"}');
    log.message(h, '{"jsonrpc":"2.0","id":3,"method":""}');
    log.message(h, '{"jsonrpc":"2.0","id":3,"method":null}');
    expect(correlate(log).requests).toMatchObject([
      { direction: 'outgoing', outcome: 'pending' },
      { direction: 'incoming', method: 'ping', outcome: 'pending' },
      { direction: 'incoming', method: '', outcome: 'pending' },
    ]);
    expect(correlate(log).strays).toMatchObject([{ what: 'not-rpc' }]);
    log.message(h, result('3'));
    log.end(h);
    expect(correlate(log).requests[0]).toMatchObject({ outcome: 'result' });
  });

  test('counts its first response; the second one is a row of its own', () => {
    const log = new LogBuilder();
    const stream = log.stream();
    log.answer(log.call('4'), result('4'));
    log.message(stream, result('4', { again: true }));
    const { requests, strays, text } = correlate(log);
    expect(text(requests[0]!.response)).toBe(result('4'));
    expect(strays).toMatchObject([
      { what: 'response', problem: { message: expect.stringMatching(/id 4/) } },
    ]);

    const twice = new LogBuilder();
    const h = twice.call('5');
    twice.head(h, 200, 'text/event-stream');
    twice.message(h, result('5'));
    twice.message(h, result('5', { again: true }));
    twice.end(h);
    const second = correlate(twice);
    expect(second.requests).toMatchObject([{ outcome: 'result' }]);
    expect(second.strays).toMatchObject([
      { problem: { message: expect.stringMatching(/second response to id 5/) } },
    ]);
  });

  test('takes its response out of a batch', () => {
    const log = new LogBuilder();
    const h = log.call('1');
    log.answer(h, `[${JSON.stringify(notification('notifications/message'))},${result('1')}]`);
    const { requests, notifications } = correlate(log);
    expect(requests).toMatchObject([{ outcome: 'result', related: 1 }]);
    expect(notifications).toMatchObject([{ parent: requests[0]!.key }]);
  });

  test('fails when a batch is empty', () => {
    const log = new LogBuilder();
    log.answer(log.call('1'), '[]');
    expect(correlate(log).requests).toMatchObject([
      { outcome: 'failed', problem: { code: 'body-not-rpc' } },
    ]);
  });

  test('that is replayed raw as a batch settles with all its parts', () => {
    const log = new LogBuilder();
    const h = log.request([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ]);
    log.answer(h, `[${result('1')}]`);
    expect(correlate(log).requests).toMatchObject([
      { rpcId: '1', outcome: 'result' },
      { rpcId: '2', outcome: 'failed', problem: { code: 'body-not-rpc' } },
    ]);
  });

  test('in one connection is none of another one', () => {
    const log = new LogBuilder('a');
    const first = log.call('1');
    log.connectionId = 'b';
    const second = log.call('1');
    log.answer(second, result('1'));
    const { requests } = correlate(log);
    expect(requests).toMatchObject([
      { connectionId: 'a', httpId: first, outcome: 'pending' },
      { connectionId: 'b', httpId: second, outcome: 'result' },
    ]);
  });
});

test('`apply` returns exactly what is new or changed', () => {
  const log = new LogBuilder();
  const h = log.call('1');
  const other = log.call('2');
  const correlation = createCorrelation();
  const first = correlation.apply(log.events);
  expect([...first]).toEqual([...correlation.items]);
  const revisions = correlation.items.map((item) => item.revision);
  log.answer(h, result('1'));
  const changed = correlation.apply(log.events.slice(2));
  expect([...changed]).toEqual([correlation.items[0]]);
  expect(correlation.items[0]!.revision).toBeGreaterThan(revisions[0]!);
  expect(correlation.items[1]).toMatchObject({ httpId: other, revision: revisions[1] });
});
