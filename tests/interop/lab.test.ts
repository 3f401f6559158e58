import { describe, expect, test } from 'vitest';
import type { Fault, FaultPlace, ResumeChoice } from '../../lib/capture/correlate/fault.ts';
import type { Reply } from '../server/scripted.ts';
import { event, json, log, result, stream } from '../server/scripted-behaviour.ts';
import { header } from '../server/scripted-http.ts';
import { startPeer } from '../server/peers.ts';
import { startTinyModern } from '../server/tiny-modern.ts';
import { startMisbehavingSockets } from '../server/websocket-misbehaving.ts';
import { newHome, startTestWorker, type TestWorker } from '../support/connected.ts';
import { issuesOf } from '../support/rules.ts';
import { FAST, play, type PlayOptions, type Scene } from './cases/play.ts';

const LISTENING: PlayOptions = { openStream: true };
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';
const open: Reply = stream([': open\n\n'], 'hang');

function drop(
  { worker, id }: Scene,
  carrierId: string,
  resume: ResumeChoice = { from: 'last' },
  afterEvent = false,
): Promise<void> {
  return worker.manager.functions.dropStream(id, carrierId, { resume, afterEvent });
}

function cursors({ server }: Scene): (string | undefined)[] {
  return server.of('GET').map((request) => header(request, 'last-event-id'));
}

/** Plays a GET stream with one event, which then stays open; resolves with its `httpId`. */
async function listening(scene: Scene): Promise<string> {
  return (await scene.fact('sse-event')).httpId;
}

const FIRST = stream([event(log('one'), 'e1'), event(log('two'), 'e2')], 'hang');

describe('Dropping a stream', () => {
  test.each<[ResumeChoice, string]>([
    [{ from: 'last' }, 'e2'],
    [{ from: 'chosen', lastEventId: 'e1' }, 'e1'],
    [{ from: 'wrong' }, 'wirescope-wrong-id'],
  ])('now: it is resumed as wished: %o', async (resume, cursor) => {
    await using scene = await play({ GET: [FIRST, open] }, LISTENING);
    await scene.fact('sse-event', ({ id }) => id === 'e2');
    const httpId = await listening(scene);
    await drop(scene, httpId, resume);
    await scene.fact('sse-comment');
    expect(cursors(scene)).toEqual([undefined, cursor]);
    await scene.server.until(() => scene.server.of('GET')[0]?.isAbandoned);
    expect(scene.facts('fault-injected')[0]).toMatchObject({
      carrierId: httpId,
      fault: { kind: 'drop', resume: resume.from },
    });
    const [end] = scene.facts('http-end').filter((fact) => fact.httpId === httpId);
    expect(end).toMatchObject({ origin: { kind: 'injected' }, end: { outcome: 'cut' } });
    expect(await scene.issues()).toEqual([]);
    expect((await scene.call()).outcome).toBe('result');
  });

  test('now, and not resumed: it stays closed, and is not called given up', async () => {
    await using scene = await play({ GET: [FIRST, open] }, LISTENING);
    await drop(scene, await listening(scene), { from: 'none' });
    await scene.item('stream', ({ outcome }) => outcome === 'failed');
    expect((await scene.call()).outcome).toBe('result');
    expect(scene.server.of('GET')).toHaveLength(1);
    expect(scene.facts('retry-scheduled')).toEqual([]);
    expect(scene.facts('connection-state')).toEqual([]);
  });

  test('after the next event: what follows in the same bytes is not read', async () => {
    await using scene = await play(
      { GET: [stream([event(log('one'), 'e1')], 'hang'), open] },
      LISTENING,
    );
    const httpId = await listening(scene);
    await drop(scene, httpId, { from: 'last' }, true);
    expect(scene.worker.summary(scene.id).armed).toMatchObject([{ place: { carrierId: httpId } }]);
    scene.server.push(`${event(log('two'), 'e2')}${event(log('three'), 'e3')}`);
    await scene.fact('sse-comment');
    expect(cursors(scene)).toEqual([undefined, 'e2']);
    expect(scene.facts('sse-event').map(({ id }) => id)).toEqual(['e1', 'e2']);
    expect(scene.worker.summary(scene.id).armed).toBeUndefined();
  });

  test('that answers a call: the call goes on over the GET that resumes it', async () => {
    await using scene = await play({
      'tools/call': stream([event(log('a'), 's1')], 'hang'),
      GET: stream([event(RESULT, 's2')]),
    });
    const call = await scene.begin('tools/call');
    await drop(scene, await listening(scene));
    expect((await scene.settled(call)).outcome).toBe('result');
    expect(cursors(scene)).toEqual(['s1']);
  });

  test('that answers a call, and not resuming it: the call fails', async () => {
    await using scene = await play({ 'tools/call': stream([event(log('a'), 's1')], 'hang') });
    const call = await scene.begin('tools/call');
    await drop(scene, await listening(scene), { from: 'none' });
    expect((await scene.settled(call)).outcome).toBe('failed');
    expect(scene.server.of('GET')).toEqual([]);
    expect(await scene.issues()).toEqual([]);
  });

  test('that is over is refused', async () => {
    await using scene = await play({});
    await expect(drop(scene, 'nothing')).rejects.toMatchObject({
      problem: { code: 'not-connected' },
    });
  });
});

describe('Faults', () => {
  function arm(scene: Scene, fault: Fault, place: FaultPlace = 'exchange'): Promise<void> {
    return scene.worker.manager.functions.armFault(scene.id, fault, place);
  }
  const armed = ({ worker, id }: Scene) => worker.summary(id).armed;

  test('are shown as armed, can be disarmed, and are gone once they have struck', async () => {
    await using scene = await play({});
    await arm(scene, { kind: 'refuse', status: 401 });
    await arm(scene, { kind: 'delay', delayMs: 60_000 });
    const [login, delay] = armed(scene)!;
    expect(login).toMatchObject({ place: 'exchange', fault: { kind: 'refuse', status: 401 } });
    await scene.worker.manager.functions.disarmFault(scene.id, delay!.faultId);
    await scene.worker.until(() => armed(scene)?.length === 1);
    const { length } = scene.server.requests;
    const refused = await scene.call();
    expect(refused).toMatchObject({ outcome: 'failed', problem: { code: 'http-unauthorized' } });
    expect(scene.server.requests).toHaveLength(length);
    await scene.worker.until(() => armed(scene) === undefined);
    expect((await scene.call()).outcome).toBe('result');
    const response = scene.facts('http-response').find(({ status }) => status === 401);
    expect(response).toMatchObject({ httpId: refused.httpId, origin: { kind: 'injected' } });
    expect(await scene.issues()).toEqual([]);
    expect(scene.rows()).toContain('Fault injected');
  });

  test('404 for the session: a new one is started, once, and only what reads is repeated', async () => {
    await using scene = await play({});
    await arm(scene, { kind: 'refuse', status: 404 });
    expect((await scene.call('tools/call')).outcome).toBe('failed');
    await scene.fact('session-replaced');
    expect(scene.server.of('initialize')).toHaveLength(2);
    expect((await scene.call('tools/call')).outcome).toBe('result');
    expect(scene.server.of('tools/call')).toHaveLength(1);
    expect(await scene.issues()).toEqual([]);
  });

  test('404 waits for a request that names a session', async () => {
    await using scene = await play({}, { hasSessions: false });
    await arm(scene, { kind: 'refuse', status: 404 });
    expect((await scene.call()).outcome).toBe('result');
    expect(armed(scene)).toHaveLength(1);
  });

  test('a delay holds the answer back', async () => {
    await using scene = await play({});
    await arm(scene, { kind: 'delay', delayMs: 50 });
    const item = await scene.call();
    const head = scene.facts('http-response').find(({ httpId }) => httpId === item.httpId)!;
    expect(head.monotonicTime - item.started.monotonicTime).toBeGreaterThan(45);
    expect(head.origin).toBeUndefined();
  });

  test('a delay ends with the request that waits for it', async () => {
    await using scene = await play({}, { idleTimeoutMs: 60 });
    await arm(scene, { kind: 'delay', delayMs: 600_000 });
    expect(await scene.call()).toMatchObject({ outcome: 'failed', problem: { code: 'deadline' } });
    expect(await scene.issues()).toEqual([]);
  });

  test('pieces: each is a chunk, and the answer is the same', async () => {
    const body = result('{"text":"é"}');
    await using scene = await play({ 'tools/list': json(body) });
    await arm(scene, { kind: 'split', pieceBytes: 1 });
    const item = await scene.call();
    expect(item.outcome).toBe('result');
    const chunks = scene.facts('http-chunk').filter(({ httpId }) => httpId === item.httpId);
    expect(chunks.map(({ data }) => data.bytes.length)).toEqual(
      Array.from({ length: chunks.length }, () => 1),
    );
    expect(chunks.length).toBeGreaterThan(40);
    expect(scene.text(item.response)).toBe(body.replace('$id', item.rpcId));
  });

  test.each([0, 10, 40])('a body that is cut after %i bytes', async (afterBytes) => {
    await using scene = await play({});
    await arm(scene, { kind: 'cut', afterBytes });
    const item = await scene.call();
    expect(item).toMatchObject({ outcome: 'failed' });
    const end = scene.facts('http-end').find(({ httpId }) => httpId === item.httpId);
    expect(end).toMatchObject({
      origin: { kind: 'injected' },
      end: { outcome: 'cut', sizeBytes: afterBytes },
    });
    expect(await scene.issues()).toEqual([]);
    expect((await scene.call()).outcome).toBe('result');
  });

  test('a cut waits for a body that is long enough', async () => {
    await using scene = await play({});
    await arm(scene, { kind: 'cut', afterBytes: 1_000_000 });
    expect((await scene.call()).outcome).toBe('result');
    expect(armed(scene)).toHaveLength(1);
    expect(scene.facts('fault-injected')).toEqual([]);
  });

  test('for the next stream: no POST takes it, and the stream is opened again', async () => {
    await using scene = await play(
      { GET: [FIRST, stream([event(log('x'), 'e3')], 'hang'), open] },
      LISTENING,
    );
    const httpId = await listening(scene);
    await arm(scene, { kind: 'cut', afterBytes: 0 }, 'stream');
    expect((await scene.call()).outcome).toBe('result');
    await drop(scene, httpId);
    await scene.fact('sse-comment');
    expect(cursors(scene)).toEqual([undefined, 'e2', 'e2']);
  });

  test('are gone with the connection', async () => {
    await using scene = await play({});
    await arm(scene, { kind: 'refuse', status: 401 });
    await scene.disconnect();
    await scene.worker.until(() => armed(scene) === undefined);
    await expect(arm(scene, { kind: 'delay', delayMs: 1 })).rejects.toMatchObject({
      problem: { code: 'not-connected' },
    });
  });

  test('without a usable number are refused', async () => {
    await using scene = await play({});
    await expect(arm(scene, { kind: 'split', pieceBytes: 0 })).rejects.toThrow('no number');
    await expect(arm(scene, { kind: 'delay', delayMs: NaN })).rejects.toThrow('no number');
  });
});

describe('Where nothing can be resumed', () => {
  test('a WebSocket is opened and initialised again, after the next frame where that was wished', async () => {
    const server = await startMisbehavingSockets();
    await using worker = await startTestWorker();
    const id = await worker.connect(server.url('ok'), { reconnection: FAST });
    await worker.state(id, 'connected');
    const { functions } = worker.manager;
    for (const afterEvent of [false, true]) {
      const open = () => worker.events.filter((fact) => fact.kind === 'socket-open');
      const { length } = open();
      const { socketId } = open().at(-1)!;
      await functions.dropStream(id, socketId, { resume: { from: 'last' }, afterEvent });
      expect(worker.summary(id).armed?.length ?? 0).toBe(afterEvent ? 1 : 0);
      if (afterEvent) await functions.send(id, 'ping', undefined);
      await worker.until(() => open().length > length);
      await worker.state(id, 'connected');
      const close = worker.events.findLast((fact) => fact.kind === 'socket-close');
      expect(close).toMatchObject({ socketId, code: 1006, origin: { kind: 'injected' } });
    }
    await expect.poll(() => server.closes.length).toBe(2);
    expect(issuesOf(worker.correlation).filter(({ ruleId }) => ruleId.startsWith('WS'))).toEqual(
      [],
    );
    await worker[Symbol.asyncDispose]();
    await server.close();
  });

  test('HTTP+SSE starts a new session', async () => {
    await using scene = await play({}, { isHttpSse: true });
    const { httpId } = scene.facts('http-request').find(({ purpose }) => purpose === 'stream')!;
    const call = scene.call();
    expect((await call).outcome).toBe('result');
    await drop(scene, httpId);
    await scene.fact('session-ended');
    await scene.server.until(() => scene.server.of('initialize').length === 2);
    await scene.worker.state(scene.id, 'connected');
    expect((await scene.call()).outcome).toBe('result');
    expect(await scene.issues()).toEqual([]);
  });

  test('a modern call whose stream is dropped is lost', async () => {
    await using server = await startTinyModern();
    await using worker = await startTestWorker();
    const id = await worker.connect(server.url, { transport: 'auto' });
    await worker.state(id, 'connected');
    const { functions } = worker.manager;
    const listen = JSON.stringify({ notifications: { toolsListChanged: true } });
    const { carrierId } = await functions.send(id, 'subscriptions/listen', listen);
    await worker.until(() => worker.events.some((fact) => fact.kind === 'sse-event'));
    await functions.dropStream(id, carrierId, { resume: { from: 'last' } });
    const item = await worker.until(() =>
      worker.correlation.items.find(
        (other) =>
          other.kind === 'request' && other.httpId === carrierId && other.outcome === 'failed',
      ),
    );
    expect(item).toMatchObject({ problem: { detail: 'dropped by us' } });
    expect(server.requests.every(({ method }) => method === 'POST')).toBe(true);
  });
});

test('A restart of the worker disarms all, and opens nothing that was to stay closed', async () => {
  await using server = await startPeer('mcp-proxy');
  const home = newHome();
  const before = await startTestWorker({}, home);
  const id = await before.connect(server.url('/mcp'), { reconnection: FAST });
  await before.state(id, 'connected');
  const { functions } = before.manager;
  const stream = await before.until(() =>
    before.correlation.items.find((item) => item.kind === 'stream' && item.outcome === 'open'),
  );
  await functions.dropStream(id, stream.httpId!, { resume: { from: 'none' } });
  await before.until(() => stream.ended !== undefined);
  const hasAnswer = (worker: TestWorker, count: number) =>
    worker.correlation.items.filter(
      (item) => item.kind === 'request' && item.method === 'ping' && item.outcome === 'result',
    ).length === count;
  await functions.send(id, 'ping', undefined);
  await before.until(() => hasAnswer(before, 1));
  await functions.armFault(id, { kind: 'refuse', status: 401 }, 'exchange');
  await before.until(() => before.summary(id).armed !== undefined);
  await before.recorder.flushed();
  before.kill();

  await using worker = await startTestWorker({}, home);
  await worker.state(id, 'connected');
  expect(worker.summary(id).armed).toBeUndefined();
  await worker.manager.functions.send(id, 'ping', undefined);
  await worker.until(() => hasAnswer(worker, 2));
  // The stream of the call may be taken up again; the standalone one is not.
  const standalone = worker.correlation.items.filter(
    (item) => item.kind === 'stream' && item.parent === undefined,
  );
  expect(standalone).toHaveLength(1);
});
