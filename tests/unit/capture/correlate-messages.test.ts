import { describe, expect, test } from 'vitest';
import { LogBuilder } from '../../support/builders.ts';
import { correlate, failure, notification, result } from './correlated.ts';

describe('notifications', () => {
  test('belong to the request on whose stream they came', () => {
    const log = new LogBuilder();
    const h = log.call('1');
    log.head(h, 200, 'text/event-stream');
    log.message(h, notification('notifications/message', { level: 'info', data: 'hello' }));
    const { requests, notifications } = correlate(log);
    expect(notifications).toMatchObject([
      { direction: 'incoming', parent: requests[0]!.key, summary: 'info: hello' },
    ]);
    expect(notifications[0]!.ended).toBeDefined();
    expect(requests[0]!.related).toBe(1);
  });

  test('of progress follow their token, type included, to any stream', () => {
    const log = new LogBuilder();
    const stream = log.stream();
    log.call('1', 'tools/call', { _meta: { progressToken: 1 } });
    log.call('2', 'tools/call', { _meta: { progressToken: '1' } });
    const progress = (progressToken: unknown) =>
      notification('notifications/progress', { progressToken, progress: 3, total: 5 });
    log.message(stream, progress('1'));
    log.message(stream, progress(1));
    log.message(stream, progress(99));
    const { requests, notifications } = correlate(log);
    expect(notifications.map((item) => item.parent)).toEqual([
      requests[1]!.key,
      requests[0]!.key,
      undefined,
    ]);
    expect(notifications[0]!.summary).toBe('3 of 5');
  });

  test('of progress after the result still belong to the request', () => {
    const log = new LogBuilder();
    const h = log.call('6', 'tools/call', { _meta: { progressToken: 't' } });
    log.head(h, 200, 'text/event-stream');
    log.message(h, result('6'));
    log.message(h, notification('notifications/progress', { progressToken: 't', progress: 9 }));
    log.end(h);
    const { requests, notifications, strays } = correlate(log);
    expect(requests).toMatchObject([{ outcome: 'result', related: 1 }]);
    expect(notifications).toMatchObject([{ parent: requests[0]!.key }]);
    expect(strays).toEqual([]);
  });

  test.each([200, 202, 204])('of ours are accepted by %i', (status) => {
    const log = new LogBuilder();
    const h = log.request(notification('notifications/initialized'));
    log.head(h, status, null);
    log.end(h);
    const { notifications } = correlate(log);
    expect(notifications[0]!.problem).toBeUndefined();
    expect(notifications[0]!.ended).toBeDefined();
  });

  test('of ours that are refused say why', () => {
    const log = new LogBuilder();
    const h = log.request(notification('notifications/initialized'));
    log.answer(h, failure('null', 'Not yet'), 400);
    expect(correlate(log).notifications).toMatchObject([
      {
        direction: 'outgoing',
        problem: { code: 'http-status', message: expect.stringMatching(/400.*Not yet/) },
      },
    ]);
  });
});

describe('requests of the server', () => {
  test('are answered by our own POST', () => {
    const log = new LogBuilder();
    const stream = log.stream();
    log.message(stream, '{"jsonrpc":"2.0","id":"abc","method":"ping"}');
    const h = log.request('{"jsonrpc":"2.0","id":"abc","result":{}}');
    log.head(h, 202, null);
    log.end(h);
    const { requests, strays } = correlate(log);
    expect(requests).toMatchObject([
      {
        direction: 'incoming',
        rpcId: '"abc"',
        outcome: 'result',
        httpId: stream,
        response: { in: 'request', httpId: h },
      },
    ]);
    expect(requests[0]!.problem).toBeUndefined();
    expect(strays).toEqual([]);
  });

  test('note when our answer was refused', () => {
    const log = new LogBuilder();
    const stream = log.stream();
    log.message(stream, '{"jsonrpc":"2.0","id":0,"method":"ping"}');
    log.answer(log.request(result('0')), 'no', 400, 'text/plain');
    log.message(stream, notification('notifications/message'));
    log.end(stream);
    expect(correlate(log).requests).toMatchObject([
      {
        outcome: 'result',
        problem: { code: 'http-status', message: expect.stringMatching(/ping.*400/) },
      },
    ]);
  });

  test('with id null are no requests', () => {
    const log = new LogBuilder();
    log.message(log.stream(), '{"jsonrpc":"2.0","id":null,"method":"roots/list"}');
    const { requests, strays } = correlate(log);
    expect(requests).toEqual([]);
    expect(strays).toMatchObject([{ what: 'not-rpc', direction: 'incoming' }]);
  });
});

describe('what has no place', () => {
  test('a response that nobody waits for', () => {
    const log = new LogBuilder();
    log.message(log.stream(), result('99'));
    expect(correlate(log).strays).toMatchObject([
      {
        what: 'response',
        problem: { message: expect.stringMatching(/id 99, which no open request has/) },
      },
    ]);
  });

  test('an error with id null on the GET stream settles nobody', () => {
    const log = new LogBuilder();
    const stream = log.stream();
    log.call('1');
    log.message(stream, failure('null', 'boom'));
    const { requests, strays } = correlate(log);
    expect(requests).toMatchObject([{ outcome: 'pending' }]);
    expect(strays).toMatchObject([{ what: 'response' }]);
  });

  test('a response to another id on a stream that was taken up again: it may belong to others', () => {
    const log = new LogBuilder();
    const call = log.call('1');
    log.head(call, 200, 'text/event-stream');
    log.message(call, notification('notifications/message'), 'a');
    log.end(call);
    log.add({ kind: 'retry-scheduled', carrierId: call, delayMs: 10, askedBy: 'backoff' });
    const links = { causedBy: call, reason: 'resume', lastEventId: 'a' };
    const again = log.request(undefined, { purpose: 'stream', method: 'GET', links });
    log.head(again, 200, 'text/event-stream');
    log.message(again, result('9'));
    expect(correlate(log)).toMatchObject({
      requests: [{ outcome: 'pending' }],
      strays: [{ what: 'response' }],
    });
    log.message(again, result('1'));
    expect(correlate(log).requests).toMatchObject([{ outcome: 'result' }]);
  });

  test('an event that is not JSON; the stream goes on', () => {
    const log = new LogBuilder();
    const h = log.call('1');
    log.head(h, 200, 'text/event-stream');
    log.message(h, '{"jsonrpc":"2.0",');
    log.message(h, result('1'));
    log.end(h);
    const { requests, strays } = correlate(log);
    expect(strays).toMatchObject([{ what: 'not-json', parent: requests[0]!.key }]);
    expect(requests).toMatchObject([{ outcome: 'result' }]);
  });

  test('events of another name, without data or with empty data are no messages', () => {
    const log = new LogBuilder();
    const h = log.call('1');
    log.head(h, 200, 'text/event-stream');
    log.sse(h, 'id: 1\ndata:\n\nid: 2\n\nevent: heartbeat\ndata: {"method":"x"}\n\n');
    expect(correlate(log).items).toHaveLength(1);
  });
});
