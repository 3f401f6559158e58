import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { RequestItem } from '../../lib/capture/correlate/items.ts';
import type { EventOf } from '../../lib/capture/wire-event.ts';
import { startScripted, type Part, type Reply } from '../server/scripted.ts';
import {
  accepted,
  event,
  log,
  plain,
  progress,
  result,
  stream,
} from '../server/scripted-behaviour.ts';
import { header } from '../server/scripted-http.ts';
import { startMisbehavingSockets } from '../server/websocket-misbehaving.ts';
import { newHome, startTestWorker, type Home, type TestWorker } from '../support/connected.ts';
import { FAST } from './cases/play.ts';

const ASKS =
  '{"jsonrpc":"2.0","id":"q-1","method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}}';
const YES = { resultText: '{"action":"accept","content":{}}' };
const held = (...parts: Part[]): Reply => stream(parts, 'hang');
const FAST_OPTIONS = { reconnection: FAST } as const;

function requests(worker: TestWorker, method: string): RequestItem[] {
  return worker.correlation.items.filter(
    (item): item is RequestItem => item.kind === 'request' && item.method === method,
  );
}

function restartRows(worker: TestWorker): string[] {
  return worker.correlation.items.flatMap((item) =>
    item.kind === 'lifecycle' && item.title === 'Worker restarted' ? [item.detail ?? ''] : [],
  );
}

function sseEvent(worker: TestWorker, id: string) {
  return worker.until(
    () =>
      worker.events.find(
        (found): found is EventOf<'sse-event'> => found.kind === 'sse-event' && found.id === id,
      ),
    `event ${id}`,
  );
}

/** Stops a worker after all that it has seen is stored, and starts the next one. */
async function next(worker: TestWorker, home: Home): Promise<TestWorker> {
  await worker.recorder.flushed();
  worker.kill();
  return startTestWorker({}, home);
}

describe('Streamable HTTP', () => {
  test('a GET stream and the streams of two calls go on at the same time, each from its own place', async () => {
    const parts = (name: string, nth: number): Reply =>
      nth === 1
        ? held(event(progress(1), `${name}-1`))
        : stream([event(progress(2), `${name}-2`), event(result('{"content":[]}'), `${name}-3`)]);
    const answers: Record<string, (id: string) => Reply> = {
      'get-1': () => held(event(log('two'), 'get-2')),
      'a-1': (id) => stream([event(`{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`, 'a-2')]),
      'b-1': (id) => stream([event(`{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`, 'b-2')]),
    };
    const ids = new Map<string, string>();
    await using server = await startScripted({
      'tools/call': ({ message }) => {
        const name = (message.params as { name: string }).name;
        ids.set(`${name}-1`, JSON.stringify(message.id));
        return parts(name, 1);
      },
      GET(request) {
        const cursor = header(request, 'last-event-id');
        if (cursor === undefined) return held(event(log('one'), 'get-1'));
        return answers[cursor]?.(ids.get(cursor) ?? '');
      },
    });
    const home = newHome();
    const before = await startTestWorker({}, home);
    const id = await before.connect(server.url(), FAST_OPTIONS);
    await sseEvent(before, 'get-1');
    for (const name of ['a', 'b']) {
      const params = { name, _meta: { progressToken: name } };
      await before.manager.functions.send(id, 'tools/call', JSON.stringify(params));
      await sseEvent(before, `${name}-1`);
    }
    await using worker = await next(before, home);
    await worker.until(() =>
      requests(worker, 'tools/call').every(({ outcome }) => outcome === 'result'),
    );
    await sseEvent(worker, 'get-2');
    const cursors = server.of('GET').map((get) => header(get, 'last-event-id'));
    expect(new Set(cursors)).toEqual(new Set([undefined, 'get-1', 'a-1', 'b-1']));
    expect(cursors).toHaveLength(4);
    expect(server.of('tools/call')).toHaveLength(2);
    expect(server.of('initialize')).toHaveLength(1);
    expect(restartRows(worker)[0]).toContain('3 resumed');
    expect(restartRows(worker)[0]).not.toContain('cut off');
  });

  test('a second kill before anything was taken up begins with the same again', async () => {
    const later: Reply[] = [
      { ending: 'silent' },
      stream([event('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', 'a-2')]),
    ];
    await using server = await startScripted({
      'tools/call': held(event(log('one'), 'a-1')),
      GET: later,
    });
    const home = newHome();
    const before = await startTestWorker({}, home);
    const id = await before.connect(server.url(), { ...FAST_OPTIONS, openStream: false });
    await before.state(id, 'connected');
    await before.manager.functions.send(id, 'tools/call', '{"name":"a"}');
    await sseEvent(before, 'a-1');
    const between = await next(before, home);
    await server.until(() => server.of('GET').length === 1);
    await using worker = await next(between, home);
    const [call] = requests(worker, 'tools/call');
    await worker.until(() => call?.outcome === 'result');
    expect(server.of('GET').map((get) => header(get, 'last-event-id'))).toEqual(['a-1', 'a-1']);
    expect(restartRows(worker)).toHaveLength(2);
    expect(restartRows(worker)[1]).toContain('1 resumed');
  });

  test('a question that waited for the user comes back, and is answered once', async () => {
    await using server = await startScripted({
      'tools/call': held(event(ASKS, 'a-1')),
      response: plain(202),
      GET: (request) =>
        header(request, 'last-event-id') === 'a-1'
          ? // A server that sends it again is not to be answered again.
            stream([
              event(ASKS, 'a-1'),
              { wait: 'answered' },
              event('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', 'a-2'),
            ])
          : undefined,
    });
    const home = newHome();
    const before = await startTestWorker({}, home);
    const id = await before.connect(server.url(), { ...FAST_OPTIONS, openStream: false });
    await before.state(id, 'connected');
    await before.manager.functions.send(id, 'tools/call', '{"name":"a"}');
    await before.until(() => before.summary(id).questions.length === 1);
    await using worker = await next(before, home);
    const [question] = worker.summary(id).questions;
    expect(question).toMatchObject({ rpcId: '"q-1"', method: 'elicitation/create' });
    expect(question!.params).toMatchObject({ message: 'Sure?' });
    expect(requests(worker, 'elicitation/create')[0]).toMatchObject({ outcome: 'pending' });
    await worker.until(() => worker.events.filter(({ kind }) => kind === 'sse-event').length === 2);
    expect(worker.summary(id).questions).toHaveLength(1);
    await worker.manager.functions.answer(id, '"q-1"', YES);
    await server.until(() => server.of('response').length === 1 || server.requests.length > 4);
    server.open('answered');
    await worker.until(() => requests(worker, 'tools/call')[0]?.outcome === 'result');
    const answers = server.requests.filter(({ body }) => body.includes('"q-1"'));
    expect(answers).toHaveLength(1);
    expect(requests(worker, 'elicitation/create')[0]).toMatchObject({ outcome: 'result' });
    expect(restartRows(worker)[0]).toContain('2 resumed');
  });

  test('a request of the server that was answered before is not answered again when it comes again', async () => {
    const roots = '{"jsonrpc":"2.0","id":"r-1","method":"roots/list"}';
    await using server = await startScripted({
      'tools/call': held(event(roots, 'a-1'), { wait: 'more' }, event(log('two'), 'a-2')),
      GET: stream([
        event(roots, 'a-1'),
        event('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', 'a-3'),
      ]),
    });
    const home = newHome();
    const before = await startTestWorker({}, home);
    const id = await before.connect(server.url(), { ...FAST_OPTIONS, openStream: false });
    await before.state(id, 'connected');
    await before.manager.functions.send(id, 'tools/call', '{"name":"a"}');
    await server.until(() => server.requests.some(({ body }) => body.includes('"r-1"')));
    server.open('more');
    await sseEvent(before, 'a-2');
    await using worker = await next(before, home);
    await worker.until(() => requests(worker, 'tools/call')[0]?.outcome === 'result');
    await worker.recorder.flushed();
    expect(server.requests.filter(({ body }) => body.includes('"r-1"'))).toHaveLength(1);
  });

  test('a new session that was being made is made', async () => {
    const initialize = [undefined, { ending: 'silent' } as const, undefined];
    await using server = await startScripted({
      initialize,
      'tools/list': (_request, nth) => (nth === 1 ? plain(404) : undefined),
    });
    const home = newHome();
    const before = await startTestWorker({}, home);
    const id = await before.connect(server.url(), { ...FAST_OPTIONS, openStream: false });
    await before.state(id, 'connected');
    await before.manager.functions.send(id, 'tools/list', undefined);
    await server.until(() => server.of('initialize').length === 2);
    await using worker = await next(before, home);
    await server.until(() => server.of('initialize').length === 3);
    await worker.until(
      () =>
        worker.events.some(({ kind }) => kind === 'session-replaced') ||
        worker.events.filter(({ kind }) => kind === 'session-assigned').length === 2,
    );
    await worker.manager.functions.send(id, 'tools/list', undefined);
    await worker.until(() => requests(worker, 'tools/list').at(-1)?.outcome === 'result');
    expect(header(server.of('tools/list').at(-1)!, 'mcp-session-id')).toBe('session-2-8d3f6a');
  });

  test('a connection that was lost is lost still, until the server answers', async () => {
    await using server = await startScripted({
      'tools/list': { ending: 'reset', head: '' },
      ping: [{ ending: 'reset', head: '' }, undefined],
    });
    const home = newHome();
    const before = await startTestWorker({}, home);
    const id = await before.connect(server.url(), { ...FAST_OPTIONS, openStream: false });
    await before.state(id, 'connected');
    await before.manager.functions.send(id, 'tools/list', undefined);
    await before.state(id, 'lost');
    const between = await next(before, home);
    expect(between.summary(id)).toMatchObject({ state: 'lost', problem: { code: /^network-/ } });
    await server.until(() => server.of('ping').length === 1);
    await between.until(() => between.events.some(({ kind }) => kind === 'link-probed'));
    expect(between.summary(id).state).toBe('lost');
    await using worker = await next(between, home);
    await worker.state(id, 'connected');
  });
});

describe('a connection that was still connecting', () => {
  test('is connected anew, and the row says so', async () => {
    await using server = await startScripted({ initialize: [{ ending: 'silent' }, undefined] });
    const home = newHome();
    const before = await startTestWorker({}, home);
    const id = await before.connect(server.url(), { ...FAST_OPTIONS, openStream: false });
    await server.until(() => server.of('initialize').length === 1);
    await using worker = await next(before, home);
    await worker.state(id, 'connected');
    await worker.recorder.flushed();
    expect(server.of('initialize')).toHaveLength(2);
    expect(restartRows(worker)[0]).toContain('1 connected anew');
    expect(worker.correlation.connections.get(id)).toMatchObject({ state: 'live' });
    expect(worker.correlation.connections.get(id)!.rungs).toMatchObject([{ verdict: 'chosen' }]);
  });
});

describe('a single channel', () => {
  test('HTTP+SSE: a second kill in its handshake loses nothing, and a question is lost aloud', async () => {
    await using server = await startScripted(
      {
        'tools/call': accepted([{ push: event(ASKS) }]),
        GET: (_request, nth) => (nth === 2 ? { ending: 'silent' } : undefined),
      },
      { isHttpSse: true },
    );
    const home = newHome();
    const before = await startTestWorker({}, home);
    const id = await before.connect(server.url('/sse'), { ...FAST_OPTIONS, transport: 'http-sse' });
    await before.state(id, 'connected');
    await before.manager.functions.send(id, 'tools/call', '{"name":"a"}');
    await before.until(() => before.summary(id).questions.length === 1);
    const between = await next(before, home);
    await server.until(() => server.of('GET').length === 2);
    expect(between.summary(id).questions).toEqual([]);
    await using worker = await next(between, home);
    await worker.until(() => requests(worker, 'initialize').at(-1)?.outcome === 'result');
    await worker.state(id, 'connected');
    expect(server.of('tools/call')).toHaveLength(1);
    expect(restartRows(worker)[0]).toContain('1 question of the server lost');
    expect(requests(worker, 'elicitation/create')[0]).toMatchObject({
      outcome: 'interrupted',
      problem: { code: 'aborted' },
    });
  });

  test('a WebSocket is opened and initialised again, and its call is lost', async () => {
    const server = await startMisbehavingSockets();
    const home = newHome();
    const before = await startTestWorker({}, home);
    const options = { ...FAST_OPTIONS, transport: 'websocket' } as const;
    const id = await before.connect(server.url('unanswered'), options);
    await before.state(id, 'connected');
    await before.manager.functions.send(id, 'tools/call', '{"name":"a"}');
    await expect
      .poll(() => server.received.some(({ method }) => method === 'tools/call'))
      .toBe(true);
    await using worker = await next(before, home);
    await worker.until(() => requests(worker, 'initialize')[1]?.outcome === 'result');
    await worker.state(id, 'connected');
    expect(requests(worker, 'tools/call')).toMatchObject([{ outcome: 'interrupted' }]);
    expect(server.received.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
    await worker.manager.functions.send(id, 'tools/list', undefined);
    await worker.until(() => requests(worker, 'tools/list')[0]?.outcome === 'result');
    await worker.manager.functions.disconnect(id, false);
    await server.close();
  });

  test('a server that is down at the restart is tried as often as the profile allows', async () => {
    const server = await startMisbehavingSockets();
    const home = newHome();
    const before = await startTestWorker({}, home);
    const options = { ...FAST_OPTIONS, transport: 'websocket' } as const;
    const id = await before.connect(server.url('ok'), options);
    await before.state(id, 'connected');
    await before.recorder.flushed();
    before.kill();
    await server.close();
    await using worker = await startTestWorker({}, home);
    await worker.state(id, 'failed');
    const opened = worker.events.filter(
      ({ kind, bootId }) => kind === 'socket-opening' && bootId === 'boot-2',
    );
    expect(opened).toHaveLength(1 + FAST.retries);
  });

  test('a modern WebSocket listens again, also after a second kill in its handshake', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const sockets: string[][] = [];
    server.on('connection', (socket) => {
      const methods: string[] = [];
      const nth = sockets.push(methods);
      socket.on('message', (data: Buffer) => {
        const { id, method } = JSON.parse(data.toString()) as { id: number; method: string };
        methods.push(method);
        // The second life gets no answer to its handshake.
        if (method !== 'server/discover' || nth === 2) return;
        const answer = {
          supportedVersions: ['2026-07-28'],
          capabilities: {},
          resultType: 'complete',
        };
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: answer }));
      });
    });
    const { port } = server.address() as { port: number };
    const home = newHome();
    const before = await startTestWorker({}, home);
    const options = { ...FAST_OPTIONS, transport: 'websocket' } as const;
    const id = await before.connect(`ws://127.0.0.1:${port}/`, options);
    await before.state(id, 'connected');
    const listen = '{"notifications":{"toolsListChanged":true}}';
    await before.manager.functions.send(id, 'subscriptions/listen', listen);
    await vi.waitUntil(() => sockets[0]!.length === 2);
    const between = await next(before, home);
    await vi.waitUntil(() => sockets[1]?.length === 1);
    await using worker = await next(between, home);
    await vi.waitUntil(() => sockets[2]?.length === 2, { timeout: 5000 });
    expect(sockets[2]).toEqual(['server/discover', 'subscriptions/listen']);
    expect(restartRows(worker)).toHaveLength(2);
    expect(restartRows(worker)[1]).toContain('1 resumed');
    await worker.manager.functions.disconnect(id, false);
    server.close();
  });
});
