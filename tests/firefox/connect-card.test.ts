import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startEverything } from '../server/everything.ts';
import { startPeer, type Peer } from '../server/peers.ts';
import { startScripted, type ScriptedServer } from '../server/scripted.ts';
import { startTinyModern, type TinyModern } from '../server/tiny-modern.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { startPanelTab } from './panel-tab.ts';
import { answerPrompt, readErrors } from './privileged.ts';

// One browser and one story: each test goes on where the one before it has ended.
let firefox: Firefox;
let page: Page;
let modern: TinyModern;
let legacy: Awaited<ReturnType<typeof startEverything>>;
let httpSse: Peer;
let none: ScriptedServer;

beforeAll(async () => {
  modern = await startTinyModern();
  legacy = await startEverything();
  httpSse = await startPeer('everything-sse');
  none = await startScripted({
    '*': { status: 404, headers: { 'content-type': 'text/plain' }, body: ['Nothing here'] },
  });
  ({ firefox, page } = await startPanelTab());
});

afterAll(async () => {
  await firefox?.quit();
  await none?.[Symbol.asyncDispose]();
  await httpSse?.[Symbol.asyncDispose]();
  await legacy?.close();
  await modern?.[Symbol.asyncDispose]();
});

const WAIT = { timeout: 15_000, interval: 100 };

async function dismiss(): Promise<void> {
  await page.press('Disconnect');
  await page.press('Dismiss');
}

test('a modern server is found by server/discover', async () => {
  walks('See how a server was found');
  await page.connect(modern.url);
  expect(await answerPrompt(firefox, 'allow')).toContain('127.0.0.1');
  await page.expectConnections(
    /Streamable HTTP modern 2026-07-28 connected .*found by server\/dis/,
  );
  await page.press('found by server/discover ›');
  await page.expectConnections(/server\/discover 200 application\/json speaks 2026-07-28/);
  await page.expectConnections(
    /Streamable HTTP · modern 2026-07-28, found by server\/discover\. Force:/,
  );
  await page.press('Show server/discover in the table');
  const readDetails = () => firefox.marionette.text('section[aria-label="Details"]');
  await expect.poll(readDetails).toContain('server/discover');
  await dismiss();
});

test('a call of two rounds is answered in the panel', async () => {
  walks('Answer a call of several rounds');
  await page.connect(modern.url);
  await page.press('Send a request');
  await page.send('tools/call', { name: 'ask', arguments: { rounds: 2 } });
  const readQuestion = () => firefox.marionette.text('section[aria-label="Server asks"]');
  for (const [number, name] of ['Ada', 'Grace'].entries()) {
    await expect.poll(readQuestion, WAIT).toContain(`Name number ${number + 1}?`);
    await page.fill('Name (required)', name);
    await page.press('Accept');
  }
  await page.press('Send a request');
  await page.expectRow(/tools\/call ask, round 3 .*200/);
  await page.selectRow('tools/call ask, round 3');
  const readDetails = () => firefox.marionette.text('section[aria-label="Details"]');
  await expect.poll(readDetails, WAIT).toContain('\\"name\\":\\"Grace\\"');
  await expect.poll(readDetails, WAIT).toMatch(/Round 2\s+asks for name-2/);
  await dismiss();
});

test('a legacy server is found by initialize', async () => {
  walks('See how a server was found');
  await page.connect(legacy.url);
  await page.press('found by initialize ›');
  await page.expectConnections(/server\/discover 400 .*not a modern server.* initialize 200/);
  await page.expectConnections(/Streamable HTTP · legacy 2025-11-25, found by initialize\. Force:/);
  await dismiss();
});

test('HTTP+SSE is found by its stream', async () => {
  walks('See how a server was found', 'Connect over HTTP+SSE');
  await page.connect(httpSse.url('/sse'));
  await page.press('found by its endpoint event ›');
  await page.expectConnections(
    /server\/discover 404 .*initialize 404 .*GET, expecting endpoint 200 .*initialize 202 /,
  );
  await page.expectConnections(
    /HTTP\+SSE · legacy 2025-11-25, found by its endpoint event\. Force:/,
  );
  await dismiss();
});

test('where nothing is spoken every answer is told, and one way can be forced', async () => {
  walks('Force one way to connect', 'Learn why a connection failed');
  await page.connect(none.url());
  await page.expectConnections(
    /Nothing that Wirescope speaks was found\. server\/discover: 404; initialize: 404; GET, expecting endpoint: 404\./,
  );
  await page.expectConnections(/There is no MCP endpoint at .* Many servers listen on \/mcp\./);
  await page.press('Modern');
  await page.expectConnections(/Only revision 2026-07-28 over Streamable HTTP was tried/);
  expect(none.of('server/discover')).toHaveLength(2);
});

test('nothing has broken the CSP or thrown', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
