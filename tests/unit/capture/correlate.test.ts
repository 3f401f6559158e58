import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import { messageText } from '../../../lib/capture/correlate/http-record.ts';
import type { Item, RequestItem, StreamItem } from '../../../lib/capture/correlate/items.ts';
import type { HttpEnd } from '../../../lib/capture/wire-event.ts';
import type { Problem } from '../../../lib/errors.ts';
import { ENDPOINT, LogBuilder } from '../../support/builders.ts';

const problem: Problem = { code: 'network-refused', message: 'Nothing accepts connections.' };
const result = (id: string, value: unknown = {}) =>
  `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(value)}}`;
const failure = (id: string, message: string) =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"${message}"}}`;
const notification = (method: string, params: unknown = {}) => ({
  jsonrpc: '2.0',
  method,
  params,
});

function correlate(log: LogBuilder) {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const all = (kind: Item['kind']) => correlation.items.filter((item) => item.kind === kind);
  return {
    ...correlation,
    requests: all('request') as RequestItem[],
    notifications: all('notification') as (Item & { kind: 'notification' })[],
    strays: all('stray') as (Item & { kind: 'stray' })[],
    streams: all('stream') as StreamItem[],
    exchanges: all('http') as (Item & { kind: 'http' })[],
    lifecycle: all('lifecycle') as (Item & { kind: 'lifecycle' })[],
    text: (ref: RequestItem['response']) =>
      ref === undefined ? undefined : messageText(correlation.https, ref),
  };
}

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

describe('an exchange that ends without a response', () => {
  const ends: [string, Partial<HttpEnd>, Partial<RequestItem>][] = [
    ['complete', {}, { outcome: 'failed' }],
    ['failed', { outcome: 'failed', problem }, { outcome: 'failed', problem }],
    ['by the user', { outcome: 'aborted', cause: 'user' }, { outcome: 'cancelled' }],
    ['closed', { outcome: 'aborted', cause: 'close' }, { outcome: 'failed' }],
    ['by a limit', { outcome: 'aborted', cause: 'limit' }, { outcome: 'failed' }],
    ['too fast', { outcome: 'aborted', cause: 'too-fast' }, { outcome: 'failed' }],
    ['late', { outcome: 'aborted', cause: 'deadline' }, { outcome: 'failed' }],
    ['cut', { outcome: 'cut', errorName: 'ECONNRESET' }, { outcome: 'failed' }],
  ];
  const codes: Record<string, string | undefined> = {
    complete: 'stream-no-response',
    failed: 'network-refused',
    'by the user': undefined,
    closed: 'aborted',
    'by a limit': 'body-limit',
    'too fast': 'stream-too-fast',
    late: 'deadline',
    cut: 'stream-cut',
  };

  test.each(ends)('%s: the request says so', (name, end, expected) => {
    const log = new LogBuilder();
    const h = log.call('1');
    log.head(h, 200, 'text/event-stream');
    log.message(h, notification('notifications/progress', { progress: 1 }));
    log.end(h, end);
    const { requests } = correlate(log);
    expect(requests).toMatchObject([expected]);
    expect(requests[0]!.problem?.code).toBe(codes[name]);
    expect(requests[0]!.ended).toBeDefined();
  });

  test.each(ends)('%s, after the response: the request stays answered', (_name, end) => {
    const log = new LogBuilder();
    const h = log.call('1');
    log.head(h, 200, 'text/event-stream');
    log.message(h, result('1'));
    const before = correlate(log).requests[0]!.ended;
    log.end(h, end);
    const { requests } = correlate(log);
    expect(requests).toMatchObject([{ outcome: 'result', ended: before }]);
    expect(requests[0]!.problem).toBeUndefined();
  });

  test('because a deadline fired names how long was waited', () => {
    const log = new LogBuilder();
    const h = log.call('1');
    const fact = { carrierId: h, deadline: 'idle', durationMs: 60_000 } as const;
    log.add({ kind: 'deadline-started', ...fact });
    log.add({ kind: 'deadline-fired', ...fact });
    log.end(h, { outcome: 'aborted', cause: 'deadline' });
    expect(correlate(log).requests[0]!.problem).toMatchObject({
      message: expect.stringMatching(/within 60 s/),
    });
  });

  test('because of a deadline that was not recorded measures the time itself', () => {
    const log = new LogBuilder();
    const h = log.request(notification('notifications/initialized'));
    for (let turn = 0; turn < 2000; turn += 1) log.add({ kind: 'wake' });
    log.end(h, { outcome: 'aborted', cause: 'deadline' });
    expect(correlate(log).notifications[0]!.problem).toMatchObject({
      code: 'deadline',
      message: expect.stringMatching(/within 2 s/),
    });
  });

  test('tells a stream that was cut inside an event', () => {
    const log = new LogBuilder();
    const h = log.call('1');
    log.head(h, 200, 'text/event-stream');
    log.message(h, notification('notifications/message', { data: 'x' }));
    log.sse(h, 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n');
    log.end(h);
    const { requests, strays } = correlate(log);
    expect(requests[0]!.problem).toMatchObject({
      code: 'stream-no-response',
      message: expect.stringMatching(/after 1 event, .*cut off inside an event: 43 bytes/),
    });
    expect(strays).toEqual([]);
  });

  test.each(['{"jsonrpc":"2.0","id":1,"result":{}}', '{\n  "jsonrpc": "2.0"\n}\n'])(
    'tells JSON that came as an event stream: %j',
    (text) => {
      const log = new LogBuilder();
      const h = log.call('1');
      log.head(h, 200, 'text/event-stream');
      log.sse(h, text);
      log.end(h);
      expect(correlate(log).requests[0]!.problem).toMatchObject({
        code: 'body-type',
        message: expect.stringMatching(/text\/event-stream.*JSON/),
      });
    },
  );

  test('does not take comments for a cut event', () => {
    const log = new LogBuilder();
    const h = log.call('1');
    log.head(h, 200, 'text/event-stream');
    log.sse(h, ': keep-alive\n\n: keep-alive\n\n');
    log.end(h);
    const { message } = correlate(log).requests[0]!.problem!;
    expect(message).toContain('after 0 events, with no response.');
    expect(message).not.toContain('cut off');
  });

  test('because the JSON is cut short is one failure, not two', () => {
    const log = new LogBuilder();
    log.answer(log.call('1'), '{"jsonrpc":"2.0","id":1,"res');
    const { requests, strays } = correlate(log);
    expect(requests).toMatchObject([{ outcome: 'failed', problem: { code: 'body-not-json' } }]);
    expect(strays).toEqual([]);
  });
});

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

describe('the GET stream', () => {
  test('is pending, then open, then closed, which is a row', () => {
    const log = new LogBuilder();
    const h = log.request(undefined, { purpose: 'stream', method: 'GET' });
    expect(correlate(log).streams).toMatchObject([{ outcome: 'pending' }]);
    log.head(h, 200, 'text/event-stream');
    expect(correlate(log).streams).toMatchObject([{ outcome: 'open' }]);
    log.end(h);
    const { streams, lifecycle } = correlate(log);
    expect(streams).toMatchObject([{ outcome: 'closed' }]);
    expect(streams[0]!.problem).toBeUndefined();
    expect(lifecycle).toMatchObject([{ title: 'GET stream closed', detail: 'by the server' }]);
  });

  test.each<[string, Partial<HttpEnd>, StreamItem['outcome']]>([
    ['broke', { outcome: 'cut', errorName: 'ECONNRESET' }, 'failed'],
    ['was closed by us', { outcome: 'aborted', cause: 'close' }, 'closed'],
    ['was over the limit', { outcome: 'aborted', cause: 'limit' }, 'failed'],
  ])('that %s says so', (_what, end, outcome) => {
    const log = new LogBuilder();
    log.end(log.stream(), end);
    expect(correlate(log).streams).toMatchObject([{ outcome }]);
  });

  test('that we closed before it was answered has not failed', () => {
    const log = new LogBuilder();
    const h = log.request(undefined, { purpose: 'stream', method: 'GET' });
    log.end(h, { outcome: 'aborted', cause: 'close' });
    expect(correlate(log).streams).toMatchObject([{ outcome: 'closed' }]);
  });

  test.each([
    [405, null, 'http-method-not-allowed'],
    [404, 'text/html', 'http-not-found'],
    [406, null, 'http-status'],
    [501, null, 'http-status'],
    [204, null, 'body-empty'],
    [200, 'text/html', 'body-web-page'],
    [200, 'application/json', 'body-type'],
  ])('is not offered when answered %i %s', (status, type, code) => {
    const log = new LogBuilder();
    log.end(log.stream(status, type));
    expect(correlate(log).streams).toMatchObject([{ outcome: 'not-offered', problem: { code } }]);
  });

  test('fails when there is no answer', () => {
    const log = new LogBuilder();
    const h = log.request(undefined, { purpose: 'stream', method: 'GET' });
    log.end(h, { outcome: 'failed', problem });
    expect(correlate(log).streams).toMatchObject([{ outcome: 'failed', problem }]);
  });
});

describe('a termination', () => {
  test.each([200, 202, 204, 404, 405])('is done when answered %i', (status) => {
    const log = new LogBuilder();
    const h = log.request(undefined, { purpose: 'terminate', method: 'DELETE' });
    log.head(h, status, null);
    log.end(h);
    const { exchanges } = correlate(log);
    expect(exchanges).toMatchObject([{ outcome: 'done' }]);
    expect(exchanges[0]!.problem).toBeUndefined();
  });

  test.each([401, 500])('says that it was answered %i', (status) => {
    const log = new LogBuilder();
    const h = log.request(undefined, { purpose: 'terminate', method: 'DELETE' });
    log.head(h, status, null);
    log.end(h);
    expect(correlate(log).exchanges).toMatchObject([{ outcome: 'failed' }]);
  });
});

describe('redirects', () => {
  function redirected(status: number): LogBuilder {
    const log = new LogBuilder();
    const first = log.call('1');
    const target = `${ENDPOINT}/`;
    log.add({ kind: 'http-redirect', httpId: first, status, location: '/mcp/', target });
    log.head(first, status, null);
    log.end(first);
    return log;
  }

  test('that are followed leave one request, which goes on', () => {
    const log = redirected(307);
    const [first] = log.events;
    const causedBy = (first as { httpId: string }).httpId;
    const second = log.call('1', 'tools/list', undefined, {
      url: `${ENDPOINT}/`,
      links: { causedBy, reason: 'redirect' },
    });
    const going = correlate(log).requests;
    expect(going).toMatchObject([{ outcome: 'pending', httpId: second }]);
    expect(going[0]!.problem).toBeUndefined();
    expect(going[0]!.ended).toBeUndefined();
    log.answer(second, result('1'));
    const { requests, lifecycle, strays } = correlate(log);
    expect(requests).toMatchObject([{ outcome: 'result', httpId: second }]);
    expect(requests[0]!.problem).toBeUndefined();
    expect(lifecycle).toMatchObject([{ title: 'Redirect 307', detail: `to ${ENDPOINT}/` }]);
    expect(strays).toEqual([]);
  });

  test('whose second hop is cut off by a restart is interrupted', () => {
    const log = redirected(308);
    const causedBy = (log.events[0] as { httpId: string }).httpId;
    log.call('1', 'tools/list', undefined, { links: { causedBy, reason: 'redirect' } });
    log.restart('boot-2');
    expect(correlate(log).requests).toMatchObject([{ outcome: 'interrupted' }]);
  });

  test('that are not followed fail the request with both addresses', () => {
    expect(correlate(redirected(301)).requests).toMatchObject([
      {
        outcome: 'failed',
        problem: {
          code: 'http-redirect',
          message: expect.stringContaining(`from ${ENDPOINT} to ${ENDPOINT}/`),
        },
      },
    ]);
  });
});

describe('a restart of the worker', () => {
  test('interrupts what was open, and says how much', () => {
    const log = new LogBuilder();
    log.opened();
    log.answer(log.call('1'), result('1'));
    log.call('2');
    log.stream();
    log.restart('boot-2');
    const { requests, streams, lifecycle, connections } = correlate(log);
    expect(requests).toMatchObject([{ outcome: 'result' }, { outcome: 'interrupted' }]);
    expect(requests[1]!.ended).toMatchObject({ bootId: 'boot-2' });
    expect(streams).toMatchObject([{ outcome: 'interrupted' }]);
    expect(lifecycle.at(-1)).toMatchObject({
      title: 'Worker restarted',
      detail: expect.stringMatching(/^2 cut off/),
    });
    expect(connections.get('c1')).toMatchObject({ state: 'interrupted' });
  });

  test('is no news when nothing was open', () => {
    const log = new LogBuilder();
    log.answer(log.call('1'), result('1'));
    log.restart('boot-2');
    const { lifecycle, requests } = correlate(log);
    expect(lifecycle).toEqual([]);
    expect(requests).toMatchObject([{ outcome: 'result' }]);
  });
});

describe('connections', () => {
  test('are followed from their opening to their end', () => {
    const log = new LogBuilder();
    log.opened('http://h/mcp');
    const state = () => correlate(log).connections.get('c1');
    expect(state()).toMatchObject({ state: 'opening', url: 'http://h/mcp' });
    const cuts = [{ offset: 0, length: 3, secret: 'a91c', from: 0 }];
    log.add({ kind: 'session-assigned', session: '***', cuts, by: 'header' });
    log.add({
      kind: 'connection-chosen',
      transport: 'streamable-http',
      era: 'legacy',
      revision: '2025-11-25',
      serverName: 'everything',
      evidence: [],
    });
    expect(state()).toMatchObject({
      state: 'live',
      revision: '2025-11-25',
      serverName: 'everything',
      session: 'a91c',
    });
    log.add({ kind: 'connection-closed', cause: 'user' });
    expect(state()).toMatchObject({ state: 'closed' });
  });

  test('that failed stay failed when they are closed', () => {
    const log = new LogBuilder();
    log.opened();
    log.add({ kind: 'connection-failed', problem });
    log.add({ kind: 'connection-closed', cause: 'user' });
    expect(correlate(log).connections.get('c1')).toMatchObject({ state: 'failed' });
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
