import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startKeepingServer, type KeepingServer } from '../server/keeping-server.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { startPanelTab } from './panel-tab.ts';
import { answerPrompt } from './privileged.ts';

const WAIT = { timeout: 30_000, interval: 100 };
/** Odd spacing, duplicate keys and a big integer. */
const ODD = '{ "jsonrpc":"2.0",  "id": 12345678901234567890,"method":"ping","method":"ping" }';

let server: KeepingServer;
let firefox: Firefox;
let page: Page;

beforeAll(async () => {
  server = await startKeepingServer('s-1234567890');
  ({ firefox, page } = await startPanelTab());
});

afterAll(async () => {
  await firefox?.quit();
  await server?.[Symbol.asyncDispose]();
});

const last = () => server.seen.at(-1)?.body.toString();

test('what is written is sent to the letter, replayed to the byte, edited and sent again', async () => {
  walks('Replay to the byte', 'Edit and replay');
  await page.connect(server.url);
  expect(await answerPrompt(firefox, 'allow')).toContain('127.0.0.1');
  await page.expectConnections(/connected/);
  await page.press('Send a request');
  await page.press('Raw text');
  await page.fill('Text', ODD);
  await page.press('Send');
  await expect.poll(last, WAIT).toBe(ODD);
  await page.expectRow(/ping .*200/);
  const origin = server.seen.at(-1)!;

  const name = '[@role="gridcell"][starts-with(normalize-space(), "ping")]';
  await firefox.marionette.click(`//*[@role="row"][.//*${name}]`);
  const openMenu = () =>
    firefox.marionette.run(() => {
      const row = document.querySelector('[role=treegrid] [aria-selected=true]');
      row?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
    });
  const before = server.seen.length;
  await openMenu();
  await page.chooseEntry('Replay as it was');
  await expect.poll(() => server.seen.length, WAIT).toBe(before + 1);
  const again = server.seen.at(-1)!;
  expect(again.body).toEqual(origin.body);
  const named = ({ headers }: typeof origin) => headers.map((pair) => pair.join(': ')).toSorted();
  expect(named(again)).toEqual(named(origin));
  expect(named(again)).toContain('Mcp-Session-Id: s-1234567890');

  await openMenu();
  await page.chooseEntry('Edit and replay');
  await page.press('Raw text');
  await page.fill('Text', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  await page.press('Send');
  await expect.poll(last, WAIT).toBe('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  await page.press('Compare with its origin');
  const shown = async () => await firefox.marionette.text('[aria-label="Origin and replay"]');
  await expect.poll(shown, WAIT).toContain('200');
});
