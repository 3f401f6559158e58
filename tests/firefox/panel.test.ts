import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMisbehaving } from '../server/misbehaving.ts';
import type { MisbehavingServer } from '../server/misbehaving.ts';
import { writtenFixture } from '../support/har-files.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { startPanelTab } from './panel-tab.ts';
import { answerPrompt, loadIntoNetmonitor, readErrors, saveDownloadsTo } from './privileged.ts';

const CHROME_HAR = join(import.meta.dirname, '../fixtures/har/chrome-devtools.har');
const WAIT = { timeout: 30_000, interval: 100 };
const downloads = mkdtempSync(join(tmpdir(), 'wirescope-downloads-'));

let server: MisbehavingServer;
let firefox: Firefox;
let page: Page;

beforeAll(async () => {
  server = await startMisbehaving();
  ({ firefox, page } = await startPanelTab());
  await saveDownloadsTo(firefox, downloads);
});

afterAll(async () => {
  await firefox?.quit();
  await server?.close();
  rmSync(downloads, { recursive: true, force: true });
});

test('two calls are made', async () => {
  await page.connect(server.url('ok'));
  expect(await answerPrompt(firefox, 'allow')).toContain('127.0.0.1');
  await page.expectConnections(/connected/);
  await page.press('Send a request');
  await page.send('tools/call', { name: 'first', arguments: {} });
  await page.expectRow(/tools\/call first .*200/);
  await page.send('tools/call', { name: 'second', arguments: {} });
  await page.expectRow(/tools\/call second .*200/);
  await page.press('Send a request');
});

test('the table is filtered, and sorted by a column', async () => {
  await page.fill('Filter', 'tool:second');
  await expect.poll(() => page.allRows(), WAIT).toHaveLength(1);
  await page.fill('Filter', 'method:tools/call');
  await expect.poll(() => page.allRows(), WAIT).toHaveLength(2);
  const names = async () =>
    (await page.allRows()).map((row) => /first|second/.exec(row)?.[0] ?? row);
  expect(await names()).toEqual(['first', 'second']);
  await page.press('Name');
  await page.press('Name');
  await expect.poll(names, WAIT).toEqual(['second', 'first']);
  await page.press('Name');
  await expect.poll(names, WAIT).toEqual(['first', 'second']);
});

test('the menu of a row filters by what it is about', async () => {
  const { marionette } = firefox;
  await marionette.click('//*[@role="row"][contains(., "first")]');
  await marionette.run(() => {
    const row = document.querySelector('[role=treegrid] [aria-selected=true]');
    row?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
  });
  await page.chooseEntry('Filter by');
  await page.chooseEntry('tool:first');
  await expect.poll(() => page.allRows(), WAIT).toHaveLength(1);
  await page.fill('Filter', '');
});

test('a capture is written without its secrets, and a file of a browser is read', async () => {
  const { marionette } = firefox;
  await page.press('Captures');
  const storage = () => marionette.text('section[aria-label="Captures"]');
  await marionette.click('//button[starts-with(@aria-label, "Export ")]');
  await expect.poll(storage, WAIT).toContain('Export “');
  await marionette.click('//*[@role="alertdialog"]//button[normalize-space()="Export"]');
  const saved = () => readdirSync(downloads).filter((name) => name.endsWith('.mcp.har'));
  await expect.poll(saved, WAIT).toHaveLength(1);
  const read = () => readFileSync(join(downloads, saved()[0] ?? ''), 'utf8');
  await expect.poll(() => read().endsWith(']}}\n'), WAIT).toBe(true);
  const { log } = JSON.parse(read()) as { log: { entries: unknown[] } };
  expect(log.entries.length).toBeGreaterThan(3);

  await marionette.choose('input[type=file]', CHROME_HAR);
  await expect.poll(storage, WAIT).toContain('12 things had to be put right.');
  expect(await storage()).toMatch(/imported/);
  await page.press('Close');
});

test('its own Network panel shows as many rows of what we write', async () => {
  const { text, counts } = await writtenFixture();
  expect(await loadIntoNetmonitor(firefox, text)).toBe(counts.entries);
});

test('nothing went wrong in the browser', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
