import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import type { EventOf } from '../../lib/capture/wire-event.ts';
import type { HttpDoor } from '../../lib/transport/exchange/http-door.ts';
import type { SocketDoor } from '../../lib/transport/websocket/socket-door.ts';
import type { Part, Reply } from '../server/scripted.ts';
import { event, log, plain, result, stream } from '../server/scripted-behaviour.ts';
import { header } from '../server/scripted-http.ts';
import { startTinyModern } from '../server/tiny-modern.ts';
import { startMisbehavingSockets } from '../server/websocket-misbehaving.ts';
import { startTestWorker, type TestWorker } from '../support/connected.ts';
import { createNodeHttpDoor } from '../support/node-http.ts';
import { createNodeSocketDoor } from '../support/node-socket.ts';
import { FAST, play, type Scene } from './cases/play.ts';

const LISTENING = { openStream: true };
const HOUR = 3_600_000;
const SILENT: Reply = { ending: 'silent' };
const held = (...parts: Part[]): Reply => stream(parts, 'hang');

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function rows(worker: TestWorker, start: string): [string, string | undefined][] {
  return worker.correlation.items.flatMap((item) =>
    item.kind === 'lifecycle' && item.title.startsWith(start) ? [[item.title, item.detail]] : [],
  );
}

function probed(worker: TestWorker, cause: string): Promise<EventOf<'link-probed'>> {
  return worker.until(
    () =>
      worker.events.find(
        (event): event is EventOf<'link-probed'> =>
          event.kind === 'link-probed' && event.cause === cause,
      ),
    `probed after ${cause}`,
  );
}

async function opened(scene: Scene): Promise<void> {
  await scene.item('stream', ({ outcome }) => outcome === 'open');
}

describe('a session with a GET stream', () => {
  test('is asked once by a ping after a sleep; with an answer, all is left as it is', async () => {
    await using scene = await play({ GET: held(event(log('one'), 'g-1')) }, LISTENING);
    await scene.fact('sse-event');
    scene.worker.manager.woke(HOUR);
    await probed(scene.worker, 'wake');
    expect(scene.server.of('ping')).toHaveLength(1);
    expect(scene.server.of('GET')).toHaveLength(1);
    await scene.worker.recorder.flushed();
    expect(rows(scene.worker, 'The machine')).toEqual([
      [
        'The machine woke up',
        'no timer ran for about 60 min: it slept, or its clock was set forward',
      ],
    ]);
    expect(rows(scene.worker, 'Probed')).toEqual([
      ['Probed after wake: the server answered', '1 open channel: left as it was'],
    ]);
    expect(scene.worker.summary(scene.id).state).toBe('connected');
  });

  test('that does not answer in 5 s is opened again where it was, and told nothing else', async () => {
    await using scene = await play(
      { ping: SILENT, GET: [held(event(log('one'), 'g-1')), held(event(log('two'), 'g-2'))] },
      LISTENING,
    );
    await scene.fact('sse-event');
    scene.worker.manager.woke(HOUR);
    await scene.server.until(() => scene.server.of('ping').length === 1);
    await vi.advanceTimersByTimeAsync(4900);
    expect(scene.server.of('GET')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    await scene.fact('retry-scheduled');
    await vi.advanceTimersByTimeAsync(10);
    await scene.fact('sse-event', ({ id }) => id === 'g-2');
    expect(scene.server.of('GET').map((get) => header(get, 'last-event-id'))).toEqual([
      undefined,
      'g-1',
    ]);
    expect(rows(scene.worker, 'Probed')).toEqual([
      [
        'Probed after wake: no answer in time',
        '1 open channel: taken for broken, and opened again',
      ],
    ]);
    // A server that is only slow is not gone, and nobody has to know that it was asked.
    expect(scene.worker.summary(scene.id).state).toBe('connected');
    expect(scene.server.of('notifications/cancelled')).toEqual([]);
  });

  test('that cannot be reached is lost, until a stream can be opened again', async () => {
    await using scene = await play(
      {
        ping: { ending: 'reset', head: '' },
        GET: [held(event(log('one'), 'g-1')), held(': on\n\n')],
      },
      LISTENING,
    );
    await scene.fact('sse-event');
    scene.worker.manager.woke(HOUR);
    expect(await probed(scene.worker, 'wake')).toMatchObject({ verdict: 'failed', isKept: false });
    await scene.worker.state(scene.id, 'lost');
    await scene.fact('retry-scheduled');
    await vi.advanceTimersByTimeAsync(10);
    await scene.worker.state(scene.id, 'connected');
    await scene.worker.recorder.flushed();
    expect(rows(scene.worker, 'Connection live')).toEqual([
      ['Connection live', 'A stream was opened.'],
    ]);
  });

  test('that has been forgotten is replaced', async () => {
    await using scene = await play(
      {
        ping: (request) =>
          header(request, 'mcp-session-id') === 'session-1-8d3f6a' ? plain(404) : undefined,
        GET: held(': open\n\n'),
      },
      LISTENING,
    );
    await opened(scene);
    scene.worker.manager.woke(HOUR);
    await scene.fact('session-replaced');
    await scene.server.until(() => scene.server.of('GET').length === 2);
  });

  test('whose GET stream had been given up is listened to again', async () => {
    await using scene = await play(
      { GET: (_request, nth) => (nth <= 3 ? stream([]) : held(': on\n\n')) },
      LISTENING,
    );
    for (let nth = 1; nth <= 3; nth += 1) {
      await scene.server.until(() => scene.server.of('GET').length === nth);
      await scene.worker.until(() => scene.facts('http-end').filter(isGet).length === nth);
      await vi.advanceTimersByTimeAsync(100);
    }
    await scene.fact('connection-state', ({ state }) => state === 'degraded');
    scene.worker.manager.networkChanged(true);
    await opened(scene);
    expect(scene.server.of('GET')).toHaveLength(4);
    expect(rows(scene.worker, 'Probed')[0]![1]).toContain('is opened again');

    function isGet({ httpId }: { httpId: string }): boolean {
      return scene.worker.correlation.https.get(httpId)?.request.method === 'GET';
    }
  });

  test('is asked once, however many reasons there are at a time', async () => {
    await using scene = await play({ ping: SILENT, GET: held(': open\n\n') }, LISTENING);
    await opened(scene);
    scene.worker.manager.woke(HOUR);
    scene.worker.manager.networkChanged(false);
    scene.worker.manager.networkChanged(true);
    scene.worker.manager.woke(HOUR);
    await scene.server.until(() => scene.server.of('ping').length > 0);
    expect(scene.server.of('ping')).toHaveLength(1);
  });

  test('with a call whose stream cannot be resumed: the call keeps its time', async () => {
    await using scene = await play({
      ping: SILENT,
      'tools/call': stream([': at it\n\n', { wait: 'done' }, event(result())]),
    });
    const call = await scene.begin('tools/call');
    await scene.fact('sse-comment');
    scene.worker.manager.networkChanged(true);
    await vi.advanceTimersByTimeAsync(6000);
    expect(scene.server.of('ping')).toEqual([]);
    scene.server.open('done');
    expect((await scene.settled(call)).outcome).toBe('result');
  });
});

test('with nothing open, nobody is asked anything', async () => {
  await using scene = await play({});
  const before = scene.server.requests.length;
  scene.worker.manager.woke(HOUR);
  await scene.worker.recorder.flushed();
  expect(scene.server.requests).toHaveLength(before);
  expect(rows(scene.worker, 'The machine')).toHaveLength(1);
});

test('a clock that is set back has its row, and ends nothing', async () => {
  await using scene = await play({ 'tools/list': [SILENT] }, { idleTimeoutMs: 60_000 });
  const call = await scene.begin();
  vi.setSystemTime(Date.now() + 24 * HOUR);
  await vi.advanceTimersByTimeAsync(30_000);
  vi.setSystemTime(Date.now() - 48 * HOUR);
  scene.worker.manager.clockSetBack(48 * HOUR);
  await vi.advanceTimersByTimeAsync(29_000);
  await scene.worker.recorder.flushed();
  expect(call.outcome).toBe('pending');
  expect(rows(scene.worker, 'The clock')).toEqual([
    ['The clock was set back by 48 h', 'no deadline depends on it'],
  ]);
  await vi.advanceTimersByTimeAsync(2000);
  expect((await scene.settled(call)).outcome).not.toBe('pending');
});

test('HTTP+SSE that does not answer a ping is opened and initialised again', async () => {
  await using scene = await play({ ping: [{ ...plain(202) }] }, { isHttpSse: true });
  scene.worker.manager.woke(HOUR);
  await scene.server.until(() => scene.server.of('ping').length === 1);
  await vi.advanceTimersByTimeAsync(5100);
  await scene.fact('retry-scheduled');
  await vi.advanceTimersByTimeAsync(10);
  await scene.server.until(() => scene.server.of('initialize').length === 2);
  await scene.worker.state(scene.id, 'connected');
  expect(scene.server.of('GET')).toHaveLength(2);
  expect((await scene.call()).outcome).toBe('result');
});

describe('a WebSocket', () => {
  test('that answers a ping stays', async () => {
    const server = await startMisbehavingSockets();
    await using worker = await startTestWorker();
    const id = await worker.connect(server.url('ok'), { transport: 'websocket' });
    await worker.state(id, 'connected');
    worker.manager.woke(HOUR);
    expect(await probed(worker, 'wake')).toMatchObject({ verdict: 'answered', streams: 1 });
    expect(server.closes).toEqual([]);
    await worker.manager.functions.disconnect(id, false);
    await server.close();
  });

  test('that does not is closed, opened and initialised again', async () => {
    const server = await startMisbehavingSockets();
    await using worker = await startTestWorker();
    const options = { transport: 'websocket', reconnection: FAST } as const;
    const id = await worker.connect(server.url('silent-ping'), options);
    await worker.state(id, 'connected');
    worker.manager.woke(HOUR);
    await vi.waitUntil(() => server.received.some(({ method }) => method === 'ping'));
    await vi.advanceTimersByTimeAsync(5100);
    await worker.until(() => rows(worker, 'Connection lost').length === 1);
    await vi.advanceTimersByTimeAsync(10);
    await worker.state(id, 'connected');
    expect(server.received.filter(({ method }) => method === 'initialize')).toHaveLength(2);
    expect(server.closes).toHaveLength(1);
    await worker.recorder.flushed();
    worker.manager.woke(HOUR);
    await worker.until(() => rows(worker, 'Probed').length === 2);
    expect(rows(worker, 'Probed').at(-1)![0]).toBe('Probed after wake: the server answered');
    await worker.manager.functions.disconnect(id, false);
    await server.close();
  });

  test('of the modern era is asked by server/discover, and listened to again', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const sockets: { socket: WebSocket; methods: string[] }[] = [];
    server.on('connection', (socket) => {
      const peer = { socket, methods: [] as string[] };
      sockets.push(peer);
      const isFirst = sockets.length === 1;
      socket.on('message', (data: Buffer) => {
        const { id, method } = JSON.parse(data.toString()) as { id: number; method: string };
        peer.methods.push(method);
        const isProbe = method === 'server/discover' && peer.methods.length > 1;
        if (method !== 'server/discover' || (isFirst && isProbe)) return;
        const answer = {
          supportedVersions: ['2026-07-28'],
          capabilities: {},
          resultType: 'complete',
        };
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: answer }));
      });
    });
    const { port } = server.address() as { port: number };
    await using worker = await startTestWorker();
    const options = { transport: 'websocket', reconnection: FAST } as const;
    const id = await worker.connect(`ws://127.0.0.1:${port}/`, options);
    await worker.state(id, 'connected');
    const listen = '{"notifications":{"toolsListChanged":true}}';
    await worker.manager.functions.send(id, 'subscriptions/listen', listen);
    await vi.waitUntil(() => sockets[0]!.methods.length === 2);
    worker.manager.woke(HOUR);
    await vi.waitUntil(() => sockets[0]!.methods.length === 3);
    await vi.advanceTimersByTimeAsync(5100);
    await worker.until(() => rows(worker, 'Connection lost').length === 1);
    await vi.advanceTimersByTimeAsync(10);
    await vi.waitUntil(() => sockets[1]?.methods.includes('subscriptions/listen'));
    expect(sockets[0]!.methods).toEqual([
      'server/discover',
      'subscriptions/listen',
      'server/discover',
    ]);
    expect(sockets[1]!.methods).toEqual(['server/discover', 'subscriptions/listen']);
    await worker.manager.functions.disconnect(id, false);
    server.close();
  });
});

describe('a modern server over HTTP', () => {
  test('is asked by server/discover; its subscriptions are left alone, and the row says why', async () => {
    await using server = await startTinyModern();
    await using worker = await startTestWorker();
    const id = await worker.connect(server.url, { transport: 'modern' });
    await worker.state(id, 'connected');
    const listen = '{"notifications":{"toolsListChanged":true}}';
    await worker.manager.functions.send(id, 'subscriptions/listen', listen);
    await worker.until(() => worker.events.some(({ kind }) => kind === 'sse-event'));
    worker.manager.networkChanged(false);
    worker.manager.networkChanged(true);
    await probed(worker, 'online');
    await worker.recorder.flushed();
    expect(rows(worker, 'Probed')).toEqual([
      [
        'Probed after going online: the server answered',
        '1 open channel: left as it was; nothing in 2026-07-28 probes a stream, so one that is silent may be broken all the same',
      ],
    ]);
    expect(rows(worker, 'The browser is').map(([title]) => title)).toEqual([
      'The browser is offline',
      'The browser is online',
    ]);
    const posted = server.requests.map(
      ({ body }) => (JSON.parse(body) as { method: string }).method,
    );
    expect(posted.filter((method) => method === 'server/discover')).toHaveLength(2);
    expect(posted.filter((method) => method === 'subscriptions/listen')).toHaveLength(1);
  });
});

describe('without a network', () => {
  const AWAY = 'mcp.example';
  const toLoopback = (url: string) => url.replace(AWAY, '127.0.0.1');

  /** Names of other machines lead to this one, so that being offline matters. */
  function awayDoors(): { http: HttpDoor; socket: SocketDoor; fails: { isOn: boolean } } {
    const http = createNodeHttpDoor();
    const socket = createNodeSocketDoor();
    const fails = { isOn: false };
    return {
      fails,
      http: {
        ...http,
        send(call, observer) {
          const url = fails.isOn ? 'http://127.0.0.1:1/' : toLoopback(call.url);
          return http.send({ ...call, url }, observer);
        },
      },
      socket: {
        open: (call, observer) =>
          socket.open(
            { ...call, url: fails.isOn ? 'ws://127.0.0.1:1/' : toLoopback(call.url) },
            observer,
          ),
      },
    };
  }

  test('being offline ends nothing, and a stream that breaks then waits for the network', async () => {
    const { fails, ...doors } = awayDoors();
    await using scene = await play({
      GET: [stream([event(log('one'), 'g-1'), { wait: 'cut' }]), held(event(log('two'), 'g-2'))],
    });
    await using worker = await startTestWorker(doors);
    const id = await worker.connect(scene.server.url().replace('127.0.0.1', AWAY), {
      reconnection: FAST,
    });
    await worker.until(() => worker.events.some(({ kind }) => kind === 'sse-event'));
    worker.manager.networkChanged(false);
    await worker.recorder.flushed();
    expect(worker.summary(id).state).toBe('connected');
    expect(worker.events.filter(({ kind }) => kind === 'http-end')).toHaveLength(2);

    fails.isOn = true;
    scene.server.open('cut');
    await worker.until(() => rows(worker, 'Retry in').length === 1);
    await vi.advanceTimersByTimeAsync(HOUR);
    await worker.until(() => rows(worker, 'Retry waits').length === 1);
    expect(rows(worker, 'Retry in')).toHaveLength(1);
    fails.isOn = false;
    worker.manager.networkChanged(true);
    await worker.until(() =>
      worker.events.some((event) => event.kind === 'sse-event' && event.id === 'g-2'),
    );
    expect(scene.server.of('GET').map((get) => header(get, 'last-event-id'))).toEqual([
      undefined,
      'g-1',
    ]);
    expect(scene.server.of('ping')).toHaveLength(1);
    expect(worker.summary(id).state).toBe('connected');
  });

  test('a socket that breaks waits for the network, however long, and is back at once', async () => {
    const { fails, ...doors } = awayDoors();
    const server = await startMisbehavingSockets();
    await using worker = await startTestWorker(doors);
    const id = await worker.connect(server.url('drop-once').replace('127.0.0.1', AWAY), {
      transport: 'websocket',
      reconnection: FAST,
    });
    await worker.state(id, 'connected');
    worker.manager.networkChanged(false);
    fails.isOn = true;
    await worker.manager.functions.send(id, 'tools/call', '{"name":"x"}');
    await worker.state(id, 'lost');
    await vi.advanceTimersByTimeAsync(HOUR);
    await worker.until(() => rows(worker, 'Retry waits').length === 1);
    expect(worker.summary(id).state).toBe('lost');
    fails.isOn = false;
    worker.manager.networkChanged(true);
    await worker.state(id, 'connected');
    await worker.manager.functions.disconnect(id, false);
    await server.close();
  });
});
