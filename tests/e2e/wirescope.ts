import { cpSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openDevtoolsPanel, openPopup, startChromium, stopWorker } from '../support/chromium.ts';
import type { ChromiumBrowser, Dock } from '../support/chromium.ts';
import { PanelPage } from './panel.ts';
import { PopupPage } from './popup.ts';

/** `granted` holds the loopback host from the start; `asking` is the build that users get. */
export type Build = 'granted' | 'asking';

export interface LaunchOptions {
  build: Build;
  profile: string;
  theme?: 'light' | 'dark';
  /** X display of a visible browser. */
  display?: string | undefined;
}

/** A browser with Wirescope in it; the panel and popup that it opens are real. */
export interface Wirescope {
  readonly browser: ChromiumBrowser;
  readonly profile: string;
  /** The panel in real DevTools, on a blank page of its own. */
  openPanel(dock?: Dock): Promise<PanelPage>;
  openPanelTab(): Promise<PanelPage>;
  openPopup(): Promise<PopupPage>;
  stopWorker(): Promise<void>;
  /** Ends the browser and starts it again on the same profile. */
  restart(): Promise<void>;
  /** Ends the browser, unless that has happened; resolves with all that went wrong in it. */
  end(): Promise<string[]>;
}

/** Starts Chromium with a build of the extension. */
export async function launchWirescope(options: LaunchOptions): Promise<Wirescope> {
  const { build, profile, theme = 'light', display } = options;
  const folder = `../../.output/chrome-mv3${build === 'granted' ? '-granted' : ''}`;
  const built = fileURLToPath(new URL(folder, import.meta.url));
  if (!existsSync(built)) throw new Error(`Not built: ${built}`);
  // A copy, so that a build made meanwhile pulls no file from under the browser.
  const extension = `${profile}-extension`;
  cpSync(built, extension, { recursive: true });
  const start = () =>
    startChromium({
      extension,
      profile,
      colorScheme: theme,
      ...(display === undefined ? {} : { visibleOn: { ...process.env, DISPLAY: display } }),
    });
  const problems: string[] = [];
  let running: ChromiumBrowser | undefined = await start();
  const current = () => {
    if (running === undefined) throw new Error('The browser has ended.');
    return running;
  };
  const end = async () => {
    const ending = running;
    running = undefined;
    await ending?.close();
    problems.push(...(ending?.problems.found ?? []));
    return problems;
  };
  return {
    get browser() {
      return current();
    },
    profile,
    async openPanel(dock = 'undocked') {
      const page = await current().context.newPage();
      // DevTools needs a page with an address.
      await page.goto('data:text/html,<title>Blank</title><h1>Blank</h1>');
      const { panel } = await openDevtoolsPanel(current(), page, dock);
      return new PanelPage(panel);
    },
    async openPanelTab() {
      const page = await current().context.newPage();
      await page.goto(current().pageUrl('panel.html'));
      return new PanelPage(page);
    },
    openPopup: async () => new PopupPage(await openPopup(current())),
    stopWorker: () => stopWorker(current()),
    async restart() {
      await end();
      running = await start();
    },
    end,
  };
}
