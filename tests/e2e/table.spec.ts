import type { Locator } from '@playwright/test';
import { walks } from '../journeys.ts';
import { findViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

const LONG_CALL = {
  name: 'trigger-long-running-operation',
  arguments: { duration: 0.6, steps: 3 },
  _meta: { progressToken: 'table' },
};

const LAST_STEP = `${LONG_CALL.arguments.steps} of ${LONG_CALL.arguments.steps}`;

function heading(panel: PanelPage, name: string): Locator {
  return panel.traffic.getByRole('columnheader', { name });
}

function headings(panel: PanelPage): Promise<string[]> {
  return panel.traffic.getByRole('columnheader').allTextContents();
}

function menuItem(panel: PanelPage, name: string): Locator {
  return panel.root.getByRole('menu', { name: 'Table' }).getByText(name, { exact: true });
}

/** A connection with a call that told of its progress, and a smaller one. */
async function fill(panel: PanelPage, url: string): Promise<Locator> {
  await panel.connectAndWait(url);
  await panel.send('tools/call', LONG_CALL);
  const call = panel.rows('tools/call', LONG_CALL.name);
  await expect(panel.rows('notifications/progress', LAST_STEP)).toHaveCount(1);
  await expect(call).toContainText('200');
  await panel.send('tools/call', { name: 'echo', arguments: { message: 'hello' } });
  await expect(panel.rows('tools/call', 'echo')).toContainText('200');
  await panel.button('Send a request').click();
  return call;
}

/** Names of the rows at the top of the table that are in no group. */
async function names(panel: PanelPage): Promise<string[]> {
  const rows = panel.traffic.locator('[role=row][aria-level="1"]');
  return rows.locator('.cell-name').allTextContents();
}

function drawn(row: Locator): Promise<string> {
  return row.locator('.cell-waterfall').evaluate((cell) => getComputedStyle(cell).backgroundImage);
}

test('a heading sorts by click and by Enter, and its third time brings back the order of the log', async ({
  panel,
  everything,
}) => {
  walks('Sort the table');
  await fill(panel, everything.url);
  await panel.connections.getByRole('button', { name: 'Disconnect' }).click();
  await expect(panel.rows('GET stream', 'closed')).not.toHaveCount(0);
  await expect(panel.connections).not.toContainText(/connected|closing/);
  const recorded = await names(panel);
  const sorted = recorded.toSorted((one, other) =>
    one.toLowerCase() < other.toLowerCase() ? -1 : 1,
  );
  expect(sorted).not.toEqual(recorded);

  const name = heading(panel, 'Name');
  await expect(name).toHaveAttribute('aria-sort', 'none');
  await name.getByRole('button').click();
  await expect(name).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(async () => (await names(panel))[0]).toBe(sorted[0]);
  await name.getByRole('button').press('Enter');
  await expect(name).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(async () => (await names(panel))[0]).toBe(sorted.at(-1));
  await name.getByRole('button').press('Enter');
  await expect(name).toHaveAttribute('aria-sort', 'none');
  await expect.poll(() => names(panel)).toEqual(recorded);

  // Headings are one tab stop: arrow keys go from one to the next.
  await name.getByRole('button').press('ArrowRight');
  await expect(heading(panel, 'Kind').getByRole('button')).toBeFocused();
});

test('columns are chosen and resized by the keyboard, and are the same in the next page', async ({
  wirescope,
  everything,
}) => {
  walks('Choose and resize columns');
  const panel = await wirescope.openPanelTab();
  await panel.page.setViewportSize({ width: 1200, height: 700 });
  await panel.connectAndWait(everything.url);
  await panel.send('tools/call', { name: 'echo', arguments: { message: 'hello' } });
  await expect(panel.rows('tools/call', 'echo')).toContainText('200');
  const usual = ['Time', 'Direction', 'Name', 'Kind', 'Status', 'Size', 'Duration', 'Waterfall'];
  expect(await headings(panel)).toEqual(usual);

  await panel.button('Columns').press('Enter');
  await expect(menuItem(panel, 'Time')).toBeFocused();
  await panel.page.keyboard.press('t');
  await expect(menuItem(panel, 'Type')).toBeFocused();
  await panel.page.keyboard.press('Space');
  await panel.page.keyboard.press('ArrowDown');
  await panel.page.keyboard.press('Enter');
  await menuItem(panel, 'Connection').click();
  await menuItem(panel, 'Time since the first row').click();
  await expect(menuItem(panel, 'Type')).toHaveAttribute('aria-checked', 'true');
  await panel.page.keyboard.press('Escape');
  await expect(panel.root.getByRole('menu')).toHaveCount(0);
  await expect(panel.button('Columns')).toBeFocused();

  const chosen = 'Time,Direction,Name,Kind,Connection,Status,Type,Duration,Waterfall'.split(',');
  expect(await headings(panel)).toEqual(chosen);
  await expect(panel.rows('tools/call', 'echo')).toContainText('SSE');
  await expect(panel.rows('tools/call', 'echo')).toContainText('mcp-servers/everything');
  await expect(panel.rows('tools/call', 'echo').getByRole('gridcell').first()).toHaveText(
    /^(?:\d+:)*\d+\.\d{3}(?: s)?$/,
  );
  const handle = panel.traffic.getByRole('separator', { name: 'Resize Kind' });
  const width = () => heading(panel, 'Kind').evaluate((cell) => cell.clientWidth);
  const before = await width();
  await handle.press('ArrowLeft');
  await expect.poll(width).toBe(before + 8);

  await panel.page.reload();
  await expect(panel.rows('tools/call', 'echo')).toHaveCount(1);
  expect(await headings(panel)).toEqual(chosen);
  expect(await width()).toBe(before + 8);

  await heading(panel, 'Status').click({ button: 'right' });
  await menuItem(panel, 'As it was at first').click();
  expect(await headings(panel)).toEqual(usual);
});

test('columns give way where there is no room for them, and nothing scrolls sideways', async ({
  panel,
  everything,
}) => {
  walks('Work in a narrow panel');
  await fill(panel, everything.url);
  await panel.page.setViewportSize({ width: 1200, height: 600 });
  const all = await headings(panel);
  const gone = async () => {
    const now = await headings(panel);
    return all.filter((name) => !now.includes(name));
  };
  const goneAt: [width: number, names: string[]][] = [
    [700, ['Time']],
    [560, ['Time', 'Waterfall']],
    [490, ['Time', 'Size', 'Waterfall']],
    [400, ['Time', 'Kind', 'Size', 'Waterfall']],
  ];
  for (const [width, names] of goneAt) {
    await panel.page.setViewportSize({ width, height: 600 });
    await expect.poll(gone, `${width} px`).toEqual(names);
    await expect
      .poll(() => panel.traffic.evaluate((grid) => grid.scrollWidth - grid.clientWidth))
      .toBe(0);
  }
  await expect(panel.rows('tools/call', 'echo')).toHaveCSS('height', '21px');

  await panel.button('Columns').click();
  await expect(menuItem(panel, 'As it was at first')).toBeInViewport();
  expect(await findViolations(panel.root)).toEqual([]);
  await panel.page.keyboard.press('Escape');
});

test('a group folds and unfolds by pointer and by arrow keys, and says how much is in it', async ({
  panel,
  everything,
}) => {
  walks('Fold and unfold a group');
  const call = await fill(panel, everything.url);
  const progress = panel.rows('notifications/progress');
  await expect(call).toHaveAttribute('aria-level', '1');
  await expect(call).toHaveAttribute('aria-expanded', 'true');
  await expect(progress).toHaveCount(3);
  await expect(progress.first()).toHaveAttribute('aria-level', '2');

  await call.locator('.fold').click();
  await expect(progress).toHaveCount(0);
  await expect(call).toHaveAttribute('aria-expanded', 'false');
  await expect(call.locator('.row-folded')).toHaveText('3');

  await call.click();
  await panel.traffic.press('ArrowRight');
  await expect(progress).toHaveCount(3);
  await panel.traffic.press('ArrowRight');
  await expect(progress.first()).toHaveAttribute('aria-selected', 'true');
  await panel.traffic.press('ArrowLeft');
  await expect(call).toHaveAttribute('aria-selected', 'true');
  await panel.traffic.press('ArrowLeft');
  await expect(progress).toHaveCount(0);
});

test('what belongs to a row is marked under the pointer, and told of the selected one', async ({
  panel,
  everything,
}) => {
  walks('See what belongs to a row');
  const call = await fill(panel, everything.url);
  const progress = panel.rows('notifications/progress');
  await call.hover();
  await expect(progress.first()).toHaveClass(/is-effect/);
  await expect(panel.rows('tools/call', 'echo')).not.toHaveClass(/is-(?:effect|cause)/);
  await progress.last().hover();
  await expect(call).toHaveClass(/is-cause/);
  await expect(progress.first()).not.toHaveClass(/is-effect/);

  await call.click();
  await expect(call).toHaveAccessibleDescription('3 rows follow from it.');
  await panel.traffic.press('ArrowDown');
  await expect(progress.first()).toHaveAccessibleDescription(/^Within tools\/call trigger-long/);
});

test('the waterfall of a call grows while it is pending, and then has its figures', async ({
  panel,
  everything,
}) => {
  walks('Read the waterfall');
  await panel.page.setViewportSize({ width: 1200, height: 700 });
  await panel.connectAndWait(everything.url);
  await panel.send('tools/call', { ...LONG_CALL, arguments: { duration: 4, steps: 2 } });
  const call = panel.rows('tools/call', LONG_CALL.name);
  await expect(call).toContainText('pending');
  await expect.poll(() => drawn(call)).toContain('linear-gradient');
  const early = await drawn(call);
  await expect.poll(() => drawn(call)).not.toBe(early);
  await expect(call).toContainText('200');
  await expect(panel.rows('notifications/progress', '2 of 2')).toHaveCount(1);
  const cell = call.locator('.cell-waterfall');
  await cell.hover();
  await expect(cell).toHaveAttribute('title', /Begun at .*\nQueued: .*[^]*Total: \d/);
  await expect(cell).toHaveAttribute('title', /stream event/);
});

test('a brush on the overview shows a part of the time, by pointer and by keyboard', async ({
  panel,
  everything,
}) => {
  walks('Choose a stretch of time');
  await panel.page.setViewportSize({ width: 1200, height: 700 });
  await fill(panel, everything.url);
  const overview = panel.root.getByRole('region', { name: 'Time range' });
  const strip = overview.locator('.overview-strip');
  const box = await strip.boundingBox();
  if (box === null) throw new Error('There is no strip.');
  const all = await panel.traffic.getAttribute('aria-rowcount');

  const { x, y, width } = box;
  await panel.page.mouse.move(x + width * 0.9, y + 5);
  await panel.page.mouse.down();
  await panel.page.mouse.move(x + width * 0.96, y + 5, { steps: 3 });
  await panel.page.mouse.up();
  await expect(panel.traffic).not.toHaveAttribute('aria-rowcount', all ?? '');
  await expect(overview).toContainText(/\d\d:\d\d:\d\d\.\d{3} to \d\d:\d\d:\d\d\.\d{3}/);
  // What is open all the time is active in every part of it.
  await expect(panel.rows('GET stream')).not.toHaveCount(0);
  await expect(panel.rows('initialize')).toHaveCount(0);
  await strip.dblclick();
  await expect(panel.traffic).toHaveAttribute('aria-rowcount', all ?? '');

  const from = overview.getByRole('slider', { name: 'Shown from' });
  await from.press('End');
  await expect(panel.rows('initialize')).toHaveCount(0);
  await expect(from).toHaveAttribute('aria-valuenow', '1000');
  await expect(from).toHaveAttribute('aria-valuetext', /^\d\d:\d\d:\d\d\.\d{3}$/);
  await from.press('PageDown');
  await expect(from).toHaveAttribute('aria-valuenow', '900');
  await from.press('Escape');
  await expect(panel.traffic).toHaveAttribute('aria-rowcount', all ?? '');
  expect(await findViolations(panel.root)).toEqual([]);
});
