import { describe, expect, test, vi } from 'vitest';
import type { HttpCall, HttpDoor } from '../../../lib/transport/exchange/http-door.ts';
import { networkProblem } from '../../../lib/transport/network-problem.ts';
import { startScripted, type Answer, type Reply } from '../../server/scripted.ts';
import { event, json, plain, progress, result, stream } from '../../server/scripted-behaviour.ts';
import { header } from '../../server/scripted-http.ts';
import { createNodeHttpDoor } from '../../support/node-http.ts';
import { startTestWorker } from '../../support/connected.ts';
import { play } from './play.ts';

function moved(status: number, location: string): Reply {
  return { status, headers: { Location: location }, framing: 'length' };
}

describe('C132 Redirects of the same origin', () => {
  test.each([
    [307, '/mcp/'],
    [308, '/mcp/'],
    [307, 'mcp/'],
    [308, 'ORIGIN/mcp/'],
  ])('C132 %s to %s: followed with method, body and headers', async (status, location) => {
    const script: Record<string, Answer> = {
      'POST /mcp': (request) =>
        moved(status, location.replace('ORIGIN', `http://${header(request, 'host')}`)),
      'DELETE /mcp': moved(status, '/mcp/'),
    };
    const headers = [{ name: 'X-Api-Key', value: 'secret-key-12345', secret: true }];
    await using scene = await play(script, { headers });
    const item = await scene.call();
    expect(item.outcome).toBe('result');
    const [asked, followed] = scene.server.of('tools/list');
    expect([asked!.target, followed!.target]).toEqual(['/mcp', '/mcp/']);
    expect(followed!.body).toBe(asked!.body);
    const sent = (name: string) => header(followed!, name);
    expect(sent('x-api-key')).toBe('secret-key-12345');
    expect(sent('mcp-session-id')).toBe(header(asked!, 'mcp-session-id'));
    expect(sent('accept')).toBe(header(asked!, 'accept'));
    expect(scene.rows()).toContain(`Redirect ${status}`);
    const row = scene.items('lifecycle').find(({ title }) => title === `Redirect ${status}`);
    expect(row!.detail).toContain('/mcp/');
    expect(scene.facts('connection-opened')[0]!.profile.url.text).toBe(scene.server.url());
    await scene.disconnect(true);
    expect(scene.server.of('DELETE').map(({ target }) => target)).toEqual(['/mcp', '/mcp/']);
  });

  test.each([
    ['a chain of eleven', (hop: number) => `/hop-${hop}`],
    ['a loop', () => '/mcp'],
  ])('C132 %s stops after five hops, and says so', async (_name, next) => {
    await using scene = await play(
      { POST: (_request, nth) => (nth > 11 ? undefined : moved(307, next(nth))) },
      { state: 'failed' },
    );
    expect(scene.server.requests).toHaveLength(6);
    const { problem } = scene.worker.summary(scene.id);
    expect(problem).toMatchObject({ code: 'http-redirect' });
    expect(problem!.message).toContain('one hop too many');
  });

  test.each([301, 302, 303])(
    'C132 %s on a POST is not followed: it would become a GET',
    async (status) => {
      await using scene = await play({ 'POST /mcp': moved(status, '/mcp/') }, { state: 'failed' });
      expect(scene.server.requests).toHaveLength(1);
      const { problem } = scene.worker.summary(scene.id);
      expect(problem).toMatchObject({ code: 'http-redirect' });
      expect(problem!.advice).toContain(`${scene.server.origin}/mcp/`);
    },
  );
});

describe('C132 Redirects of a GET', () => {
  test.each([301, 302, 303, 307])('%s within the origin is followed', async (status) => {
    await using scene = await play(
      { 'GET /sse': moved(status, '/sse/') },
      { isHttpSse: true, path: '/sse' },
    );
    expect((await scene.call()).outcome).toBe('result');
    expect(scene.server.of('GET').map(({ target }) => target)).toEqual(['/sse', '/sse/']);
  });

  test('a circle ends, and says so', async () => {
    await using scene = await play(
      { GET: moved(302, '/sse') },
      { isHttpSse: true, state: 'failed' },
    );
    expect(scene.server.requests).toHaveLength(6);
    expect(scene.worker.summary(scene.id).problem!.message).toContain('one hop too many');
  });

  test('to another origin is not, and nothing is sent there', async () => {
    await using scene = await play(
      { GET: moved(301, 'http://localhost:1/sse') },
      { isHttpSse: true, state: 'failed' },
    );
    expect(scene.worker.summary(scene.id).problem!.message).toContain('another origin');
  });
});

describe('C133 C134 Redirects to another origin', () => {
  test('C133 from https to http: nothing is sent there, and both URLs are named', async () => {
    const calls: HttpCall[] = [];
    const door: HttpDoor = {
      canBrake: true,
      bodyError: () => Promise.resolve('none'),
      send(call) {
        calls.push(call);
        const target = 'http://mcp.example.com/mcp/';
        const head = {
          status: 307,
          statusText: '',
          headers: [{ name: 'location', value: target }],
        };
        return Promise.resolve({ head, redirect: { location: target, target }, body: undefined });
      },
    };
    await using worker = await startTestWorker({ http: door });
    const headers = [{ name: 'Authorization', value: 'Bearer secret-token-1', secret: true }];
    const id = await worker.connect('https://mcp.example.com/mcp', { headers });
    const { problem } = await worker.state(id, 'failed');
    expect(calls.map(({ url }) => url)).toEqual(['https://mcp.example.com/mcp']);
    expect(problem).toMatchObject({ code: 'http-redirect' });
    expect(problem!.message).toContain(
      'from https://mcp.example.com/mcp to http://mcp.example.com/mcp/',
    );
    expect(problem!.message).toContain('another origin, so nothing was sent there');
    expect(problem!.advice).toContain('Connect to http://mcp.example.com/mcp/');
  });

  test.each([307, 308])(
    'C134 %s: no message and no key reaches it, by POST, GET or DELETE',
    async (status) => {
      await using trap = await startScripted();
      const away = moved(status, `${trap.origin}/mcp`);
      const headers = [
        { name: 'X-Api-Key', value: 'secret-key-12345', secret: true },
        { name: 'Authorization', value: 'Bearer secret-token-1', secret: true },
      ];
      await using scene = await play(
        { 'tools/call': away, GET: away, DELETE: away },
        { headers, openStream: true },
      );
      const item = await scene.call('tools/call');
      expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'http-redirect' } });
      expect(item.problem!.message).toContain(trap.origin);
      await scene.item('stream', ({ outcome }) => outcome === 'not-offered');
      await scene.disconnect(true);
      expect(trap.requests).toEqual([]);
      expect(scene.facts('http-redirect').map(({ target }) => target)).toEqual(
        Array.from({ length: 3 }, () => `${trap.origin}/mcp`),
      );
    },
  );
});

describe('C136 C137 C138 Without host permission nothing is sent that CORS could stop', () => {
  test('C136 the host is asked for first; refused, the connection fails and names it', async () => {
    await using server = await startScripted();
    await using worker = await startTestWorker();
    worker.granted.clear();
    const id = await worker.connect(server.url());
    await worker.state(id, 'asking');
    await worker.manager.functions.permissionAnswered(id, false);
    const { problem } = await worker.state(id, 'failed');
    expect(problem).toMatchObject({ code: 'permission-denied' });
    expect(problem!.message).toContain(`${server.origin}/*`);
    expect(problem!.message).toContain('nothing was sent');
    expect(server.requests).toEqual([]);
  });

  test('C137 with it, session id and challenge are read from what a page could not see', async () => {
    await using scene = await play({
      'tools/list': (request) =>
        header(request, 'mcp-session-id') === undefined ? plain(400) : undefined,
      'tools/call': { ...plain(401), headers: { 'WWW-Authenticate': 'Bearer realm="mcp"' } },
    });
    expect((await scene.call()).outcome).toBe('result');
    const item = await scene.call('tools/call');
    expect(item.problem!.message).toContain('Bearer realm="mcp"');
  });

  test('C138 a failure that the browser does not explain is never just “Failed to fetch”', () => {
    const problem = networkProblem(undefined, 'http://localhost:3000/mcp');
    expect(problem).toMatchObject({ code: 'network-blocked' });
    expect(problem.message).toContain('localhost:3000');
    expect(problem.advice).toBeDefined();
  });
});

describe('C140 A server that refuses our Origin', () => {
  const value = 'chrome-extension://abcdefghijklmnop';
  const body = '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Invalid Origin"},"id":null}';

  test.each<[string, Reply, RegExp]>([
    ['403 and a JSON-RPC error', json(body, 403), /Invalid Origin/],
    ['403 and nothing', plain(403), /403/],
  ])(
    'C140 %s: the origin that was sent is named, and nothing else is tried',
    async (_n, reply, words) => {
      await using scene = await play(
        { '*': reply },
        { originPolicy: { kind: 'value', value }, state: 'failed' },
      );
      const { problem } = scene.worker.summary(scene.id);
      expect(problem).toMatchObject({ code: 'http-forbidden' });
      expect(problem!.message).toMatch(words);
      expect(problem!.advice).toContain(value);
      expect(scene.server.requests.map(({ method }) => method)).toEqual(['POST']);
    },
  );

  test('C140 400 is a plain error with the words of the server', async () => {
    await using scene = await play({ '*': json(body, 400) }, { state: 'failed' });
    expect(scene.worker.summary(scene.id).problem!.message).toContain('Invalid Origin');
  });

  test('C140 without an Origin there is no talk of one, and none was sent', async () => {
    await using scene = await play({ '*': plain(403) }, { state: 'failed' });
    expect(scene.worker.summary(scene.id).problem!.advice).toContain('No Origin header was sent');
    expect(header(scene.server.requests[0]!, 'origin')).toBeUndefined();
  });
});

test.each([
  'net::ERR_BLOCKED_BY_LOCAL_NETWORK_ACCESS_CHECKS',
  'net::ERR_BLOCKED_BY_PRIVATE_NETWORK_ACCESS_CHECKS',
])('C141 %s is the permission of the browser, and no fault of the server', (name) => {
  const problem = networkProblem(name, 'http://192.168.1.7:3000/mcp');
  expect(problem).toMatchObject({ code: 'network-blocked', detail: name });
  expect(problem.message).toContain('local network');
  expect(problem.advice).toContain('Allow');
});

test('C142 Access taken away in mid-session: the connection is lost and says why, also for what fails then', async () => {
  let isBlocked = false;
  const door = createNodeHttpDoor();
  const http: HttpDoor = {
    ...door,
    send: (call, observer) =>
      isBlocked ? Promise.reject(new TypeError('Failed to fetch')) : door.send(call, observer),
  };
  await using scene = await play(
    {
      GET: stream(
        [': open\n\n', { wait: 'more' }, event('{"jsonrpc":"2.0","method":"x"}')],
        'hang',
      ),
    },
    { openStream: true, doors: { http } },
  );
  await scene.fact('sse-comment');
  isBlocked = true;
  scene.worker.granted.clear();
  await scene.worker.manager.permissionsRemoved();
  const { problem } = await scene.worker.state(scene.id, 'lost');
  expect(problem).toMatchObject({ code: 'permission-revoked' });
  expect(problem!.message).toContain(scene.server.origin);
  await scene.item('lifecycle', ({ title }) => title === 'Permission revoked');
  // The stream may live on.
  scene.server.open('more');
  await scene.item('notification', ({ method }) => method === 'x');
  expect(await scene.call()).toMatchObject({ outcome: 'failed' });
  expect(scene.worker.summary(scene.id)).toMatchObject({
    state: 'lost',
    problem: { code: 'permission-revoked' },
  });
});

test('C144 Events that arrive in one lump are all kept, in order, with their time of arrival', async () => {
  const lump = Array.from({ length: 20 }, (_, index) => event(progress(index + 1))).join('');
  await using scene = await play(
    { 'tools/call': stream([{ wait: 'late' }, lump + event(result())]) },
    { idleTimeoutMs: 5000 },
  );
  const item = await scene.begin('tools/call', '{"name":"x","_meta":{"progressToken":"t"}}');
  await scene.fact('http-response', ({ httpId }) => httpId === item.httpId);
  const real = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => real() + 20_000);
  const before = performance.now();
  scene.server.open('late');
  expect((await scene.settled(item)).outcome).toBe('result');
  const rows = scene.items('notification').filter(({ parent }) => parent === item.key);
  expect(rows.map(({ summary }) => summary)).toEqual(
    Array.from({ length: 20 }, (_, index) => String(index + 1)),
  );
  const events = scene.facts('sse-event');
  const { monotonicTime: first } = events[0]!;
  const { monotonicTime: last } = events.at(-1)!;
  expect(last - first).toBeLessThan(performance.now() - before);
  expect(scene.facts('deadline-fired')).toEqual([]);
  expect(await scene.issues()).toContain('HTT-23');
});
