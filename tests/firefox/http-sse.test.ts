import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startPeer, type Peer } from '../server/peers.ts';
import { startScripted, type ScriptedServer } from '../server/scripted.ts';
import { stream } from '../server/scripted-behaviour.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { startPanelTab } from './panel-tab.ts';
import { answerPrompt, readErrors } from './privileged.ts';

const SESSION = /sessionId=([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/;

// One browser and one story: each test goes on where the one before it has ended.
let firefox: Firefox;
let page: Page;
let everything: Peer;
let trap: ScriptedServer;
let luring: ScriptedServer;

beforeAll(async () => {
  everything = await startPeer('everything-sse');
  trap = await startScripted();
  luring = await startScripted({
    GET: stream([`event: endpoint\ndata: ${trap.origin}/collect\n\n`], 'hang'),
  });
  ({ firefox, page } = await startPanelTab());
});

afterAll(async () => {
  await firefox?.quit();
  await luring?.[Symbol.asyncDispose]();
  await trap?.[Symbol.asyncDispose]();
  await everything?.[Symbol.asyncDispose]();
});

test('HTTP+SSE by choice connects, and a request is answered on the stream', async () => {
  walks('Connect over HTTP+SSE');
  await page.press('Options');
  await page.choose('Transport', 'HTTP+SSE');
  // Room for the rows.
  await page.press('Options');
  await page.connect(everything.url('/sse'));
  expect(await answerPrompt(firefox, 'allow')).toContain('127.0.0.1');
  await page.expectConnections(/HTTP\+SSE legacy 2025-11-25 session ‹\w+› connected/);
  await page.press('Send a request');
  await page.send('tools/list', {});
  await page.expectRow(/tools\/list.* 202/);
  await page.press('Send a request');
  await page.selectRow('tools/list');
  await page.press('Message');
  const readDetails = () => firefox.marionette.text('section[aria-label="Details"]');
  await expect.poll(readDetails).toContain('Echoes back the input');
});

test('the stream shows the endpoint, and the session id only when it is asked for', async () => {
  const readPage = () => firefox.marionette.run(() => document.documentElement.outerHTML);
  const readBytes = () => firefox.marionette.text('[aria-label="Bytes of 1"]:not(button)');
  await page.selectRow('GET stream');
  await page.press('Stream');
  const readEvents = () => firefox.marionette.text('[aria-label="Stream events"]');
  await expect.poll(readEvents).toMatch(/endpoint\s.*\/message\?sessionId=/s);
  await page.press('Bytes of 1');
  await expect.poll(readBytes).toContain('event: endpoint');
  expect(await readPage()).not.toMatch(SESSION);
  await page.press('Reveal');
  await expect.poll(readBytes).toMatch(SESSION);
  const session = SESSION.exec(await readBytes())?.[1] ?? '';
  expect(await readPage()).toContain(session);
  await page.press('Hide');
  await expect.poll(readPage).not.toContain(session);
});

test('C086: an endpoint of another origin ends the connection, and nothing is sent there', async () => {
  walks('Be protected from an endpoint on another origin');
  await page.connect(luring.url('/sse'));
  await page.expectConnections(/failed/);
  await page.expectConnections(
    new RegExp(`announced an endpoint at ${trap.origin}, but you connected to ${luring.origin}`),
  );
  await page.expectConnections(/messages carry your credentials/);
  await luring.until(() => luring.of('GET')[0]?.isAbandoned, 'the stream let go');
  expect(luring.requests.map(({ method }) => method)).toEqual(['GET']);
  expect(trap.requests).toEqual([]);
  // It takes note of who comes, so it would have told.
  await fetch(trap.url('/collect'));
  expect(trap.requests).toHaveLength(1);
});

test('nothing has broken the CSP or thrown', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
