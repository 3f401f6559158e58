import { walks } from '../journeys.ts';
import { startPeer, type Peer } from '../server/peers.ts';
import { startScripted } from '../server/scripted.ts';
import { findViolationsInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

let proxy: Peer;

test.beforeAll(async () => {
  proxy = await startPeer('mcp-proxy');
});

test.afterAll(() => proxy[Symbol.asyncDispose]());

function screenOf({ root }: PanelPage) {
  const screen = root.getByRole('region', { name: 'Transport report' });
  return {
    screen,
    tried: screen.getByRole('table', { name: 'Transports and revisions' }),
    clients: screen.getByRole('table', { name: 'Official clients' }),
    usage: screen.getByRole('table', { name: 'Used over all captures' }),
  };
}

test('a report beside a live connection, and a second one, and its text', async ({ wirescope }) => {
  walks('Report on the transports of a server');
  const panel = await wirescope.openPanelTab();
  const { screen, tried, clients, usage } = screenOf(panel);
  await panel.connectAndWait(proxy.url('/mcp'));
  await panel.button('Transport report').click();
  await expect(screen).toBeFocused();
  await expect(usage.getByRole('row').nth(1)).toHaveText(/Streamable HTTP.*modern.*2026-07-28.*1$/);

  for (const run of ['Run', 'Run again']) {
    await panel.button(run).click();
    await expect(panel.button('Run again')).toBeVisible();
    await expect(clients).toBeVisible();
    const row = (name: string) => tried.getByRole('row').filter({ hasText: name });
    await expect(tried.getByRole('row')).toHaveCount(8);
    await expect(row('Streamable HTTP, 2026-07-28')).toContainText('answered with modern');
    await expect(row('offering 2025-03-26')).toContainText('answered with legacy 2025-03-26');
    await expect(row('offering 2025-11-25').getByRole('cell').nth(2)).toHaveText('yes');
    await expect(row('HTTP+SSE at /sse, a guess')).toContainText('answered with legacy');
    await expect(clients.getByRole('row').filter({ hasText: 'Kotlin' })).toContainText(
      'would connect',
    );
    await expect(screen).toContainText(`HTTP+SSE is still served at ${proxy.url('/sse')}`);
  }
  await expect(screen.getByRole('combobox', { name: 'Report' }).getByRole('option')).toHaveCount(2);
  // What a report tries is no use of it, and none of its connections is in the list.
  await expect(usage.getByRole('row')).toHaveCount(2);
  await expect(panel.connections.getByRole('listitem')).toHaveCount(1);
  await expect(panel.connections).toContainText('connected');

  const { page } = panel;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await screen.getByRole('button', { name: 'Copy' }).click();
  await expect(screen.getByRole('button', { name: 'Copied' })).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain(`# Transport report: ${proxy.url('/mcp')}`);
  expect(text).toContain('| Kotlin 0.14 | would connect |');

  await page.keyboard.press('Escape');
  await expect(screen).toHaveCount(0);
  await expect(panel.button('Transport report')).toBeFocused();
  await panel.send('tools/list');
  await expect(panel.requests('tools/list').last()).toContainText('200');
});

test('a candidate leads to its exchanges, and the report can be closed by its button', async ({
  wirescope,
}) => {
  walks('Follow a report to its exchanges');
  const panel = await wirescope.openPanelTab();
  const { screen, tried, clients } = screenOf(panel);
  await panel.url.fill(proxy.url('/mcp'));
  await panel.button('Transport report').click();
  await panel.button('Run').click();
  await expect(clients).toBeVisible();
  expect(await findViolationsInThemes(panel.page)).toEqual([]);
  await tried.getByRole('button', { name: 'Streamable HTTP, offering 2025-06-18' }).click();
  await expect(screen).toHaveCount(0);
  await expect(panel.traffic).toBeFocused();
  await expect(panel.details).toContainText('initialize');
  await expect(panel.details).toContainText('2025-06-18');
  await panel.button('Transport report').click();
  await expect(clients).toBeVisible();
  await panel.button('Close').click();
  await expect(screen).toHaveCount(0);
  await expect(panel.details).toBeVisible();
});

test('a report on a silent server can be stopped, and one without a URL says what is missing', async ({
  wirescope,
}) => {
  walks('Stop a report');
  await using silent = await startScripted({ '*': { ending: 'silent' } });
  const panel = await wirescope.openPanelTab();
  const { screen, tried } = screenOf(panel);
  await panel.button('Transport report').click();
  await panel.button('Run').click();
  await expect(screen.getByRole('alert')).toHaveText('Type the URL of an MCP endpoint.');
  await panel.url.fill(silent.url('/mcp'));
  await panel.button('Run').click();
  await silent.until(() => silent.requests.length === 2, 'two candidates at once');
  await expect(tried.getByRole('row').filter({ hasText: 'running' })).toHaveCount(2);
  await expect(tried.getByRole('row').filter({ hasText: 'waiting' })).toHaveCount(5);
  await panel.button('Stop').click();
  await expect(tried.getByRole('row').filter({ hasText: 'stopped' })).toHaveCount(7);
  await silent.until(() => silent.requests.every(({ isAbandoned }) => isAbandoned), 'let go');
  expect(silent.requests).toHaveLength(2);
});
