import { describe, expect, test, vi } from 'vitest';
import type { Reply } from '../../server/scripted.ts';
import {
  event,
  json,
  log,
  plain,
  progress,
  result,
  stream,
} from '../../server/scripted-behaviour.ts';
import { header } from '../../server/scripted-http.ts';
import { play } from './play.ts';

const INITIALIZED = 'notifications/initialized';
const PAGE = '<!doctype html><html><head><title>Sign in</title></head><body></body></html>';

describe('C025 C026 C028 What accepts a notification', () => {
  test.each<[string, Reply, string[]]>([
    ['C025 200 with no body and no type', plain(200), ['HTT-02']],
    ['C025 200 with an empty chunked body', { status: 200 }, ['HTT-02']],
    ['C025 200 with an empty web page', plain(200, 'text/html'), ['HTT-02']],
    ['C026 204', { status: 204 }, ['HTT-02']],
    ['C028 202 with a text', plain(202, 'text/plain; charset=utf-8', 'Accepted'), ['HTT-02']],
    ['C028 202 with an empty web page', plain(202, 'text/html'), []],
  ])('%s connects, and the log has the status', async (_name, reply, issues) => {
    await using scene = await play({ [INITIALIZED]: reply });
    expect(scene.worker.summary(scene.id)).toMatchObject({ state: 'connected' });
    const row = await scene.item('notification', ({ ended }) => ended !== undefined);
    expect(row).toMatchObject({ method: INITIALIZED });
    expect(row.problem).toBeUndefined();
    const response = scene.facts('http-response').find(({ httpId }) => httpId === row.httpId);
    expect(response?.status).toBe(reply.status);
    expect((await scene.call()).outcome).toBe('result');
    expect(await scene.issues()).toEqual(issues);
  });
});

describe('C029 A request is answered 202', () => {
  test.each([
    ['after', { status: 202, body: [{ push: event(result()) }] }],
    ['before', { status: 202, before: [{ push: event(result()) }] }],
  ])(
    'C029 its response on the GET stream, %s the 202, settles it and is noted',
    async (_n, reply) => {
      await using scene = await play(
        { GET: stream([': open\n\n'], 'hang'), 'tools/list': reply },
        { openStream: true },
      );
      await scene.fact('sse-comment');
      const item = await scene.call();
      await scene.worker.until(() => item.outcome === 'result');
      expect(scene.text(item.response)).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
      expect(scene.items('stray')).toEqual([]);
      await scene.worker.until(() => item.problem?.code === 'accepted-request');
      expect(item.problem!.message).toMatch(/202.*GET stream/);
      expect(await scene.issues()).toEqual(['HTT-02', 'HTT-04']);
      expect(scene.worker.summary(scene.id).state).toBe('connected');
    },
  );

  test('C029 a response that never comes is waited for no longer than the deadline', async () => {
    await using scene = await play(
      { GET: stream([': open\n\n'], 'hang'), 'tools/list': plain(202) },
      { openStream: true, idleTimeoutMs: 80 },
    );
    await scene.fact('sse-comment');
    const item = await scene.call();
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'accepted-request' } });
  });

  test('C029 without a GET stream it fails at once', async () => {
    await using scene = await play({ 'tools/list': plain(202) });
    const item = await scene.call();
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'accepted-request' } });
    expect(scene.facts('deadline-fired')).toEqual([]);
    expect(await scene.issues()).toEqual(['HTT-02']);
  });
});

describe('C030 A body that never ends', () => {
  test('C030 does not hold up what its 202 accepted, and is let go after 5 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      await using scene = await play({
        [INITIALIZED]: { status: 202, ending: 'hang' },
      });
      const row = await scene.item('notification');
      const endOf = () => scene.facts('http-end').find(({ httpId }) => httpId === row.httpId);
      expect(endOf()).toBeUndefined();
      await vi.advanceTimersByTimeAsync(5000);
      const end = await scene.worker.until(endOf);
      expect(end.end).toMatchObject({ outcome: 'aborted', cause: 'not-needed' });
      await scene.server.until(() => scene.server.of(INITIALIZED)[0]?.isAbandoned);
      expect(row.problem).toBeUndefined();
      expect(await scene.issues()).toContain('HTT-22');
    } finally {
      vi.useRealTimers();
    }
  });

  test('C030 does not hold up the verdict on a 404, and what came of it is kept', async () => {
    const slow: Reply = { ...plain(404, 'text/plain', 'x'.repeat(100)), ending: 'hang' };
    await using scene = await play({
      'tools/list': { ...slow, framing: 'chunked' },
      'tools/call': json(result()),
    });
    const started = performance.now();
    await scene.begin('tools/list');
    // The session is over, so a new one is begun: that shows that the verdict is there.
    await scene.server.until(() => scene.server.of('initialize').length === 2);
    expect(performance.now() - started).toBeLessThan(1500);
  });

  test('C030 is let go over HTTP+SSE too, and holds up nothing', async () => {
    await using scene = await play(
      { [INITIALIZED]: { status: 202, body: ['.'], ending: 'hang' } },
      { isHttpSse: true },
    );
    expect((await scene.call()).outcome).toBe('result');
  });
});

describe('C032 A result without the right media type', () => {
  test.each([
    ['none', undefined, 'without a content type'],
    ['text/plain', 'text/plain', 'text/plain'],
    ['application/octet-stream', 'application/octet-stream', 'application/octet-stream'],
  ])(
    'C032 (%s) fails the request at once, and says that the body looks right',
    async (_n, type, shown) => {
      await using scene = await play(
        { initialize: plain(200, type, result()) },
        { state: 'failed' },
      );
      const { problem } = scene.worker.summary(scene.id);
      expect(problem).toMatchObject({ code: 'body-type' });
      expect(problem!.message).toContain(`\`initialize\` with 200 ${shown}`);
      expect(problem!.advice).toContain('looks like JSON');
      const [item] = scene.items('request');
      expect(item!.problem).toEqual(problem);
      expect(scene.server.requests).toHaveLength(1);
      expect(await scene.issues()).toContain('HTT-01');
    },
  );
});

test.each([
  [
    'SSE that is called JSON',
    json(`event: message\ndata: ${result()}\n\n`),
    'body-not-json',
    'SSE stream',
    'HTT-21',
  ],
  ['JSON that is called SSE', stream([result()]), 'body-type', 'its body is JSON', 'HTT-21'],
  [
    'JSON on a line of its own that is called SSE',
    stream([`${result()}\n`]),
    'body-type',
    'its body is JSON',
    'HTT-21',
  ],
])(
  'C033 %s fails with both named, never as an empty success',
  async (_name, reply, code, words, issue) => {
    await using scene = await play({ 'tools/list': reply });
    const item = await scene.call();
    expect(item).toMatchObject({ outcome: 'failed', problem: { code } });
    expect(item.problem!.message).toContain(words);
    expect(item.problem!.detail).toContain('"jsonrpc"');
    expect(item.response).toBeUndefined();
    expect(await scene.issues()).toEqual([issue]);
  },
);

test('C034 A web page fails at once, with its title, and nothing else is tried', async () => {
  await using scene = await play(
    { '*': plain(200, 'text/html; charset=utf-8', PAGE) },
    { state: 'failed', openStream: true },
  );
  const { problem } = scene.worker.summary(scene.id);
  expect(problem).toMatchObject({ code: 'body-web-page' });
  expect(problem!.message).toContain('“Sign in”');
  expect(problem!.advice).toContain('Is the path right?');
  expect(scene.server.requests.map(({ method }) => method)).toEqual(['POST']);
  expect(await scene.issues()).toContain('HTT-01');
});

describe('C036 The reason in the body of a 400', () => {
  const reason = 'App is not enabled, see https://example.com/enable';
  const error = (id: string) =>
    `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"${reason}"}}`;

  test.each(['null', '$id', '99'])('C036 settles the request, with id %s', async (id) => {
    await using scene = await play({ 'tools/list': json(error(id), 400) });
    const item = await scene.call();
    expect(item).toMatchObject({ outcome: 'error', response: { in: 'body' } });
    expect(item.problem!.message).toContain(reason);
    expect(item.problem!.message).toContain('400');
    expect(scene.items('stray')).toEqual([]);
    expect(scene.worker.summary(scene.id).state).toBe('connected');
  });

  test('C036 as plain text is shown verbatim', async () => {
    await using scene = await play({ 'tools/list': plain(400, 'text/plain', reason) });
    const item = await scene.call();
    expect(item).toMatchObject({
      outcome: 'failed',
      problem: { code: 'http-status', detail: reason },
    });
  });

  test('C036 of `initialize` is the reason why the connection failed', async () => {
    await using scene = await play({ initialize: json(error('null'), 400) }, { state: 'failed' });
    expect(scene.worker.summary(scene.id).problem!.message).toContain(reason);
  });
});

describe('C037 Accept', () => {
  const strict = {
    GET: (request: Parameters<typeof header>[0]) =>
      header(request, 'accept') === 'text/event-stream' ? stream([': ok\n\n'], 'hang') : plain(406),
    '*': (request: Parameters<typeof header>[0]) => {
      const accept = header(request, 'accept') ?? '';
      const isBoth = accept.includes('application/json') && accept.includes('text/event-stream');
      return isBoth || request.method !== 'POST' ? undefined : plain(406);
    },
  };

  test('C037 names both types on POST and only the stream on GET', async () => {
    await using scene = await play(strict, { openStream: true });
    await scene.item('stream', ({ outcome }) => outcome === 'open');
    const accepts = scene.server.of('POST').map((post) => header(post, 'accept'));
    expect(new Set(accepts)).toEqual(new Set(['application/json, text/event-stream']));
  });

  test("C037 keeps both types under the user's own header, and a 406 shows what was sent", async () => {
    const headers = [{ name: 'accept', value: 'text/markdown', secret: false }];
    await using scene = await play(strict, { openStream: true, headers });
    const item = await scene.item('stream', ({ outcome }) => outcome === 'not-offered');
    const request = scene.facts('http-request').find(({ httpId }) => httpId === item.httpId)!;
    expect(request.headers).toContainEqual({
      name: 'accept',
      value: 'text/markdown, text/event-stream',
    });
    expect(item.problem!.message).toContain('406');
    expect(header(scene.server.of('POST')[0]!, 'accept')).toBe(
      'text/markdown, application/json, text/event-stream',
    );
  });
});

test('C038 The content type is application/json, without a parameter', async () => {
  await using scene = await play({
    POST: (request) =>
      header(request, 'content-type') === 'application/json' ? undefined : plain(415),
  });
  expect((await scene.call()).outcome).toBe('result');
  const types = scene.server.of('POST').map((post) => header(post, 'content-type'));
  expect(new Set(types)).toEqual(new Set(['application/json']));
});

test('C038 A 415 names the content type that was sent', async () => {
  await using scene = await play({ 'tools/list': plain(415, 'text/plain', 'no') });
  const item = await scene.call();
  expect(item.problem!.advice).toContain('application/json');
});

describe('C040 The stream of an answer ends without the response', () => {
  test.each<[string, Reply, string, RegExp]>([
    [
      'after one event',
      stream([event(log('a'))]),
      'stream-no-response',
      /ended after 1 event, with no/,
    ],
    ['after its head', stream([]), 'stream-no-response', /ended after 0 events/],
  ])('C040 %s: the call fails at once', async (_name, reply, code, words) => {
    await using scene = await play({ 'tools/call': reply });
    const item = await scene.call('tools/call');
    expect(item).toMatchObject({ outcome: 'failed', problem: { code } });
    expect(item.problem!.message).toMatch(words);
    expect(item.problem!.advice).toContain('no ids, so nothing can be resumed');
    expect(scene.server.of('GET')).toEqual([]);
    expect(await scene.issues()).toEqual(['HTT-06']);
  });

  test('C040 by a reset inside an event: the call fails with the name of it', async () => {
    await using scene = await play({
      'tools/call': stream([`${event(log('a'))}data: {"json`, { wait: 'read' }], 'reset'),
    });
    const item = await scene.begin('tools/call');
    await scene.fact('sse-event');
    scene.server.open('read');
    await scene.settled(item);
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'stream-cut' } });
    expect(item.problem!.detail).toMatch(/RESET|SOCKET|closed/);
    expect(item.problem!.message).toContain('inside an event: 12 bytes');
  });
});

describe('C041 The head, and then nothing', () => {
  test.each([
    ['silent', [], 'then nothing'],
    ['alive but not answering', [': keepalive\n\n'], 'but no response'],
  ])('C041 %s: the deadline fires, and the server is told', async (_name, body, words) => {
    await using scene = await play({ 'tools/call': stream(body, 'hang') }, { idleTimeoutMs: 60 });
    const item = await scene.call('tools/call');
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'deadline' } });
    expect(item.problem!.message).toContain(words);
    const cancelled = await scene.server.until(() => scene.server.of('notifications/cancelled')[0]);
    expect(cancelled.message.params).toMatchObject({ requestId: 1 });
    await scene.server.until(() => scene.server.of('tools/call')[0]?.isAbandoned);
  });

  test('C041 the user may cancel', async () => {
    await using scene = await play({ 'tools/call': stream([], 'hang') });
    const item = await scene.begin('tools/call');
    await scene.fact('http-response', ({ httpId }) => httpId === item.httpId);
    await scene.worker.manager.functions.cancel(scene.id, item.rpcId);
    expect((await scene.settled(item)).outcome).toBe('cancelled');
    await scene.server.until(() => scene.server.of('notifications/cancelled').length === 1);
  });
});

describe('C044 A POST is answered with the `endpoint` event of HTTP+SSE', () => {
  const endpoint = 'event: endpoint\ndata: /messages/abc\n\n';

  test('C044 it is abandoned, and the problem names the transport', async () => {
    await using scene = await play({ initialize: stream([endpoint], 'hang') }, { state: 'failed' });
    const { problem } = scene.worker.summary(scene.id);
    expect(problem!.message).toContain('HTTP+SSE');
    expect(problem!.advice).toContain('HTTP+SSE');
    await scene.server.until(() => scene.server.of('initialize')[0]?.isAbandoned);
    const [item] = scene.items('request');
    expect(item).toMatchObject({ outcome: 'failed', problem });
    expect(scene.server.requests).toHaveLength(1);
    expect(await scene.issues()).toContain('HTT-25');
  });

  test('C044 an `endpoint` behind other events is none of that', async () => {
    await using scene = await play({
      'tools/list': stream([event(log('a')), endpoint, event(result())]),
    });
    expect((await scene.call()).outcome).toBe('result');
  });
});

describe('C045 An array for one request', () => {
  test.each<[string, Reply, string[]]>([
    ['JSON with the result', json(`[${result()}]`), []],
    [
      'JSON with a notification before it',
      json(`[${log('a')},${result()}]`),
      ['notifications/message'],
    ],
    ['an event', stream([event(`[${log('a')},${result()}]`)]), ['notifications/message']],
  ])('C045 %s is read, element by element', async (_name, reply, methods) => {
    await using scene = await play({ 'tools/list': reply });
    const item = await scene.call();
    expect(item.outcome).toBe('result');
    const incoming = scene
      .items('notification')
      .filter(({ direction }) => direction === 'incoming');
    expect(incoming.map(({ method }) => method)).toEqual(methods);
    expect(scene.text(item.response)).toMatch(/^\[/);
    expect(await scene.issues()).toEqual(['RPC-06']);
  });

  test.each([
    ['an empty one', '[]'],
    ['one of what is no message', '[1,null,"x",[]]'],
  ])('C045 %s fails the call, and crashes nothing', async (_name, text) => {
    await using scene = await play({ 'tools/list': json(text) });
    const item = await scene.call();
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'body-not-rpc' } });
  });
});

describe('C046 A body that is not one JSON value', () => {
  const good = '{"jsonrpc":"2.0","id":1,"result":{}}';

  test.each([
    ['two objects', `${good}\n${good}`, 'body-not-json', `byte ${good.length + 1} `],
    ['a tail', `${good}</html>`, 'body-not-json', `byte ${good.length} `],
    ['NaN', '{"jsonrpc":"2.0","id":1,"result":{"n":NaN}}', 'body-not-json', 'byte 38 '],
    ['nothing', '', 'body-empty', 'empty body'],
  ])('C046 %s: the call fails with the place of the fault', async (_name, text, code, words) => {
    await using scene = await play({ 'tools/list': json(text) });
    const item = await scene.call();
    expect(item).toMatchObject({ outcome: 'failed', problem: { code } });
    expect(item.problem!.message).toContain(words);
    expect(await scene.issues()).toEqual(['RPC-01']);
  });

  test('C046 a byte order mark is passed over', async () => {
    await using scene = await play({ 'tools/list': json(`\ufeff${good}`) });
    const item = await scene.call();
    expect(item.outcome).toBe('result');
    expect(scene.text(item.response)).toBe(`\ufeff${good}`);
    expect(await scene.issues()).toEqual(['RPC-21']);
  });

  test('C046 fewer bytes than promised: the call fails, and what came is kept', async () => {
    await using scene = await play({
      'tools/list': {
        head: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n',
        body: [good.slice(0, 20)],
        ending: 'close',
      },
    });
    const item = await scene.call();
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'stream-cut' } });
    expect(scene.worker.correlation.https.get(item.httpId!)!.sizeBytes).toBe(20);
  });
});

test('C046 Progress and the result in one JSON body are no JSON', async () => {
  await using scene = await play({ 'tools/list': json(`${progress(1)}\n${result()}`) });
  expect((await scene.call()).problem).toMatchObject({ code: 'body-not-json' });
});
