import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startKeepingServer, type KeepingServer } from '../server/keeping-server.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { Panel } from './panel.ts';
import { startPanelTab } from './panel-tab.ts';
import { answerPrompt, readErrors } from './privileged.ts';

const WAIT = { timeout: 30_000, interval: 100 };
/** Odd spacing, duplicate keys and a big integer. */
const ODD = '{ "jsonrpc":"2.0",  "id": 12345678901234567890,"method":"ping","method":"ping" }';

let server: KeepingServer;
let firefox: Firefox;
let page: Page;
let panel: Panel;

beforeAll(async () => {
  server = await startKeepingServer('s-1234567890');
  ({ firefox, page } = await startPanelTab());
  panel = new Panel(firefox);
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
  await page.within('Origin and replay').expectText('200');
});

test('a call is asked about before it is replayed, by its button and by its key; the answers are compared', async () => {
  walks('Replay a call', 'Edit and replay');
  await page.press('Send as something new');
  await page.within('Work with the server').press('Request');
  await page.send('tools/call', { name: 'pay', arguments: { sum: 1 } });
  await page.expectRow(/tools\/call pay .*200/);
  await panel
    .rows(/tools\/call pay/)
    .at(-1)
    .click();
  const before = server.seen.length;
  await page.press('Replay');
  const dialog = page.within('Call “pay” again?');
  await dialog.expectText('{"sum":1}');
  await dialog.press('Cancel');
  await panel
    .rows(/tools\/call pay/)
    .at(-1)
    .click();
  await panel.traffic.press('r');
  await dialog.press('Send again');
  await expect.poll(() => server.seen.length, WAIT).toBe(before + 1);

  await panel
    .rows(/tools\/call pay/)
    .at(-1)
    .click();
  await panel.traffic.press('e');
  await page.within('Send a request').expectText('A replay of tools/call at');
  await page.fill('Params (JSON)', '{"name":"pay","arguments":{"sum":12345678901234567890}');
  await page.within('Send a request').expectText('Not JSON at 1:55');
  await page.fill('Params (JSON)', '{"name":"pay","arguments":{"sum":12345678901234567890}}');
  await page.press('Send');
  await dialog.expectText('12345678901234567890');
  await dialog.press('Send again');
  await expect.poll(last, WAIT).toContain('{"sum":12345678901234567890}');
  await page.press('Compare with its origin');
  await page.within('Params').expectText('"sum": 12345678901234567890');
  // The answers of this server count its requests.
  const answer = page.within('Answer');
  await answer.expectText(/first: "seen": \d+,.*second: "seen": \d+/);
  await answer.expectNoText('first: "createdAt"');
  await page.tick('Ignore ids and times');
  await answer.expectText('first: "createdAt"');
});

test('everything shown is sent again and told line by line; two clients are compared on one server', async () => {
  walks('Replay everything and compare clients');
  const pane = page.within('Work with the server');
  await page.fill('Filter', 'tool:pay');
  await pane.press('Replay many');
  await pane.expectText('3 requests');
  await pane.press('Replay all');
  await page.press('Send again');
  await pane.expectText('All were sent.');
  await pane.within('Result of the replay').expectText('different (another answer)');
  await page.press('Compare tools/call, number 2');
  await page.within('Answer').expectText('"seen"');
  await page.fill('Filter', '');

  await page.press('Options');
  await page.choose('Client to play', 'Kotlin SDK 0.14');
  await page.press('Options');
  await page.connect(server.url);
  const kotlin = () => server.seen.filter(({ body }) => body.includes('"kotlin-sdk"')).length;
  await expect.poll(kotlin, WAIT).toBe(1);
  await page.expectConnections(/connected.*connected/);
  await pane.press('Compare connections');
  await pane.press('Compare');
  await pane.tick('Only differences');
  await panel.role('option', /initialize/).click();
  await page.within({ begins: 'Comparison of ' }).expectText('"name": "kotlin-sdk"');
});

test('nothing has broken the CSP or thrown', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
