import { describe, expect, test, vi } from 'vitest';
import { judgeEndpoint } from '../../../lib/protocol/endpoint.ts';
import { startScripted, type Answer, type Reply } from '../../server/scripted.ts';
import {
  accepted,
  event,
  initializeResult,
  json,
  log,
  plain,
  result,
  stream,
} from '../../server/scripted-behaviour.ts';
import { header } from '../../server/scripted-http.ts';
import { play, type PlayOptions } from './play.ts';

const SSE: PlayOptions = { isHttpSse: true };
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}';

function endpoint(data: string): string {
  return `event: endpoint\ndata: ${data}\n\n`;
}

/** A GET that announces these endpoints and stays open. */
function announces(...data: string[]): Reply {
  return stream(data.map(endpoint), 'hang');
}

describe('C084 An endpoint is resolved against the URL of the stream', () => {
  test.each([
    ['/messages?sessionId=1', '/messages?sessionId=1'],
    ['messages?sessionId=1', '/api/v1/messages?sessionId=1'],
    ['./messages', '/api/v1/messages'],
    ['../messages', '/api/messages'],
    ['?sessionId=1', '/api/v1/sse?sessionId=1'],
    ['ORIGIN/messages', '/messages'],
    ['/m#fragment', '/m'],
  ])('C084 %s leads to %s', async (data, target) => {
    await using scene = await play(
      {
        GET: (request) => {
          const origin = `http://${header(request, 'host')}`;
          return announces(data.replace('ORIGIN', origin));
        },
      },
      { ...SSE, path: '/api/v1/sse?x=1' },
    );
    const [fact] = scene.facts('endpoint-announced');
    expect(fact).toMatchObject({ verdict: 'accepted' });
    expect(new Set(scene.server.of('POST').map((post) => post.target))).toEqual(new Set([target]));
    const row = scene.items('lifecycle').find(({ title }) => title === 'Endpoint');
    expect(row!.detail).toContain(scene.server.origin);
  });
});

describe('C085 C086 An endpoint of another origin', () => {
  test.each([
    [
      'C085 the wildcard address',
      'http://0.0.0.0:3001/message?sessionId=1',
      /does not know its public URL/,
    ],
    ['C085 an inner address', 'http://10.0.0.7:3001/message', /behind a proxy/],
    [
      'C086 a stranger',
      'https://evil.example/collect',
      /only a path.*may be trying to get your cred/,
    ],
  ])('%s is refused at once, with both origins and the reason', async (_name, data, advice) => {
    await using scene = await play({ GET: announces(data) }, { ...SSE, state: 'failed' });
    const { problem } = scene.worker.summary(scene.id);
    expect(problem).toMatchObject({ code: 'endpoint-refused' });
    expect(problem!.message).toContain(new URL(data).origin);
    expect(problem!.message).toContain(scene.server.origin);
    expect(problem!.advice).toMatch(advice);
    const [fact] = scene.facts('endpoint-announced');
    expect(fact).toMatchObject({ verdict: 'refused' });
    expect(fact!.announced).toContain(new URL(data).host);
    const row = scene.items('lifecycle').find(({ title }) => title === 'Endpoint refused');
    expect(row).toMatchObject({ level: 'error' });
    expect(scene.server.of('POST')).toEqual([]);
    expect(await scene.issues()).toEqual(['SSE-02']);
    await scene.server.until(() => scene.server.of('GET')[0]?.isAbandoned);
  });

  test('C086 gets nothing, neither messages nor credentials: the trap stays empty', async () => {
    await using trap = await startScripted();
    const headers = [{ name: 'Authorization', value: 'Bearer secret-token-1', secret: true }];
    await using scene = await play(
      { GET: announces(`${trap.origin}/collect`) },
      { ...SSE, headers, state: 'failed' },
    );
    expect(scene.server.of('GET')).toHaveLength(1);
    await scene.disconnect();
    expect(trap.requests).toEqual([]);
  });
});

describe('C087 Endpoints that look local, or foreign, and are not', () => {
  const base = 'http://localhost:80/sse';

  test.each([
    ['//evil.example/m', base],
    ['http://localhost@evil.example/m', base],
    ['\\\\evil.example\\m', base],
    ['http:evil.example/m', 'https://localhost/sse'],
    ['https://localhost/m', base],
    ['http://localhost.evil.example/m', base],
    ['http://127.0.0.1/m', base],
    ['http://localhost:81/m', base],
    ['javascript:alert(1)', base],
    ['data:text/plain,x', base],
    ['blob:http://localhost/1d3c', base],
    ['http://user:pw@localhost/m', base],
    ['ws://localhost/m', base],
    ['', base],
    ['http://[', base],
  ])('C087 %s is refused', (data, url) => {
    const verdict = judgeEndpoint(data, url);
    expect(verdict).toMatchObject({
      kind: 'refused',
      problem: { code: expect.stringMatching(/^endpoint-/) },
    });
  });

  test.each([
    ['http://LOCALHOST/m', 'http://localhost/m'],
    ['http://localhost:80/m', 'http://localhost/m'],
    ['HTTP://localhost/m', 'http://localhost/m'],
    ['/m#frag', 'http://localhost/m'],
    ['http:m', 'http://localhost/m'],
  ])('C087 %s is accepted as %s', (data, url) => {
    expect(judgeEndpoint(data, base)).toEqual({ kind: 'accepted', url });
  });
});

describe('C088 An endpoint that does not come', () => {
  test('C088 within the time for it: nothing was posted, and the problem names it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await using scene = await play(
        { GET: stream([': wait\n\n'], 'hang') },
        { ...SSE, state: 'connecting' },
      );
      await scene.fact('sse-comment');
      expect(scene.worker.summary(scene.id).phase).toBe('open');
      await vi.advanceTimersByTimeAsync(10_000);
      const { problem } = await scene.worker.state(scene.id, 'failed');
      expect(problem).toMatchObject({ code: 'deadline' });
      expect(problem!.message).toContain('`endpoint` event within 10 s');
      expect(scene.server.requests.map(({ method }) => method)).toEqual(['GET']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('C088 before the stream ends: an error, and no loop', async () => {
    await using scene = await play({ GET: stream([': bye\n\n']) }, { ...SSE, state: 'failed' });
    const { problem } = scene.worker.summary(scene.id);
    expect(problem).toMatchObject({ code: 'endpoint-missing' });
    expect(scene.server.requests).toHaveLength(1);
    expect(scene.facts('retry-scheduled')).toEqual([]);
  });

  test('C088 but late: nothing is posted before it, and all is well after it', async () => {
    await using scene = await play(
      { GET: stream([': wait\n\n', { wait: 'late' }, endpoint('/messages')], 'hang') },
      { ...SSE, state: 'connecting' },
    );
    await scene.fact('sse-comment');
    expect(scene.server.of('POST')).toEqual([]);
    scene.server.open('late');
    await scene.worker.state(scene.id, 'connected');
  });

  test.each<[string, Reply, string]>([
    ['404', plain(404), 'http-not-found'],
    ['JSON', json('{}'), 'body-type'],
    ['a web page', plain(200, 'text/html', '<!doctype html>'), 'body-web-page'],
  ])(
    'C088 because the GET is answered with %s: the problem is that of the answer',
    async (_n, reply, code) => {
      await using scene = await play({ GET: reply }, { ...SSE, state: 'failed' });
      expect(scene.worker.summary(scene.id).problem).toMatchObject({ code });
      expect(scene.server.requests).toHaveLength(1);
    },
  );
});

test('C089 A message before the endpoint is kept and delivered', async () => {
  await using scene = await play(
    { GET: stream([event(log('hi')), endpoint('/messages')], 'hang') },
    SSE,
  );
  const [early] = scene.items('notification').filter(({ direction }) => direction === 'incoming');
  expect(early).toMatchObject({ method: 'notifications/message', summary: 'info: hi' });
  const [announced] = scene.facts('endpoint-announced');
  expect(early!.sequence).toBeLessThan(announced!.sequence);
  expect(await scene.issues()).toContain('SSE-01');
});

describe('C090 A second endpoint', () => {
  test('C090 that is another one: used from then on, and flagged', async () => {
    await using scene = await play(
      { GET: stream([endpoint('/m?s=1'), { wait: 'second' }, endpoint('/m?s=2')], 'hang') },
      SSE,
    );
    scene.server.open('second');
    await scene.fact('endpoint-announced', ({ verdict }) => verdict === 'replaced');
    expect((await scene.call()).outcome).toBe('result');
    expect(scene.server.of('tools/list').map(({ target }) => target)).toEqual(['/m?s=2']);
    expect(scene.rows()).toContain('Endpoint replaced');
    expect(scene.server.of('initialize')).toHaveLength(1);
    expect(await scene.issues()).toContain('SSE-22');
  });

  test('C090 that is the same: ignored', async () => {
    await using scene = await play({ GET: announces('/m?s=1', '/m?s=1') }, SSE);
    await scene.fact('endpoint-announced', ({ verdict }) => verdict === 'unchanged');
    expect((await scene.call()).outcome).toBe('result');
    expect(scene.rows()).toContain('Endpoint announced again');
  });

  test('C090 of another origin: refused, the connection ends, and nothing is tried again', async () => {
    await using scene = await play(
      {
        GET: stream(
          [endpoint('/m'), { wait: 'second' }, endpoint('https://evil.example/m')],
          'hang',
        ),
        'tools/list': plain(202),
      },
      SSE,
    );
    const item = await scene.begin();
    scene.server.open('second');
    const { problem } = await scene.worker.state(scene.id, 'failed');
    expect(problem).toMatchObject({ code: 'endpoint-refused' });
    expect((await scene.settled(item)).outcome).toBe('failed');
    await scene.server.until(() => scene.server.of('GET')[0]?.isAbandoned);
    expect(scene.server.of('GET')).toHaveLength(1);
    expect(scene.facts('retry-scheduled')).toEqual([]);
  });
});

describe('C090 C094 The stream is lost', () => {
  test.each(['close', 'reset'] as const)(
    'C094 (%s) a new session: what was pending fails, initialize comes first, nothing goes to the old URL',
    async (ending) => {
      let isInitialized = false;
      await using scene = await play(
        {
          GET: [
            stream([endpoint('/m?sessionId=old-4471aa'), { wait: 'drop' }], ending),
            announces('/m?sessionId=new-9902bb'),
          ],
          'notifications/initialized': () => {
            isInitialized = true;
            return accepted([]);
          },
          'tools/call': plain(202),
          'tools/list': () =>
            isInitialized
              ? undefined
              : accepted([
                  {
                    push: event(
                      '{"jsonrpc":"2.0","id":$id,"error":{"code":-32602,"message":"early"}}',
                    ),
                  },
                ]),
        },
        SSE,
      );
      const item = await scene.begin('tools/call');
      await scene.server.until(() => scene.server.of('tools/call').length === 1);
      isInitialized = false;
      scene.server.open('drop');
      expect(await scene.settled(item)).toMatchObject({
        outcome: 'failed',
        problem: { code: 'stream-cut' },
      });
      expect(await scene.isWaitedFor(item)).toBe(false);
      await scene.worker.until(() => scene.facts('connection-chosen').length === 2);
      expect((await scene.call()).outcome).toBe('result');
      expect(
        scene.server.of('POST').map(({ target, message }) => [target, message.method]),
      ).toEqual([
        ['/m?sessionId=old-4471aa', 'initialize'],
        ['/m?sessionId=old-4471aa', 'notifications/initialized'],
        ['/m?sessionId=old-4471aa', 'tools/call'],
        ['/m?sessionId=new-9902bb', 'initialize'],
        ['/m?sessionId=new-9902bb', 'notifications/initialized'],
        ['/m?sessionId=new-9902bb', 'tools/list'],
      ]);
      expect(scene.server.of('GET').map((get) => header(get, 'last-event-id'))).toEqual([
        undefined,
        undefined,
      ]);
      expect(scene.rows()).toEqual(expect.arrayContaining(['Connection lost', 'Session ended']));
      expect(scene.facts('session-ended')).toHaveLength(1);
    },
  );

  test('C094 an answer that comes on the new stream is shown with its request, which stays failed', async () => {
    await using scene = await play(
      {
        GET: [
          stream([endpoint('/m?s=1'), { wait: 'drop' }], 'close'),
          stream([endpoint('/m?s=2'), { wait: 'late' }, event(RESULT)], 'hang'),
        ],
        'tools/call': plain(202),
      },
      SSE,
    );
    const item = await scene.begin('tools/call');
    await scene.server.until(() => scene.server.of('tools/call').length === 1);
    scene.server.open('drop');
    await scene.settled(item);
    await scene.worker.until(() => scene.facts('connection-chosen').length === 2);
    scene.server.open('late');
    await scene.worker.until(() => item.response !== undefined);
    expect(item.outcome).toBe('failed');
    expect(scene.worker.summary(scene.id).state).toBe('connected');
  });

  test('C094 and cannot be had again: the connection fails after the retries of the profile', async () => {
    await using scene = await play(
      { GET: [stream([endpoint('/m'), { wait: 'drop' }], 'close'), plain(503)] },
      SSE,
    );
    scene.server.open('drop');
    await scene.worker.state(scene.id, 'failed');
    expect(scene.server.of('GET')).toHaveLength(3);
    expect(scene.facts('retry-scheduled').map(({ delayMs }) => delayMs)).toEqual([5, 10]);
  });

  test('C094 404 on POST while the stream is open: one new session on a new stream, the old one let go', async () => {
    await using scene = await play(
      {
        GET: [announces('/m?sessionId=old-4471aa'), announces('/m?sessionId=new-9902bb')],
        'tools/list': (request) => (request.target.includes('old') ? plain(404) : undefined),
        'tools/call': plain(202),
      },
      SSE,
    );
    const pending = await scene.begin('tools/call');
    const item = await scene.call('tools/list');
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'http-session-ended' } });
    await scene.worker.until(() => scene.facts('connection-chosen').length === 2);
    await scene.server.until(() => scene.server.of('tools/list').length === 2);
    await scene.server.until(() => scene.server.of('GET')[0]?.isAbandoned);
    expect((await scene.settled(pending)).outcome).toBe('failed');
    expect(await scene.isWaitedFor(pending)).toBe(false);
    expect(scene.server.of('GET')).toHaveLength(2);
    expect(scene.worker.summary(scene.id).state).toBe('connected');
    expect(scene.facts('retry-scheduled')).toEqual([]);
  });

  test('C094 what is sent while the new session begins waits for it', async () => {
    const slow = accepted([{ wait: 'begin' }, { push: event(result(initializeResult())) }]);
    await using scene = await play(
      {
        GET: [stream([endpoint('/m'), { wait: 'drop' }], 'close'), announces('/m')],
        initialize: [undefined, slow],
      },
      SSE,
    );
    scene.server.open('drop');
    await scene.server.until(() => scene.server.of('initialize').length === 2);
    const sent = scene.call('ping');
    scene.server.open('begin');
    expect((await sent).outcome).toBe('result');
    const order = scene.server.of('POST').map(({ message }) => message.method);
    expect(order.slice(2)).toEqual(['initialize', 'notifications/initialized', 'ping']);
  });
});

describe('C092 What a POST is answered with', () => {
  const pushed = { push: event(result()) };

  test.each<[string, Reply]>([
    ['200 and the result in its body, nothing on the stream', json(result())],
    [
      '200 and a text, the result on the stream',
      { ...plain(200, 'text/plain', 'Accepted'), before: [pushed] },
    ],
    ['202, the result on the stream', accepted([pushed])],
    ['204, the result on the stream', { status: 204, before: [pushed] }],
    ['the result on both', { ...json(result()), body: [result(), pushed] }],
  ])('C092 %s: settled once', async (_name, reply) => {
    await using scene = await play({ 'tools/list': reply }, SSE);
    const item = await scene.call();
    expect(item.outcome).toBe('result');
    expect((await scene.call('ping')).outcome).toBe('result');
    const isTwice =
      Array.isArray(reply.body) && reply.body.length === 2 && reply.framing === 'length';
    expect(scene.items('stray')).toHaveLength(isTwice ? 1 : 0);
  });

  test('C092 a large result in the body is taken whole', async () => {
    const text = 'x'.repeat(300_000);
    await using scene = await play({ 'tools/list': json(result(`{"x":"${text}"}`)) }, SSE);
    const item = await scene.call();
    expect(item.outcome).toBe('result');
    expect(scene.text(item.response)).toHaveLength(300_000 + 42);
  });

  test('C092 an answer in the body is an issue', async () => {
    await using scene = await play({ 'tools/list': json(result()) }, SSE);
    await scene.call();
    expect(await scene.issues()).toEqual(['SSE-03']);
  });
});

describe('C093 The answer on the stream overtakes that of the POST', () => {
  test.each([
    [202, undefined],
    [500, 'http-status'],
  ])('C093 (%s): it counts, and what the POST says is noted only', async (status, noted) => {
    await using scene = await play(
      {
        'tools/list': {
          ...plain(status),
          before: [{ push: event(result()) }, { wait: 'later' }],
        },
      },
      SSE,
    );
    const item = await scene.begin();
    await scene.worker.until(() => item.outcome === 'result');
    expect(scene.worker.correlation.https.get(item.httpId!)!.response).toBeUndefined();
    scene.server.open('later');
    const head = await scene.fact('http-response', ({ httpId }) => httpId === item.httpId);
    await scene.fact('http-end', ({ httpId }) => httpId === item.httpId);
    expect(head.status).toBe(status);
    expect(item.outcome).toBe('result');
    expect(item.problem?.code).toBe(noted);
    expect(head.sequence).toBeGreaterThan(scene.facts('sse-event').at(-1)!.sequence);
    expect(scene.worker.summary(scene.id).state).toBe('connected');
  });

  test('C093 202 and never an answer: the deadline ends it', async () => {
    await using scene = await play({ 'tools/list': plain(202) }, { ...SSE, idleTimeoutMs: 60 });
    const item = await scene.call();
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'deadline' } });
    expect(item.problem!.message).toContain('accepted `tools/list` but did not answer');
    await scene.server.until(() => scene.server.of('notifications/cancelled').length === 1);
  });
});

test('C096 Nothing is sent before the handshake is done', async () => {
  await using scene = await play(
    { 'notifications/initialized': { ...plain(202), before: [{ wait: 'done' }] } },
    { ...SSE, state: 'connecting' },
  );
  await scene.server.until(() => scene.server.of('notifications/initialized').length === 1);
  const early = scene.worker.manager.functions.send(scene.id, 'tools/list', undefined);
  await expect(early).rejects.toMatchObject({ problem: { code: 'not-connected' } });
  scene.server.open('done');
  await scene.worker.state(scene.id, 'connected');
  expect((await scene.call()).outcome).toBe('result');
  expect(scene.server.of('tools/list')).toHaveLength(1);
});

describe('C097 C098 What a POST fails with is what is reported', () => {
  const get405: Record<string, Answer> = { GET: plain(405) };
  const rpc = (code: number, message: string) =>
    `{"jsonrpc":"2.0","id":null,"error":{"code":${code},"message":"${message}"}}`;

  test.each<[string, Reply, string, RegExp]>([
    ['C097 401', plain(401), 'http-unauthorized', /401/],
    ['C097 403', plain(403), 'http-forbidden', /403/],
    ['C097 415', plain(415), 'http-status', /415/],
    ['C097 500', plain(500), 'http-status', /500/],
    ['C097 502', plain(502, 'text/html', '<h1>Bad gateway</h1>'), 'http-status', /502/],
    [
      'C097 200 and a web page',
      plain(200, 'text/html', '<!doctype html>'),
      'body-web-page',
      /web page/,
    ],
    [
      'C098 a modern error',
      json(rpc(-32022, 'unsupported revision'), 400),
      'http-status',
      /unsupported revision/,
    ],
    [
      'C098 an error with a reason',
      json(rpc(-32000, 'App is not enabled'), 400),
      'http-status',
      /App is not enabled/,
    ],
    ['C098 an invalid request', json(rpc(-32600, 'no session'), 400), 'http-status', /no session/],
    ['C098 400 and nothing', plain(400), 'http-status', /400/],
  ])(
    '%s: the error of the POST, and no other transport is tried',
    async (_name, reply, code, words) => {
      await using scene = await play(
        { POST: reply, ...get405 },
        { state: 'failed', openStream: true },
      );
      const { problem } = scene.worker.summary(scene.id);
      expect(problem).toMatchObject({ code });
      expect(problem!.message).toMatch(words);
      expect(scene.server.requests.map(({ method }) => method)).toEqual(['POST']);
    },
  );

  test('C097 a refused connection is named as such', async () => {
    const server = await startScripted();
    const url = server.url();
    await server[Symbol.asyncDispose]();
    await using scene = await play({});
    const id = await scene.worker.connect(url, { openStream: false });
    const { problem } = await scene.worker.state(id, 'failed');
    expect(problem).toMatchObject({ code: 'network-refused', detail: 'ECONNREFUSED' });
  });
});

test('C100 A second attempt begins anew: fresh ids, no session, and late bytes of the first touch nothing', async () => {
  const half = stream([event(log('half')), { wait: 'late' }, event(result(initializeResult()))]);
  await using scene = await play({ initialize: [half] }, { state: 'connecting' });
  await scene.fact('sse-event');
  await scene.disconnect();
  const id = await scene.worker.connect(scene.server.url(), { openStream: false });
  await scene.server.until(() => scene.server.of('initialize').length === 2);
  scene.server.open('late');
  await scene.worker.state(id, 'connected');
  const attempts = scene.server.of('initialize');
  expect(attempts.map(({ message }) => message.id)).toEqual([0, 0]);
  expect(header(attempts[1]!, 'mcp-session-id')).toBeUndefined();
  expect(header(attempts[1]!, 'mcp-protocol-version')).toBeUndefined();
  expect(scene.worker.summary(scene.id).state).toBe('closed');
  const first = scene.items('request').filter(({ connectionId }) => connectionId === scene.id);
  expect(first).toMatchObject([{ method: 'initialize', outcome: 'failed' }]);
});
