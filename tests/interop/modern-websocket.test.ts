import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { MODERN_CHILD } from '../server/peers.ts';
import { startWebSocketBridge, type WebSocketBridge } from '../server/websocket-bridge.ts';
import { ASK, toolCall, visit } from './peers/visit.ts';

const NEVER = { initialDelayMs: 5, maxDelayMs: 5, factor: 1, retries: 0 };
const SUPPORTED = { supported: ['2026-07-28'], requested: '2025-11-25' };
const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: {},
};
let bridge: WebSocketBridge;

beforeAll(async () => {
  bridge = await startWebSocketBridge(MODERN_CHILD);
});

afterAll(() => bridge.close());

test.each(['auto', 'websocket'] as const)(
  'transport %s: one socket, a probe on it, tools and progress',
  async (transport) => {
    await using guest = await visit(bridge.url, { transport });
    const { worker, id } = guest;
    expect(worker.summary(id)).toMatchObject({
      transport: 'websocket',
      era: 'modern',
      revision: '2026-07-28',
      serverName: 'modern-stdio',
    });
    expect(guest.rungs()).toEqual([['modern', 'chosen']]);
    const [socket] = guest.facts('socket-opening');
    expect(guest.facts('connection-chosen')).toMatchObject([{ evidence: [socket!.socketId] }]);
    expect(guest.facts('socket-opening')).toHaveLength(1);

    const params = toolCall('slow', { steps: 2, ms: 5 }, { progressToken: 'p' });
    const slow = await guest.call('tools/call', params);
    expect(guest.texts(slow)).toBe('done');
    const steps = guest.notifications('notifications/progress');
    expect(steps.map(({ parent }) => parent)).toEqual([slow.key, slow.key]);
    expect(guest.posted('initialize')).toEqual([]);

    await worker.manager.functions.disconnect(id, true);
    expect(await guest.issues()).toEqual([]);
  },
);

test('two multi round-trip calls on one socket, each with its own state', async () => {
  await using guest = await visit(bridge.url, { answers: ASK });
  const { worker, id } = guest;
  const first = await guest.begin('tools/call', toolCall('deploy', { env: 'blue' }));
  const second = await guest.begin('tools/call', toolCall('deploy', { env: 'green' }));
  const questions = await worker.until(() => {
    const asked = worker.summary(id).questions;
    return asked.length === 2 && asked;
  });
  for (const { rpcId } of questions.toReversed()) {
    const answer = { action: 'accept', content: { confirm: true } };
    await worker.manager.functions.answer(id, rpcId, { resultText: JSON.stringify(answer) });
  }
  const rounds = [await guest.lastRound(first), await guest.lastRound(second)];
  expect(rounds.map((round) => guest.texts(round))).toEqual([
    'deployed blue, as asked for blue',
    'deployed green, as asked for green',
  ]);
  await worker.manager.functions.disconnect(id, true);
  expect(await guest.issues()).toEqual([]);
});

test('two subscriptions share the socket: each message says whose it is; one is closed by a notification', async () => {
  await using guest = await visit(bridge.url);
  const { worker, id } = guest;
  const first = await guest.subscribe();
  const second = await guest.subscribe();
  const changed = () => guest.notifications('notifications/tools/list_changed');
  await guest.call('tools/call', toolCall('flip'));
  await worker.until(() => changed().length === 2, 'both are told');
  expect(new Set(changed().map(({ parent }) => parent))).toEqual(new Set([first.key, second.key]));

  await worker.manager.functions.cancel(id, first.rpcId);
  await worker.until(() => first.outcome === 'cancelled');
  expect(
    guest.posted('notifications/cancelled').map((text) => JSON.parse(text) as unknown),
  ).toEqual([
    expect.objectContaining({
      params: expect.objectContaining({ requestId: Number(first.rpcId) }),
    }),
  ]);
  await guest.call('tools/call', toolCall('flip'));
  await worker.until(() => changed().length === 3, 'the other one is told');
  expect(changed().at(-1)!.parent).toBe(second.key);
  expect(second.outcome).toBe('pending');
  await worker.manager.functions.disconnect(id, true);
  expect(await guest.issues()).toEqual([]);
});

test('a call is cancelled by a notification, since a socket cannot be closed for one of many', async () => {
  await using guest = await visit(bridge.url);
  const params = toolCall('slow', { steps: 1, ms: 60_000 }, { progressToken: 7 });
  const slow = await guest.begin('tools/call', params);
  await guest.worker.until(() => guest.notifications('notifications/progress').length === 1);
  await guest.worker.manager.functions.cancel(guest.id, slow.rpcId);
  await guest.worker.until(() => slow.outcome === 'cancelled');
  expect(guest.posted('notifications/cancelled')).toHaveLength(1);
  const count = await guest.call('tools/call', toolCall('cancelled'));
  expect(guest.texts(count)).toBe('1');
  await guest.worker.manager.functions.disconnect(guest.id, true);
  expect(await guest.issues()).toEqual([]);
});

test('a server that ends gives each subscription its result first', async () => {
  await using guest = await visit(bridge.url, { reconnection: NEVER });
  const listening = await guest.subscribe();
  await guest.begin('tools/call', toolCall('end'));
  await guest.worker.until(() => listening.outcome === 'result');
  expect(guest.result(listening)).toMatchObject({ resultType: 'complete' });
});

test('a socket that drops takes its subscriptions along', async () => {
  const other = await startWebSocketBridge(MODERN_CHILD);
  await using guest = await visit(other.url, { reconnection: NEVER });
  const listening = await guest.subscribe();
  await other.close();
  await guest.worker.until(() => listening.outcome === 'failed');
  expect(listening.problem!.message).toContain('The subscription was lost');
});

test('a server that is too slow for the probe, and refuses the handshake as modern, is asked again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  try {
    await once(server, 'listening');
    const methods: string[] = [];
    const asked = Promise.withResolvers<void>();
    server.on('connection', (socket) =>
      socket.on('message', (data: Buffer) => {
        const { id, method } = JSON.parse(data.toString()) as { id: number; method: string };
        methods.push(method);
        const send = (answer: object) =>
          socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
        if (methods.length === 1) return asked.resolve();
        if (method === 'server/discover') return send({ result: DISCOVERED });
        send({ error: { code: -32022, message: 'modern only', data: SUPPORTED } });
      }),
    );
    const { port } = server.address() as { port: number };
    const visiting = visit(`ws://127.0.0.1:${port}/`, { reconnection: NEVER });
    await asked.promise;
    await vi.advanceTimersByTimeAsync(2000);
    await using guest = await visiting;
    expect(guest.worker.summary(guest.id)).toMatchObject({ transport: 'websocket', era: 'modern' });
    expect(methods).toEqual(['server/discover', 'initialize', 'server/discover']);
    expect(guest.rungs()).toEqual([
      ['modern', 'not-this'],
      ['websocket', 'failed'],
      ['modern', 'chosen'],
    ]);
    expect(guest.facts('socket-opening')).toHaveLength(1);
  } finally {
    server.close();
    vi.useRealTimers();
  }
});
