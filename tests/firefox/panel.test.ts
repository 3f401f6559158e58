import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
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
  walks('Filter the table', 'Sort the table');
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
  walks('Filter and hide from the menu of a row');
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
  walks('Import a file of a browser');
  const { marionette } = firefox;
  await page.press('Captures');
  const storage = () => marionette.text('section[aria-label="Captures"]');
  await expect.poll(storage, WAIT).toContain('being recorded');
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
  walks('Load a file into the Network panel of the browser');
  const { text, counts } = await writtenFixture();
  expect(await loadIntoNetmonitor(firefox, text)).toBe(counts.entries);
});

test('captures are split, searched, compared, and opened where something was found', async () => {
  walks('Split a capture', 'Compare captures', 'Search all captures');
  const { marionette } = firefox;
  const captures = () => marionette.text('section[aria-label="Captures"]');
  await page.press('Captures');
  await page.press('Start a new capture');
  await expect.poll(captures, WAIT).toContain('second half');
  await page.press('Close');
  await page.press('Send a request');
  await page.send('tools/call', { name: 'third', arguments: {} });
  await page.expectRow(/tools\/call third .*200/);
  await page.press('Send a request');

  await page.press('Captures');
  const choose = (line: string) =>
    marionette.click(`//tbody/tr[${line}]//input[starts-with(@aria-label, "Compare ")]`);
  await choose('contains(., "second half")');
  await choose('not(contains(., "second half")) and not(contains(., "imported"))');
  await page.press('Compare');
  await expect.poll(captures, WAIT).toMatch(/tools\/call\s+third/);
  expect(await captures()).toMatch(/only in the second/);
  await page.press('‹ All captures');

  await page.fill('Search all captures', '"first"');
  await expect.poll(captures, WAIT).toMatch(/Found in 1 capture, \d+ match/);
  await marionette.click('//*[@id="capture-hits"]//li//ul//button');
  const notice = () => marionette.text('aside[aria-label="Stored capture"]');
  await expect.poll(notice, WAIT).toContain('is shown as it was recorded');
  await expect
    .poll(() => marionette.text('section[aria-label="Details"]'), WAIT)
    .toContain('"first"');
  await page.press('Back to live');
  await page.expectRow(/tools\/call third .*200/);
});

test('nothing went wrong in the browser', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
