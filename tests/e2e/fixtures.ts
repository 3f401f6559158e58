import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test as base, expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { startEverything } from '../server/everything.ts';
import { startMisbehaving } from '../server/misbehaving.ts';
import { openDevtoolsPanel, openPopup, startChromium, stopWorker } from '../support/chromium.ts';
import type { ChromiumBrowser, Dock } from '../support/chromium.ts';
import { PanelPage } from './panel.ts';
import { PopupPage } from './popup.ts';

export { expect };

type Everything = Awaited<ReturnType<typeof startEverything>>;
type Misbehaving = Awaited<ReturnType<typeof startMisbehaving>>;

/** A browser with Wirescope in it; the panel and popup that it opens are real. */
export interface Wirescope {
  readonly browser: ChromiumBrowser;
  readonly profile: string;
  /** The panel in real DevTools, on a blank page of its own. */
  openPanel(dock?: Dock): Promise<PanelPage>;
  openPanelTab(): Promise<PanelPage>;
  openPopup(): Promise<PopupPage>;
  stopWorker(): Promise<void>;
  /** Ends the browser; the profile stays. */
  close(): Promise<void>;
  /** Ends the browser and starts it again on the same profile. */
  restart(): Promise<void>;
}

interface Options {
  /** `granted` holds the loopback host from the start; `asking` is the build that users get. */
  build: 'granted' | 'asking';
  theme: 'light' | 'dark';
  /** X display of a visible browser. */
  display: string | undefined;
}

export const test = base.extend<
  Options & { wirescope: Wirescope },
  { everything: Everything; misbehaving: Misbehaving }
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

  wirescope: async ({ build, theme, display }, use, testInfo) => {
    const extension = fileURLToPath(
      new URL(`../../.output/chrome-mv3${build === 'granted' ? '-granted' : ''}`, import.meta.url),
    );
    if (!existsSync(extension)) throw new Error(`Not built: ${extension}`);
    const profile = testInfo.outputPath('profile');
    const problems: string[] = [];
    const start = () =>
      startChromium({
        extension,
        profile,
        colorScheme: theme,
        ...(display === undefined ? {} : { visibleOn: { ...process.env, DISPLAY: display } }),
      });
    let browser: ChromiumBrowser | undefined = await start();
    const close = async () => {
      if (browser === undefined) return;
      await browser.close();
      problems.push(...browser.problems.found);
      browser = undefined;
    };
    const current = () => {
      if (browser === undefined) throw new Error('The browser is closed.');
      return browser;
    };
    await use({
      get browser() {
        return current();
      },
      profile,
      openPanel: async (dock = 'undocked') => {
        const page = await openBlank(current());
        const { panel } = await openDevtoolsPanel(current(), page, dock);
        return new PanelPage(panel);
      },
      openPanelTab: async () => {
        const page = await current().context.newPage();
        await page.goto(current().pageUrl('panel.html'));
        return new PanelPage(page);
      },
      openPopup: async () => new PopupPage(await openPopup(current())),
      stopWorker: () => stopWorker(current()),
      close,
      restart: async () => {
        await close();
        browser = await start();
      },
    });
    await close();
    expect(problems, 'console errors, exceptions and CSP violations of ours').toEqual([]);
  },
});

/** DevTools needs a page with an address. */
async function openBlank(browser: ChromiumBrowser): Promise<Page> {
  const page = await browser.context.newPage();
  await page.goto('data:text/html,<title>Blank</title><h1>Blank</h1>');
  return page;
}
