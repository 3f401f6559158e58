import { signal } from '@preact/signals-core';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_CONNECT } from '../../lib/port/contract.ts';
import { createConnectOptions } from '../../lib/state/connect/connect-options.ts';
import type { ClientName } from '../../lib/state/connect/connect-client.ts';
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

/** What a client does besides asking: streams that it opens, and how it leaves. */
async function habitsOf(name: ClientName, session?: string): Promise<string[]> {
  const server = stack.use(await startKeepingServer(session));
  const worker = stack.use(await startTestWorker());
  const id = await worker.connect(server.url, chosen(name).toOptions());
  await worker.state(id, 'connected');
  // A stream is opened before what is sent after it.
  await worker.manager.functions.send(id, 'tools/list', undefined);
  await worker.until(() => server.seen.some(({ body }) => body.includes('tools/list')));
  await worker.manager.functions.disconnect(id, true);
  return server.seen
    .filter(({ method }) => method !== 'POST')
    .map(({ method, headers }) => {
      const accept = headers.find(([header]) => header.toLowerCase() === 'accept')?.[1];
      return method === 'GET' ? `GET ${accept}` : method;
    });
}

const STREAM = 'GET text/event-stream';

test.each<[ClientName, session: string | undefined, habits: string[]]>([
  ['wirescope', 's-1234567890', [STREAM, 'DELETE']],
  ['wirescope', undefined, [STREAM]],
  ['typescript', 's-1234567890', [STREAM]],
  ['python', 's-1234567890', [STREAM, 'DELETE']],
  ['python', undefined, []],
  ['kotlin', 's-1234567890', ['GET application/json, text/event-stream']],
])('as %s in the session %s it opens and leaves so: %j', async (name, session, habits) => {
  expect(await habitsOf(name, session)).toEqual(habits);
});

test('who was played before is found again, with what was changed by hand', () => {
  const client = { ...chosen('kotlin').toOptions().client! };
  const again = (change: object) =>
    createConnectOptions(
      { ...DEFAULT_CONNECT, client: { ...client, ...change } },
      signal('http://x/'),
    ).client;
  expect(again({}).chosen.value).toBe('kotlin');
  expect(again({}).toClient()).toEqual(client);
  expect(again({ omit: [] }).chosen.value).toBe('own');
  expect(again({ info: { name: 'mine', version: '1' } }).toClient()).toMatchObject({
    info: { name: 'mine' },
  });
  const odd = again({ accept: 'text/ähm' });
  expect(odd.faults.value.accept).toContain('ASCII');
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
