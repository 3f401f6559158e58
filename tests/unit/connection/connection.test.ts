import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Item, RequestItem } from '../../../lib/capture/correlate/items.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import type { ConnectRequest } from '../../../lib/port/contract.ts';
import type { ManagerDoors } from '../../../lib/connection/manager.ts';
import { startTestWorker, type TestWorker } from '../../support/connected.ts';
import {
  createScriptedDoor,
  EVENT_STREAM,
  INITIALIZE_RESULT,
  type ScriptedDoor,
} from '../../support/scripted-door.ts';

const URL_TYPED = 'http://127.0.0.1:3001/mcp';
let network: ScriptedDoor;
let worker: TestWorker;

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
});

afterEach(() => {
  vi.useRealTimers();
});

async function start(doors: Partial<ManagerDoors> = {}): Promise<void> {
  network = createScriptedDoor();
  worker = await startTestWorker({ http: network.door, ...doors });
}

/** Lets time pass, and everything that it sets off happen. */
const pass = (durationMs: number) => vi.advanceTimersByTimeAsync(durationMs);

interface Handshake extends Partial<ConnectRequest> {
  session?: string;
}

async function connect({ session, ...options }: Handshake = {}): Promise<string> {
  const id = await worker.connect(URL_TYPED, { openStream: false, ...options });
  const headers = session === undefined ? {} : { 'mcp-session-id': session };
  (await network.next('initialize')).result(INITIALIZE_RESULT, headers);
  (await network.next('notifications/initialized')).answer(202);
  await worker.state(id, 'connected');
  return id;
}

function kinds(): string[] {
  return worker.events.map((event) => event.kind);
}

function requests(): RequestItem[] {
  return worker.correlation.items.filter((item: Item) => item.kind === 'request');
}

function eventsOf<Kind extends WireEvent['kind']>(kind: Kind) {
  return worker.events.filter((event) => event.kind === kind) as Extract<
    WireEvent,
    { kind: Kind }
  >[];
}

describe('connecting', () => {
  test('shakes hands, and says with whom', async () => {
    await start();
    const id = await worker.connect(URL_TYPED, { openStream: false });
    const initialize = await network.next('initialize');
    expect(worker.summary(id)).toMatchObject({ state: 'connecting', phase: 'initialize' });
    expect(initialize.message).toMatchObject({
      id: 0,
      params: { protocolVersion: '2025-11-25', clientInfo: { name: 'wirescope' } },
    });
    expect(initialize.header('mcp-protocol-version')).toBeUndefined();
    initialize.result(INITIALIZE_RESULT, { 'Mcp-Session-Id': 's1' });
    const initialized = await network.next('notifications/initialized');
    expect(initialized.header('MCP-Protocol-Version')).toBe('2025-11-25');
    expect(initialized.header('Mcp-Session-Id')).toBe('s1');
    expect(worker.summary(id).state).toBe('connecting');
    initialized.answer(202);
    const summary = await worker.state(id, 'connected');
    expect(summary).toMatchObject({
      serverName: 'scripted',
      serverVersion: '1.2.3',
      revision: '2025-11-25',
      era: 'legacy',
      transport: 'streamable-http',
    });
    expect(summary.session).toMatch(/^[0-9a-f]{4}$/);
    expect(summary.phase).toBeUndefined();
    expect(network.calls).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('gives up on a server that does not answer within the phase, without a cancellation', async () => {
    await start();
    const id = await worker.connect(URL_TYPED);
    await network.next('initialize');
    await pass(9_999);
    expect(worker.summary(id).state).toBe('connecting');
    await pass(1);
    expect(await worker.state(id, 'failed')).toMatchObject({
      problem: { code: 'deadline', message: expect.stringContaining('within 10 s') },
    });
    await pass(120_000);
    expect(network.calls).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
    expect(requests()).toMatchObject([{ outcome: 'failed', problem: { code: 'deadline' } }]);
  });

  test('gives up on a server that does not accept `initialized`', async () => {
    await start();
    const id = await worker.connect(URL_TYPED);
    (await network.next('initialize')).result(INITIALIZE_RESULT);
    await network.next('notifications/initialized');
    await pass(10_000);
    const { problem } = await worker.state(id, 'failed');
    expect(problem).toMatchObject({
      code: 'deadline',
      message: expect.stringContaining('notifications/initialized'),
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ['2099-01-01', '"2099-01-01"'],
    [20251125, '20251125'],
    [undefined, 'no revision'],
  ])('refuses revision %j', async (protocolVersion, shown) => {
    await start();
    const id = await worker.connect(URL_TYPED);
    (await network.next('initialize')).result({ ...INITIALIZE_RESULT, protocolVersion });
    const { problem } = await worker.state(id, 'failed');
    expect(problem!.code).toBe('protocol-version');
    expect(problem!.message).toContain(shown);
    await pass(60_000);
    expect(network.calls).toHaveLength(1);
  });

  test('tells a refusal of `initialize` and what the server supports', async () => {
    await start();
    const id = await worker.connect(URL_TYPED);
    const initialize = await network.next('initialize');
    const error = { code: -32602, message: 'Unsupported', data: { supported: ['2024-11-05'] } };
    const { id: rpcId } = initialize.message;
    initialize.answer(
      200,
      'application/json',
      JSON.stringify({ jsonrpc: '2.0', id: rpcId, error }),
    );
    const { problem } = await worker.state(id, 'failed');
    expect(problem).toMatchObject({
      code: 'rpc-error',
      message: expect.stringContaining('Unsupported (-32602)'),
      advice: expect.stringContaining('2024-11-05'),
    });
  });

  test('sends nothing when it was closed before it began', async () => {
    const ready = Promise.withResolvers<void>();
    await start({ setOrigin: () => ready.promise });
    const id = await worker.connect(URL_TYPED);
    await worker.manager.functions.disconnect(id, true);
    ready.resolve();
    await pass(60_000);
    expect(network.calls).toHaveLength(0);
    expect(worker.summary(id).state).toBe('closed');
    expect(kinds()).not.toContain('http-request');
    expect(kinds().at(-1)).toBe('connection-closed');
  });

  test('may be closed while it waits for the server', async () => {
    await start();
    const id = await worker.connect(URL_TYPED);
    const { call } = await network.next('initialize');
    await worker.manager.functions.disconnect(id, true);
    await pass(60_000);
    expect(call.signal.aborted).toBe(true);
    expect(network.calls).toHaveLength(1);
    expect(worker.summary(id).state).toBe('closed');
    expect(kinds()).not.toContain('connection-failed');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('fails, and says why, where the `Origin` cannot be set', async () => {
    await start({ setOrigin: () => Promise.reject(new Error('rules are full')) });
    const id = await worker.connect(URL_TYPED);
    const { problem } = await worker.state(id, 'failed');
    expect(problem!.detail).toContain('rules are full');
    expect(network.calls).toHaveLength(0);
  });
});

describe('a request', () => {
  const list = (id: string) => worker.manager.functions.send(id, 'tools/list', undefined);

  test('resolves once it is on its way, and is settled by its answer', async () => {
    await start();
    const id = await connect();
    const sent = await list(id);
    expect(sent).toMatchObject({ rpcId: '1' });
    (await network.next('tools/list')).result({ tools: [] });
    await worker.until(() => requests()[1]?.outcome === 'result');
    await worker.recorder.flushed();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is given up after the idle timeout, and the server is told', async () => {
    await start();
    const id = await connect({ idleTimeoutMs: 5000 });
    await list(id);
    await network.next('tools/list');
    await pass(4999);
    expect(network.calls).toHaveLength(3);
    await pass(1);
    const cancelled = await network.next('notifications/cancelled');
    expect(cancelled.message.params).toMatchObject({ requestId: 1 });
    cancelled.answer(202);
    await worker.until(() => requests()[1]?.outcome === 'failed');
    expect(requests()[1]!.problem).toMatchObject({
      code: 'deadline',
      message: expect.stringMatching(/took the connection but sent nothing.* within 5 s/),
    });
    await pass(10_000);
    expect(worker.summary(id).state).toBe('connected');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is kept alive by its own progress, but not by that of another', async () => {
    await start();
    const id = await connect({ idleTimeoutMs: 5000 });
    const params = JSON.stringify({ name: 'x', _meta: { progressToken: 7 } });
    await worker.manager.functions.send(id, 'tools/call', params);
    const body = (await network.next('tools/call')).head(200, EVENT_STREAM);
    const progress = (progressToken: unknown) =>
      body.event({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    for (let turn = 0; turn < 4; turn += 1) {
      await pass(4000);
      progress(7);
    }
    await pass(4000);
    expect(requests()[1]!.outcome).toBe('pending');
    progress('7');
    progress(8);
    await pass(1000);
    await worker.until(() => requests()[1]?.outcome === 'failed');
    expect(requests()[1]!.problem).toMatchObject({
      code: 'deadline',
      message: expect.stringContaining('bytes, but no response'),
    });
    expect(eventsOf('deadline-extended')).toHaveLength(4);
    expect(eventsOf('deadline-fired')).toMatchObject([{ deadline: 'idle', durationMs: 5000 }]);
  });

  test('is given up after ten minutes, progress or not', async () => {
    await start();
    const id = await connect({ idleTimeoutMs: 60_000 });
    const params = JSON.stringify({ name: 'x', _meta: { progressToken: 'p' } });
    await worker.manager.functions.send(id, 'tools/call', params);
    const body = (await network.next('tools/call')).head(200, EVENT_STREAM);
    for (let minute = 0; minute < 20; minute += 1) {
      await pass(30_000);
      body.event({ method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } });
    }
    await worker.until(() => requests()[1]?.outcome === 'failed');
    expect(requests()[1]!.problem!.message).toContain('within 600 s');
    expect(eventsOf('deadline-fired')).toMatchObject([{ deadline: 'hard' }]);
  });

  test('that is cancelled tells the server which one, once', async () => {
    await start();
    const id = await connect();
    const { rpcId } = await list(id);
    const { call } = await network.next('tools/list');
    await worker.manager.functions.cancel(id, rpcId);
    await worker.manager.functions.cancel(id, rpcId);
    const cancelled = await network.next('notifications/cancelled');
    expect(cancelled.message.params).toMatchObject({
      requestId: 1,
      reason: expect.stringContaining('by the user'),
    });
    cancelled.answer(202);
    await worker.until(() => requests()[1]?.outcome === 'cancelled');
    await pass(60_000);
    expect(call.signal.aborted).toBe(true);
    expect(network.calls).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that is answered is not cancelled any more', async () => {
    await start();
    const id = await connect();
    const { rpcId } = await list(id);
    (await network.next('tools/list')).result({});
    await worker.until(() => requests()[1]?.outcome === 'result');
    await worker.manager.functions.cancel(id, rpcId);
    await pass(1000);
    expect(network.calls).toHaveLength(3);
  });

  test('that finds no server loses the connection, and the next success finds it again', async () => {
    await start();
    const id = await connect();
    await list(id);
    const problem = { code: 'network-refused', message: 'Nothing accepts connections.' } as const;
    (await network.next('tools/list')).fail(problem);
    expect(await worker.state(id, 'lost')).toMatchObject({ problem });
    await list(id);
    (await network.next('tools/list')).result({});
    const found = await worker.state(id, 'connected');
    expect(found.problem).toBeUndefined();
    await worker.recorder.flushed();
    expect(eventsOf('connection-state').map((event) => event.state)).toEqual(['lost', 'live']);
  });

  test('that fails in its own way leaves the connection as it is', async () => {
    await start();
    const id = await connect();
    await list(id);
    (await network.next('tools/list')).answer(500, 'text/plain', 'oops');
    await worker.until(() => requests()[1]?.outcome === 'failed');
    expect(worker.summary(id).state).toBe('connected');
  });

  test('is answered by what comes on its own exchange, whatever the id', async () => {
    await start();
    const id = await connect({ idleTimeoutMs: 5000 });
    await list(id);
    const call = await network.next('tools/list');
    call.answer(200, 'application/json', '{"jsonrpc":"2.0","id":"1","result":{}}');
    await worker.until(() => requests()[1]?.outcome === 'result');
    await pass(20_000);
    // No deadline was left to fire.
    expect(network.calls).toHaveLength(3);
    expect(requests()[1]!.outcome).toBe('result');
  });

  test('is refused where there is no connection', async () => {
    await start();
    const id = await connect();
    await worker.manager.functions.disconnect(id, false);
    await expect(list(id)).rejects.toMatchObject({ problem: { code: 'not-connected' } });
    await expect(list('nobody')).rejects.toMatchObject({ problem: { code: 'not-connected' } });
  });

  test('that is replayed is linked to its origin', async () => {
    await start();
    const id = await connect();
    const params = '{"name":"x","big":12345678901234567890}';
    await worker.manager.functions.send(id, 'tools/call', params, { replayOf: 42 });
    const { call } = await network.next('tools/call');
    expect(new TextDecoder().decode(call.body)).toContain('"big":12345678901234567890');
    await worker.until(() => requests()[1]?.replayOf === 42);
  });
});

describe('requests of the server', () => {
  test('are answered: ping by a result, what is unknown by -32601, ids to the letter', async () => {
    await start();
    const id = await connect({ openStream: true });
    const stream = (await network.next('GET')).head(200, EVENT_STREAM);
    stream.write('data: {"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}\n\n');
    const pong = await network.call(4);
    expect(new TextDecoder().decode(pong.call.body)).toBe(
      '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}',
    );
    // A refused answer ends nothing.
    pong.answer(400, 'text/plain', 'no');
    stream.event({ jsonrpc: '2.0', id: '9', method: 'tasks/dance' });
    const refused = await network.call(5);
    expect(refused.message).toMatchObject({ id: '9', error: { code: -32601 } });
    refused.answer(202);
    await worker.until(() => requests().filter((item) => item.response !== undefined).length === 3);
    expect(worker.summary(id).state).toBe('connected');
  });

  test('with id null are never answered', async () => {
    await start();
    await connect({ openStream: true });
    const stream = (await network.next('GET')).head(200, EVENT_STREAM);
    stream.write('data: {"jsonrpc":"2.0","id":null,"method":"ping"}\n\n');
    await worker.until(() => worker.correlation.items.some((item) => item.kind === 'stray'));
    await pass(1000);
    expect(network.calls).toHaveLength(3);
  });
});

describe('closing', () => {
  test('terminates the session, then sends nothing and leaves no timer', async () => {
    await start();
    const id = await connect({ session: 's1', openStream: true });
    const stream = await network.next('GET');
    stream.head(200, EVENT_STREAM);
    await worker.manager.functions.send(id, 'tools/list', undefined);
    const call = await network.next('tools/list');
    const closed = worker.manager.functions.disconnect(id, true);
    const terminate = await network.next('DELETE');
    expect(terminate.header('mcp-session-id')).toBe('s1');
    expect(terminate.header('mcp-protocol-version')).toBe('2025-11-25');
    terminate.answer(200);
    await closed;
    expect(stream.call.signal.aborted).toBe(true);
    expect(call.call.signal.aborted).toBe(true);
    const count = network.calls.length;
    await pass(3_600_000);
    expect(network.calls).toHaveLength(count);
    expect(vi.getTimerCount()).toBe(0);
    await worker.recorder.flushed();
    expect(kinds().at(-1)).toBe('connection-closed');
    expect(eventsOf('connection-terminated')).toMatchObject([{ status: 200 }]);
    expect(requests()[1]).toMatchObject({ outcome: 'failed', problem: { code: 'aborted' } });
  });

  test('ends an exchange whose response came but whose stream stays open', async () => {
    await start();
    const id = await connect();
    await worker.manager.functions.send(id, 'tools/list', undefined);
    const call = await network.next('tools/list');
    call.head(200, EVENT_STREAM).event({ jsonrpc: '2.0', id: 1, result: {} });
    await worker.until(() => requests()[1]?.outcome === 'result');
    await worker.manager.functions.disconnect(id, true);
    expect(call.call.signal.aborted).toBe(true);
    await worker.until(() => eventsOf('http-end').length === 3);
    expect(requests()[1]!.outcome).toBe('result');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends a cancellation that is under way', async () => {
    await start();
    const id = await connect();
    const { rpcId } = await worker.manager.functions.send(id, 'tools/list', undefined);
    await network.next('tools/list');
    await worker.manager.functions.cancel(id, rpcId);
    const cancelled = await network.next('notifications/cancelled');
    await worker.manager.functions.disconnect(id, true);
    expect(cancelled.call.signal.aborted).toBe(true);
    await pass(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('waits for the DELETE no longer than two seconds', async () => {
    await start();
    const id = await connect({ session: 's1' });
    const closed = worker.manager.functions.disconnect(id, true);
    const { call } = await network.next('DELETE');
    await pass(2000);
    await closed;
    expect(call.signal.aborted).toBe(true);
    expect(worker.summary(id).state).toBe('closed');
    expect(vi.getTimerCount()).toBe(0);
    await worker.recorder.flushed();
    const http = worker.correlation.items.find((item) => item.kind === 'http');
    expect(http).toMatchObject({
      outcome: 'failed',
      problem: { code: 'deadline', message: expect.stringContaining('within 2 s') },
    });
  });

  test('leaves the session alone when told so, or where there is none', async () => {
    await start();
    const first = await connect({ session: 's1' });
    await worker.manager.functions.disconnect(first, false);
    const second = await connect();
    await worker.manager.functions.disconnect(second, true);
    await pass(10_000);
    expect(network.calls.map((call) => call.call.method)).not.toContain('DELETE');
  });

  test('twice is once', async () => {
    await start();
    const id = await connect({ session: 's1' });
    const both = Promise.all([
      worker.manager.functions.disconnect(id, true),
      worker.manager.functions.disconnect(id, true),
    ]);
    (await network.next('DELETE')).answer(204);
    await both;
    await worker.recorder.flushed();
    expect(network.calls.filter((call) => call.call.method === 'DELETE')).toHaveLength(1);
    expect(eventsOf('connection-closed')).toHaveLength(1);
  });

  test('answers no request of the server any more', async () => {
    await start();
    const id = await connect({ openStream: true });
    const stream = (await network.next('GET')).head(200, EVENT_STREAM);
    await worker.manager.functions.disconnect(id, true);
    stream.event({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await pass(1000);
    expect(network.calls).toHaveLength(3);
  });
});
