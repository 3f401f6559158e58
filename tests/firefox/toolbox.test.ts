import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startEverything } from '../server/everything.ts';
import { startMisbehaving, type MisbehavingServer } from '../server/misbehaving.ts';
import { readClipboard } from './clipboard.ts';
import { startFirefox, type Firefox } from './firefox.ts';
import { Panel } from './panel.ts';
import { grantHost, openToolboxPanel, readErrors, setToolboxTheme } from './privileged.ts';

const run = promisify(execFile);

const PSEUDONYM = /redacted~[a-z-]+~[0-9a-f]{10}/;
const TOKEN = 'Zq81-not-a-real-token-77aa01';

// One browser and one story: each test goes on where the one before it has ended.
let everything: Awaited<ReturnType<typeof startEverything>>;
let misbehaving: MisbehavingServer;
let firefox: Firefox;
let panel: Panel;

beforeAll(async () => {
  everything = await startEverything();
  misbehaving = await startMisbehaving();
  firefox = await startFirefox(resolve('.output/firefox-mv3'));
  await grantHost(firefox, 'http://127.0.0.1/*');
  await firefox.marionette.command('WebDriver:Navigate', { url: 'data:text/html,<h1>Blank</h1>' });
  await openToolboxPanel(firefox);
  panel = new Panel(firefox);
});

afterAll(async () => {
  await firefox?.quit();
  await misbehaving?.close();
  await everything?.close();
});

const field = () => panel.role('combobox', 'Filter');
const palette = () => panel.role('combobox', 'Command');
const said = () => panel.role('status', 'Done');
const menus = () => panel.role('menu');
const entry = (name: string | RegExp, depth = 0) => menus().at(depth).role('menuitem', name);

/** Chooses from the menu of a row, through submenus. */
async function choose(row: ReturnType<Panel['rows']>, ...path: (string | RegExp)[]): Promise<void> {
  await row.openMenu();
  for (const [depth, name] of path.entries()) await entry(name, depth).click();
  await menus().isGone();
}

/** Copies by the menu of a row; resolves with what is on the clipboard then. */
async function copied(...path: string[]): Promise<string> {
  const before = await readClipboard(firefox);
  await choose(panel.requests('tools/call'), ...path);
  await expect.poll(() => readClipboard(firefox), { timeout: 10_000 }).not.toBe(before);
  return await readClipboard(firefox);
}

/** Opens the palette, types, and takes what is chosen then. */
async function command(query: string, title: RegExp): Promise<void> {
  await panel.focused.press('Control+p');
  await palette().hasFocus();
  await palette().type(query);
  await panel.role('listbox', 'Commands').css('[aria-selected=true]').shows(title);
  await palette().press('Enter');
  await palette().isGone();
}

test('a call is copied in every form, with pseudonyms in the place of secrets', async () => {
  walks('Copy a call', 'Copy a call with its secrets');
  await panel.setOptions(async (options) => {
    await options.role('button', 'Add a header').click();
    await options.role('textbox', 'Name of header 1').fill('Authorization');
    await options.css('[aria-label="Value of header 1"]').fill(`Bearer ${TOKEN}`);
  });
  const url = misbehaving.url('echo-headers');
  await panel.connect(url);
  await panel.send('tools/call', { name: 'echo', arguments: { a: "it's" } });
  await panel.closeComposer();
  await panel.rows(/tools\/call echo .*200/).appears();
  const sent = misbehaving.requests.findLast(({ body }) => body.includes('tools/call'));
  expect(await copied('Copy', 'Message')).toBe(sent?.body);
  const response = await copied('Copy', 'Response');
  expect(response).toMatch(PSEUDONYM);
  expect(await copied('Copy', 'As JSON-RPC')).toBe(`${sent?.body}\n${response}`);
  expect(await copied('Copy', 'URL')).toBe(url);
  expect(await copied('Copy', 'Row as text')).toMatch(
    /\toutgoing\ttools\/call echo\trequest\t200\t/,
  );
  const fetchText = await copied('Copy', 'As fetch');
  expect(fetchText).toContain(`fetch("${url}"`);
  const lines = await copied('Copy', 'All rows shown as JSON lines');
  expect(lines.trimEnd().split('\n')).toHaveLength((await panel.rows().texts()).length);
  for (const text of [response, fetchText, lines]) expect(text).not.toContain(TOKEN);

  const before = misbehaving.requests.length;
  const running = run('/bin/sh', ['-s']);
  running.child.stdin?.end(`${await copied('Copy with secrets', 'As cURL')}\n`);
  await running;
  const again = misbehaving.requests.at(before);
  expect(again?.body).toBe(sent?.body);
  // The browser adds the others below the layer that an extension sees.
  const seen = (headers: readonly [string, string][] = []) =>
    headers
      .filter(([name]) => !/^(?:host|connection|content-length|priority)$/i.test(name))
      .map((pair) => pair.join(': '))
      .toSorted();
  expect(seen(again?.headers)).toEqual(seen(sent?.headers));
});

test('a replay leads to its origin even where a filter hides that', async () => {
  walks('Find the origin of a replay');
  await panel.send('tools/list');
  await panel.closeComposer();
  const lists = panel.requests('tools/list');
  await panel.rows(/tools\/list .*200/).appears();
  await choose(lists, 'Replay');
  await lists.counts(2);
  await lists.at(-1).openMenu();
  await entry('Filter by').click();
  await entry(/^id:\d+$/, 1).click();
  await lists.counts(1);
  await choose(lists, /^Reveal cause: replay of tools\/list/);
  await lists.counts(2);
  await lists.at(0).has('aria-selected', 'true');
  await field().fill('');
  await field().press('Enter');
});

test('the keyboard alone reaches rows, details and back, and the keys do what the sheet says', async () => {
  walks('Reach rows and details by keyboard', 'Use the keys of the panel');
  const selected = panel.traffic.css('[aria-selected=true]');
  await panel.traffic.press('Home');
  await selected.shows('Recording started');
  await panel.traffic.press('ArrowDown');
  await selected.shows('Capture started');
  await panel.traffic.press('k');
  await selected.shows('Recording started');
  await panel.traffic.press('End', 'ArrowUp');
  await selected.shows('tools/list');
  const active = await panel.traffic.attribute('aria-activedescendant');
  expect(await selected.attribute('id')).toBe(active);
  await panel.traffic.press('Enter');
  await panel.details.appears();
  const tab = () => panel.role('tablist', 'Details').css('[aria-selected=true]');
  for (const [key, name] of [
    ['2', 'Headers'],
    ['4', 'Timing'],
    ['1', 'Message'],
  ] as const) {
    await panel.traffic.press(key);
    await tab().shows(name);
  }
  await panel.traffic.press('q');
  await panel.details.isGone();
  await panel.traffic.hasFocus();
  for (const key of ['/', 'Control+Shift+f']) {
    await panel.traffic.press(key);
    await field().hasFocus();
    // What is typed in a field is text, and no command.
    await field().type('rjmq?1/');
    await field().holds('rjmq?1/');
    await field().fill('');
    await field().press('Enter');
  }
  await panel.traffic.press('Control+e');
  await panel.button('Pause view').has('aria-pressed', 'true');
  await panel.traffic.press('Control+e');
  await panel.traffic.press('Control+f');
  await panel.role('searchbox', 'Search all traffic').hasFocus();
  await panel.focused.press('Escape');
  await panel.role('region', 'Search').isGone();
  await panel.traffic.press('Control+c');
  await said().shows('Copied the message');
  expect(await readClipboard(firefox)).toContain('"method":"tools/list"');
});

test('the menu is worked by keys alone', async () => {
  walks('Work the menu by keyboard');
  await panel.traffic.press('Shift+F10');
  await entry('Copy').hasFocus();
  await panel.focused.press('Escape');
  await menus().isGone();
  await panel.traffic.hasFocus();
  await panel.traffic.press('m');
  await entry('Copy').hasFocus();
  await panel.focused.press('ArrowUp');
  await entry('Clear').hasFocus();
  await panel.focused.press('Home');
  await panel.focused.press('f');
  await entry('Filter by').hasFocus();
  await panel.focused.press('ArrowRight');
  await menus().counts(2);
  await panel.focused.press('ArrowLeft');
  await entry('Filter by').hasFocus();
  await panel.focused.press('End');
  await panel.focused.press('ArrowUp');
  await entry('Sort by').hasFocus();
  await panel.focused.press('Enter');
  await menus().counts(2);
  // One layer at a time.
  await panel.focused.press('Escape');
  await menus().counts(1);
  await entry('Sort by').hasFocus();
  await panel.focused.press('Tab');
  await menus().isGone();
});

test('the palette finds what can be done, and remembers what was; the sheet names all keys', async () => {
  walks('Use the palette', 'Look up the keys');
  const options = panel.role('listbox', 'Commands').role('option');
  await panel.traffic.click();
  await command('capt', /^Captures/);
  await panel.role('region', 'Captures').appears();
  await command('close the capt', /^Close the captures/);
  await panel.role('region', 'Captures').isGone();
  await panel.requests('tools/call').click();
  await command('copcu', /^Copy as cURL/);
  await said().shows('Copied as cURL');
  await panel.focused.press('Control+p');
  await options.at(0).shows(/^Copy as cURL/);
  await palette().type('no such command');
  await options.isGone();
  await palette().press('Escape');
  await panel.traffic.press('?');
  const sheet = panel.role('dialog', 'Keyboard shortcuts');
  for (const title of ['Command palette', 'Filter the traffic', 'Clear', 'Replay', 'Show Timing']) {
    await sheet.shows(title);
  }
  await panel.button('Close the shortcuts').click();
  await sheet.isGone();
});

test('layers close one at a time', async () => {
  walks('Close what is open one at a time');
  await panel.open(panel.requests('tools/call'));
  await command('report', /^Transport report/);
  const report = panel.role('region', 'Transport report');
  await report.appears();
  await panel.focused.press('?');
  const sheet = panel.role('dialog', 'Keyboard shortcuts');
  await sheet.appears();
  await panel.focused.press('Control+p');
  await palette().hasFocus();
  for (const layer of [palette(), sheet, report, panel.details]) {
    await layer.appears();
    await panel.focused.press('Escape');
    await layer.isGone();
  }
});

test('what is shown is the same on every side of the window, and nothing typed is lost', async () => {
  walks('Find the filter again after a reload', 'Close and open the panel');
  await panel.button('Clear').click();
  await panel.send('tools/call', { name: 'kept', arguments: {} });
  await panel.rows(/tools\/call kept .*200/).appears();
  await panel.closeComposer();
  await panel.write('tools/call', { name: 'half-written' });
  await field().fill('tool:kept');
  await field().press('Enter');
  await panel.role('textbox', 'MCP endpoint URL').fill('http://127.0.0.1:1/not-yet');
  await panel.open(panel.requests('tools/call'));
  await panel.showTab('Headers');
  for (const dock of ['right', 'window', 'bottom'] as const) {
    await openToolboxPanel(firefox, dock);
    await field().holds('tool:kept');
    await panel.rows().counts(1);
    await panel.requests('tools/call').has('aria-selected', 'true');
    await panel.role('tablist', 'Details').css('[aria-selected=true]').shows('Headers');
    await panel.role('textbox', 'MCP endpoint URL').holds('http://127.0.0.1:1/not-yet');
    await panel.role('textbox', 'Params (JSON)').shows('half-written');
  }
  await field().fill('');
  await field().press('Enter');
  // What was cleared away is not back.
  await panel.rows(/tools\/list/).isGone();
  await panel.closeComposer();
});

test('the panel follows the theme of the toolbox', async () => {
  const theme = () =>
    firefox.marionette.run(() => document.documentElement.dataset['theme'] ?? 'none');
  for (const name of ['dark', 'light'] as const) {
    await setToolboxTheme(firefox, name);
    await expect.poll(theme, { timeout: 5000 }).toBe(name);
  }
});

test('a pending request is cancelled, rows are sorted and cleared', async () => {
  walks('Cancel, sort and clear from the menu of a row');
  await panel.endConnections();
  await panel.button('Clear').click();
  await panel.connect(everything.url);
  await panel.send('tools/call', {
    name: 'trigger-long-running-operation',
    arguments: { duration: 60, steps: 2 },
  });
  await panel.closeComposer();
  const call = panel.requests('tools/call');
  await choose(call, 'Cancel the request');
  await call.shows('cancelled');
  await call.openMenu();
  await entry('Cancel the request').isGone();
  await entry('Sort by').click();
  await menus().at(1).role('menuitemradio', 'Name').click();
  await panel.rows().at(0).shows('Connected to');
  await call.openMenu();
  await entry('Sort by').click();
  await menus().at(1).role('menuitemradio', 'As recorded').click();
  await panel.rows().at(0).shows('Connecting to');
  await choose(call, 'Clear');
  await call.isGone();
});

test('nothing went wrong in the browser', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
