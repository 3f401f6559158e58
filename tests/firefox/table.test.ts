import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startEverything } from '../server/everything.ts';
import type { Firefox } from './firefox.ts';
import { startPanel, type Panel } from './panel.ts';
import { readErrors } from './privileged.ts';

const LONG_CALL = {
  name: 'trigger-long-running-operation',
  arguments: { duration: 1, steps: 3 },
  _meta: { progressToken: 'table' },
};

// One browser and one story: each test goes on where the one before it has ended.
let everything: Awaited<ReturnType<typeof startEverything>>;
let firefox: Firefox;
let panel: Panel;

beforeAll(async () => {
  everything = await startEverything();
  ({ firefox, panel } = await startPanel());
  await resize(1280, 800);
});

afterAll(async () => {
  await firefox?.quit();
  await everything?.close();
});

const field = () => panel.role('combobox', 'Filter');
const chip = (name: string) => panel.role('toolbar', 'Types of rows').role('button', name);
/** Enter puts the list of ways to go on away. */
async function filterBy(text: string): Promise<void> {
  await field().fill(text);
  await field().press('Enter');
}

const heading = (name: string) => panel.traffic.role('columnheader', new RegExp(`^${name}`));

async function resize(width: number, height: number): Promise<void> {
  await firefox.marionette.command('WebDriver:SetWindowRect', { width, height });
}

test('the waterfall of a call grows while it is pending, and then has its figures', async () => {
  walks('Read the waterfall');
  await panel.connectFirst(firefox, everything.url);
  await panel.send('tools/call', LONG_CALL);
  const cell = () =>
    panel
      .rows(/tools\/call trigger/)
      .role('gridcell')
      .at(-1);
  const drawn = () => cell().read((element) => getComputedStyle(element).backgroundImage);
  await expect.poll(drawn).toContain('linear-gradient');
  const early = await drawn();
  await expect.poll(drawn).not.toBe(early);
  await panel.rows(/tools\/call trigger.* 200/).appears();
  await cell().hover();
  await cell().has('title', /Begun at .*\nQueued: .*[^]*Total: \d/);
  await cell().has('title', /stream event/);

  await panel.send('tools/call', { name: 'echo', arguments: { message: 'hello' } });
  await panel.send('no/such/method', {});
  await panel.rows(/no\/such\/method.* error/).appears();
  await panel.closeComposer();
});

test('a group folds and unfolds by pointer and by arrow keys, and says how much is in it', async () => {
  walks('Fold and unfold a group');
  const call = panel.rows(/tools\/call trigger/);
  const progress = panel.rows(/notifications\/progress/);
  await progress.counts(3);
  await call.has('aria-expanded', 'true');
  await call.click();
  await panel.traffic.press('ArrowLeft');
  await progress.isGone();
  await call.shows(/operation 3 /);
  await panel.traffic.press('ArrowRight');
  await progress.counts(3);
  await panel.traffic.press('ArrowRight');
  await progress.has('aria-selected', 'true');
  await panel.traffic.press('ArrowLeft', 'ArrowLeft');
  await call.has('aria-expanded', 'false');
  await call.css('.fold').click();
  await progress.counts(3);
});

test('what belongs to a row is marked under the pointer, and told of the selected one', async () => {
  walks('See what belongs to a row');
  const call = panel.rows(/tools\/call trigger/);
  const progress = panel.rows(/notifications\/progress/);
  await call.hover();
  await progress.has('class', /is-effect/);
  expect(await panel.rows(/tools\/call echo/).attribute('class')).not.toMatch(
    /is-(?:effect|cause)/,
  );
  await progress.at(-1).hover();
  await call.has('class', /is-cause/);
  const described = () =>
    panel.traffic.read((grid) => {
      const { activeElement } = document;
      const id = activeElement?.getAttribute('aria-activedescendant') ?? '';
      const by = document.getElementById(id)?.getAttribute('aria-describedby') ?? '';
      return grid.ownerDocument.getElementById(by)?.textContent;
    });
  await call.click();
  await expect.poll(described).toBe('3 rows follow from it.');
  await panel.traffic.press('ArrowDown');
  await expect.poll(described).toMatch(/^Within tools\/call trigger-long/);
});

test('a filter is completed from what was seen; what is wrong with one is said, and the rest holds', async () => {
  walks('Filter the table', 'Correct a filter');
  await field().type('too');
  const options = panel.role('listbox', 'Ways to go on').role('option');
  await options.shows(/^tool:/);
  await field().press('Tab');
  await field().type('ec');
  await options.counts(1);
  await options.shows(/^echo ?\d+$/);
  await field().press('ArrowDown', 'Enter');
  await panel.rows().counts(1);
  await panel.rows(/tools\/call echo/).counts(1);
  await panel.role('status', 'Rows shown').shows(/^1 of \d+ shown/);
  await field().type('is');
  await options.appears();
  await field().press('Escape');
  await options.isGone();
  await field().press('Escape');
  await panel.rows(/no\/such\/method/).appears();

  await filterBy('metod:x echo');
  await panel.role('main').shows('Did you mean method:');
  await field().has('aria-invalid', 'true');
  await panel.rows().counts(1);
  await filterBy('/(/ echo');
  await panel.role('main').shows('Invalid regular expression');
  await panel.rows().counts(1);
  await filterBy('nothing-like-this');
  const none = panel.role('region', 'No matches');
  await none.shows('by the filter nothing-like-this');
  await none.role('button', 'Clear filter').click();
  await panel.rows(/tools\/call echo/).appears();
});

test('chips choose types of rows, several with Ctrl, and by keyboard', async () => {
  walks('Choose types of rows');
  await chip('Notifications').click();
  await chip('Notifications').has('aria-pressed', 'true');
  await chip('All').has('aria-pressed', 'false');
  await panel.rows(/tools\/call/).isGone();
  await panel.rows(/notifications\/progress/).appears();
  await chip('Notifications').press('Home', 'ArrowRight', 'Control+Enter');
  await chip('Requests').has('aria-pressed', 'true');
  await chip('Notifications').has('aria-pressed', 'true');
  await panel.rows(/tools\/call echo/).appears();
  await chip('Lifecycle').click();
  await panel.rows(/tools\/call/).isGone();
  await panel.rows(/Connected to/).counts(1);
  await chip('All').click();
});

test('filter and chips are there after a reload', async () => {
  walks('Find the filter again after a reload');
  await filterBy('kind:notification -progress');
  await chip('Notifications').click();
  await firefox.marionette.command('WebDriver:Refresh');
  await chip('Notifications').has('aria-pressed', 'true');
  await field().holds('kind:notification -progress');
  await panel.rows(/notifications\/initialized/).appears();
  await panel.rows(/notifications\/progress/).isGone();
  await panel.role('button', 'clear filter').click();
});

test('a paused view stands still and says how much waits; Clear hides and can be taken back', async () => {
  walks('Pause and clear the view');
  await panel.button('Pause view').click();
  await panel.send('tools/list', {});
  const waiting = panel.role('status', 'Paused view');
  await waiting.shows(/^[1-9]\d* rows? waits?$/);
  await panel.rows(/tools\/list/).isGone();
  await panel.button('Pause view').click();
  await waiting.isGone();
  await panel.rows(/tools\/list/).appears();
  await panel.closeComposer();
  await panel.button('Clear').click();
  await panel.rows().isGone();
  await panel.button('Show them again').click();
  await panel.rows(/tools\/list/).appears();
});

test('a heading sorts by click and by Enter, and its third time brings back the order of the log', async () => {
  walks('Sort the table');
  await filterBy('kind:request');
  const names = async () =>
    (await panel.rows().role('gridcell').texts()).filter((text) =>
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
  const headings = () => panel.traffic.role('columnheader').texts();
  const entry = (name: string) => panel.role('menu', 'Table').role('menuitemcheckbox', name);
  const usual = await headings();
  expect(usual).toEqual(
    expect.arrayContaining(['Direction', 'Name', 'Kind', 'Status', 'Size', 'Duration']),
  );
  await panel.role('button', 'Columns').press('Enter');
  await entry('Time').hasFocus();
  await panel.focused.press('t');
  await entry('Type').hasFocus();
  await panel.focused.press('Space');
  await entry('Type').has('aria-checked', 'true');
  await panel.focused.press('Escape');
  await panel.role('menu').isGone();
  await panel.role('button', 'Columns').hasFocus();
  expect(await headings()).toContain('Type');
  await panel.rows(/tools\/call trigger.*SSE/).appears();

  const width = () => heading('Kind').read((cell) => cell.clientWidth);
  const before = await width();
  await panel.traffic.role('separator', 'Resize Kind').press('ArrowLeft');
  await expect.poll(width).toBe(before + 8);
  await firefox.marionette.command('WebDriver:Refresh');
  await heading('Type').appears();
  await expect.poll(width).toBe(before + 8);
  // What comes a moment later moves the headings.
  await panel.connections.shows('connected');
  await panel.role('region', 'Time range').appears();
  await panel.rows(/tools\/call trigger.*SSE/).appears();
  await heading('Status').openMenu();
  await panel.role('menu', 'Table').role('menuitem', 'As it was at first').click();
  await heading('Type').isGone();
  expect(await headings()).toEqual(usual);
});

test('a brush on the overview shows a part of the time, by pointer and by keyboard', async () => {
  walks('Choose a stretch of time');
  const overview = panel.role('region', 'Time range');
  const count = await panel.traffic.attribute('aria-rowcount');
  await overview.css('.overview-strip').drag(0.9, 0.96);
  await overview.shows(/\d\d:\d\d:\d\d\.\d{3} to \d\d:\d\d:\d\d\.\d{3}/);
  await panel.rows(/initialize/).isGone();
  await panel.rows(/GET stream/).appears();
  await overview.css('.overview-strip').doubleClick();
  await panel.traffic.has('aria-rowcount', count ?? '');

  const from = overview.role('slider', 'Shown from');
  await from.press('End');
  await from.has('aria-valuenow', '1000');
  await from.has('aria-valuetext', /^\d\d:\d\d:\d\d\.\d{3}$/);
  await panel.rows(/initialize/).isGone();
  await from.press('PageDown');
  await from.has('aria-valuenow', '900');
  await from.press('Escape');
  await panel.traffic.has('aria-rowcount', count ?? '');
});

test('nothing went wrong in the browser', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
