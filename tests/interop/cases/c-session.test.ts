import { describe, expect, test, vi } from 'vitest';
import type { Answer, Reply } from '../../server/scripted.ts';
import {
  event,
  initializeResult,
  json,
  plain,
  result,
  sessionId,
  stream,
} from '../../server/scripted-behaviour.ts';
import { header, type RawRequest } from '../../server/scripted-http.ts';
import { play, type Scene } from './play.ts';

const [S1, S2] = [sessionId(1), sessionId(2)];

/** A server that has forgotten the first session: whatever carries its id is refused like this. */
function forgets(reply: Reply): Record<string, Answer> {
  return {
    'tools/list': (request) => (header(request, 'mcp-session-id') === S1 ? reply : undefined),
    'tools/call': (request) => (header(request, 'mcp-session-id') === S1 ? reply : undefined),
  };
}

function sessionsOf(requests: RawRequest[]): (string | undefined)[] {
  return requests.map((request) => header(request, 'mcp-session-id'));
}

/** Resolves once a second session is there. */
function renewed(scene: Scene) {
  return scene.fact('session-replaced');
}

const notFound = json('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"gone"}}', 404);

describe('C048 404 for a session that has expired', () => {
  test.each<[string, Reply]>([
    ['JSON', notFound],
    ['a text', plain(404, 'text/plain', 'Session not found')],
    ['nothing', plain(404)],
  ])(
    'C048 with %s: a new session, in which a reading request is repeated once',
    async (_n, reply) => {
      await using scene = await play(forgets(reply));
      const first = await scene.call();
      await renewed(scene);
      const second = await scene.item('request', ({ sequence }) => sequence > first.sequence + 1);
      const again = await scene.item('request', (item) => {
        return item.method === 'tools/list' && item !== first && item.outcome === 'result';
      });
      expect(second.method).toBe('initialize');
      expect(first).toMatchObject({ outcome: reply === notFound ? 'error' : 'failed' });
      expect(first.problem).toMatchObject({ code: 'http-session-ended' });
      expect(sessionsOf(scene.server.of('initialize'))).toEqual([undefined, undefined]);
      expect(sessionsOf(scene.server.of('tools/list'))).toEqual([S1, S2]);
      const links = scene
        .facts('http-request')
        .find(({ httpId }) => httpId === again.httpId)!.links;
      expect(links).toEqual({ retryOf: first.httpId, attempt: 2, reason: 'session' });
      const rows = scene.rows();
      expect(rows.indexOf('Session ended')).toBeGreaterThan(0);
      expect(rows.some((row) => row.startsWith('Session replaced'))).toBe(true);
      expect(scene.worker.summary(scene.id).state).toBe('connected');
      expect(scene.server.of('tools/list')).toHaveLength(2);
    },
  );

  test('C048 a tool call is never repeated by itself', async () => {
    await using scene = await play(forgets(notFound));
    await scene.call('tools/call', '{"name":"delete"}');
    await renewed(scene);
    expect((await scene.call('tools/list')).outcome).toBe('result');
    expect(scene.server.of('tools/call')).toHaveLength(1);
  });

  test('C048 switched off: nothing is sent by itself, and the connection says what is wrong', async () => {
    await using scene = await play(forgets(notFound), { renewSession: false });
    await scene.call();
    const summary = await scene.worker.state(scene.id, 'lost');
    expect(summary.problem).toMatchObject({ code: 'http-session-ended' });
    expect(scene.server.of('initialize')).toHaveLength(1);
  });

  test('C048 the repeat is refused too: there is no second repeat', async () => {
    await using scene = await play({ 'tools/list': notFound });
    await scene.call();
    await scene.worker.state(scene.id, 'lost');
    expect(scene.server.of('tools/list')).toHaveLength(2);
    expect(scene.server.of('initialize')).toHaveLength(2);
  });

  test('C048 the new session is refused: the connection is lost, and nothing loops', async () => {
    await using scene = await play({ ...forgets(notFound), initialize: [undefined, plain(503)] });
    await scene.call();
    const summary = await scene.worker.state(scene.id, 'lost');
    expect(summary.problem).toMatchObject({ code: 'http-status' });
    expect(scene.server.of('initialize')).toHaveLength(2);
  });
});

describe('C049 C050 Other answers for a session that has expired', () => {
  const said = 'Bad Request: No valid session ID provided';
  const wrong = (status: number, message = said) =>
    json(`{"jsonrpc":"2.0","error":{"code":-32000,"message":"${message}"},"id":null}`, status);

  test.each<[string, Reply, string, string]>([
    ['C049 400', wrong(400), 'error', said],
    ['C050 410', plain(410), 'failed', '410'],
    [
      'C050 200 and an event that is no message',
      stream([event('{"error":"Session not found"}')]),
      'failed',
      'The error is a string',
    ],
  ])(
    '%s is a plain error: no new session, no other transport',
    async (_name, reply, outcome, words) => {
      await using scene = await play(forgets(reply));
      const item = await scene.call();
      expect(item.outcome).toBe(outcome);
      expect(item.problem!.message).toContain(words);
      expect(scene.worker.summary(scene.id).state).toBe('connected');
      expect(scene.server.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
    },
  );

  test('C049 the 400 is an issue', async () => {
    await using scene = await play(forgets(wrong(400)));
    await scene.call();
    expect(await scene.issues()).toContain('SES-20');
  });

  test('C050 404 counts, whatever its message says', async () => {
    await using scene = await play(forgets(wrong(404, 'Unknown Mcp-Session-Id header')));
    await scene.call();
    await renewed(scene);
    expect(scene.worker.summary(scene.id).state).toBe('connected');
  });
});

describe('C051 404 on the optional GET stream', () => {
  test('C051 (a) without a session: no stream is offered', async () => {
    await using scene = await play(
      { GET: plain(404, 'text/plain', 'Cannot GET /mcp') },
      { openStream: true, hasSessions: false },
    );
    await scene.item('stream', ({ outcome }) => outcome === 'not-offered');
    expect((await scene.call()).outcome).toBe('result');
    expect(scene.server.of('GET')).toHaveLength(1);
    expect(scene.server.of('ping')).toEqual([]);
    expect(scene.server.of('initialize')).toHaveLength(1);
  });

  test('C051 (b) with a session that a ping finds alive: no stream, an issue', async () => {
    await using scene = await play({ GET: plain(404) }, { openStream: true });
    await scene.item('request', ({ method, outcome }) => method === 'ping' && outcome === 'result');
    expect((await scene.call()).outcome).toBe('result');
    expect(sessionsOf(scene.server.of('ping'))).toEqual([S1]);
    expect(scene.server.of('GET')).toHaveLength(1);
    expect(scene.server.of('initialize')).toHaveLength(1);
    expect(await scene.issues()).toEqual(['HTT-03']);
  });

  test('C051 (c) with a session that is gone: one new session', async () => {
    const gone: Answer = (request) =>
      header(request, 'mcp-session-id') === S1 ? plain(404) : undefined;
    await using scene = await play({ GET: gone, ping: gone }, { openStream: true });
    await renewed(scene);
    await scene.server.until(() => scene.server.of('GET').length === 2);
    expect(sessionsOf(scene.server.of('GET'))).toEqual([S1, S2]);
    expect(scene.server.of('initialize')).toHaveLength(2);
  });
});

describe('C052 A session id where none belongs', () => {
  test('C052 on an error, and on an answer that is not that to initialize, is ignored', async () => {
    const ghost = { 'Mcp-Session-Id': 'ghost-71c9e0' };
    await using scene = await play({
      'tools/list': [json(result(), 500, ghost), json(result(), 200, ghost), json(result())],
      ping: (request) => (header(request, 'mcp-session-id') === S1 ? undefined : plain(404)),
    });
    await scene.call();
    await scene.call();
    expect((await scene.call('ping')).outcome).toBe('result');
    expect(sessionsOf(scene.server.of('tools/list'))).toEqual([S1, S1]);
    expect(await scene.issues()).toContain('SES-04');
  });

  test('C052 on a refused initialize is not sent with the next one', async () => {
    await using scene = await play(
      { initialize: [json(result(), 404, { 'Mcp-Session-Id': 'ghost-71c9e0' })] },
      { state: 'failed' },
    );
    const id = await scene.worker.connect(scene.server.url(), { openStream: false });
    await scene.worker.state(id, 'failed');
    expect(sessionsOf(scene.server.of('initialize'))).toEqual([undefined, undefined]);
  });

  test('C052 on a slow answer of the old session does not come back', async () => {
    const old = json(result(), 200, { 'Mcp-Session-Id': S1 });
    await using scene = await play({
      'tools/call': { ...old, before: [{ wait: 'late' }] },
      'tools/list': (request) =>
        header(request, 'mcp-session-id') === S1 ? plain(404) : undefined,
    });
    const slow = await scene.begin('tools/call', '{"name":"slow"}');
    await scene.call();
    await renewed(scene);
    scene.server.open('late');
    expect((await scene.settled(slow)).outcome).toBe('result');
    await scene.call('ping');
    expect(sessionsOf(scene.server.of('ping'))).toEqual([S2]);
  });
});

describe('C053 Session ids that are none', () => {
  function withSession(lines: string): Reply {
    const body = result(initializeResult()).replace('$id', '0');
    return {
      head: `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${lines}\r\n`,
      body: [body],
    };
  }

  test.each([
    ['a space', 'Mcp-Session-Id: my session\r\n', 'my session', ['SES-01']],
    [
      'bytes of UTF-8',
      'Mcp-Session-Id: \u00c3\u00a9t\u00c3\u00a9-22\r\n',
      '\u00c3\u00a9t\u00c3\u00a9-22',
      ['SES-01'],
    ],
    [
      'two lines',
      'Mcp-Session-Id: aaaa-1\r\nMcp-Session-Id: bbbb-2\r\n',
      'aaaa-1, bbbb-2',
      ['SES-01'],
    ],
    ['nothing', 'Mcp-Session-Id:\r\n', undefined, ['SES-01']],
    ['12 kB', `Mcp-Session-Id: ${'a'.repeat(12_000)}\r\n`, 'a'.repeat(12_000), []],
  ])('C053 %s: sent back to the byte, and an issue', async (_name, lines, sent, issues) => {
    await using scene = await play({ initialize: withSession(lines) });
    expect((await scene.call()).outcome).toBe('result');
    expect(sessionsOf(scene.server.of('tools/list'))).toEqual([sent]);
    expect(await scene.issues()).toEqual(issues);
  });

  test('C053 more than HTTP here takes: a clear failure, and nothing hangs', async () => {
    const lines = `Mcp-Session-Id: ${'a'.repeat(17_000)}\r\n`;
    await using scene = await play({ initialize: withSession(lines) }, { state: 'failed' });
    const { problem } = scene.worker.summary(scene.id);
    expect(problem).toMatchObject({ code: 'network-failed', detail: 'UND_ERR_HEADERS_OVERFLOW' });
  });
});

describe('C054 Ten calls get 404 together', () => {
  test('C054 one new session, and each is repeated once in it', async () => {
    const refused: Reply = { ...notFound, before: [{ wait: 'all ten' }] };
    await using scene = await play({
      ...forgets(refused),
      'resources/list': (request) =>
        header(request, 'mcp-session-id') === S1
          ? { ...notFound, before: [{ wait: 'after all' }] }
          : undefined,
    });
    for (let nth = 1; nth < 10; nth += 1) await scene.begin('tools/list');
    const last = await scene.begin('resources/list');
    await scene.server.until(() => scene.server.of('tools/list').length === 9);
    scene.server.open('all ten');
    await scene.worker.until(() => scene.facts('connection-chosen').length === 2);
    await scene.call('ping');
    scene.server.open('after all');
    await scene.settled(last);
    await scene.server.until(() => scene.server.of('resources/list').length === 2);
    await scene.worker.until(
      () => scene.items('request').filter(({ outcome }) => outcome === 'result').length === 13,
    );
    expect(scene.server.of('initialize')).toHaveLength(2);
    expect(sessionsOf(scene.server.of('tools/list'))).toEqual([
      ...Array.from({ length: 9 }, () => S1),
      ...Array.from({ length: 9 }, () => S2),
    ]);
    expect(sessionsOf(scene.server.of('resources/list'))).toEqual([S1, S2]);
    expect(scene.facts('session-ended')).toHaveLength(1);
    const retried = scene.facts('http-request').filter(({ links }) => links.reason === 'session');
    expect(new Set(retried.map(({ links }) => links.retryOf)).size).toBe(10);
  });

  test('C054 what is sent while the new session begins waits for it', async () => {
    await using scene = await play({
      ...forgets(notFound),
      initialize: [
        undefined,
        {
          ...json(result(initializeResult()), 200, { 'Mcp-Session-Id': S2 }),
          before: [{ wait: 'begin' }],
        },
      ],
    });
    await scene.call();
    await scene.server.until(() => scene.server.of('initialize').length === 2);
    const sent = scene.call('ping');
    scene.server.open('begin');
    expect((await sent).outcome).toBe('result');
    expect(sessionsOf(scene.server.of('ping'))).toEqual([S2]);
  });
});

describe('C056 Answers to the DELETE of a session', () => {
  test.each<[number, Reply, string, string]>([
    [405, plain(405), 'info', 'The server does not let clients end sessions (405)'],
    [404, plain(404), 'info', 'Session ended (404)'],
    [204, { status: 204 }, 'info', 'Session ended (204)'],
    [202, plain(202), 'info', 'Session ended (202)'],
    [200, json('{"ok":true}'), 'info', 'Session ended (200)'],
    [401, plain(401), 'warning', 'Ending the session was answered 401'],
    [500, plain(500, 'text/plain', 'no'), 'warning', 'Ending the session was answered 500'],
  ])('C056 %s ends the session here', async (status, reply, level, title) => {
    await using scene = await play({ DELETE: reply });
    await scene.disconnect(true);
    expect(scene.worker.summary(scene.id).state).toBe('closed');
    const row = await scene.item('lifecycle', (item) => item.title === title);
    expect(row.level).toBe(level);
    expect(scene.facts('connection-terminated')).toMatchObject([{ status }]);
    expect(scene.server.of('DELETE')).toHaveLength(1);
  });

  test('C056 none at all: closing takes no longer than 2 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await using scene = await play({ DELETE: { ending: 'silent' } });
      const closing = scene.disconnect(true);
      await scene.server.until(() => scene.server.of('DELETE').length === 1);
      await vi.advanceTimersByTimeAsync(1999);
      expect(scene.worker.summary(scene.id).state).toBe('closing');
      await vi.advanceTimersByTimeAsync(1);
      await closing;
      expect(scene.worker.summary(scene.id).state).toBe('closed');
    } finally {
      vi.useRealTimers();
    }
  });

  test('C056 a head without its body: closing waits for the head only', async () => {
    await using scene = await play({ DELETE: { status: 200, body: ['.'], ending: 'hang' } });
    await scene.disconnect(true);
    expect(scene.facts('connection-terminated')).toMatchObject([{ status: 200 }]);
  });
});

test('C057 The DELETE carries session, revision and credentials; closing alone sends none', async () => {
  const headers = [{ name: 'Authorization', value: 'Bearer secret-token-1', secret: true }];
  await using scene = await play({}, { headers });
  await scene.disconnect(true);
  const [request] = scene.server.of('DELETE');
  expect(header(request!, 'mcp-session-id')).toBe(S1);
  expect(header(request!, 'mcp-protocol-version')).toBe('2025-11-25');
  expect(header(request!, 'authorization')).toBe('Bearer secret-token-1');
  await using quiet = await play({});
  await quiet.disconnect(false);
  expect(quiet.server.of('DELETE')).toEqual([]);
  expect(await quiet.ownIssues()).toMatchObject([{ ruleId: 'SES-05', severity: 'info' }]);
});

test('C058 Every request after initialize carries the negotiated revision', async () => {
  await using scene = await play(
    {
      initialize: [undefined],
      GET: (request) =>
        header(request, 'mcp-protocol-version') === '2025-06-18'
          ? stream([': ok\n\n'], 'hang')
          : plain(400),
      '*': (request) =>
        header(request, 'mcp-protocol-version') === '2025-06-18' ? undefined : plain(400),
    },
    { openStream: true, revision: '2025-06-18' },
  );
  await scene.fact('sse-comment');
  expect((await scene.call()).outcome).toBe('result');
  await scene.disconnect(true);
  const versions = scene.server.requests.map((request) => [
    request.message.method ?? request.method,
    header(request, 'mcp-protocol-version'),
  ]);
  expect(new Map(versions as [string, string | undefined][])).toEqual(
    new Map([
      ['initialize', undefined],
      ['notifications/initialized', '2025-06-18'],
      ['GET', '2025-06-18'],
      ['tools/list', '2025-06-18'],
      ['DELETE', '2025-06-18'],
    ]),
  );
});

test('C060 A replayed initialize carries no revision in its header, whatever its body says', async () => {
  await using scene = await play({});
  await scene.call('initialize', '{"protocolVersion":"2025-03-26","capabilities":{}}');
  const [, replay] = scene.server.of('initialize');
  expect(replay!.message.params).toMatchObject({ protocolVersion: '2025-03-26' });
  expect(header(replay!, 'mcp-protocol-version')).toBeUndefined();
  expect(header(replay!, 'mcp-session-id')).toBeUndefined();
});

test.each([
  ['a later one', '"2099-01-01"'],
  ['what is no date', '"1.0"'],
  ['a number', '20251125'],
  ['null', 'null'],
])('C061 A server that chooses %s: stopped, with its words', async (_name, version) => {
  const chosen = initializeResult().replace('"2025-11-25"', version);
  await using scene = await play({ initialize: json(result(chosen)) }, { state: 'failed' });
  const { problem } = scene.worker.summary(scene.id);
  expect(problem).toMatchObject({ code: 'protocol-version' });
  expect(problem!.message).toContain(version);
  expect(problem!.advice).toContain('2025-11-25');
  expect(scene.server.requests).toHaveLength(1);
  expect(await scene.issues()).toContain('LIF-03');
});

describe('C062 An initialize that is not answered in time', () => {
  test('C062 is given up without a cancellation', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await using scene = await play({ initialize: { ending: 'silent' } }, { state: 'connecting' });
      await scene.server.until(() => scene.server.of('initialize').length === 1);
      await vi.advanceTimersByTimeAsync(10_000);
      const { problem } = await scene.worker.state(scene.id, 'failed');
      expect(problem).toMatchObject({ code: 'deadline' });
      await scene.server.until(() => scene.server.of('initialize')[0]?.isAbandoned);
      expect(scene.server.requests).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('C062 a response that is late on a shared stream is shown with its request, and changes nothing', async () => {
    await using scene = await play(
      { 'tools/list': { status: 202 } },
      { isHttpSse: true, idleTimeoutMs: 50 },
    );
    const item = await scene.call();
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'deadline' } });
    scene.server.push(event('{"jsonrpc":"2.0","id":1,"result":{}}'));
    await scene.worker.until(() => item.response !== undefined);
    expect(item.outcome).toBe('failed');
    expect(scene.items('stray')).toEqual([]);
  });
});
