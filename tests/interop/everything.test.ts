import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { classifyPayload } from '../../lib/protocol/jsonrpc.ts';
import { messageText } from '../../lib/capture/correlate/http-record.ts';
import type { RequestItem } from '../../lib/capture/correlate/items.ts';
import { startEverything } from '../server/everything.ts';
import { startProbe, type Probe } from './probe.ts';

let server: Awaited<ReturnType<typeof startEverything>>;

beforeAll(async () => {
  server = await startEverything();
});

afterAll(() => server.close());

const LONG = 'trigger-long-running-operation';

function resultOf(probe: Probe, item: RequestItem): Record<string, unknown> {
  const payload = classifyPayload(messageText(probe.worker.correlation.https, item.response!)!);
  if (payload.kind !== 'message' || payload.message.kind !== 'result') throw new Error('no result');
  return payload.message.result as Record<string, unknown>;
}

describe('the reference server', () => {
  test('connects with a session and a GET stream', async () => {
    await using probe = await startProbe();
    const { worker } = probe;
    const id = await worker.connect(server.url);
    const summary = await worker.state(id, 'connected', 'failed');
    expect(summary).toMatchObject({
      state: 'connected',
      transport: 'streamable-http',
      era: 'legacy',
      revision: '2025-11-25',
      serverName: 'mcp-servers/everything',
      session: expect.stringMatching(/^[0-9a-f]{4}$/),
    });
    const stream = await worker.until(() => {
      const found = probe.items('stream')[0];
      return found?.outcome === 'open' && found;
    }, 'the GET stream is open');
    const sent = worker.correlation.https.get(stream.httpId)!.request.headers;
    expect(sent).toContainEqual({ name: 'MCP-Protocol-Version', value: '2025-11-25' });
    expect(sent.find((header) => header.name === 'Mcp-Session-Id')!.value).toMatch(/^\*+$/);
    const session = worker.events.find((event) => event.kind === 'session-assigned')!;
    expect(session).toMatchObject({ cuts: [{ secret: summary.session }] });
    expect(probe.requests('initialize')).toMatchObject([{ outcome: 'result' }]);
    const initialized = probe
      .items('notification')
      .find((item) => item.method === 'notifications/initialized');
    await worker.until(() => initialized?.ended !== undefined);
    expect(initialized!.problem).toBeUndefined();
  });

  test('lists its tools, and answers one with progress over a stream with ids', async () => {
    await using probe = await startProbe();
    const { worker } = probe;
    const id = await worker.connect(server.url);
    await worker.state(id, 'connected');
    const list = await probe.call(id, 'tools/list', {});
    const tools = resultOf(probe, list)['tools'] as { name: string }[];
    expect(tools.map((tool) => tool.name)).toContain(LONG);

    const call = await probe.call(id, 'tools/call', {
      name: LONG,
      arguments: { duration: 0.4, steps: 4 },
      _meta: { progressToken: 'p7' },
    });
    expect(call).toMatchObject({ outcome: 'result', target: LONG });
    await worker.until(() => worker.correlation.https.get(call.httpId!)?.end !== undefined);
    const record = worker.correlation.https.get(call.httpId!)!;
    const events = record.stream.filter((event) => event.kind === 'sse-event');
    expect(events.length).toBeGreaterThanOrEqual(5);
    expect(events.every((event) => event.id !== undefined)).toBe(true);
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
    const progress = probe
      .items('notification')
      .filter((item) => item.method === 'notifications/progress');
    expect(progress.map((item) => item.summary)).toEqual(['1 of 4', '2 of 4', '3 of 4', '4 of 4']);
    expect(progress.every((item) => item.parent === call.key)).toBe(true);
    expect(worker.events.filter((event) => event.kind === 'deadline-extended').length).toBe(4);
    await probe.expectAllBytes();
  });

  test('runs calls side by side, each with its own answer', async () => {
    await using probe = await startProbe();
    const { worker } = probe;
    const id = await worker.connect(server.url);
    await worker.state(id, 'connected');
    const texts = Array.from({ length: 12 }, (_, index) => `message ${index}`);
    for (const message of texts) {
      const params = JSON.stringify({ name: 'echo', arguments: { message } });
      await worker.manager.functions.send(id, 'tools/call', params);
    }
    const calls = await worker.until(() => {
      const found = probe.requests('tools/call');
      return found.length === 12 && found.every((item) => item.outcome === 'result') && found;
    }, 'twelve answers');
    for (const [index, call] of calls.entries()) {
      expect(JSON.stringify(resultOf(probe, call))).toContain(texts[index]);
    }
    expect(probe.items('stray')).toEqual([]);
    await probe.expectAllBytes();
  });

  test('cancels a long call, and goes on', async () => {
    await using probe = await startProbe();
    const { worker } = probe;
    const id = await worker.connect(server.url);
    await worker.state(id, 'connected');
    const params = JSON.stringify({ name: LONG, arguments: { duration: 30, steps: 3 } });
    const { rpcId } = await worker.manager.functions.send(id, 'tools/call', params);
    await worker.manager.functions.cancel(id, rpcId);
    const call = await worker.until(() => {
      const [item] = probe.requests('tools/call');
      return item?.outcome === 'cancelled' && item;
    }, 'the call is cancelled');
    expect(call.problem).toBeUndefined();
    const cancelled = await worker.until(() => {
      const item = probe
        .items('notification')
        .find((note) => note.method === 'notifications/cancelled');
      return item?.ended !== undefined && item;
    }, 'the cancellation is accepted');
    expect(cancelled.problem).toBeUndefined();
    expect((await probe.call(id, 'ping', {})).outcome).toBe('result');
  });

  test('is told of the end by DELETE, and hears nothing after it', async () => {
    await using probe = await startProbe();
    const { worker } = probe;
    const id = await worker.connect(server.url);
    await worker.state(id, 'connected');
    await worker.until(() => probe.items('stream')[0]?.outcome === 'open');
    await worker.manager.functions.disconnect(id, true);
    const isOver = () =>
      [...worker.correlation.https.values()].every((record) => record.end !== undefined);
    await worker.until(isOver, 'every exchange is over');
    const requests = worker.events.filter((event) => event.kind === 'http-request');
    expect(requests.at(-1)).toMatchObject({ method: 'DELETE', purpose: 'terminate' });
    expect(probe.items('http')).toMatchObject([{ outcome: 'done' }]);
    expect(probe.items('stream')).toMatchObject([{ outcome: 'closed' }]);
    const terminated = worker.events.find((event) => event.kind === 'connection-terminated');
    expect(terminated).toMatchObject({ status: 200 });
    const closed = worker.events.find((event) => event.kind === 'connection-closed')!;
    expect(requests.every((request) => request.sequence < closed.sequence)).toBe(true);
    expect(worker.summary(id).state).toBe('closed');
    expect(worker.recorder.uncommittedBytes(id)).toBe(0);
  });
});
