import { walks } from '../journeys.ts';
import { expect, test } from './fixtures.ts';
import { PanelPage } from './panel.ts';
import { ServerPage } from './server-page.ts';

test('the popup connects, and the rows appear in the panel inside real DevTools', async ({
  wirescope,
  everything,
}) => {
  walks('Connect from the popup');
  const panel = await wirescope.openPanel();
  const popup = await wirescope.openPopup();
  await popup.connect(everything.url);
  await expect(popup.connections).toContainText(/mcp-servers\/everything \S+/);
  await expect(popup.connections).toContainText('connected');
  await expect(popup.connections).toContainText('Streamable HTTP');
  await expect(popup.connections).toContainText('legacy 2025-11-25');

  await expect(panel.connections).toContainText('connected');
  await expect(panel.requests('server/discover')).toContainText('400 · error');
  await expect(panel.requests('initialize')).toContainText('200');
  await expect(panel.rows('notifications/initialized')).toHaveCount(1);
  await expect(panel.rows('GET stream')).toHaveCount(1);
});

test('from the popup to the result of a tool by keys alone, but for one click', async ({
  wirescope,
  everything,
}) => {
  walks('Go from the popup to the result of a tool');
  const popup = await wirescope.openPopup();
  await expect(popup.url).toBeFocused();
  await popup.page.keyboard.type(everything.url);
  await popup.page.keyboard.press('Enter');
  const explore = popup.connections.getByRole('button', { name: 'Explore' });
  const [tab] = await Promise.all([
    wirescope.browser.context.waitForEvent('page'),
    explore.click(),
  ]);
  const panel = new PanelPage(tab);
  const server = new ServerPage(panel);
  await expect(server.tab('Tools')).toHaveText(/Tools \(\d+\)/);
  await expect(server.screen.getByRole('listbox', { name: 'Tools' })).toBeFocused();
  await expect(server.entry('echo')).toHaveAttribute('aria-selected', 'true');
  await tab.keyboard.press('Enter');
  await expect(server.field('message (required)')).toBeFocused();
  await tab.keyboard.type('hello');
  await tab.keyboard.press('Enter');
  await expect(server.runs).toContainText('Echo: hello');
  await tab.keyboard.press('Control+Enter');
  await expect(server.runs).toHaveCount(2);
  // What has nothing to fill in is called by its button.
  await server.choose('get-env');
  await server.screen.getByRole('listbox', { name: 'Tools' }).press('Enter');
  await expect(server.button('Call')).toBeFocused();
  // Opening the screen has asked for the tools, once, and for nothing else.
  await server.button('Close').click();
  await expect(panel.requests('tools/list')).toHaveCount(1);
  await expect(panel.rows('resources/list')).toHaveCount(0);
});
