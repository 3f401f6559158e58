import { findViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';

for (const theme of ['light', 'dark'] as const) {
  test.describe(`in the ${theme} theme`, () => {
    test.use({ theme });

    test('axe finds nothing in the panel inside DevTools, empty and in use', async ({
      wirescope,
      everything,
    }) => {
      const panel = await wirescope.openPanel();
      await expect(panel.capture).toBeVisible();
      expect(await findViolations(panel.root)).toEqual([]);
      expect(await panel.root.evaluate(() => document.documentElement.dataset['theme'])).toBe(
        theme,
      );

      await panel.connectAndWait(everything.url);
      await panel.send('tools/call', {
        name: 'trigger-long-running-operation',
        arguments: { duration: 0.2, steps: 2 },
        _meta: { progressToken: 'a' },
      });
      const call = panel.rows('tools/call');
      await expect(panel.rows('notifications/progress', '2 of 2')).toHaveCount(1);
      await panel.connect('http://127.0.0.1:1/');
      await expect(panel.connections).toContainText('failed');
      await panel.options.click();
      await panel.button('Add a header').click();
      await call.click();
      await panel.traffic.press('Enter');
      for (const tab of ['Message', 'Headers', 'Stream', 'Timing'] as const) {
        await panel.showTab(tab);
        expect(await findViolations(panel.root), tab).toEqual([]);
      }
      await panel.button('Replay').click();
      await expect(panel.dialog).toBeVisible();
      expect(await findViolations(panel.root), 'dialog').toEqual([]);
    });

    test('axe finds nothing in the popup and the grant page', async ({ wirescope, everything }) => {
      const popup = await wirescope.openPopup();
      expect(await findViolations(popup.page)).toEqual([]);
      await popup.connect(everything.url);
      await expect(popup.connections).toContainText('connected');
      await popup.page.close();
      const reopened = await wirescope.openPopup();
      await expect(reopened.connections).toContainText('connected');
      await expect(reopened.recentServers).toContainText(everything.url);
      expect(await findViolations(reopened.page)).toEqual([]);

      const grant = await wirescope.browser.context.newPage();
      const query = new URLSearchParams({
        connection: 'a',
        pattern: 'http://127.0.0.1/*',
        url: everything.url,
      });
      await grant.goto(`${wirescope.browser.pageUrl('grant.html')}?${query}`);
      await expect(grant.getByRole('button', { name: 'Allow', exact: true })).toBeVisible();
      expect(await findViolations(grant)).toEqual([]);
    });
  });
}
