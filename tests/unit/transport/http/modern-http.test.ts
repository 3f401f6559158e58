import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WireEvent } from '../../../../lib/capture/wire-event.ts';
import type { Payload } from '../../../../lib/protocol/jsonrpc.ts';
import { ExchangeAbort } from '../../../../lib/transport/exchange/exchange.ts';
import { ModernHttp } from '../../../../lib/transport/http/modern-http.ts';
import { createSlots, type Slots } from '../../../../lib/transport/exchange/slots.ts';
import type { OutgoingMessage } from '../../../../lib/transport/transport.ts';
import { startRecorder, type TestRecorder } from '../../../support/builders.ts';
import {
  createScriptedDoor,
  EVENT_STREAM,
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

afterEach(() => {
  vi.useRealTimers();
});

function createTransport(headers: [string, string][] = [], slots?: Slots): ModernHttp {
  let count = 0;
  return new ModernHttp({
    door: network.door,
    ...(slots === undefined ? {} : { slots }),
    recorder: log.recorder,
    connectionId: 'c1',
    newHttpId: () => `h${(count += 1)}`,
    url: 'http://127.0.0.1:3001/mcp',
    headers: () => headers.map(([name, value]) => ({ name, value })),
    limitBytes: 1000,
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
    headers: [
      { name: 'MCP-Protocol-Version', value: '2026-07-28' },
      { name: 'Mcp-Method', value: method },
    ],
    signal: aborter.signal,
    ...change,
  };
}

async function events(): Promise<WireEvent[]> {
  await log.recorder.flushed();
  return log.blocks.flatMap((block) => block.events);
}

const RESULT = { jsonrpc: '2.0', id: 1, result: { resultType: 'complete' } };
const ERROR = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } };
const JSON_TYPE = 'application/json';

describe('a request', () => {
  test('goes out as one POST with its mirrored headers, and what the profile says above them', async () => {
    const transport = createTransport([
      ['X-Team', 'blue'],
      ['mcp-method', 'by hand'],
    ]);
    const sent = transport.send(message('tools/list'));
    const call = await network.next('tools/list');
    expect(call.call).toMatchObject({ method: 'POST', url: 'http://127.0.0.1:3001/mcp' });
    expect(call.header('Accept')).toBe('application/json, text/event-stream');
    expect(call.header('Content-Type')).toBe('application/json');
    expect(call.header('MCP-Protocol-Version')).toBe('2026-07-28');
    expect(call.header('X-Team')).toBe('blue');
    expect(call.header('Mcp-Method')).toBe('by hand');
    call.answer(200, JSON_TYPE, JSON.stringify(RESULT), { 'Mcp-Session-Id': 'not-heeded' });
    await sent;
    expect(received).toMatchObject([{ payload: { message: { kind: 'result' } }, replyTo: '1' }]);
    expect(transport.sessionId).toBeUndefined();
  });

  test('is answered by a stream, with what comes before the result', async () => {
    const sent = createTransport().send(message('tools/call'));
    const body = (await network.next('tools/call')).head(200, EVENT_STREAM);
    body.event({ jsonrpc: '2.0', method: 'notifications/progress', params: {} }, 'an-id');
    body.event(RESULT);
    body.end();
    await sent;
    expect(received.map(({ payload }) => payload)).toMatchObject([
      { message: { kind: 'notification' } },
      { message: { kind: 'result' } },
    ]);
    expect(network.calls).toHaveLength(1);
  });

  test.each([400, 404, 413])(
    'is answered by the error in the body of a %s, whatever id that has',
    async (status) => {
      const sent = createTransport().send(message('weird'));
      const text = JSON.stringify({ ...ERROR, id: null });
      (await network.next('weird')).answer(status, JSON_TYPE, text);
      await sent;
      expect(received).toMatchObject([
        { payload: { message: { kind: 'error', code: -32601 } }, replyTo: '1' },
      ]);
    },
  );

  test('waits for the body of a 4xx longer than for one that cannot be the answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sent = createTransport().send(message('server/discover'));
    const body = (await network.next('server/discover')).head(400, { 'content-type': JSON_TYPE });
    await vi.advanceTimersByTimeAsync(4999);
    body.write(JSON.stringify({ ...ERROR, error: { code: -32022, message: 'no' } }));
    body.end();
    await sent;
    expect(received).toMatchObject([{ payload: { message: { code: -32022 } } }]);
  });

  test.each([
    [401, 'http-unauthorized'],
    [403, 'http-forbidden'],
    [500, 'http-status'],
    [503, 'http-status'],
  ] as const)('fails by a %s, whatever its body holds', async (status, code) => {
    const sent = createTransport().send(message('tools/list'));
    (await network.next('tools/list')).answer(status, JSON_TYPE, JSON.stringify(ERROR));
    await expect(sent).rejects.toMatchObject({ problem: { code, answer: { status } } });
    expect(received).toEqual([]);
  });

  test.each([
    [404, 'text/plain', 'Invalid session ID', 'http-not-found'],
    [400, 'text/plain', '', 'http-status'],
    [405, undefined, '', 'http-method-not-allowed'],
  ] as const)('fails by a %s without an error in it', async (status, type, text, code) => {
    const sent = createTransport().send(message('tools/list'));
    (await network.next('tools/list')).answer(status, type, text);
    await expect(sent).rejects.toMatchObject({ problem: { code, answer: { status } } });
  });

  test.each([
    [200, JSON_TYPE, '', 'body-empty'],
    [200, undefined, '', 'body-type'],
    [202, undefined, '', 'accepted-request'],
    [204, undefined, '', 'body-empty'],
    [200, 'text/plain', 'ok', 'body-type'],
    [200, JSON_TYPE, '{"a":', 'body-not-json'],
    [200, JSON_TYPE, '{"a":1}', 'body-not-rpc'],
    [200, 'text/html', '<!doctype html>', 'body-web-page'],
  ] as const)('fails by a %s %s %j that holds no response', async (status, type, text, code) => {
    const sent = createTransport().send(message('tools/list'));
    (await network.next('tools/list')).answer(status, type, text);
    await expect(sent).rejects.toMatchObject({ problem: { code } });
  });

  test.each([
    ['end', 'stream-no-response'],
    ['break', 'stream-cut'],
  ] as const)('is lost with its stream (%s), which nothing resumes', async (how, code) => {
    const sent = createTransport().send(message('tools/call'));
    const body = (await network.next('tools/call')).head(200, EVENT_STREAM);
    body.event({ jsonrpc: '2.0', method: 'notifications/progress', params: {} }, 'an-id');
    if (how === 'end') body.end();
    else body.break('ECONNRESET');
    await expect(sent).rejects.toMatchObject({
      problem: { code, advice: expect.stringContaining('may have run on the server') },
    });
    expect(network.calls).toHaveLength(1);
    expect((await events()).filter(({ kind }) => kind === 'retry-scheduled')).toEqual([]);
  });

  test('that is answered with an `endpoint` event has met HTTP+SSE', async () => {
    const sent = createTransport().send(message('server/discover'));
    const body = (await network.next('server/discover')).head(200, EVENT_STREAM);
    body.write('event: endpoint\ndata: /messages?sessionId=1\n\n');
    await expect(sent).rejects.toMatchObject({ problem: { isHttpSse: true } });
    expect((await events()).at(-1)).toMatchObject({
      kind: 'http-end',
      end: { outcome: 'aborted', cause: 'not-needed' },
    });
  });

  test('an `endpoint` event that is not the first one is only recorded', async () => {
    const sent = createTransport().send(message('tools/call'));
    const body = (await network.next('tools/call')).head(200, EVENT_STREAM);
    body.event({ jsonrpc: '2.0', method: 'notifications/progress', params: {} });
    body.write('event: endpoint\ndata: /messages\n\n');
    body.event(RESULT);
    body.end();
    await sent;
    expect(received).toHaveLength(2);
  });

  test('is cancelled by closing its exchange', async () => {
    const sent = createTransport().send(message('tools/call'));
    const call = await network.next('tools/call');
    call.head(200, EVENT_STREAM);
    const message_ = { code: 'aborted', message: 'cancelled' } as const;
    aborter.abort(new ExchangeAbort('user', message_));
    await expect(sent).rejects.toMatchObject({ problem: { code: 'aborted' } });
    expect(call.call.signal.aborted).toBe(true);
    expect(network.calls).toHaveLength(1);
    expect((await events()).at(-1)).toMatchObject({
      kind: 'http-end',
      end: { outcome: 'aborted', cause: 'user' },
    });
  });
});

test('subscriptions leave connections to calls, and wait in the log for their turn', async () => {
  const transport = createTransport([], createSlots());
  const listening = Array.from({ length: 5 }, () => {
    const sent = transport.send(message('subscriptions/listen'));
    sent.catch(() => undefined);
    return sent;
  });
  for (let count = 1; count <= 4; count += 1) await network.next('subscriptions/listen');
  const calling = transport.send(message('tools/call'));
  (await network.next('tools/call')).answer(200, JSON_TYPE, JSON.stringify(RESULT));
  await calling;
  expect(network.calls).toHaveLength(5);
  expect((await events()).filter(({ kind }) => kind === 'http-queued')).toHaveLength(1);
  network.calls[0]!.answer(200, JSON_TYPE, JSON.stringify(RESULT));
  await listening[0];
  await network.next('subscriptions/listen');
});

describe('what else it does', () => {
  test('a notification is done when it is accepted', async () => {
    const sent = createTransport().send(message('notifications/x', { kind: 'notification' }));
    (await network.next('notifications/x')).answer(202);
    await sent;
    expect(received).toEqual([]);
  });

  test('a notification that is refused says so', async () => {
    const sent = createTransport().send(message('notifications/x', { kind: 'notification' }));
    (await network.next('notifications/x')).answer(400, JSON_TYPE, JSON.stringify(ERROR));
    await expect(sent).rejects.toMatchObject({ problem: { code: 'http-status' } });
  });

  test('there is nothing to open, to listen to or to terminate', async () => {
    const transport = createTransport();
    await transport.open();
    expect(await transport.listen()).toBeUndefined();
    expect(await transport.terminate()).toBeUndefined();
    transport.close();
    expect(network.calls).toEqual([]);
  });
});
