import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startWebSocketBridge, type WebSocketBridge } from '../server/websocket-bridge.ts';
import {
  startMisbehavingSockets,
  type MisbehavingSockets,
} from '../server/websocket-misbehaving.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { startPanelTab } from './panel-tab.ts';
import { answerPrompt, readErrors, stopBackground } from './privileged.ts';

// One browser and one story: each test goes on where the one before it has ended.
let firefox: Firefox;
let page: Page;
let bridge: WebSocketBridge;
let sockets: MisbehavingSockets;

beforeAll(async () => {
  bridge = await startWebSocketBridge();
  sockets = await startMisbehavingSockets();
  ({ firefox, page } = await startPanelTab());
});

afterAll(async () => {
  await firefox?.quit();
  await sockets?.close();
  await bridge?.close();
});

test('a grant for the http form is asked for; then the socket opens, without Origin and with a header', async () => {
  walks('Connect over WebSocket');
  await page.press('Options');
  await page.press('Add a header');
  await page.fill('Name of header 1', 'X-Api-Key');
  await page.fill('Value of header 1', 'k-77aa01');
  // Room for the rows.
  await page.press('Options, headers (1)');
  await page.connect(bridge.url);
  expect(await answerPrompt(firefox, 'allow')).toContain('127.0.0.1');
  await page.expectConnections(/WebSocket legacy 2025-11-25 connected/);
  const [handshake] = bridge.handshakes.slice(-1);
  expect(handshake?.['origin']).toBeUndefined();
  expect(handshake).toMatchObject({ 'x-api-key': 'k-77aa01', 'sec-websocket-protocol': 'mcp' });
});

test('a tool is called over it, with progress', async () => {
  walks('Connect over WebSocket');
  await page.press('Send a request');
  await page.send('tools/call', {
    name: 'trigger-long-running-operation',
    arguments: { duration: 0.5, steps: 3 },
    _meta: { progressToken: 'a' },
  });
  await page.expectRow(/notifications\/progress 3 of 3/);
  await page.expectRow(/tools\/call trigger-long-running-operation.* result/);
});

test('the end is in order, on both sides', async () => {
  await page.press('Disconnect');
  await page.expectRow(/WebSocket mcp .*closed · 1000/);
});

test('C130: a refused handshake is explained by what a plain GET is told', async () => {
  walks('Learn why a WebSocket was refused');
  await page.connect(sockets.url('forbidden'));
  await page.expectConnections(/was answered 403 Forbidden/);
});

test('C124: binary frames, noise and text arrive in order', async () => {
  walks('Read frames of every kind');
  await page.press('Dismiss');
  await page.press('Clear');
  await page.connect(sockets.url('binary'));
  await page.expectConnections(/connected/);
  await page.send('tools/call', { name: 'echo' });
  await page.expectRow(/tools\/call echo.* result/);
  await page.expectRow(/Not JSON/);
  await page.press('Disconnect');
  await page.press('Dismiss');
});

test('a frame of many megabytes arrives whole', async () => {
  walks('Receive a frame of many megabytes');
  await page.connect(sockets.url('huge?n=9000000'));
  await page.expectConnections(/connected/);
  await page.send('tools/call', { name: 'echo' });
  await page.expectRow(/notifications\/message .*9\.0 MB/);
  await page.press('Disconnect');
  await page.press('Dismiss');
});

test('a binary frame is written as bytes, and sent', async () => {
  walks('Send a binary frame');
  await page.connect(sockets.url('ok?binary'));
  await page.expectConnections(/connected/);
  const work = page.within('Work with the server');
  await work.press('Raw frame');
  await work.fill('Frame', 'Grüße');
  await work.choose('Frame', 'Binary, as hexadecimal');
  await work.fill('Bytes of the frame', 'ff 00 8');
  await work.expectText('Half of the last byte is missing.');
  await work.fill('Bytes of the frame', 'ff 00 80');
  await page.press('Send');
  const last = () => sockets.binary.map((frame) => frame.bytes).at(-1);
  await expect.poll(last, { timeout: 10_000 }).toEqual(Buffer.from([0xff, 0, 0x80]));
  await page.press('Disconnect');
  await page.press('Dismiss');
});

test('a background that is stopped takes its sockets with it', async () => {
  walks('Lose a WebSocket with the background');
  await page.connect(sockets.url('ok?stopped'));
  await page.expectConnections(/connected/);
  const before = sockets.closes.length;
  await stopBackground(firefox);
  await expect.poll(() => sockets.closes.length, { timeout: 10_000 }).toBeGreaterThan(before);
  await page.expectRow(/WebSocket .*interrupted/);
});

test('nothing has broken the CSP or thrown', async () => {
  // The browser's own notes: on the refused handshake, and on what a background that was stopped had asked it for.
  const notes = /establish a connection|^Promise (?:resolved|rejected) after context unloaded/;
  expect((await readErrors(firefox)).filter((line) => !notes.test(line))).toEqual([]);
});
