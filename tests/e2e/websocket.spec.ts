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

test('a binary frame is written as bytes, comes back, and is replayed to the byte', async ({
  panel,
}) => {
  walks('Send a binary frame');
  await panel.connectAndWait(sockets.url('ok?binary'));
  await panel.button('Send a request').click();
  const pane = panel.root.getByRole('region', { name: 'Work with the server' });
  await pane.getByRole('tab', { name: 'Raw frame' }).click();
  const form = pane.getByRole('combobox', { name: 'Frame' });
  await pane.getByRole('textbox', { name: 'Frame', exact: true }).fill('Grüße');
  await form.selectOption('Binary, as hexadecimal');
  const bytes = pane.getByRole('textbox', { name: 'Bytes of the frame' });
  await expect(bytes).toHaveText('47 72 c3 bc c3 9f 65');
  await bytes.fill('ff 00 8');
  await expect(pane).toContainText('Half of the last byte is missing.');
  await expect(panel.button('Send')).toBeDisabled();
  await bytes.fill('ff 00 80');
  await panel.button('Send').click();
  const wanted = Buffer.from([0xff, 0, 0x80]);
  const last = () => sockets.binary.map((frame) => frame.bytes).at(-1);
  await expect.poll(last).toEqual(wanted);
  const before = sockets.binary.length;
  await form.selectOption('Binary, as Base64');
  await expect(bytes).toHaveText('/wCA');
  await panel.button('Send a request').click();

  const rows = panel.rows('Not JSON');
  await expect(rows).toHaveCount(2);
  await rows.first().click();
  await panel.traffic.press('Shift+R');
  await expect.poll(() => sockets.binary.length).toBe(before + 1);
  expect(last()).toEqual(wanted);
  await rows.first().click();
  await panel.showTab('Stream');
  const frames = panel.root.getByRole('table', { name: 'Frames' });
  await expect(frames.getByRole('row', { name: /outgoing binary/ })).toHaveCount(2);
  await expect(frames.getByRole('row', { name: /incoming binary/ })).toHaveCount(2);
  await panel.traffic.press('E');
  await expect(bytes).toHaveText('ff 00 80');
  await expect(form).toHaveValue('hex');
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
