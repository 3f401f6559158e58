import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startMisbehaving } from '../server/misbehaving.ts';
import type { MisbehavingServer } from '../server/misbehaving.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { startPanelTab } from './panel-tab.ts';
import { answerPrompt, readErrors } from './privileged.ts';

// One browser and one story: each test goes on where the one before it has ended.
let firefox: Firefox;
let page: Page;
let server: MisbehavingServer;

const WAIT = { timeout: 30_000, interval: 100 };

beforeAll(async () => {
  server = await startMisbehaving();
  ({ firefox, page } = await startPanelTab());
});

afterAll(async () => {
  await firefox?.quit();
  await server?.close();
});

function readSearch(): Promise<string> {
  return firefox.marionette.text('section[aria-label="Search"]');
}

test('a match is found, opened and marked', async () => {
  walks('Search all traffic');
  await page.connect(server.url('ok'));
  expect(await answerPrompt(firefox, 'allow')).toContain('127.0.0.1');
  await page.expectConnections(/connected/);
  await page.press('Send a request');
  await page.send('tools/call', { name: `${'a'.repeat(60)}!`, arguments: { text: 'needle' } });
  await page.expectRow(/tools\/call a+! .*200/);
  await page.press('Search');
  await page.fill('Search all traffic', 'needle');
  await expect.poll(readSearch, WAIT).toContain('1 match in 1 row');
  await firefox.marionette.click('//*[@role="treeitem"][@aria-level="2"]');
  const marked = () =>
    firefox.marionette.run(() =>
      [...(CSS.highlights.get('search-match-current') ?? [])].map(String),
    );
  await expect.poll(marked, WAIT).toEqual(['needle']);
});

test('an expression that never ends runs in a thread of its own, and is left out', async () => {
  walks('Search by an expression that never ends');
  await page.press('Regular expression');
  await page.fill('Search all traffic', '(a+)+"');
  await expect.poll(readSearch, WAIT).toContain('takes too long in Request of tools/call');
  await page.press('Close search');
});

test('the traffic is drawn as a diagram', async () => {
  walks('Draw a diagram');
  await page.press('Diagram');
  const read = () => firefox.marionette.text('section[aria-label="Sequence diagram"]');
  await expect.poll(read, WAIT).toMatch(/tools\/call a+!/);
  await page.press('Close');
});

test('nothing went wrong in the browser', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
