import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { walks } from '../journeys.ts';
import { startPlainLegacy } from '../server/plain-legacy.ts';
import { comings, DIE_MS, hold, HOLD_MS, timeUntilGone } from '../support/hold.ts';
import { note } from '../support/note.ts';
import { startUnattended } from '../support/unattended-chromium.ts';
import { PopupPage } from './popup.ts';

const BUILT = fileURLToPath(new URL('../../.output/chrome-mv3-granted', import.meta.url));

// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
test('with nobody attached, a silent stream and an idle socket are held for three minutes; then the worker dies', async ({}, testInfo) => {
  walks('Hold a connection that is idle');
  test.setTimeout(HOLD_MS + DIE_MS + 60_000);
  await using server = await startPlainLegacy();
  const extension = testInfo.outputPath('extension');
  cpSync(BUILT, extension, { recursive: true });
  await using browser = await startUnattended(extension, testInfo.outputPath('profile'));
  await browser.visitPopup(async (page) => {
    const popup = new PopupPage(page);
    for (const [index, url] of [server.url, server.socketUrl].entries()) {
      await popup.connect(url);
      await expect(popup.connections.getByText('connected')).toHaveCount(index + 1);
    }
  });
  const before = [...server.log];
  expect(comings(before)).toEqual(['stream opened', 'socket opened']);

  await hold('Chromium');
  // Not a byte has gone either way meanwhile: nothing but the worker's own life kept them.
  expect(server.log).toEqual(before);
  expect(await browser.isWorkerRunning()).toBe(true);

  await browser.visitPopup(async (page) => {
    const popup = new PopupPage(page);
    await expect(popup.connections.getByText('connected')).toHaveCount(2);
    for (let left = 2; left > 0; left -= 1) {
      await page
        .getByRole('button', { name: /^Disconnect / })
        .first()
        .click();
      await expect(popup.connections.getByText('connected')).toHaveCount(left - 1);
    }
  });
  expect(comings(server.log).toSorted()).toEqual([
    'socket closed',
    'socket opened',
    'stream closed',
    'stream opened',
  ]);
  const goneMs = await timeUntilGone(() => browser.isWorkerRunning());
  note(`Chromium: the worker was gone ${goneMs} ms after the last connection.`);
  expect(goneMs).toBeLessThan(DIE_MS);
});
