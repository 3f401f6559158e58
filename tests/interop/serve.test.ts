import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openHarFile } from '../../lib/har/read/open-har-file.ts';
import { readHar } from '../../lib/har/read/read-har.ts';
import { readRecording } from '../../lib/har/serve/recording.ts';
import { redactLog } from '../../lib/har/redact/redact-log.ts';
import { surveySecrets } from '../../lib/har/redact/survey-secrets.ts';
import { writeHar, type HarLog } from '../../lib/har/write/write-har.ts';
import { serveRecording, type ServeOptions } from '../serve/server.ts';
import { LogBuilder } from '../support/builders.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/har');

async function readLog(blob: Blob): Promise<HarLog> {
  const { events, name } = await readHar(await openHarFile(blob), { captureId: 'served' });
  return { name, events, load: (some) => Promise.resolve(some) };
}

/** The log as a file of ours without secrets, read again. */
async function redacted(log: HarLog): Promise<HarLog> {
  const hidden = redactLog(log, await surveySecrets(log));
  const pieces: string[] = [];
  for await (const piece of writeHar(hidden, { creator: { name: 'Wirescope', version: '0' } })) {
    pieces.push(piece);
  }
  return readLog(new Blob(pieces));
}

async function serve(log: HarLog, options: Partial<ServeOptions> = {}) {
  const found: string[] = [];
  const served = await serveRecording(readRecording(log.events), {
    speed: Infinity,
    asked: (method, kind) => void found.push(`${method} ${kind}`),
    ...options,
  });
  return Object.assign(served, { found });
}

function newClient(): Client {
  return new Client({ name: 'another client', version: '9' });
}

describe('a capture that is served answers an official client', () => {
  test.each(['mcp-devtool-v1.har', 'mcp-devtool-v1-redacted.har', 'chrome-devtools.har'])(
    'over Streamable HTTP: %s',
    async (name) => {
      await using served = await serve(await readLog(await openAsBlob(join(FOLDER, name))));
      const client = newClient();
      await client.connect(new StreamableHTTPClientTransport(new URL(served.url)));
      expect(client.getServerVersion()?.name).toContain('everything');
      expect((await client.listTools()).tools.length).toBeGreaterThan(10);
      const message = { name: 'echo', arguments: { message: 'héllo 🎉 wörld' } };
      const { content } = await client.callTool(message);
      expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('🎉') }]);
      await client.close();
      expect(served.found).toContain('initialize order');
    },
  );

  test('a file of ours without its secrets answers just the same', async () => {
    const log = await redacted(
      await readLog(await openAsBlob(join(FOLDER, 'chrome-devtools.har'))),
    );
    await using served = await serve(log);
    const client = newClient();
    await client.connect(new StreamableHTTPClientTransport(new URL(served.url)));
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    await client.close();
  });

  test('over HTTP+SSE', async () => {
    await using served = await serve(
      await readLog(await openAsBlob(join(FOLDER, 'chrome-devtools.har'))),
    );
    const client = newClient();
    await client.connect(new SSEClientTransport(new URL(served.sseUrl)));
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    await client.close();
  });

  test('with the ids and progress tokens of the client, and what it waits for in the recorded time', async () => {
    const log = aSlowCall();
    await using served = await serve(log, { speed: 10 });
    const client = newClient();
    await client.connect(new StreamableHTTPClientTransport(new URL(served.url)));
    const told: number[] = [];
    const startedAt = performance.now();
    const result = await client.callTool(
      { name: 'slow', arguments: { b: 2, a: 1 } },
      { onprogress: ({ progress }) => void told.push(progress) },
    );
    expect(result.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(told).toEqual([1, 2]);
    // 2 s were recorded.
    expect(performance.now() - startedAt).toBeGreaterThan(190);
    await client.close();
    expect(served.found).toContain('tools/call same');
  });

  test('says what it has no recording of, and falls back to the same tool', async () => {
    await using served = await serve(aSlowCall());
    const client = newClient();
    await client.connect(new StreamableHTTPClientTransport(new URL(served.url)));
    await client.callTool({ name: 'slow', arguments: { other: true } });
    const missing = client.callTool({ name: 'fast', arguments: {} });
    await expect(missing).rejects.toThrow(
      'The capture has no recording of tools/call “fast”. It has tools/call of “slow”.',
    );
    await client.close();
    expect(served.found.slice(-2)).toEqual(['tools/call target', 'tools/call nothing']);
  });
});

test('a request that was refused when it was recorded is refused again, where nothing else is known', async () => {
  const log = new LogBuilder();
  log.answer(log.call('1', 'tools/call', { name: 'x' }), 'no such thing', 503, 'text/plain');
  await using served = await serve(wholeLog(log));
  const response = await post(served.url, {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'x' },
  });
  expect([response.status, await response.text()]).toEqual([503, 'no such thing']);
});

test('a request of the server waits for its answer before the stream goes on', async () => {
  const log = new LogBuilder();
  const call = log.call('1', 'tools/call', { name: 'ask' });
  log.head(call, 200, 'text/event-stream');
  log.message(call, { jsonrpc: '2.0', id: 'r1', method: 'roots/list' });
  log.message(call, { jsonrpc: '2.0', id: 1, result: { content: [] } });
  log.end(call);
  await using served = await serve(wholeLog(log));
  const response = await post(served.url, {
    jsonrpc: '2.0',
    id: 5,
    method: 'tools/call',
    params: { name: 'ask' },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toContain('roots/list');
  const accepted = await post(served.url, { jsonrpc: '2.0', id: 'r1', result: { roots: [] } });
  expect(accepted.status).toBe(202);
  expect((await reader.read()).value).toContain('{"jsonrpc":"2.0","id":5,"result":{"content":[]}}');
});

test('a stream goes on after the last event that a client has', async () => {
  const log = new LogBuilder();
  const call = log.call('1', 'tools/call', { name: 'ask' });
  log.head(call, 200, 'text/event-stream');
  log.message(call, { jsonrpc: '2.0', method: 'notifications/message', params: {} }, 'e1');
  log.message(call, { jsonrpc: '2.0', id: 1, result: { content: [] } }, 'e2');
  log.end(call);
  await using served = await serve(wholeLog(log));
  const request = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'ask' } };
  await (await post(served.url, request)).text();
  const resumed = await fetch(served.url, { headers: { 'last-event-id': 'e1' } });
  const reader = resumed.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toContain('id: e2\ndata: {"jsonrpc":"2.0","id":5');
});

test('a WebSocket is answered frame by frame', async () => {
  await using served = await serve(aSlowCall());
  const socket = new WebSocket(served.socketUrl, 'mcp');
  await new Promise((resolve) => socket.once('open', resolve));
  const call = {
    jsonrpc: '2.0',
    id: 'w1',
    method: 'tools/call',
    params: { name: 'slow', arguments: { a: 1, b: 2 } },
  };
  const frames: string[] = [];
  const done = new Promise<void>((resolve) =>
    socket.on('message', (data: Buffer) => {
      frames.push(data.toString());
      if (data.toString().includes('"id":"w1"')) resolve();
    }),
  );
  socket.send(JSON.stringify(call));
  await done;
  expect(frames).toHaveLength(3);
  socket.close();
});

test('a page of the web is not served', async () => {
  await using served = await serve(aSlowCall());
  const response = await fetch(served.url, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  });
  expect(response.status).toBe(403);
});

function aSlowCall(): HarLog {
  const log = new LogBuilder();
  log.answer(log.call('0', 'initialize', { protocolVersion: '2025-06-18' }), {
    jsonrpc: '2.0',
    id: 0,
    result: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'slow server', version: '1' },
    },
  });
  const call = log.call('"a"', 'tools/call', {
    name: 'slow',
    arguments: { a: 1, b: 2 },
    _meta: { progressToken: 'p-1' },
  });
  log.head(call, 200, 'text/event-stream');
  for (const progress of [1, 2]) {
    const params = { progressToken: 'p-1', progress };
    log.message(call, { jsonrpc: '2.0', method: 'notifications/progress', params });
  }
  log.message(call, {
    jsonrpc: '2.0',
    id: 'a',
    result: { content: [{ type: 'text', text: 'done' }] },
  });
  log.end(call);
  const events = log.events.map((event) =>
    event.kind === 'sse-event' && event.block.offset > 100
      ? { ...event, monotonicTime: event.monotonicTime + 2000 }
      : event,
  );
  return { name: 'slow', events, load: (some) => Promise.resolve(some) };
}

function wholeLog({ events }: LogBuilder): HarLog {
  return { name: 'a log', events, load: (some) => Promise.resolve(some) };
}

function post(url: string, message: unknown): Promise<Response> {
  return fetch(url, { method: 'POST', body: JSON.stringify(message) });
}
