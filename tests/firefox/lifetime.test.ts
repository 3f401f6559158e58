import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startPlainLegacy } from '../server/plain-legacy.ts';
import { comings, DIE_MS, hold, HOLD_MS, timeUntilGone } from '../support/hold.ts';
import { note } from '../support/note.ts';
import { startFirefox, type Firefox } from './firefox.ts';
import { Page } from './page.ts';
import { answerPrompt, isBackgroundRunning, openPopup } from './privileged.ts';

test(
  'with nobody attached, a silent stream and an idle socket are held for three minutes; then the background stops',
  { timeout: HOLD_MS + DIE_MS + 60_000 },
  async () => {
    walks('Hold a connection that is idle');
    await using server = await startPlainLegacy();
    const firefox = await startFirefox(resolve('.output/firefox-mv3'));
    try {
      await openPopup(firefox);
      let popup = new Page(firefox.marionette);
      await popup.connect(server.url);
      await answerPrompt(firefox, 'allow');
      await popup.expectConnections(/connected/);
      // Granted for http, the host is granted for sockets too.
      await popup.connect(server.socketUrl);
      await popup.expectConnections(/connected.*connected/);
      const before = [...server.log];
      expect(comings(before)).toEqual(['stream opened', 'socket opened']);

      await closePopup(firefox);
      await firefox.detach();
      await hold('Firefox');
      // Not a byte has gone either way meanwhile: nothing but the background's own life kept them.
      expect(server.log).toEqual(before);

      await firefox.attach();
      expect(await isBackgroundRunning(firefox)).toBe(true);
      await openPopup(firefox);
      popup = new Page(firefox.marionette);
      await popup.expectConnections(/connected.*connected/);
      for (const still of [
        /^(?:(?!connected).)*connected(?:(?!connected).)*$/,
        /^(?!.*connected)/,
      ]) {
        await popup.press('Disconnect plain-legacy 1.0.0');
        await popup.expectConnections(still);
      }
      expect(comings(server.log).toSorted()).toEqual([
        'socket closed',
        'socket opened',
        'stream closed',
        'stream opened',
      ]);
      await closePopup(firefox);
      const goneMs = await timeUntilGone(() => isBackgroundRunning(firefox));
      note(`Firefox: the background was gone ${goneMs} ms after the last connection.`);
      expect(goneMs).toBeLessThan(DIE_MS);
    } finally {
      await firefox.quit();
    }
  },
);

/** As a click elsewhere would; the tab is driven from now on. */
async function closePopup({ marionette, tab }: Firefox): Promise<void> {
  await marionette.run(() => void setTimeout(() => window.close()));
  await marionette.command('WebDriver:SwitchToWindow', { handle: tab });
}
