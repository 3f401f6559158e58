import { signal } from '@preact/signals-core';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_CONNECT } from '../../lib/port/contract.ts';
import { createConnectOptions } from '../../lib/state/connect-options.ts';
import type { ClientName } from '../../lib/state/connect-client.ts';
import { startTinyModern } from '../server/tiny-modern.ts';
import { startKeepingServer } from '../server/keeping-server.ts';
import { startTestWorker } from '../support/connected.ts';

let stack = new AsyncDisposableStack();

afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

/** The options of the form after a client was chosen, and something was typed. */
function chosen(name: ClientName, typed: { capabilities?: string } = {}) {
  const options = createConnectOptions(DEFAULT_CONNECT, signal('http://x/'));
  options.client.choose(name);
  options.client.capabilities.value = typed.capabilities ?? options.client.capabilities.value;
  return options;
}

async function connectAs(name: ClientName, typed?: { capabilities?: string }) {
  const server = stack.use(await startKeepingServer('s-1234567890'));
  const worker = stack.use(await startTestWorker());
  const options = chosen(name, typed).toOptions();
  const id = await worker.connect(server.url, { ...options, openStream: false });
  await worker.state(id, 'connected');
  await worker.manager.functions.send(id, 'tools/list', undefined);
  await worker.until(() => server.seen.some(({ body }) => body.includes('tools/list')));
  return server.seen.map(({ body, headers }) => ({
    message: JSON.parse(body.toString()) as { method: string; params?: Record<string, unknown> },
    headers: new Map(headers.map(([header, value]) => [header.toLowerCase(), value])),
  }));
}

test('as the TypeScript SDK it begins with initialize, under its name, and declares nothing', async () => {
  const [first, , list] = await connectAs('typescript');
  expect(first?.message).toMatchObject({
    method: 'initialize',
    params: { clientInfo: { name: 'typescript-sdk' }, capabilities: {} },
  });
  expect(first?.message.params?.['capabilities']).toEqual({});
  expect(list?.headers.get('mcp-protocol-version')).toBe('2025-11-25');
});

test('as the Kotlin SDK it names no revision after the handshake', async () => {
  const [first, , list] = await connectAs('kotlin', { capabilities: '{"roots":{}}' });
  expect(first?.message.params).toMatchObject({ capabilities: { roots: {} } });
  expect(list?.message.method).toBe('tools/list');
  expect(list?.headers.has('mcp-protocol-version')).toBe(false);
  expect(list?.headers.get('mcp-session-id')).toBe('s-1234567890');
});

test('as the Python SDK it asks for 2026-07-28 first', async () => {
  const [first, second] = await connectAs('python');
  expect(first?.message.method).toBe('server/discover');
  expect(second?.message).toMatchObject({
    method: 'initialize',
    params: { clientInfo: { name: 'mcp' } },
  });
  const server = stack.use(await startTinyModern());
  const worker = stack.use(await startTestWorker());
  const id = await worker.connect(server.url, chosen('python').toOptions());
  await worker.state(id, 'connected');
  const { body = '' } = server.requests[0] ?? {};
  expect(JSON.parse(body)).toMatchObject({
    params: {
      _meta: {
        'io.modelcontextprotocol/clientInfo': { name: 'mcp' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  });
});

test('as nobody else it is Wirescope, and what is typed wrong keeps it from connecting', () => {
  expect(chosen('wirescope').toOptions().client).toBeUndefined();
  const options = chosen('kotlin', { capabilities: '[]' });
  expect(options.client.chosen.value).toBe('own');
  expect(options.faults.value.capabilities).toContain('JSON object');
  options.client.capabilities.value = '{';
  expect(options.faults.value.capabilities).toContain('Not JSON at 1:2');
  options.client.version.value = '';
  expect(options.faults.value.client).toContain('name and a version');
  options.client.omit.value = 'a b';
  expect(options.faults.value.omit).toContain('hyphens');
  options.client.choose('wirescope');
  expect(options.faults.value).toEqual({});
});
