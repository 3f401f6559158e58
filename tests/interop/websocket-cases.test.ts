import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  HttpItem,
  Item,
  RequestItem,
  SocketItem,
  StrayItem,
} from '../../lib/capture/correlate/items.ts';
import { recordedText } from '../../lib/capture/correlate/socket-record.ts';
import type { ConnectRequest } from '../../lib/port/contract.ts';
import { toFrameRow } from '../../lib/state/detail/frame-rows.ts';
import { toRow } from '../../lib/state/view/rows.ts';
import { toSocketFacts } from '../../lib/state/detail/socket-facts.ts';
import {
  startMisbehavingSockets,
  type MisbehavingSockets,
} from '../server/websocket-misbehaving.ts';
import { startTestWorker, type TestWorker } from '../support/connected.ts';

let server: MisbehavingSockets;

beforeAll(async () => {
  server = await startMisbehavingSockets();
});

afterAll(() => server.close());

const NO_RETRY = { initialDelayMs: 1, maxDelayMs: 1, factor: 1, retries: 0 };

async function connect(worker: TestWorker, name: string, options: Partial<ConnectRequest> = {}) {
  const id = await worker.connect(server.url(name), { reconnection: NO_RETRY, ...options });
  await worker.state(id, 'connected');
  return id;
}

/** Calls a tool; what answers is the row of the call, once it is over. */
async function call(worker: TestWorker, id: string): Promise<RequestItem> {
  await worker.manager.functions.send(id, 'tools/call', '{"name":"echo"}');
  return worker.until(() => {
    const item = requests(worker, 'tools/call').at(-1);
    return item?.outcome !== 'pending' && item;
  }, 'the end of the call');
}

function requests(worker: TestWorker, method: string): RequestItem[] {
  return worker.correlation.items.filter(
    (item): item is RequestItem => item.kind === 'request' && item.method === method,
  );
}

function socketItem(worker: TestWorker): SocketItem {
  const item = worker.correlation.items.find(
    (other): other is SocketItem => other.kind === 'socket',
  );
  if (item === undefined) throw new Error('no socket');
  return item;
}

function socketOf(worker: TestWorker) {
  const record = worker.correlation.sockets.get(socketItem(worker).socketId);
  if (record === undefined) throw new Error('no socket');
  return record;
}

const logRows = (worker: TestWorker) =>
  worker.correlation.items
    .filter((item) => item.kind === 'notification' && item.direction === 'incoming')
    .map((item) => (item.kind === 'notification' ? item.summary : ''));

const strays = (worker: TestWorker) =>
  worker.correlation.items.filter((item): item is StrayItem => item.kind === 'stray');

async function failure(worker: TestWorker, name: string) {
  const id = await worker.connect(server.url(name), { reconnection: NO_RETRY });
  const { problem } = await worker.state(id, 'failed');
  await worker.until(() => worker.correlation.items.some(({ kind }) => kind === 'lifecycle'));
  return problem;
}

const isProbe = (item: Item): item is HttpItem => item.kind === 'http';

describe('C122: a handshake that selects no subprotocol', () => {
  test('is named with its usual causes, and a GET shows that the server is there', async () => {
    await using worker = await startTestWorker();
    const problem = await failure(worker, 'no-subprotocol');
    expect(problem?.code).toBe('socket-refused');
    expect(problem?.message).toContain('closed before it opened, 1006');
    expect(problem?.message).toContain('426 Upgrade Required');
    for (const cause of ['subprotocol `mcp`', 'path', 'credentials', 'wss://']) {
      expect(problem?.advice).toContain(cause);
    }
    expect(socketOf(worker).close).toMatchObject({ code: 1006, clean: false, by: 'network' });
    expect(socketItem(worker)).toMatchObject({ outcome: 'failed', closeCode: 1006 });
  });

  test('a port where nothing listens is named by what the GET was told', async () => {
    await using worker = await startTestWorker();
    const id = await worker.connect('ws://127.0.0.1:9/mcp', { reconnection: NO_RETRY });
    const { problem } = await worker.state(id, 'failed');
    expect(problem?.code).toMatch(/^network-/);
    expect(problem?.message).toContain('127.0.0.1:9');
  });

  test('a wrong path is named', async () => {
    await using worker = await startTestWorker();
    expect(await failure(worker, 'not-found')).toMatchObject({ code: 'http-not-found' });
  });
});

describe('C130: a handshake that is refused', () => {
  test('with 401: status and challenge come from a recorded GET, and no token goes into the URL', async () => {
    await using worker = await startTestWorker();
    const problem = await failure(worker, 'unauthorized');
    expect(problem).toMatchObject({ code: 'http-unauthorized' });
    expect(problem?.message).toContain(
      '401 Unauthorized, with the challenge: Bearer realm="sockets"',
    );
    expect(problem?.advice).toContain('Do not put a token into the URL');
    const probe = worker.correlation.items.find(isProbe);
    const record = worker.correlation.https.get(probe?.httpId ?? '');
    expect(record?.request).toMatchObject({ purpose: 'probe', method: 'GET' });
    expect(record?.request.url.text).toBe(server.url('unauthorized').replace('ws:', 'http:'));
    expect(record?.response?.status).toBe(401);
  });

  test('with a redirect to a login: the target is named and nothing follows it', async () => {
    await using worker = await startTestWorker();
    const problem = await failure(worker, 'to-login');
    expect(problem?.code).toBe('http-redirect');
    expect(problem?.message).toMatch(/302 Found, to http:\S+\/login/);
    expect(server.requests.some(({ path }) => path === '/login')).toBe(false);
  });

  test('with 403: credentials and Origin are named', async () => {
    await using worker = await startTestWorker();
    const problem = await failure(worker, 'forbidden');
    expect(problem?.code).toBe('http-forbidden');
    expect(problem?.advice).toContain('Origin');
  });
});

test('C124: text and binary frames keep their order; JSON counts in either, noise has a row of its own', async () => {
  await using worker = await startTestWorker();
  const id = await connect(worker, 'binary');
  const item = await call(worker, id);
  expect(item.outcome).toBe('result');
  expect(logRows(worker)).toEqual(['info: as text', 'info: as binary']);
  const { frames } = socketOf(worker);
  const incoming = frames.filter(({ direction }) => direction === 'incoming').slice(-4);
  expect(incoming.map(({ opcode }) => opcode)).toEqual(['text', 'binary', 'binary', 'binary']);
  expect(strays(worker)).toMatchObject([
    { what: 'not-json', problem: { message: expect.stringContaining('not UTF-8') } },
  ]);
  expect([...(incoming[2]?.data.bytes ?? [])]).toEqual([0x00, 0xff, 0xfe, 0x80]);
  expect(worker.summary(id).state).toBe('connected');
  const index = frames.indexOf(incoming[2]!);
  expect(toFrameRow(socketOf(worker), index)).toMatchObject({ opcode: 'binary', size: '4 B' });
});

describe('C125: how a message was cut up does not matter', () => {
  test('1000 fragments with pings and a split character are one message', async () => {
    await using worker = await startTestWorker();
    const id = await connect(worker, 'fragments');
    const before = socketOf(worker).frames.length;
    const item = await call(worker, id);
    expect(item.outcome).toBe('result');
    expect(recordedText(worker.correlation, item.response!)).toContain('häppchen ☕');
    // The call and its answer.
    expect(socketOf(worker).frames.length).toBe(before + 2);
  });

  test('compressed messages arrive as they were', async () => {
    await using worker = await startTestWorker();
    const id = await connect(worker, 'compressed');
    expect((await call(worker, id)).outcome).toBe('result');
  });

  test.each(['long-ping', 'bad-utf8'])(
    'a frame against the rules (%s) ends the socket',
    async (name) => {
      await using worker = await startTestWorker();
      const id = await connect(worker, name);
      const item = await call(worker, id);
      expect(item.outcome).toBe('failed');
      expect(item.problem?.code).toBe('socket-closed');
      const close = socketOf(worker).close;
      expect(close?.clean).toBe(false);
      expect([1002, 1006, 1007]).toContain(close?.code);
      expect(['failed', 'lost']).toContain((await worker.state(id, 'failed', 'lost')).state);
    },
  );
});

test('C126: a newline after the message is fine, two texts are a row with a hint, an array is read, nothing is nothing', async () => {
  await using worker = await startTestWorker();
  const id = await connect(worker, 'odd');
  const item = await call(worker, id);
  expect(item.outcome).toBe('result');
  expect(logRows(worker)).toEqual(['info: newline', 'info: in an array', 'info: too']);
  const rows = strays(worker);
  expect(rows.map(({ what }) => what)).toEqual(['not-json', 'not-json']);
  expect(rows[0]?.problem.message).toContain('two JSON texts in one frame');
  expect(rows[1]?.problem.message).not.toContain('two JSON texts');
  expect(recordedText(worker.correlation, rows[0]!.message)).toMatch(/"first".*\n.*"second"/);
  const incoming = socketOf(worker).frames.filter(({ direction }) => direction === 'incoming');
  expect(incoming.some(({ data }) => data.bytes.length === 0)).toBe(true);
  expect(worker.summary(id).state).toBe('connected');
});

describe('C128: a close says how, why and by whom', () => {
  const reason = 'r'.repeat(123);

  test.each([
    [1001, 'going away'],
    [1008, 'policy violation'],
    [1011, 'internal error'],
    [1012, 'service restart'],
    [1013, 'try again later'],
    [4401, 'unauthorized'],
    [4999, 'private to the server'],
  ])('%d with the longest reason', async (code, name) => {
    await using worker = await startTestWorker();
    const id = await connect(worker, `close?code=${code}&reason=${reason}`);
    const item = await call(worker, id);
    expect(item.outcome).toBe('failed');
    expect(item.problem).toMatchObject({ code: 'socket-closed' });
    for (const part of ['`tools/call`', String(code), name, reason]) {
      expect(item.problem?.message).toContain(part);
    }
    expect(item.problem?.detail).toBe(`code ${code} · closed by the server · clean`);
    const { problem } = await worker.state(id, 'failed');
    expect(problem?.message).toContain(`${code} (${name}`);
    expect(socketOf(worker).close).toMatchObject({ code, reason, clean: true, by: 'server' });
    const facts = Object.fromEntries(toSocketFacts(socketOf(worker)).map((f) => [f.name, f.value]));
    expect(facts['Close code']).toContain(`${code} (${name}`);
    expect(facts).toMatchObject({ Reason: `“${reason}”`, Ended: 'closed by the server, cleanly' });
    expect(toRow(socketItem(worker), worker.correlation)).toMatchObject({
      status: `failed · ${code}`,
      level: 'error',
    });
  });

  test('1000 ends the connection in order; what was open has failed with it', async () => {
    await using worker = await startTestWorker();
    const id = await connect(worker, 'close?code=1000&reason=bye');
    const item = await call(worker, id);
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'socket-ended' } });
    await worker.state(id, 'closed');
    const closed = await worker.until(
      () => worker.events.find(({ kind }) => kind === 'connection-closed'),
      'the end in the log',
    );
    expect(closed).toMatchObject({ cause: 'server' });
    expect(socketItem(worker)).toMatchObject({ outcome: 'closed', closeCode: 1000 });
  });

  test('no code at all is 1005, and an end in order', async () => {
    await using worker = await startTestWorker();
    const id = await connect(worker, 'close');
    await call(worker, id);
    await worker.state(id, 'closed');
    expect(socketOf(worker).close).toMatchObject({ code: 1005, by: 'server' });
  });

  test('a raw drop is 1006: by the network, not clean', async () => {
    await using worker = await startTestWorker();
    const id = await connect(worker, 'drop');
    const item = await call(worker, id);
    expect(item.problem?.message).toContain('broke off without a close frame, 1006');
    await worker.state(id, 'failed');
    expect(socketOf(worker).close).toMatchObject({ code: 1006, clean: false, by: 'network' });
  });

  test.each([
    [1012, 1],
    [1008, 0],
    [4401, 0],
  ])('%d is followed by %d attempts to open it again', async (code, attempts) => {
    await using worker = await startTestWorker();
    const reconnection = { ...NO_RETRY, retries: 1 };
    const id = await connect(worker, `close?code=${code}&reason=${code}`, { reconnection });
    await call(worker, id);
    await worker.state(id, attempts === 0 ? 'failed' : 'connected');
    const retries = worker.events.filter(({ kind }) => kind === 'retry-scheduled');
    expect(retries).toHaveLength(attempts);
  });
});

test('C129: a call in flight fails at the drop; a new handshake follows, and its late answer belongs to nobody', async () => {
  await using worker = await startTestWorker();
  const reconnection = { ...NO_RETRY, retries: 2 };
  const id = await connect(worker, 'drop-once', { reconnection });
  const item = await call(worker, id);
  expect(item.outcome).toBe('failed');
  expect(item.problem?.message).toContain('1006');

  const stray = await worker.until(() => strays(worker)[0], 'the late answer');
  expect(stray).toMatchObject({ what: 'response' });
  expect(stray.problem.message).toContain(`id ${item.rpcId}`);
  expect(item.response).toBeUndefined();
  await worker.state(id, 'connected');
  const later = server.received.filter(({ path }) => path === '/drop-once').map((m) => m.method);
  const again = later.slice(later.indexOf('tools/call') + 1);
  expect(again).toEqual(['initialize', 'notifications/initialized']);
  const titles = worker.correlation.items.map((row) => row.kind === 'lifecycle' && row.title);
  expect(titles).toContain('Connection lost');
  expect(titles.filter((title) => String(title).startsWith('Connected to'))).toHaveLength(2);
});

describe('the era is asked for first', () => {
  const methods = (name: string) =>
    server.received.filter(({ path }) => path === `/${name}`).map(({ method }) => method);

  test('an error is the answer of a legacy server', async () => {
    await using worker = await startTestWorker();
    await connect(worker, 'ok');
    await expect
      .poll(() => methods('ok').slice(0, 3))
      .toEqual(['server/discover', 'initialize', 'notifications/initialized']);
    const { params } = server.received.find(({ method }) => method === 'server/discover')!;
    expect(params).toEqual({
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {
          elicitation: { form: {}, url: {} },
          sampling: {},
          roots: {},
        },
        'io.modelcontextprotocol/clientInfo': expect.objectContaining({ name: 'wirescope' }),
      },
    });
    const chosen = worker.events.find(({ kind }) => kind === 'connection-chosen');
    expect(chosen).toMatchObject({ transport: 'websocket', era: 'legacy' });
  });

  test('no answer within 2 s is one too, and nothing is cancelled before the handshake', async () => {
    await using worker = await startTestWorker();
    await connect(worker, 'silent-discover');
    await expect
      .poll(() => methods('silent-discover'))
      .toEqual(['server/discover', 'initialize', 'notifications/initialized']);
    const [item] = requests(worker, 'server/discover');
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'deadline' } });
    expect(item?.problem?.message).toContain('within 2 s');
  });

  test('a server that closes the socket on it gets a new one, with the handshake alone', async () => {
    await using worker = await startTestWorker();
    await connect(worker, 'close-on-discover');
    await expect
      .poll(() => methods('close-on-discover'))
      .toEqual(['server/discover', 'initialize', 'notifications/initialized']);
    expect(worker.correlation.sockets.size).toBe(2);
  });

  test.each(['dual-era', 'modern-only'])('%s is spoken to in the modern one', async (name) => {
    await using worker = await startTestWorker();
    const id = await connect(worker, name);
    expect(worker.summary(id)).toMatchObject({ era: 'modern', revision: '2026-07-28' });
    expect(methods(name)).toEqual(['server/discover']);
    const { rpcId } = await worker.manager.functions.send(id, 'tools/list', undefined);
    const frame = await worker.until(() =>
      server.received.find(({ path, method }) => path === `/${name}` && method === 'tools/list'),
    );
    expect(String(frame.id)).toBe(rpcId);
    expect(frame.params).toMatchObject({
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
    });
  });

  test('revisions that only the server speaks end it with those of both sides', async () => {
    await using worker = await startTestWorker();
    const problem = await failure(worker, 'modern-error');
    expect(problem?.code).toBe('protocol-version');
    expect(problem?.message).toContain('2027-01-01');
    expect(problem?.advice).toContain('2025-11-25');
    expect(methods('modern-error')).toEqual(['server/discover']);
    await worker.until(() => socketOf(worker).close, 'the end of the socket');
  });
});

describe('bounds', () => {
  test('a frame over the limit is kept, and closes the socket', async () => {
    await using worker = await startTestWorker();
    const id = await connect(worker, 'huge?n=70000', { messageLimitBytes: 65_536 });
    const item = await call(worker, id);
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'body-limit' } });
    const { problem } = await worker.state(id, 'failed');
    expect(problem?.code).toBe('body-limit');
    const { frames, close } = socketOf(worker);
    expect(frames.some(({ data }) => data.bytes.length > 70_000)).toBe(true);
    expect(close).toMatchObject({ code: 4009, reason: 'body-limit', by: 'us' });
    await expect
      .poll(() => server.closes)
      .toContainEqual({ path: '/huge', code: 4009, reason: 'body-limit' });
    expect(logRows(worker)).toHaveLength(1);
  });

  test('a request without an answer ends at its deadline, and the server is told', async () => {
    await using worker = await startTestWorker();
    const id = await connect(worker, 'unanswered', { idleTimeoutMs: 50 });
    const item = await call(worker, id);
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'deadline' } });
    await expect
      .poll(() => server.received.at(-1))
      .toMatchObject({
        method: 'notifications/cancelled',
        params: { requestId: Number(item.rpcId) },
      });
    expect(worker.summary(id).state).toBe('connected');
  });

  test('a request that the user cancels is cancelled on both sides', async () => {
    await using worker = await startTestWorker();
    const id = await connect(worker, 'unanswered');
    const { rpcId } = await worker.manager.functions.send(id, 'tools/call', '{"name":"echo"}');
    await worker.manager.functions.cancel(id, rpcId);
    const item = await worker.until(
      () => requests(worker, 'tools/call').find(({ outcome }) => outcome !== 'pending'),
      'the end of the call',
    );
    expect(item.outcome).toBe('cancelled');
    expect(item.ended).toBeDefined();
  });

  test('a server that never confirms our close is left after 2 s', async () => {
    await using worker = await startTestWorker();
    const id = await connect(worker, 'deaf');
    await worker.manager.functions.send(id, 'tools/call', '{"name":"echo"}');
    await expect.poll(() => server.received.at(-1)?.method).toBe('tools/call');
    const started = performance.now();
    await worker.manager.functions.disconnect(id, true);
    expect(performance.now() - started).toBeGreaterThan(1900);
    await worker.recorder.flushed();
    expect(worker.summary(id).state).toBe('closed');
    expect(socketOf(worker).close).toMatchObject({ code: 1006, by: 'us', clean: false });
    const [item] = requests(worker, 'tools/call');
    expect(item?.outcome).toBe('failed');
  });

  test('sending waits while the network takes nothing, in order, and the log says so', async () => {
    await using worker = await startTestWorker();
    const id = await connect(worker, 'deaf?ms=300');
    await worker.manager.functions.send(id, 'tools/call', '{"name":"echo"}');
    await expect.poll(() => server.received.at(-1)?.method).toBe('tools/call');
    const pad = 'x'.repeat(2 * 1024 * 1024);
    for (let index = 0; index < 12; index += 1) {
      await worker.manager.functions.send(id, 'ping', JSON.stringify({ index, pad }));
    }
    await worker.until(
      () => worker.events.some(({ kind }) => kind === 'socket-buffered'),
      'sending that waits',
    );
    await worker.until(
      () => requests(worker, 'ping').filter(({ outcome }) => outcome !== 'pending').length === 12,
      'the end of all requests',
    );
    const order = server.received
      .filter(({ path, method }) => path === '/deaf' && method === 'ping')
      .map(({ params }) => params?.['index']);
    expect(order).toEqual(Array.from({ length: 12 }, (_, index) => index));
  });
});

test('messages are delivered in the order in which they came', async () => {
  await using worker = await startTestWorker();
  const id = await connect(worker, 'numbers?n=2000');
  await call(worker, id);
  expect(logRows(worker)).toEqual(Array.from({ length: 2000 }, (_, index) => `info: ${index}`));
});
