import { describe, expect, test } from 'vitest';
import type { RequestItem } from '../../../lib/capture/correlate/items.ts';
import type { HttpEnd } from '../../../lib/capture/wire-event.ts';
import { ENDPOINT, LogBuilder } from '../../support/builders.ts';
import { correlate, notification, problem, result } from './correlated.ts';

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
