import { afterEach, describe, expect, test, vi } from 'vitest';
import { createCorrelation, type Correlation } from '../../../lib/capture/correlate/correlate.ts';
import { eventText, messageText } from '../../../lib/capture/correlate/http-record.ts';
import type { Recorder } from '../../../lib/capture/recorder.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { AppError } from '../../../lib/errors.ts';
import { EXTENSION_REPLACED } from '../../../lib/port/channel.ts';
import {
  DEFAULT_CONNECT,
  type ConnectionSummary,
  type HubFunctions,
  type StorageFunctions,
} from '../../../lib/port/contract.ts';
import { openFeed, type Feed, type FeedStatus } from '../../../lib/port/feed.ts';
import { createHub, type Hub } from '../../../lib/port/hub.ts';
import { startScripted, type Part, type Reply } from '../../server/scripted.ts';
import { event, log, plain, result, sessionId, stream } from '../../server/scripted-behaviour.ts';
import { header } from '../../server/scripted-http.ts';
import { newHome, startTestWorker, type Home, type TestWorker } from '../../support/connected.ts';
import { linkPorts, type TestPort } from '../../support/linked-ports.ts';
import { FAST } from './play.ts';

const held = (...parts: Part[]): Reply => stream(parts, 'hang');
const PATIENT = { timeout: 10_000, interval: 2 };

afterEach(() => void vi.useRealTimers());

interface Opened {
  recorder: Recorder;
  functions: HubFunctions & StorageFunctions;
}

function absent(): never {
  throw new Error('Nothing here manages stored captures.');
}

const NO_STORAGE: StorageFunctions = {
  storage: absent,
  pinCapture: absent,
  deleteCaptures: absent,
  setStorageLimit: absent,
  splitCapture: absent,
};

/** A browser: one worker at a time, which pages start by connecting to it, and which can be stopped. */
async function startBrowser() {
  const home: Home = newHome();
  let hub: Hub | undefined;
  let worker: TestWorker | undefined;
  let isInstalled = true;
  const ports: { page: TestPort; worker: TestPort }[] = [];

  async function start(): Promise<TestWorker> {
    const told = {
      committed: (events: WireEvent[], areStored: boolean) => own.publish(events, areStored),
      changed: (list: ConnectionSummary[]) => own.publishConnections(list),
    };
    const opened = Promise.withResolvers<Opened>();
    const own = createHub(opened.promise);
    hub = own;
    const started = await startTestWorker({}, home, told);
    worker = started;
    const { recorder, manager } = started;
    opened.resolve({ recorder, functions: { ...manager.functions, ...NO_STORAGE } });
    return started;
  }

  await start();

  return {
    home,
    ports,
    get worker(): TestWorker {
      if (worker === undefined) throw new Error('no worker');
      return worker;
    },
    /** Stops the worker, as browsers do: its ports close, and the next page that connects starts another. */
    async stop() {
      worker?.kill();
      hub = undefined;
      for (const { worker: end } of ports) end.disconnect();
      await start();
    },
    reloadExtension() {
      isInstalled = false;
      for (const { worker: end } of ports) end.disconnect();
    },
    openPage(wantsEvents = true) {
      const correlation: Correlation = createCorrelation();
      const events: WireEvent[] = [];
      const statuses: FeedStatus[] = [];
      let connections: ConnectionSummary[] = [];
      const feed: Feed = openFeed({
        wantsEvents,
        connect() {
          if (!isInstalled) throw new AppError(EXTENSION_REPLACED);
          if (hub === undefined) throw new Error('The worker is starting.');
          const [page, end] = linkPorts();
          ports.push({ page, worker: end });
          hub.attach(end);
          return page;
        },
        async *readBlocks(captureId, from, to) {
          yield home.blocks.filter(
            (block) =>
              block.captureId === captureId &&
              block.lastSequence >= from &&
              block.firstSequence <= to,
          );
        },
        events(batch) {
          events.push(...batch);
          correlation.apply(batch);
        },
        connections: (list) => (connections = list),
        status: (status) => void statuses.push(status),
      });
      return { feed, correlation, events, statuses, connections: () => connections };
    },
    async [Symbol.asyncDispose]() {
      await worker?.[Symbol.asyncDispose]();
    },
  };
}

type Page = ReturnType<Awaited<ReturnType<typeof startBrowser>>['openPage']>;

function rowsOf({ correlation }: Pick<Page, 'correlation'>): string[] {
  return correlation.items.map((item) => {
    const name = 'method' in item ? item.method : 'title' in item ? item.title : '';
    return `${item.sequence} ${item.kind} ${name} ${'outcome' in item ? item.outcome : ''}`;
  });
}

describe('C192 the worker goes away under its pages', () => {
  test('C192 in the middle of a call: both panels and the popup are back, no row is lost, and all see the same', async () => {
    await using server = await startScripted({
      'tools/call': held(event(log('one'), 'a-1')),
      GET: stream([
        event(log('two'), 'a-2'),
        event('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', 'a-3'),
      ]),
    });
    await using browser = await startBrowser();
    const panels = [browser.openPage(), browser.openPage()] as const;
    const popup = browser.openPage(false);
    const { connectionId } = await panels[0].feed.background.connect({
      ...DEFAULT_CONNECT,
      url: server.url(),
      transport: 'streamable-http',
      openStream: false,
      reconnection: FAST,
    });
    await browser.worker.state(connectionId, 'connected');
    await panels[1].feed.background.send(connectionId, 'tools/call', '{"name":"a"}');
    await vi.waitUntil(() => panels[0].events.some(({ kind }) => kind === 'sse-event'), PATIENT);
    // Under way when the worker dies: it says so, and nothing repeats it.
    const late = panels[0].feed.background.recentServers().then(
      () => 'answered',
      (error: AppError) => error.problem.code,
    );
    await browser.stop();
    expect(['answered', 'aborted']).toContain(await late);

    const call = await browser.worker.until(() =>
      browser.worker.correlation.items.find(
        (item) =>
          item.kind === 'request' && item.method === 'tools/call' && item.outcome === 'result',
      ),
    );
    expect(call).toBeDefined();
    await browser.worker.until(() =>
      browser.worker.events.some((found) => found.kind === 'http-end' && found.bootId === 'boot-2'),
    );
    await browser.worker.recorder.flushed();
    const last = browser.worker.recorder.lastCommittedSequence;
    for (const panel of panels) {
      await vi.waitUntil(() => panel.events.length >= last, PATIENT);
      expect(panel.events.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: last }, (_, index) => index + 1),
      );
      expect(rowsOf(panel)).toEqual(rowsOf(browser.worker));
      expect(panel.statuses.map(({ kind }) => kind)).toContain('reconnecting');
      expect(panel.statuses.at(-1)).toEqual({ kind: 'live' });
    }
    expect(server.of('tools/call')).toHaveLength(1);
    expect(popup.events).toEqual([]);
    await vi.waitUntil(() => popup.connections()[0]?.state === 'connected', PATIENT);
    // A call after it reaches the new worker.
    expect(await popup.feed.background.recentServers()).toEqual([]);
    for (const { feed } of [...panels, popup]) feed.close();
  });

  test('C192 for good, since the extension was reloaded: the page asks to be opened again, and rests', async () => {
    await using browser = await startBrowser();
    const panel = browser.openPage();
    await vi.waitUntil(() => panel.statuses.at(-1)?.kind === 'live', PATIENT);
    const rows = rowsOf(panel);
    browser.reloadExtension();
    await vi.waitUntil(() => panel.statuses.at(-1)?.kind === 'ended', PATIENT);
    expect(panel.statuses.at(-1)).toMatchObject({
      problem: { code: 'extension-replaced', advice: expect.stringContaining('open it again') },
    });
    const before = panel.statuses.length;
    await expect(panel.feed.background.recentServers()).rejects.toMatchObject({
      problem: { code: 'extension-replaced' },
    });
    expect(panel.statuses).toHaveLength(before);
    expect(rowsOf(panel)).toEqual(rows);
  });
});

test('C193 a tool result of 70 MB goes through the store, not through a port, and shows whole', async () => {
  const text = 'x'.repeat(70 * 1024 * 1024);
  await using server = await startScripted({
    'tools/call': {
      headers: { 'Content-Type': 'application/json' },
      framing: 'length',
      body: [result(`{"content":[{"type":"text","text":"${text}"}]}`)],
    },
  });
  await using browser = await startBrowser();
  const panel = browser.openPage();
  const { connectionId } = await panel.feed.background.connect({
    ...DEFAULT_CONNECT,
    url: server.url(),
    transport: 'streamable-http',
    openStream: false,
    messageLimitBytes: 100 * 1024 * 1024,
  });
  await browser.worker.state(connectionId, 'connected');
  await panel.feed.background.send(connectionId, 'tools/call', '{"name":"a"}');
  const call = await vi.waitUntil(
    () =>
      panel.correlation.items.find(
        (item) =>
          item.kind === 'request' && item.method === 'tools/call' && item.outcome === 'result',
      ),
    { timeout: 50_000, interval: 20 },
  );
  const record = panel.correlation.https.get(call.httpId ?? '');
  expect(record!.sizeBytes).toBeGreaterThan(70 * 1024 * 1024);
  if (call.kind !== 'request' || call.response === undefined) throw new Error('no response');
  expect(messageText(panel.correlation.https, call.response)).toHaveLength(record!.sizeBytes);
  const longest = Math.max(
    ...browser.ports.flatMap(({ worker }) => worker.sent.map(({ length }) => length)),
  );
  expect(longest).toBeLessThan(2 * 1024 * 1024);
  panel.feed.close();
}, 120_000);

test('C194 a full disk: the view goes on, one warning says so, and the store catches up when there is room', async () => {
  await using server = await startScripted({
    'tools/call': stream([
      ...Array.from({ length: 1000 }, (_, index) => event(log(`n${index}`))),
      event(result()),
    ]),
  });
  await using browser = await startBrowser();
  const { worker, home } = browser;
  const panel = browser.openPage();
  const id = await worker.connect(server.url(), { openStream: false });
  await worker.state(id, 'connected');
  home.refusal = new DOMException('full', 'QuotaExceededError');
  await worker.manager.functions.send(id, 'tools/call', '{"name":"a"}');
  const told = () =>
    panel.correlation.items.filter(
      (item) => item.kind === 'notification' && item.method === 'notifications/message',
    );
  await vi.waitUntil(() => told().length === 1000, PATIENT);
  const warnings = () =>
    panel.correlation.items.flatMap((item) =>
      item.kind === 'lifecycle' && item.event.kind === 'storage-state' ? [item] : [],
    );
  await vi.waitUntil(() => warnings().length === 1, PATIENT);
  expect(warnings()[0]).toMatchObject({ level: 'error' });
  expect(warnings()[0]!.detail).toMatch(/full/);

  home.refusal = undefined;
  await vi.waitUntil(() => warnings().length === 2, PATIENT);
  await worker.recorder.flushed();
  const stored = home.blocks.flatMap(({ events }) => events.map(({ sequence }) => sequence));
  expect(stored).toEqual(Array.from({ length: stored.length }, (_, index) => index + 1));
  expect(stored.at(-1)).toBe(worker.recorder.lastCommittedSequence);
  panel.feed.close();
});

describe('C196 what is stored', () => {
  test('C196 is plain data, whole batches, and opens again after it ended abruptly', async () => {
    await using server = await startScripted({
      'tools/list': stream([event(log('one')), { wait: 'never' }]),
      'tools/call': { ending: 'reset', head: '' },
    });
    const home = newHome();
    const before = await startTestWorker({}, home);
    const id = await before.connect(server.url(), {
      openStream: false,
      headers: [{ name: 'Authorization', value: 'Bearer x-secret-1', secret: true }],
    });
    await before.state(id, 'connected');
    await before.manager.functions.send(id, 'tools/call', '{"name":"a"}');
    await before.state(id, 'lost');
    await before.manager.functions.send(id, 'tools/list', undefined);
    await before.until(() => before.events.some(({ kind }) => kind === 'sse-event'));
    await before.recorder.flushed();
    before.kill();
    // Nothing but what JSON has, and bytes.
    for (const block of home.blocks) expect(findOdd(block)).toEqual([]);

    // Whatever was being written when it died is not there, and what is there is whole.
    for (let kept = home.blocks.length; kept > 0; kept -= 1) {
      const events = home.blocks.slice(0, kept).flatMap((block) => block.events);
      const correlation = createCorrelation();
      correlation.apply(events);
      correlation.apply([started(events.at(-1)!)]);
      const open = correlation.items.filter(
        (item) => 'outcome' in item && item.outcome === 'pending',
      );
      expect(open).toEqual([]);
      const texts = [...correlation.https.values()].flatMap((record) =>
        record.stream.flatMap((found) =>
          found.kind === 'sse-event' ? [eventText(record, found)] : [],
        ),
      );
      expect(texts.every((text) => text?.startsWith('{"jsonrpc"'))).toBe(true);
    }
    const correlation = createCorrelation();
    const events = home.blocks.flatMap((block) => block.events);
    correlation.apply([...events, started(events.at(-1)!)]);
    const list = correlation.items.find(
      (item) => item.kind === 'request' && item.method === 'tools/list',
    );
    expect(list).toMatchObject({ outcome: 'interrupted' });
  });
});

function started(last: WireEvent): WireEvent {
  return {
    sequence: last.sequence + 1,
    captureId: last.captureId,
    bootId: 'later',
    wallTime: last.wallTime,
    monotonicTime: 0,
    kind: 'worker-started',
    cause: 'wake',
  };
}

/** Paths of values that a store might refuse, or change. */
function findOdd(value: unknown, path = ''): string[] {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return [];
  if (value instanceof Uint8Array) return [];
  if (typeof value !== 'object') return [`${path}: ${typeof value}`];
  if (Array.isArray(value))
    return value.flatMap((entry, index) => findOdd(entry, `${path}[${index}]`));
  if (Object.getPrototypeOf(value) !== Object.prototype)
    return [`${path}: ${value.constructor.name}`];
  return Object.entries(value).flatMap(([name, entry]) => findOdd(entry, `${path}.${name}`));
}

test('C197 two panels on one server have a session each, and closing one leaves the other alone', async () => {
  await using server = await startScripted({ DELETE: plain(200) });
  await using browser = await startBrowser();
  const panels = [browser.openPage(), browser.openPage()] as const;
  const ids: string[] = [];
  for (const [index, panel] of panels.entries()) {
    const { connectionId } = await panel.feed.background.connect({
      ...DEFAULT_CONNECT,
      url: server.url(),
      transport: 'streamable-http',
      openStream: false,
      headers: [{ name: 'Authorization', value: `Bearer token-${index}`, secret: true }],
    });
    await browser.worker.state(connectionId, 'connected');
    ids.push(connectionId);
  }
  await panels[0].feed.background.disconnect(ids[0]!, true);
  await browser.worker.state(ids[0]!, 'closed');
  expect(server.of('DELETE').map((request) => header(request, 'mcp-session-id'))).toEqual([
    sessionId(1),
  ]);
  await panels[1].feed.background.send(ids[1]!, 'tools/list', undefined);
  await server.until(() => server.of('tools/list').length === 1);
  const [list] = server.of('tools/list');
  expect(header(list!, 'mcp-session-id')).toBe(sessionId(2));
  expect(header(list!, 'authorization')).toBe('Bearer token-1');
  // Each panel sees both, and knows which is over.
  for (const panel of panels) {
    await vi.waitUntil(() => panel.connections().length === 2, PATIENT);
    const found = (id: string | undefined) =>
      panel.connections().find(({ connectionId }) => connectionId === id);
    await vi.waitUntil(() => found(ids[0])?.state === 'closed', PATIENT);
    expect(found(ids[1])).toMatchObject({ state: 'connected', url: server.url() });
    panel.feed.close();
  }
});
