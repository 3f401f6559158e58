import { beforeEach, describe, expect, test } from 'vitest';
import type { WireEvent } from '../../../../lib/capture/wire-event.ts';
import { DEFAULT_CONNECT } from '../../../../lib/port/contract.ts';
import type { Payload } from '../../../../lib/protocol/jsonrpc.ts';
import { StreamableHttp } from '../../../../lib/transport/http/streamable-http.ts';
import type { OutgoingMessage } from '../../../../lib/transport/transport.ts';
import { startRecorder, type TestRecorder } from '../../../support/builders.ts';
import {
  createScriptedDoor,
  EVENT_STREAM,
  INITIALIZE_RESULT,
  type ScriptedDoor,
} from '../../../support/scripted-door.ts';

let network: ScriptedDoor;
let log: TestRecorder;
let received: { payload: Payload; replyTo: string | undefined }[];
let aborter: AbortController;

beforeEach(async () => {
  network = createScriptedDoor();
  log = await startRecorder();
  received = [];
  aborter = new AbortController();
});

function createTransport(headers: [string, string][] = []): StreamableHttp {
  let count = 0;
  return new StreamableHttp({
    door: network.door,
    recorder: log.recorder,
    connectionId: 'c1',
    newHttpId: () => `h${(count += 1)}`,
    url: 'http://127.0.0.1:3001/mcp',
    headers: () => headers.map(([name, value]) => ({ name, value })),
    limitBytes: 1000,
    reconnection: { ...DEFAULT_CONNECT.reconnection, retries: 0 },
    events: {
      received: (payload, { replyTo }) => void received.push({ payload, replyTo }),
      lost: () => undefined,
    },
  });
}

function message(method: string, change: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    text: `{"jsonrpc":"2.0","id":1,"method":"${method}"}`,
    kind: 'request',
    method,
    rpcId: '1',
    signal: aborter.signal,
    ...change,
  };
}

const notification = (method: string) => message(method, { kind: 'notification' });

/** Makes the next request and answers it. */
async function initialize(
  transport: StreamableHttp,
  headers: Record<string, string>,
  status = 200,
): Promise<void> {
  const sent = transport.send(message('initialize')).catch(() => undefined);
  const call = await network.next('initialize');
  const result = { jsonrpc: '2.0', id: 1, result: INITIALIZE_RESULT };
  call.answer(status, 'application/json', JSON.stringify(result), headers);
  await sent;
}

async function headerOfNext(transport: StreamableHttp, name: string): Promise<string | undefined> {
  const sent = transport.send(notification('notifications/x'));
  const call = await network.next('notifications/x');
  call.answer(202);
  await sent;
  return call.header(name);
}

async function events(): Promise<WireEvent[]> {
  await log.recorder.flushed();
  return log.batches.flatMap((batch) => batch.events);
}

describe('headers', () => {
  test('of a POST name both answer types, and JSON without a charset', async () => {
    const transport = createTransport([['X-Key', 'k']]);
    const sent = transport.send(notification('notifications/x'));
    const call = await network.next('notifications/x');
    expect(call.header('content-type')).toBe('application/json');
    expect(call.header('accept')).toBe('application/json, text/event-stream');
    expect(call.header('x-key')).toBe('k');
    expect(call.header('mcp-protocol-version')).toBeUndefined();
    call.answer(202);
    await sent;
  });

  test('of a GET ask for a stream only, and say where we are in the session', async () => {
    const transport = createTransport();
    await initialize(transport, { 'mcp-session-id': 's1' });
    transport.protocolVersion = '2025-06-18';
    const listening = transport.listen(aborter.signal);
    const call = await network.next('GET');
    expect(call.header('accept')).toBe('text/event-stream');
    expect(call.header('content-type')).toBeUndefined();
    expect(call.header('mcp-session-id')).toBe('s1');
    expect(call.header('mcp-protocol-version')).toBe('2025-06-18');
    expect(call.header('last-event-id')).toBeUndefined();
    call.answer(405);
    expect(await listening).toBe(405);
  });
});

describe('the session id', () => {
  test('is taken from the answer to `initialize`, and never sent with one', async () => {
    const transport = createTransport();
    await initialize(transport, { 'Mcp-Session-Id': 's1' });
    expect(await headerOfNext(transport, 'mcp-session-id')).toBe('s1');
    const again = transport.send(message('initialize'));
    const call = await network.next('initialize');
    expect(call.header('mcp-session-id')).toBeUndefined();
    call.result(INITIALIZE_RESULT, { 'mcp-session-id': 's2' });
    await again;
    expect(await headerOfNext(transport, 'mcp-session-id')).toBe('s2');
    const kinds = (await events()).map((event) => event.kind);
    expect(kinds.filter((kind) => kind.startsWith('session-'))).toEqual([
      'session-assigned',
      'session-replaced',
    ]);
  });

  test.each([404, 500])('of a refusal by %i is a ghost', async (status) => {
    const transport = createTransport();
    await initialize(transport, { 'mcp-session-id': 'ghost' }, status);
    expect(transport.sessionId).toBeUndefined();
  });

  test('of any other answer is not taken', async () => {
    const transport = createTransport();
    await initialize(transport, { 'mcp-session-id': 's1' });
    const sent = transport.send(message('tools/list'));
    (await network.next('tools/list')).result({}, { 'mcp-session-id': 'stale' });
    await sent;
    expect(transport.sessionId).toBe('s1');
  });

  test('that is empty is none', async () => {
    const transport = createTransport();
    await initialize(transport, { 'mcp-session-id': '' });
    expect(await headerOfNext(transport, 'mcp-session-id')).toBeUndefined();
  });

  test('is forgotten once it was terminated', async () => {
    const transport = createTransport();
    await initialize(transport, { 'mcp-session-id': 's1' });
    const terminated = transport.terminate(aborter.signal);
    const call = await network.next('DELETE');
    expect(call.header('mcp-session-id')).toBe('s1');
    call.answer(405);
    expect(await terminated).toBe(405);
    expect(transport.sessionId).toBeUndefined();
  });
});

describe('a notification', () => {
  test.each([200, 202, 204])(
    'is accepted by %i at once, though the body never ends',
    async (status) => {
      const sent = createTransport().send(notification('notifications/x'));
      (await network.next('notifications/x')).head(status);
      await sent;
      aborter.abort();
      await log.recorder.flushed();
    },
  );

  test('that is refused says why', async () => {
    const sent = createTransport().send(notification('notifications/x'));
    const text = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Not yet"}}';
    (await network.next('notifications/x')).answer(400, 'application/json', text);
    await expect(sent).rejects.toMatchObject({
      problem: { code: 'http-status', message: expect.stringContaining('Not yet') },
    });
  });
});

describe('an answer', () => {
  test('of JSON is delivered with the request that it replies to', async () => {
    const sent = createTransport().send(message('tools/list', { rpcId: '7' }));
    (await network.next('tools/list')).answer(
      200,
      'application/json',
      '{"jsonrpc":"2.0","id":7,"result":{"n":12345678901234567890}}',
    );
    await sent;
    expect(received).toMatchObject([
      { replyTo: '7', payload: { kind: 'message', message: { kind: 'result', id: '7' } } },
    ]);
  });

  test('of events is delivered as they come, and recorded before', async () => {
    const sent = createTransport().send(message('tools/call', { rpcId: '7' }));
    const body = (await network.next('tools/call')).head(200, EVENT_STREAM);
    body.event({ jsonrpc: '2.0', method: 'notifications/progress', params: {} }, 'a');
    body.write('data: {"jsonrpc":"2.0","id":7,');
    body.write('"result":{}}\n\n');
    body.end();
    await sent;
    expect(received.map(({ payload }) => payload.kind)).toEqual(['message', 'message']);
    const kinds = (await events()).map((event) => event.kind);
    expect(kinds).toEqual([
      'http-request',
      'http-response',
      'http-chunk',
      'sse-event',
      'http-chunk',
      'http-chunk',
      'sse-event',
      'http-end',
    ]);
  });

  test('over the limit is not delivered, but what came is kept', async () => {
    const sent = createTransport().send(message('tools/list'));
    const long = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(2000) });
    (await network.next('tools/list')).answer(200, 'application/json', long);
    await expect(sent).rejects.toMatchObject({ problem: { code: 'body-limit' } });
    expect(received).toEqual([]);
    const all = await events();
    expect(all.find((event) => event.kind === 'http-chunk')!.data.bytes.length).toBe(long.length);
    expect(all.at(-1)).toMatchObject({ end: { outcome: 'aborted', cause: 'limit' } });
  });

  test('of an event over the limit ends the stream, after the events before it', async () => {
    const sent = createTransport().send(message('tools/list'));
    const body = (await network.next('tools/list')).head(200, EVENT_STREAM);
    body.event({ jsonrpc: '2.0', method: 'notifications/x' });
    body.write(`data: ${'x'.repeat(1001)}`);
    await expect(sent).rejects.toMatchObject({ problem: { code: 'body-limit' } });
    expect(received).toHaveLength(1);
  });
});
