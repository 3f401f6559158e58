import { walks } from '../journeys.ts';
import { findViolations, findViolationsInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';
import type { Wirescope } from './wirescope.ts';

// Each look of axe at a page takes its time.
test.describe.configure({ timeout: 120_000 });

test.describe('in the dark theme', () => {
  test.use({ theme: 'dark' });

  test('axe finds nothing in the panel inside DevTools, empty and in use', async ({
    wirescope,
    everything,
  }) => {
    walks('Use the panel with assistive technology');
    const panel = await wirescope.openPanel();
    await expect(panel.capture).toBeVisible();
    expect(await findViolations(panel.root)).toEqual([]);
    expect(await panel.root.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');

    await useAll(panel, everything.url);
    expect(await findViolations(panel.root), 'in use').toEqual([]);
    await panel.button('Replay').click();
    await expect(panel.dialog).toBeVisible();
    expect(await findViolations(panel.root), 'dialog').toEqual([]);
  });
});

/** A call with progress in the details, a connection that failed, and the options open. */
async function useAll(panel: PanelPage, url: string): Promise<void> {
  await panel.connectAndWait(url);
  await panel.send('tools/call', {
    name: 'trigger-long-running-operation',
    arguments: { duration: 0.2, steps: 2 },
    _meta: { progressToken: 'a' },
  });
  await expect(panel.rows('notifications/progress', '2 of 2')).toHaveCount(1);
  await panel.connect('http://127.0.0.1:1/');
  await expect(panel.connections).toContainText('failed');
  await panel.rows('tools/call').click();
  await panel.traffic.press('Enter');
  await panel.options.click();
  await panel.button('Add a header').click();
}

test.describe('in any theme and in forced colours', () => {
  test('axe finds nothing in the details', async ({ wirescope, everything }) => {
    walks('Use the panel with assistive technology');
    const panel = await wirescope.openPanelTab();
    await useAll(panel, everything.url);
    expect(await findViolationsInThemes(panel.page), 'all').toEqual([]);
    for (const tab of ['Headers', 'Stream', 'Timing'] as const) {
      await panel.showTab(tab);
      const violations = await findViolationsInThemes(panel.page, '[aria-label="Details"]');
      expect(violations, tab).toEqual([]);
    }
  });

  test('axe finds nothing in the popup and the grant page', async ({ wirescope, everything }) => {
    walks('Use popup and grant page with assistive technology');
    const popup = await wirescope.openPopup();
    expect(await findViolationsInThemes(popup.page)).toEqual([]);
    await popup.connect(everything.url);
    await expect(popup.connections).toContainText('connected');
    await popup.page.close();
    const reopened = await wirescope.openPopup();
    await expect(reopened.connections).toContainText('connected');
    await expect(reopened.recentServers).toContainText(everything.url);
    expect(await findViolationsInThemes(reopened.page)).toEqual([]);

    const grant = await wirescope.browser.context.newPage();
    const query = new URLSearchParams({
      connection: 'a',
      pattern: 'http://127.0.0.1/*',
      url: everything.url,
    });
    await grant.goto(`${wirescope.browser.pageUrl('grant.html')}?${query}`);
    await expect(grant.getByRole('button', { name: 'Allow', exact: true })).toBeVisible();
    expect(await findViolationsInThemes(grant)).toEqual([]);
  });

  async function inUse(wirescope: Wirescope, url: string): Promise<PanelPage> {
    const panel = await wirescope.openPanelTab();
    await panel.connectAndWait(url);
    await panel.send('tools/call', { name: 'echo', arguments: { message: 'a' } });
    await expect(panel.rows('tools/call', 'echo', '200')).toHaveCount(1);
    await panel.button('Send a request').click();
    return panel;
  }

  test('axe finds nothing in the table and its menus', async ({ wirescope, everything }) => {
    walks('Use menus and screens with assistive technology');
    const panel = await inUse(wirescope, everything.url);
    const { page } = panel;
    const filter = panel.root.getByRole('combobox', { name: 'Filter' });
    await filter.fill('-is');
    await expect(panel.root.getByRole('listbox', { name: 'Ways to go on' })).toBeVisible();
    expect(await findViolationsInThemes(page), 'filter').toEqual([]);
    await filter.fill('');
    await panel.traffic.focus();

    await panel.button('Columns').click();
    await expect(panel.root.getByRole('menu', { name: 'Table' })).toBeVisible();
    expect(await findViolationsInThemes(page), 'columns').toEqual([]);
    await page.keyboard.press('Escape');

    await panel.rows('tools/call').click({ button: 'right' });
    await expect(panel.root.getByRole('menu')).toBeVisible();
    expect(await findViolationsInThemes(page), 'menu').toEqual([]);
    await page.keyboard.press('Escape');

    await panel.button('Keys').click();
    await expect(panel.root.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    expect(await findViolationsInThemes(page), 'shortcuts').toEqual([]);
  });

  test('axe finds nothing in what opens beside the table or over it', async ({
    wirescope,
    everything,
  }) => {
    walks('Use menus and screens with assistive technology');
    const panel = await inUse(wirescope, everything.url);
    const { page } = panel;
    await panel.button('Search').click();
    await panel.root.getByRole('searchbox', { name: 'Search all traffic' }).fill('echo');
    await expect(panel.root.getByRole('tree', { name: 'Search results' })).toBeVisible();
    expect(await findViolationsInThemes(page), 'search').toEqual([]);
    await panel.button('Search').click();

    await panel.button('Diagram').click();
    await expect(panel.root.getByRole('grid', { name: 'Arrows' })).toBeVisible();
    expect(await findViolationsInThemes(page), 'diagram').toEqual([]);

    await panel.button('Captures').click();
    await expect(panel.captures).not.toHaveCount(0);
    expect(await findViolationsInThemes(page), 'storage').toEqual([]);
  });
});
