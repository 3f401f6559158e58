import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startEverything } from '../server/everything.ts';
import type { Firefox } from './firefox.ts';
import { startPanel, type Panel } from './panel.ts';
import {
  chooseColours,
  grantHost,
  openPopup,
  openToolboxPanel,
  setToolboxTheme,
  setToolboxWidth,
} from './privileged.ts';

const ALL = ['Time', 'Direction', 'Name', 'Kind', 'Status', 'Size', 'Duration', 'Waterfall'];

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

// One browser and one story: each test goes on where the one before it has ended.
let everything: Awaited<ReturnType<typeof startEverything>>;
let firefox: Firefox;
let panel: Panel;

beforeAll(async () => {
  everything = await startEverything();
  ({ firefox, panel } = await startPanel());
  await grantHost(firefox, 'http://127.0.0.1/*');
});

afterAll(async () => {
  await firefox?.quit();
  await everything?.close();
});

/** Violations in the page that is in front, one line each. */
async function findViolations(isForced = false): Promise<string[]> {
  // Forced colours are the system’s, and so is their contrast.
  const options = isForced ? { rules: { 'color-contrast': { enabled: false } } } : {};
  const source = `async () => {
    ${axeSource}
    const { violations, passes } = await axe.run(document, ${JSON.stringify(options)});
    return {
      count: passes.length,
      violations: violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
      })),
    };
  }`;
  const found = await firefox.marionette.evaluate<{
    count: number;
    violations: AxeResults['violations'];
  }>(source, []);
  expect(found.count).toBeGreaterThan(10);
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Violations in either theme and in forced colours. */
async function findViolationsInColours(): Promise<string[]> {
  const found: string[] = [];
  for (const colours of ['dark', 'forced', 'light'] as const) {
    await chooseColours(firefox, colours);
    const query =
      colours === 'forced' ? '(forced-colors: active)' : `(prefers-color-scheme: ${colours})`;
    const isShown = () => firefox.marionette.run((media) => matchMedia(media).matches, query);
    await expect.poll(isShown, { timeout: 5000 }).toBe(true);
    found.push(
      ...(await findViolations(colours === 'forced')).map(
        (violation) => `${colours}: ${violation}`,
      ),
    );
  }
  return found;
}

test('axe finds nothing in the panel in use, in its menus and its screens', async () => {
  walks('Use menus and screens with assistive technology');
  await panel.connect(everything.url);
  await panel.send('tools/call', { name: 'echo', arguments: { message: 'a' } });
  await panel.rows(/tools\/call echo .*200/).appears();
  await panel.closeComposer();
  await panel.role('combobox', 'Filter').fill('-is');
  await panel.role('listbox', 'Ways to go on').appears();
  expect(await findViolationsInColours(), 'filter').toEqual([]);
  await panel.role('combobox', 'Filter').fill('');
  await panel.role('combobox', 'Filter').press('Enter');
  await panel.requests('tools/call').openMenu();
  await panel.role('menu').appears();
  expect(await findViolations(), 'menu').toEqual([]);
  await panel.focused.press('Escape');
  await panel.traffic.press('?');
  await panel.role('dialog', 'Keyboard shortcuts').appears();
  expect(await findViolations(), 'shortcuts').toEqual([]);
  await panel.button('Close the shortcuts').click();
  await panel.button('Search').click();
  await panel.role('searchbox', 'Search all traffic').fill('echo');
  await panel.role('tree', 'Search results').appears();
  for (const name of ['Diagram', 'Captures', 'Settings'] as const) {
    await panel.button(name).click();
    await panel.button('Close').appears();
    expect(await findViolations(), `screen: ${name}`).toEqual([]);
    await panel.button('Close').click();
  }
  await panel.button('Close search').click();
});

test('axe finds nothing in the popup and the grant page', async () => {
  walks('Use popup and grant page with assistive technology');
  const { marionette, tab } = firefox;
  const query = new URLSearchParams({
    connection: 'a',
    pattern: 'http://127.0.0.1/*',
    url: everything.url,
  });
  const url = firefox.pageUrl(`grant.html?${query}`);
  await marionette.command('WebDriver:Navigate', { url });
  await panel.button('Allow').appears();
  expect(await findViolationsInColours(), 'grant page').toEqual([]);
  await openPopup(firefox);
  await panel.css('[aria-label=Connections]').shows('connected');
  expect(await findViolations(), 'popup').toEqual([]);
  await marionette.run(() => void setTimeout(() => window.close()));
  await marionette.command('WebDriver:SwitchToWindow', { handle: tab });
});

test('axe finds nothing in the panel inside the toolbox, in either theme', async () => {
  walks('Use the panel with assistive technology');
  await firefox.marionette.command('WebDriver:Navigate', { url: 'data:text/html,<h1>Blank</h1>' });
  await openToolboxPanel(firefox);
  await panel.open(panel.requests('tools/call'));
  for (const theme of ['dark', 'light'] as const) {
    await setToolboxTheme(firefox, theme);
    const shown = () => firefox.marionette.run(() => document.documentElement.dataset['theme']);
    await expect.poll(shown, { timeout: 5000 }).toBe(theme);
    for (const tab of theme === 'dark' ? ['Message', 'Headers'] : ['Stream', 'Timing']) {
      await panel.showTab(tab);
      expect(await findViolations(), `${theme}: ${tab}`).toEqual([]);
    }
  }
});

test('columns give way where there is no room for them, and nothing scrolls sideways', async () => {
  walks('Work in a narrow panel');
  await panel.button('Close details').click();
  await openToolboxPanel(firefox, 'right');
  const headings = () => panel.traffic.role('columnheader').texts();
  const overflow = () => panel.traffic.read((grid) => grid.scrollWidth - grid.clientWidth);
  const width = () => firefox.marionette.run(() => innerWidth);
  for (const [wide, gone] of [
    [560, ['Time', 'Waterfall']],
    [400, ['Time', 'Kind', 'Size', 'Waterfall']],
  ] as const) {
    await setToolboxWidth(firefox, wide);
    await expect.poll(width, { timeout: 5000 }).toBe(wide);
    const left = ALL.filter((name) => !gone.some((other) => other === name));
    await expect.poll(headings, { timeout: 5000 }).toEqual(left);
    await expect.poll(overflow).toBe(0);
  }
  await panel.button('Columns').click();
  await panel.role('menu', 'Table').shows('As it was at first');
  expect(await findViolations()).toEqual([]);
});
