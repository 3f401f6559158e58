import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startEverything } from '../server/everything.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { startPanelTab } from './panel-tab.ts';
import { Part } from './part.ts';
import { answerPrompt, readErrors } from './privileged.ts';

const LONG_CALL = {
  name: 'trigger-long-running-operation',
  arguments: { duration: 1, steps: 3 },
  _meta: { progressToken: 'table' },
};

// One browser and one story: each test goes on where the one before it has ended.
let everything: Awaited<ReturnType<typeof startEverything>>;
let firefox: Firefox;
let page: Page;
let root: Part;

beforeAll(async () => {
  everything = await startEverything();
  ({ firefox, page } = await startPanelTab());
  root = new Part(firefox.marionette);
  await resize(1280, 800);
});

afterAll(async () => {
  await firefox?.quit();
  await everything?.close();
});

const traffic = () => root.role('treegrid', 'Traffic');
const rows = (...parts: RegExp[]) =>
  parts.reduce((found, part) => found.like(part), traffic().role('row').holding('gridcell'));
const field = () => root.role('combobox', 'Filter');
const chip = (name: string) => root.role('toolbar', 'Types of rows').role('button', name);
/** Enter puts the list of ways to go on away. */
async function filterBy(text: string): Promise<void> {
  await field().fill(text);
  await field().press('Enter');
}

const focused = () => root.css(':focus');
const heading = (name: string) => traffic().role('columnheader', new RegExp(`^${name}`));

async function resize(width: number, height: number): Promise<void> {
  await firefox.marionette.command('WebDriver:SetWindowRect', { width, height });
}

test('the waterfall of a call grows while it is pending, and then has its figures', async () => {
  walks('Read the waterfall');
  await page.connect(everything.url);
  await answerPrompt(firefox, 'allow');
  await page.expectConnections(/connected/);
  await page.press('Send a request');
  await page.send('tools/call', LONG_CALL);
  const cell = () =>
    rows(/tools\/call trigger/)
      .role('gridcell')
      .at(-1);
  const drawn = () => cell().read((element) => getComputedStyle(element).backgroundImage);
  await expect.poll(drawn).toContain('linear-gradient');
  const early = await drawn();
  await expect.poll(drawn).not.toBe(early);
  await rows(/tools\/call trigger.* 200/).appears();
  await cell().hover();
  await cell().has('title', /Begun at .*\nQueued: .*[^]*Total: \d/);
  await cell().has('title', /stream event/);

  await page.send('tools/call', { name: 'echo', arguments: { message: 'hello' } });
  await page.send('no/such/method', {});
  await rows(/no\/such\/method.* error/).appears();
  await page.press('Send a request');
});

test('a group folds and unfolds by pointer and by arrow keys, and says how much is in it', async () => {
  walks('Fold and unfold a group');
  const call = rows(/tools\/call trigger/);
  const progress = rows(/notifications\/progress/);
  await progress.counts(3);
  await call.has('aria-expanded', 'true');
  await call.click();
  await traffic().press('ArrowLeft');
  await progress.isGone();
  await call.shows(/operation 3 /);
  await traffic().press('ArrowRight');
  await progress.counts(3);
  await traffic().press('ArrowRight');
  await progress.has('aria-selected', 'true');
  await traffic().press('ArrowLeft', 'ArrowLeft');
  await call.has('aria-expanded', 'false');
  await call.css('.fold').click();
  await progress.counts(3);
});

test('what belongs to a row is marked under the pointer, and told of the selected one', async () => {
  walks('See what belongs to a row');
  const call = rows(/tools\/call trigger/);
  const progress = rows(/notifications\/progress/);
  await call.hover();
  await progress.has('class', /is-effect/);
  expect(await rows(/tools\/call echo/).attribute('class')).not.toMatch(/is-(?:effect|cause)/);
  await progress.at(-1).hover();
  await call.has('class', /is-cause/);
  const described = () =>
    traffic().read((grid) => {
      const { activeElement } = document;
      const id = activeElement?.getAttribute('aria-activedescendant') ?? '';
      const by = document.getElementById(id)?.getAttribute('aria-describedby') ?? '';
      return grid.ownerDocument.getElementById(by)?.textContent;
    });
  await call.click();
  await expect.poll(described).toBe('3 rows follow from it.');
  await traffic().press('ArrowDown');
  await expect.poll(described).toMatch(/^Within tools\/call trigger-long/);
});

test('a filter is completed from what was seen; what is wrong with one is said, and the rest holds', async () => {
  walks('Filter the table', 'Correct a filter');
  await field().type('too');
  const options = root.role('listbox', 'Ways to go on').role('option');
  await options.shows(/^tool:/);
  await field().press('Tab');
  await field().type('ec');
  await options.counts(1);
  await options.shows(/^echo ?\d+$/);
  await field().press('ArrowDown', 'Enter');
  await rows().counts(1);
  await rows(/tools\/call echo/).counts(1);
  await root.role('status', 'Rows shown').shows(/^1 of \d+ shown/);
  await field().type('is');
  await options.appears();
  await field().press('Escape');
  await options.isGone();
  await field().press('Escape');
  await rows(/no\/such\/method/).appears();

  await filterBy('metod:x echo');
  await root.role('main').shows('Did you mean method:');
  await field().has('aria-invalid', 'true');
  await rows().counts(1);
  await filterBy('/(/ echo');
  await root.role('main').shows('Invalid regular expression');
  await rows().counts(1);
  await filterBy('nothing-like-this');
  const none = root.role('region', 'No matches');
  await none.shows('by the filter nothing-like-this');
  await none.role('button', 'Clear filter').click();
  await rows(/tools\/call echo/).appears();
});

test('chips choose types of rows, several with Ctrl, and by keyboard', async () => {
  walks('Choose types of rows');
  await chip('Notifications').click();
  await chip('Notifications').has('aria-pressed', 'true');
  await chip('All').has('aria-pressed', 'false');
  await rows(/tools\/call/).isGone();
  await rows(/notifications\/progress/).appears();
  await chip('Notifications').press('Home', 'ArrowRight', 'Control+Enter');
  await chip('Requests').has('aria-pressed', 'true');
  await chip('Notifications').has('aria-pressed', 'true');
  await rows(/tools\/call echo/).appears();
  await chip('Lifecycle').click();
  await rows(/tools\/call/).isGone();
  await rows(/Connected to/).counts(1);
  await chip('All').click();
});

test('filter and chips are there after a reload', async () => {
  walks('Find the filter again after a reload');
  await filterBy('kind:notification -progress');
  await chip('Notifications').click();
  await firefox.marionette.command('WebDriver:Refresh');
  await chip('Notifications').has('aria-pressed', 'true');
  await field().holds('kind:notification -progress');
  await rows(/notifications\/initialized/).appears();
  await rows(/notifications\/progress/).isGone();
  await root.role('button', 'clear filter').click();
});

test('a paused view stands still and says how much waits; Clear hides and can be taken back', async () => {
  walks('Pause and clear the view');
  await page.press('Send a request');
  await page.press('Pause view');
  await page.send('tools/list', {});
  const waiting = root.role('status', 'Paused view');
  await waiting.shows(/^[1-9]\d* rows? waits?$/);
  await rows(/tools\/list/).isGone();
  await page.press('Pause view');
  await waiting.isGone();
  await rows(/tools\/list/).appears();
  await page.press('Send a request');
  await page.press('Clear');
  await rows().isGone();
  await page.press('Show them again');
  await rows(/tools\/list/).appears();
});

test('a heading sorts by click and by Enter, and its third time brings back the order of the log', async () => {
  walks('Sort the table');
  await filterBy('kind:request');
  const names = async () =>
    (await rows().role('gridcell').texts()).filter((text) =>
      /^[a-z]+\/[a-z]+|^initialize/.test(text),
    );
  const recorded = await names();
  expect(recorded.length).toBeGreaterThan(4);
  const sorted = recorded.toSorted();
  expect(sorted).not.toEqual(recorded);
  await heading('Name').role('button', 'Name').click();
  await heading('Name').has('aria-sort', 'ascending');
  await expect.poll(names).toEqual(sorted);
  await heading('Name').role('button', 'Name').press('Enter');
  await heading('Name').has('aria-sort', 'descending');
  await heading('Name').role('button', 'Name').press('Enter');
  await heading('Name').has('aria-sort', 'none');
  await expect.poll(names).toEqual(recorded);
  await heading('Name').role('button', 'Name').press('ArrowRight');
  await heading('Kind').hasFocus();
  await filterBy('');
});

test('columns are chosen and resized by the keyboard, and are the same in the next page', async () => {
  walks('Choose and resize columns');
  const headings = () => traffic().role('columnheader').texts();
  const entry = (name: string) => root.role('menu', 'Table').role('menuitemcheckbox', name);
  const usual = await headings();
  expect(usual).toEqual(
    expect.arrayContaining(['Direction', 'Name', 'Kind', 'Status', 'Size', 'Duration']),
  );
  await root.role('button', 'Columns').press('Enter');
  await entry('Time').hasFocus();
  await focused().press('t');
  await entry('Type').hasFocus();
  await focused().press('Space');
  await entry('Type').has('aria-checked', 'true');
  await focused().press('Escape');
  await root.role('menu').isGone();
  await root.role('button', 'Columns').hasFocus();
  expect(await headings()).toContain('Type');
  await rows(/tools\/call trigger.*SSE/).appears();

  const width = () => heading('Kind').read((cell) => cell.clientWidth);
  const before = await width();
  await traffic().role('separator', 'Resize Kind').press('ArrowLeft');
  await expect.poll(width).toBe(before + 8);
  await firefox.marionette.command('WebDriver:Refresh');
  await heading('Type').appears();
  await expect.poll(width).toBe(before + 8);
  await heading('Status').openMenu();
  await root.role('menu', 'Table').role('menuitem', 'As it was at first').click();
  await heading('Type').isGone();
  expect(await headings()).toEqual(usual);
});

test('a brush on the overview shows a part of the time, by pointer and by keyboard', async () => {
  walks('Choose a stretch of time');
  const overview = root.role('region', 'Time range');
  const count = await traffic().attribute('aria-rowcount');
  await overview.css('.overview-strip').drag(0.9, 0.96);
  await overview.shows(/\d\d:\d\d:\d\d\.\d{3} to \d\d:\d\d:\d\d\.\d{3}/);
  await rows(/initialize/).isGone();
  await rows(/GET stream/).appears();
  await overview.css('.overview-strip').doubleClick();
  await traffic().has('aria-rowcount', count ?? '');

  const from = overview.role('slider', 'Shown from');
  await from.press('End');
  await from.has('aria-valuenow', '1000');
  await from.has('aria-valuetext', /^\d\d:\d\d:\d\d\.\d{3}$/);
  await rows(/initialize/).isGone();
  await from.press('PageDown');
  await from.has('aria-valuenow', '900');
  await from.press('Escape');
  await traffic().has('aria-rowcount', count ?? '');
});

test('nothing went wrong in the browser', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
