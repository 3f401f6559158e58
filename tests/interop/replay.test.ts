import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { RequestItem } from '../../lib/capture/correlate/items.ts';
import type { RawMessage } from '../../lib/port/send-contract.ts';
import { planExact } from '../../lib/state/replay/replay-exact-plan.ts';
import { prepareExact } from '../../lib/state/replay/replay-exact-send.ts';
import { startKeepingServer } from '../server/keeping-server.ts';
import { startMisbehaving } from '../server/misbehaving.ts';
import { startMisbehavingSockets } from '../server/websocket-misbehaving.ts';
import { startTestWorker, type TestWorker } from '../support/connected.ts';

const utf8 = new TextEncoder();
let stack = new AsyncDisposableStack();

afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

async function connect(session?: string) {
  const server = stack.use(await startKeepingServer(session));
  const worker = stack.use(await startTestWorker());
  const id = await worker.connect(server.url, { openStream: false, transport: 'streamable-http' });
  await worker.state(id, 'connected');
  return { server, worker, id };
}

/** Sends bytes as they are over a connection, and waits until the log has all of it. */
async function sendBytes(worker: TestWorker, id: string, url: string, bytes: Uint8Array) {
  const { carrierId } = await worker.manager.functions.sendRaw({
    kind: 'http',
    purpose: 'message',
    connectionId: id,
    method: 'POST',
    url,
    headers: [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'X-Odd', value: 'a  b' },
    ],
    base64: Buffer.from(bytes).toString('base64'),
  });
  await ended(worker, carrierId);
  return carrierId;
}

const ended = (worker: TestWorker, carrierId: string) =>
  worker.until(() => worker.correlation.https.get(carrierId)?.end);

/** Replays what an exchange carried as it was, and waits for its end. */
async function replay(worker: TestWorker, carrierId: string) {
  const item = worker.correlation.items.find((each) => each.httpId === carrierId);
  const plan = planExact(item, worker.correlation, live(worker));
  if (plan.kind === 'refused') throw new Error(plan.reason);
  const prepared = await prepareExact(worker.manager.functions, plan.sending);
  if (!prepared.ok) throw new Error(prepared.reason);
  const sent = await prepared.send({ replayOf: plan.replayOf });
  await ended(worker, sent.carrierId);
  return { plan, prepared, item: item!, carrierId: sent.carrierId };
}

const live = (worker: TestWorker) =>
  [...worker.correlation.connections.keys()].filter((id) => worker.has(id)).map(worker.summary);

/** What a body is made of, of which nothing may change on the way. */
const BODIES: [string, Uint8Array][] = [
  ['odd spacing', utf8.encode('{ "jsonrpc" :"2.0",\r\n\t"id":  7 ,"method":"ping"\n}\n\n')],
  ['duplicate keys', utf8.encode('{"jsonrpc":"2.0","id":7,"id":8,"method":"a","method":"ping"}')],
  [
    'big integers',
    utf8.encode(
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"x","params":{"n":1E400,"m":0.10}}',
    ),
  ],
  ['no JSON', utf8.encode('{"jsonrpc":"2.0","id":7,"method":"ping",}')],
  ['a byte order mark', utf8.encode('\u{FEFF}{"jsonrpc":"2.0","id":7,"method":"ping"}')],
  ['no UTF-8', Uint8Array.of(0x7b, 0xff, 0xfe, 0x00, 0x7d)],
  ['nothing', new Uint8Array()],
];

test.each(BODIES)('a replay has the bytes of its origin: %s', async (_what, bytes) => {
  const { server, worker, id } = await connect();
  const carrierId = await sendBytes(worker, id, server.url, bytes);
  const { item } = await replay(worker, carrierId);
  const [origin, again] = server.seen.slice(-2);
  expect(new Uint8Array(origin!.body)).toEqual(bytes);
  expect(new Uint8Array(again!.body)).toEqual(bytes);
  expect(again!.headers).toEqual(origin!.headers);
  const replayed = worker.correlation.items.filter((each) => {
    const record = worker.correlation.https.get(each.httpId ?? '');
    return record?.request.links.replayOf === item.sequence;
  });
  expect(replayed).not.toEqual([]);
});

test('any bytes come back as they were', async () => {
  const { server, worker, id } = await connect();
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const carrierId = await sendBytes(worker, id, server.url, bytes);
      await replay(worker, carrierId);
      const [origin, again] = server.seen.slice(-2);
      expect(new Uint8Array(again!.body)).toEqual(bytes);
      expect(again!.headers).toEqual(origin!.headers);
    }),
    { numRuns: 40 },
  );
});

test('a replay carries the session and the secrets of its origin, which the log does not show', async () => {
  const { server, worker, id } = await connect('s-1234567890');
  const { carrierId } = await worker.manager.functions.send(
    id,
    'tools/list',
    '{"cursor": "s-1234567890"}',
  );
  await ended(worker, carrierId);
  const record = worker.correlation.https.get(carrierId)!;
  expect(JSON.stringify(record.request.headers)).not.toContain('s-1234567890');
  await replay(worker, carrierId);
  const [origin, again] = server.seen.slice(-2);
  expect(again!.headers).toEqual(origin!.headers);
  expect(again!.headers).toContainEqual(['Mcp-Session-Id', 's-1234567890']);
  expect(again!.body).toEqual(origin!.body);
});

test('without a connection it goes to the same URL, and belongs to none', async () => {
  const { server, worker, id } = await connect();
  const body = utf8.encode('{"jsonrpc":"2.0","id":3,"method":"ping"}');
  const carrierId = await sendBytes(worker, id, server.url, body);
  await worker.manager.functions.disconnect(id, false);
  await worker.state(id, 'closed');
  const sent = await replay(worker, carrierId);
  expect(server.seen.at(-1)!.body.toString()).toBe(new TextDecoder().decode(body));
  const item = worker.correlation.items.find((each) => each.httpId === sent.carrierId);
  expect(item).toMatchObject({ kind: 'request', outcome: 'result', connectionId: undefined });
});

test('a replay answers no request of the connection, even with the same id', async () => {
  const { server, worker, id } = await connect();
  const { functions } = worker.manager;
  const first = await functions.send(id, 'tools/list', undefined);
  await ended(worker, first.carrierId);
  const second = await functions.send(id, 'ping', undefined);
  await ended(worker, second.carrierId);
  const replayed = await replay(worker, first.carrierId);
  const items = worker.correlation.items.filter(
    (each): each is RequestItem => each.kind === 'request',
  );
  const found = items.find((each) => each.httpId === replayed.carrierId)!;
  expect(found).toMatchObject({ method: 'tools/list', rpcId: first.rpcId, outcome: 'result' });
  expect(found.replayOf).toBe(replayed.item.sequence);
  expect(items.filter(({ outcome }) => outcome !== 'result')).toEqual([]);
  expect(worker.summary(id).state).toBe('connected');
  expect(server.seen).toHaveLength(5);
});

test('what must not go out is refused in words, and nothing does', async () => {
  const { server, worker } = await connect();
  const before = server.seen.length;
  const raw: RawMessage = {
    kind: 'http',
    purpose: 'message',
    method: 'POST',
    url: server.url,
    headers: [],
  };
  const refused = (change: object) =>
    worker.manager.functions.sendRaw({ ...raw, ...change }).then(
      () => undefined,
      (error: { problem: { code: string } }) => error.problem.code,
    );
  worker.granted.clear();
  expect(await refused({})).toBe('permission-denied');
  expect(server.seen).toHaveLength(before);
});

test('a frame is sent again to the letter on its own connection, and linked to its origin', async () => {
  const sockets = await startMisbehavingSockets();
  stack.defer(() => sockets.close());
  const worker = stack.use(await startTestWorker());
  const id = await worker.connect(sockets.url('ok'));
  await worker.state(id, 'connected');
  const text = '{ "jsonrpc":"2.0",  "id": 77 ,"method":"ping", "method":"ping" }';
  const { carrierId } = await worker.manager.functions.sendRaw({
    kind: 'text',
    connectionId: id,
    text,
    as: { kind: 'request', method: 'ping', rpcId: '77' },
  });
  const pings = () =>
    worker.correlation.items.filter(
      (item): item is RequestItem => item.kind === 'request' && item.rpcId === '77',
    );
  await worker.until(() => pings()[0]?.outcome === 'result');
  const plan = planExact(pings()[0], worker.correlation, live(worker));
  if (plan.kind === 'refused') throw new Error(plan.reason);
  expect(plan.sending).toEqual({ kind: 'text', connectionId: id, text });
  const prepared = await prepareExact(worker.manager.functions, plan.sending);
  if (!prepared.ok) throw new Error(prepared.reason);
  await prepared.send({ replayOf: plan.replayOf });
  await worker.until(() => pings()[1]?.outcome === 'result');
  expect(pings()[1]).toMatchObject({ replayOf: pings()[0]?.sequence, socketId: carrierId });
  const sent = worker.correlation.sockets
    .get(carrierId)
    ?.frames.filter(({ direction }) => direction === 'outgoing')
    .map(({ data }) => new TextDecoder().decode(data.bytes));
  expect(sent?.filter((frame) => frame === text)).toHaveLength(2);
  await worker.manager.functions.disconnect(id, false);
  await worker.state(id, 'closed');
  expect(planExact(pings()[0], worker.correlation, live(worker))).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('needs a live connection'),
  });
});

test('what is under way is stopped, and the log says by whom', async () => {
  const misbehaving = await startMisbehaving();
  stack.defer(() => misbehaving.close());
  const worker = stack.use(await startTestWorker());
  const { functions } = worker.manager;
  const { carrierId } = await functions.sendRaw({
    kind: 'http',
    purpose: 'message',
    method: 'POST',
    url: misbehaving.url('silent'),
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    base64: btoa('{"jsonrpc":"2.0","id":1,"method":"ping"}'),
  });
  await functions.stopRaw(carrierId);
  const end = await worker.until(() => worker.correlation.https.get(carrierId)?.end);
  expect(end).toMatchObject({ end: { outcome: 'aborted', cause: 'user' } });
});

test('a binary frame is sent, comes back, and is sent again to the byte, whatever is in it', async () => {
  const sockets = await startMisbehavingSockets();
  stack.defer(() => sockets.close());
  const worker = stack.use(await startTestWorker());
  const id = await worker.connect(sockets.url('ok'));
  await worker.state(id, 'connected');
  const { functions } = worker.manager;
  const frames = [
    Buffer.from([0, 255, 254, 0x80, 10, 13]),
    Buffer.from('{ "jsonrpc":"2.0",  "method":"notifications/x" }'),
    Buffer.alloc(0),
  ];
  for (const [index, bytes] of frames.entries()) {
    const base64 = bytes.toString('base64');
    await functions.sendRaw({ kind: 'binary', connectionId: id, base64 });
    await vi.waitUntil(() => sockets.binary.length === index + 1);
  }
  expect(sockets.binary.map(({ bytes }) => bytes)).toEqual(frames);
  const sent = () =>
    worker.correlation.items.filter(
      (item) => 'message' in item && item.direction === 'outgoing' && item.message.in === 'frame',
    );
  const recorded = [...worker.correlation.sockets.values()].flatMap((socket) => socket.frames);
  const binary = recorded.filter(({ opcode }) => opcode === 'binary');
  expect(binary.map(({ direction }) => direction)).toEqual(
    expect.arrayContaining(['outgoing', 'incoming']),
  );
  // An empty frame has no row.
  const again = sent().slice(-2);
  expect(again.map(({ kind }) => kind)).toEqual(['stray', 'notification']);
  for (const item of again) {
    const plan = planExact(item, worker.correlation, live(worker));
    if (plan.kind === 'refused') throw new Error(plan.reason);
    const prepared = await prepareExact(functions, plan.sending);
    if (!prepared.ok) throw new Error(prepared.reason);
    await prepared.send({ replayOf: plan.replayOf });
  }
  await vi.waitUntil(() => sockets.binary.length === 5);
  expect(sockets.binary.slice(3).map(({ bytes }) => bytes)).toEqual(frames.slice(0, 2));
});
