import { resolve } from 'node:path';
import { startFirefox, type Firefox } from './firefox.ts';
import { Page } from './page.ts';

/** Starts Firefox with the built extension, and its panel in the first tab. */
export async function startPanelTab(): Promise<{ firefox: Firefox; page: Page }> {
  const firefox = await startFirefox(resolve('.output/firefox-mv3'));
  const { marionette, tab } = firefox;
  await marionette.command('WebDriver:SwitchToWindow', { handle: tab });
  await marionette.command('WebDriver:Navigate', { url: firefox.pageUrl('panel.html') });
  return { firefox, page: new Page(marionette) };
}
