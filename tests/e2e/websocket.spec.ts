import { walks } from '../journeys.ts';
import { startWebSocketBridge, type WebSocketBridge } from '../server/websocket-bridge.ts';
import {
  startMisbehavingSockets,
  type MisbehavingSockets,
} from '../server/websocket-misbehaving.ts';
import { expect, test } from './fixtures.ts';
import type { Wirescope } from './wirescope.ts';

let bridge: WebSocketBridge;
let sockets: MisbehavingSockets;

test.beforeAll(async () => {
  bridge = await startWebSocketBridge();
  sockets = await startMisbehavingSockets();
});

test.afterAll(async () => {
  await bridge.close();
  await sockets.close();
});

/** How many offscreen documents the browser holds for us. */
async function countOffscreen({ browser }: Wirescope): Promise<number> {
  const worker = await browser.worker();
  return worker.evaluate(async () => {
    const { runtime } = Reflect.get(globalThis, 'chrome') as OffscreenChrome;
    return (await runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] })).length;
  });
}

interface OffscreenChrome {
  runtime: { getContexts(filter: { contextTypes: string[] }): Promise<unknown[]> };
}

test('a WebSocket from handshake to end: no Origin, a header set, a tool called, frames shown', async ({
  panel,
  shared,
}) => {
  walks('Connect over WebSocket');
  await panel.typeHeaders([{ name: 'X-Api-Key', value: 'k-77aa01', secret: true }]);
  await panel.connectAndWait(bridge.url);
  await expect(panel.connections).toContainText('WebSocket');
  await expect(panel.connections).toContainText('legacy 2025-11-25');
  const [handshake] = bridge.handshakes.slice(-1);
  expect(handshake?.['origin']).toBeUndefined();
  expect(handshake).toMatchObject({ 'x-api-key': 'k-77aa01', 'sec-websocket-protocol': 'mcp' });
  expect(await countOffscreen(shared)).toBe(1);

  await panel.send('tools/call', { name: 'echo', arguments: { message: 'over a socket ☕' } });
  await panel.select('tools/call', 'result');
  await panel.button('Send a request').click();
  await panel.showTab('Message');
  await expect(panel.details).toContainText('over a socket ☕');
  await panel.showTab('Stream');
  const frames = panel.root.getByRole('table', { name: 'Frames' });
  await expect(frames.getByRole('row', { name: /outgoing text .*tools\/call/ })).toHaveCount(1);
  await expect(frames.getByRole('row', { name: /incoming text .*over a socket ☕/ })).toHaveCount(
    1,
  );
  await frames.getByRole('button', { name: 'Bytes of 1', exact: true }).click();
  await expect(panel.root.getByRole('region', { name: 'Bytes of 1' })).toContainText(
    'server/discover',
  );
  await panel.showTab('Timing');
  await expect(panel.details).toContainText('Waiting for the response');

  await panel.endConnections();
  await expect(panel.rows('WebSocket', 'closed · 1000')).toHaveCount(1);
  await expect.poll(() => countOffscreen(shared)).toBe(0);
});

test('two sockets at once live in one document, which ends with the last of them', async ({
  panel,
  shared,
}) => {
  walks('Share one document among sockets');
  await panel.connectAndWait(sockets.url('ok?1'));
  await panel.connect(sockets.url('ok?2'));
  await expect(panel.connections.getByRole('listitem')).toHaveCount(2);
  await expect(panel.rows('Connected to misbehaving-socket')).toHaveCount(2);
  expect(await countOffscreen(shared)).toBe(1);
  await panel.endConnections();
  await expect.poll(() => countOffscreen(shared)).toBe(0);
});

test('C130: a refused handshake is explained by what a plain GET is told', async ({
  panel,
  shared,
}) => {
  walks('Learn why a WebSocket was refused');
  await panel.connect(sockets.url('forbidden'));
  await expect(panel.connections).toContainText('was answered 403 Forbidden');
  await expect.poll(() => countOffscreen(shared)).toBe(0);
});

test('C124: binary frames, noise and text arrive in order through the document', async ({
  panel,
}) => {
  walks('Read frames of every kind');
  await panel.connectAndWait(sockets.url('binary'));
  await panel.send('tools/call', { name: 'echo' });
  await expect(panel.rows('tools/call', 'result')).toHaveCount(1);
  await panel.select('Not JSON');
  await expect(panel.details).toContainText('not UTF-8');
  await panel.showTab('Stream');
  const frames = panel.root.getByRole('table', { name: 'Frames' });
  await expect(frames.getByRole('row', { name: /incoming binary/ })).toHaveCount(3);
});

test('a frame of many megabytes passes the document in parts', async ({ panel }) => {
  walks('Receive a frame of many megabytes');
  await panel.connectAndWait(sockets.url('huge?n=9000000'));
  await panel.send('tools/call', { name: 'echo' });
  await expect(panel.rows('notifications/message', '9.0 MB')).toHaveCount(1);
  await expect(panel.rows('tools/call', 'result')).toHaveCount(1);
});

test('a worker that is stopped takes its sockets with it', async ({ wirescope }) => {
  walks('Lose a WebSocket with the background');
  const panel = await wirescope.openPanelTab();
  await panel.connectAndWait(sockets.url('ok?stopped'));
  const before = sockets.closes.length;
  await wirescope.stopWorker();
  await expect.poll(() => sockets.closes.length).toBe(before + 1);
  await expect(panel.rows('WebSocket', 'interrupted')).toHaveCount(1);
});
