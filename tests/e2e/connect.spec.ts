import { walks } from '../journeys.ts';
import { expect, test } from './fixtures.ts';

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
