import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestItem } from '../../lib/capture/correlate/items.ts';
import { recordedText } from '../../lib/capture/correlate/socket-record.ts';
import { startWebSocketBridge, type WebSocketBridge } from '../server/websocket-bridge.ts';
import { startTestWorker, type TestWorker } from '../support/connected.ts';

let bridge: WebSocketBridge;

beforeAll(async () => {
  bridge = await startWebSocketBridge();
});

afterAll(() => bridge.close());

const ended = (worker: TestWorker, method: string, target?: string) =>
  worker.until(
    () =>
      worker.correlation.items.find(
        (item): item is RequestItem =>
          item.kind === 'request' &&
          item.method === method &&
          (target === undefined || item.target === target) &&
          item.outcome !== 'pending',
      ),
    `the end of ${method} ${target ?? ''}`,
  );

function call(worker: TestWorker, id: string, name: string, args: object = {}, meta?: object) {
  const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
  return worker.manager.functions.send(id, 'tools/call', JSON.stringify(params));
}

test('the reference server behind a WebSocket: handshake, a list, a tool with progress, the end', async () => {
  await using worker = await startTestWorker();
  const id = await worker.connect(bridge.url);
  const summary = await worker.state(id, 'connected', 'failed');
  expect(summary).toMatchObject({
    state: 'connected',
    transport: 'websocket',
    era: 'legacy',
    revision: '2025-11-25',
    serverName: 'mcp-servers/everything',
  });

  await worker.manager.functions.send(id, 'tools/list', undefined);
  const list = await ended(worker, 'tools/list');
  expect(list.outcome).toBe('result');
  expect(recordedText(worker.correlation, list.response!)).toContain('"echo"');

  const tool = 'trigger-long-running-operation';
  await call(worker, id, tool, { duration: 0.4, steps: 4 }, { progressToken: 'p' });
  const item = await ended(worker, 'tools/call', tool);
  expect(item).toMatchObject({ outcome: 'result', related: 4 });
  const progress = worker.correlation.items.filter(
    (other) => other.kind === 'notification' && other.parent === item.key,
  );
  expect(progress.map((other) => other.kind === 'notification' && other.summary)).toEqual([
    expect.stringMatching(/^1 of 4/),
    expect.stringMatching(/^2 of 4/),
    expect.stringMatching(/^3 of 4/),
    expect.stringMatching(/^4 of 4/),
  ]);

  await worker.manager.functions.disconnect(id, true);
  await worker.recorder.flushed();
  const [socket] = [...worker.correlation.sockets.values()];
  expect(socket?.open?.subprotocol).toBe('mcp');
  expect(socket?.close).toMatchObject({ code: 1000, clean: true, by: 'us' });
  expect(worker.correlation.items.find(({ kind }) => kind === 'socket')).toMatchObject({
    outcome: 'closed',
    closeCode: 1000,
    subprotocol: 'mcp',
  });
});

test('the server asks: policies answer elicitation, sampling and roots over the socket', async () => {
  await using worker = await startTestWorker();
  const id = await worker.connect(bridge.url, {
    answers: {
      elicitation: 'decline',
      sampling: 'refuse',
      roots: [{ uri: 'file:///work', name: 'work' }],
    },
  });
  await worker.state(id, 'connected');

  await call(worker, id, 'trigger-elicitation-request');
  expect(await textOf(worker, 'trigger-elicitation-request')).toMatch(/declined/);
  await call(worker, id, 'trigger-sampling-request', { prompt: 'hi', maxTokens: 5 });
  expect(await textOf(worker, 'trigger-sampling-request')).toMatch(/rejected/i);
  await call(worker, id, 'get-roots-list');
  expect(await textOf(worker, 'get-roots-list')).toContain('file:///work');

  const asked = worker.correlation.items.filter(
    (item): item is RequestItem => item.kind === 'request' && item.direction === 'incoming',
  );
  expect(new Set(asked.map(({ method }) => method))).toEqual(
    new Set(['roots/list', 'elicitation/create', 'sampling/createMessage']),
  );
  for (const item of asked) {
    expect(item.response?.in).toBe('frame');
    expect(item.outcome).toBe(item.method === 'sampling/createMessage' ? 'error' : 'result');
  }
});

test('the server asks: the user answers elicitation, sampling and roots over the socket', async () => {
  await using worker = await startTestWorker();
  const id = await worker.connect(bridge.url, {
    answers: { elicitation: 'ask', sampling: 'ask', roots: 'ask' },
  });
  await worker.state(id, 'connected');
  const answer = async (method: string, result: object) => {
    const question = await worker.until(
      () => worker.summary(id).questions.find((open) => open.method === method),
      `a question: ${method}`,
    );
    const resultText = JSON.stringify(result);
    await worker.manager.functions.answer(id, question.rpcId, { resultText });
  };

  await answer('roots/list', { roots: [{ uri: 'file:///asked' }] });
  await call(worker, id, 'trigger-elicitation-request');
  await answer('elicitation/create', { action: 'accept', content: { name: 'Ada', check: true } });
  expect(await textOf(worker, 'trigger-elicitation-request')).toContain('Ada');

  await call(worker, id, 'trigger-sampling-request', { prompt: 'hi', maxTokens: 5 });
  const content = { type: 'text', text: 'a reply by hand' };
  const reply = { role: 'assistant', content, model: 'human', stopReason: 'endTurn' };
  await answer('sampling/createMessage', reply);
  expect(await textOf(worker, 'trigger-sampling-request')).toContain('a reply by hand');
  expect(worker.summary(id).questions).toEqual([]);
});

test('headers of the profile and the wanted Origin are in the handshake', async () => {
  await using worker = await startTestWorker();
  const headers = [{ name: 'X-Api-Key', value: 'k-9f3b1c', secret: true }];
  const originPolicy = { kind: 'value', value: 'https://app.example' } as const;
  const id = await worker.connect(bridge.url, { headers, originPolicy });
  await worker.state(id, 'connected');
  expect(bridge.handshakes.at(-1)).toMatchObject({
    'x-api-key': 'k-9f3b1c',
    origin: 'https://app.example',
    'sec-websocket-protocol': 'mcp',
  });
  expect(JSON.stringify(worker.blocks)).not.toContain('k-9f3b1c');
});

/** Text of the result of a tool, once it is there. */
async function textOf(worker: TestWorker, tool: string): Promise<string> {
  const item = await ended(worker, 'tools/call', tool);
  return item.response === undefined
    ? `no response: ${item.problem?.message}`
    : (recordedText(worker.correlation, item.response) ?? '');
}
