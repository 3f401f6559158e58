import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { startEverything } from '../server/everything.ts';
import { startMisbehaving } from '../server/misbehaving.ts';
import type { MisbehavingServer } from '../server/misbehaving.ts';
import type { PanelPage } from './panel.ts';
import { launchWirescope } from './wirescope.ts';
import type { Build, Wirescope } from './wirescope.ts';

export { expect };

const PROBLEMS = 'console errors, exceptions and CSP violations of ours';

type Everything = Awaited<ReturnType<typeof startEverything>>;

interface Options {
  build: Build;
  theme: 'light' | 'dark';
  /** X display of a visible browser. */
  display: string | undefined;
}

export const test = base.extend<
  Options & {
    /** A browser of the test's own. */
    wirescope: Wirescope;
    /** The panel as a tab of the shared browser, with the rows of earlier tests hidden. */
    panel: PanelPage;
    /** The same tab from test to test, for many short ones that leave its options alone. */
    keptPanel: PanelPage;
  },
  {
    everything: Everything;
    misbehaving: MisbehavingServer;
    shared: Wirescope;
    kept: { panel?: PanelPage };
  }
>({
  build: ['granted', { option: true }],
  theme: ['light', { option: true }],
  display: [undefined, { option: true }],

  everything: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const server = await startEverything();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],

  misbehaving: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const server = await startMisbehaving();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],

  shared: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'wirescope-shared-'));
      const wirescope = await launchWirescope({
        build: 'granted',
        profile: join(folder, 'profile'),
      });
      await use(wirescope);
      const problems = await wirescope.end();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      expect(problems, PROBLEMS).toEqual([]);
    },
    { scope: 'worker' },
  ],

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  kept: [async ({}, use) => await use({}), { scope: 'worker' }],

  wirescope: async ({ build, theme, display }, use, testInfo) => {
    const profile = testInfo.outputPath('profile');
    const wirescope = await launchWirescope({ build, theme, display, profile });
    await use(wirescope);
    expect(await wirescope.end(), PROBLEMS).toEqual([]);
  },

  panel: async ({ shared }, use) => {
    const panel = await shared.openPanelTab();
    await hideRows(panel);
    await use(panel);
    await panel.endConnections();
    for (const page of shared.browser.context.pages().slice(1)) await page.close();
  },

  keptPanel: async ({ shared, kept }, use) => {
    // Tests of other files close it with all other tabs.
    if (kept.panel?.page.isClosed() !== false) kept.panel = await shared.openPanelTab();
    await hideRows(kept.panel);
    await use(kept.panel);
    await kept.panel.endConnections();
  },
});

async function hideRows(panel: PanelPage): Promise<void> {
  await expect(panel.capture).not.toContainText('reading the capture');
  await panel.button('Clear').click();
  await expect(panel.rows()).toHaveCount(0);
}
