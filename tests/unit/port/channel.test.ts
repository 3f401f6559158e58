import { afterEach, describe, expect, test, vi } from 'vitest';
import { AppError, type Problem } from '../../../lib/errors.ts';
import {
  EXTENSION_REPLACED,
  linkBackground,
  serveBackground,
  type PortLike,
} from '../../../lib/port/channel.ts';
import type { BackgroundFunctions, PageFunctions } from '../../../lib/port/contract.ts';
import { linkPorts, type TestPort } from '../../support/linked-ports.ts';

/** A busy machine is no failure. */
const PATIENT = { timeout: 10_000, interval: 1 };

const problem: Problem = {
  code: 'not-connected',
  message: 'This connection is not open.',
  advice: 'Connect.',
  detail: 'x',
};

afterEach(() => void vi.useRealTimers());

function background(functions: Partial<BackgroundFunctions> = {}): BackgroundFunctions {
  const refuse = () => Promise.reject(new AppError(problem));
  return {
    connect: refuse,
    permissionAnswered: refuse,
    disconnect: refuse,
    dismiss: refuse,
    send: refuse,
    sendRaw: refuse,
    stopRaw: refuse,
    answer: refuse,
    answers: refuse,
    cancel: refuse,
    reveal: refuse,
    report: refuse,
    stopReport: refuse,
    update: refuse,
    dropStream: refuse,
    armFault: refuse,
    disarmFault: refuse,
    recentServers: refuse,
    forgetServer: refuse,
    keepServers: refuse,
    subscribe: refuse,
    taken: refuse,
    storage: refuse,
    pinCapture: refuse,
    deleteCaptures: refuse,
    setStorageLimit: refuse,
    splitCapture: refuse,
    authAnswer: refuse,
    authGoOn: refuse,
    authStop: refuse,
    credentials: refuse,
    clients: refuse,
    signOut: refuse,
    forgetCredential: refuse,
    expireCredential: refuse,
    corruptCredential: refuse,
    forgetClient: refuse,
    redirectUris: refuse,
    clientMetadata: refuse,
    ...functions,
  };
}

const idlePage: PageFunctions = {
  events: () => undefined,
  connections: () => undefined,
  queued: () => undefined,
};

/** A page that is linked to a background; every connect makes a new pair of ports. */
function link(functions: Partial<BackgroundFunctions> = {}, page: PageFunctions = idlePage) {
  const ports: { page: TestPort; worker: TestPort; remote: PageFunctions }[] = [];
  const states: string[] = [];
  let failures = 0;
  let isReplaced = false;
  const connect = (): PortLike => {
    if (isReplaced) throw new AppError(EXTENSION_REPLACED);
    if (failures > 0) {
      failures -= 1;
      throw new Error('The browser is busy.');
    }
    const [pagePort, worker] = linkPorts();
    const remote = serveBackground(worker, background(functions));
    ports.push({ page: pagePort, worker, remote });
    return pagePort;
  };
  const linked = linkBackground(connect, page, {
    connected: () => void states.push('connected'),
    lost: (attempt) => void states.push(`lost ${attempt}`),
    ended: (problem) => void states.push(problem.code),
  });
  return {
    ...linked,
    ports,
    states,
    failNext: (count: number) => (failures = count),
    replaceExtension: () => (isReplaced = true),
  };
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'resolved',
    (error: unknown) => error,
  );
}

describe('a call', () => {
  test('gets its answer', async () => {
    const { background: remote, close } = link({
      recentServers: () => Promise.resolve([{ url: 'http://h/', headers: [], usedAt: 3 }]),
    });
    expect(await remote.recentServers()).toEqual([{ url: 'http://h/', headers: [], usedAt: 3 }]);
    close();
  });

  test('that fails arrives as an AppError with its problem', async () => {
    const { background: remote, close } = link();
    const error = await rejection(remote.disconnect('c1', true));
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).problem).toEqual(problem);
    close();
  });

  test('that fails for a reason that is not ours arrives as an internal one', async () => {
    const { background: remote, close } = link({
      dismiss: () => Promise.reject(new RangeError('too deep')),
    });
    const error = await rejection(remote.dismiss('c1'));
    expect((error as AppError).problem).toMatchObject({
      code: 'internal',
      detail: 'RangeError: too deep',
    });
    close();
  });

  test('keeps its arguments, missing ones in the middle too', async () => {
    const seen: unknown[][] = [];
    const { background: remote, close } = link({
      send(...call) {
        seen.push(call);
        return Promise.resolve({ rpcId: '1', carrierId: 'h1' });
      },
    });
    await remote.send('c1', 'tools/list', undefined, { replayOf: 7 });
    await remote.send('c1', 'ping', '{}');
    expect(seen).toEqual([
      ['c1', 'tools/list', undefined, { replayOf: 7 }],
      ['c1', 'ping', '{}'],
    ]);
    close();
  });

  test('under way when the worker stops is rejected, and the next one reaches the new worker', async () => {
    let isStuck = true;
    const {
      background: remote,
      ports,
      states,
      close,
    } = link({
      recentServers: () => (isStuck ? new Promise(() => undefined) : Promise.resolve([])),
    });
    const stuck = rejection(remote.recentServers());
    await vi.waitUntil(() => ports[0]!.page.sent.length === 1, PATIENT);
    isStuck = false;
    ports[0]!.worker.disconnect();
    expect(await stuck).toMatchObject({ problem: { code: 'aborted' } });
    expect(await remote.recentServers()).toEqual([]);
    await vi.waitUntil(() => states.length === 3, PATIENT);
    expect(states).toEqual(['connected', 'lost 1', 'connected']);
    expect(ports).toHaveLength(2);
    close();
  });

  test('at the moment the worker stops is rejected as one of ours', async () => {
    const { background: remote, ports, close } = link();
    const dead = ports[0]!.page;
    // Chrome may close a port some time before it says so.
    dead.disconnect();
    const error = await rejection(remote.recentServers());
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).problem.code).toBe('aborted');
    close();
  });
});

describe('a worker', () => {
  test('does not mind a page that closed before its answer', async () => {
    const answered = Promise.withResolvers<{ connectionId: string }>();
    const called = Promise.withResolvers<void>();
    const [page, worker] = linkPorts();
    serveBackground(
      worker,
      background({
        connect() {
          called.resolve();
          return answered.promise;
        },
      }),
    );
    const linked = linkBackground(() => page, idlePage, {
      connected: () => undefined,
      lost: () => undefined,
      ended: () => undefined,
    });
    const call = rejection(linked.background.connect({} as never));
    await called.promise;
    linked.close();
    await vi.waitUntil(() => !worker.isOpen, PATIENT);
    answered.resolve({ connectionId: 'c1' });
    // Vitest fails this file for any rejection that nobody handles.
    expect(await call).toBeInstanceOf(Error);
    await new Promise((resolve) => setImmediate(resolve));
  });

  test('may push to a page that is gone', async () => {
    const { ports, close } = link();
    const { remote, worker } = ports[0]!;
    close();
    remote.connections([]);
    await vi.waitUntil(() => !worker.isOpen, PATIENT);
    remote.connections([]);
    remote.events({
      kind: 'stored',
      captureId: 'capture',
      firstSequence: 1,
      lastSequence: 1,
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(worker.sent).toHaveLength(1);
  });

  test('pushes in order', async () => {
    const seen: number[] = [];
    const { ports, close } = link(
      {},
      {
        ...idlePage,
        events: (batch) => void seen.push(batch.firstSequence),
      },
    );
    for (let turn = 1; turn <= 50; turn += 1) {
      ports[0]!.remote.events({
        kind: 'stored',
        captureId: 'capture',
        firstSequence: turn,
        lastSequence: turn,
      });
    }
    await vi.waitUntil(() => seen.length === 50, PATIENT);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    close();
  });
});

describe('a page that lost the worker', () => {
  test('tries again, slower and slower, until it finds it', async () => {
    vi.useFakeTimers();
    const { ports, states, failNext, close } = link();
    failNext(6);
    ports[0]!.worker.disconnect();
    await vi.waitUntil(() => states.includes('lost 1'), PATIENT);
    const seen: [number, number][] = [];
    for (let passed = 0; passed < 9000; passed += 50) {
      await vi.advanceTimersByTimeAsync(50);
      if (seen.at(-1)?.[1] !== states.length) seen.push([passed + 50, states.length]);
    }
    expect(states).toEqual([
      'connected',
      'lost 1',
      'lost 2',
      'lost 3',
      'lost 4',
      'lost 5',
      'lost 6',
      'lost 7',
      'connected',
    ]);
    const gaps = seen.slice(1).map(([at], index) => at - seen[index]![0]);
    expect(gaps).toEqual([...gaps].sort((a, b) => a - b));
    close();
  });

  test('stops trying once it is closed', async () => {
    vi.useFakeTimers();
    const { ports, states, failNext, close } = link();
    failNext(100);
    ports[0]!.worker.disconnect();
    await vi.waitUntil(() => states.includes('lost 1'), PATIENT);
    close();
    const before = states.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states).toHaveLength(before);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('and whose extension was replaced meanwhile says so, and tries no more', async () => {
    vi.useFakeTimers();
    const {
      background: remote,
      ports,
      states,
      replaceExtension,
    } = link({
      recentServers: () => new Promise(() => undefined),
    });
    const call = rejection(remote.recentServers());
    replaceExtension();
    ports[0]!.worker.disconnect();
    await vi.waitUntil(() => states.includes('extension-replaced'), PATIENT);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states).toEqual(['connected', 'lost 1', 'extension-replaced']);
    expect(vi.getTimerCount()).toBe(0);
    expect((await call) as AppError).toBeInstanceOf(AppError);
    const later = await rejection(remote.disconnect('c1', true));
    expect((later as AppError).problem).toMatchObject({
      code: 'extension-replaced',
      advice: expect.stringContaining('open it again'),
    });
  });
});

test('C193 a call that no port would carry is refused in our words, and the next one goes through', async () => {
  const { background: remote, ports, close } = link({ recentServers: async () => [] });
  const long = 'x'.repeat(21 * 1024 * 1024);
  for (const refused of [
    remote.send('c1', 'tools/call', long),
    remote.answer('c1', '1', { resultText: long }),
  ]) {
    const error = await rejection(refused);
    expect((error as AppError).problem).toMatchObject({ code: 'body-limit' });
  }
  expect(await remote.recentServers()).toEqual([]);
  expect(ports).toHaveLength(1);
  close();
});
