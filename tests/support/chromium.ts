import { chromium } from '@playwright/test';
import type { BrowserContext, Frame, Page, Worker } from '@playwright/test';
import { programPath } from './programs.mjs';
import { watchProblems } from './chromium-problems.ts';
import type { Problems } from './chromium-problems.ts';

// Playwright then treats a DevTools window as a page. It reads this when it meets one.
process.env['PW_CHROMIUM_ATTACH_TO_OTHER'] = '1';

export interface ChromiumOptions {
  /** Folder of the built extension. */
  extension: string;
  /** Profile folder; it is kept. */
  profile: string;
  /** Environment of a visible browser, which names its display; headless without one. */
  visibleOn?: NodeJS.ProcessEnv;
  colorScheme?: 'light' | 'dark';
}

export interface ChromiumBrowser {
  context: BrowserContext;
  extensionId: string;
  /** Address of a page of the extension. */
  pageUrl(file: string): string;
  /** The running worker. */
  worker(): Promise<Worker>;
  /** Console errors, exceptions and CSP violations of every page and of the worker. */
  problems: Problems;
  close(): Promise<void>;
}

const WINDOW = { width: 1280, height: 800 };

/** Where a panel is docked; `undocked` gives it a window of its own. */
export type Dock = 'bottom' | 'right' | 'undocked';

/** Starts Chromium with the extension loaded. */
export async function startChromium(options: ChromiumOptions): Promise<ChromiumBrowser> {
  const { extension, profile, visibleOn, colorScheme = 'light' } = options;
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: programPath('chromium'),
    headless: visibleOn === undefined,
    // An emulated size would put clicks at the foot of an undocked DevTools outside of its real window.
    viewport: null,
    colorScheme,
    args: [
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
      `--window-size=${WINDOW.width},${WINDOW.height}`,
      '--ozone-platform-hint=auto',
    ],
    ...(visibleOn === undefined ? {} : { env: definedOnly(visibleOn) }),
  });
  const problems = watchProblems(context);
  const worker = async () =>
    context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const extensionId = new URL((await worker()).url()).host;
  await problems.start(extensionId);
  return {
    context,
    extensionId,
    pageUrl: (file) => `chrome-extension://${extensionId}/${file}`,
    worker,
    problems,
    close: async () => {
      await problems.finish(extensionId);
      await context.close();
    },
  };
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** Opens the toolbar popup as a click on the toolbar button would. */
export async function openPopup(
  browser: Pick<ChromiumBrowser, 'context' | 'worker'>,
): Promise<Page> {
  const worker = await browser.worker();
  const [popup] = await Promise.all([
    browser.context.waitForEvent('page', (page) => page.url().includes('/popup.html')),
    worker.evaluate(async () => {
      const { action, windows }: ActionChrome = Reflect.get(globalThis, 'chrome');
      // DevTools in a window of its own has no toolbar.
      const [window] = await windows.getAll({ windowTypes: ['normal'] });
      await action.openPopup({ windowId: window?.id });
    }),
  ]);
  return popup;
}

interface ActionChrome {
  action: { openPopup(options: { windowId: number | undefined }): Promise<void> };
  windows: { getAll(filter: { windowTypes: string[] }): Promise<{ id: number }[]> };
}

/** Opens real DevTools on a page and the extension's panel in it. */
export async function openDevtoolsPanel(
  browser: ChromiumBrowser,
  inspected: Page,
  dock: Dock,
): Promise<{ devtools: Page; panel: Frame }> {
  const { context } = browser;
  const connection = context.browser();
  if (connection === null) throw new Error('The browser is gone.');
  const pageSession = await context.newCDPSession(inspected);
  const { targetInfo } = await pageSession.send('Target.getTargetInfo');
  await pageSession.detach();
  const session = await connection.newBrowserCDPSession();
  const [devtools] = await Promise.all([
    context.waitForEvent('page'),
    session.send('Target.openDevTools', { targetId: targetInfo.targetId }),
  ]);
  await session.detach();
  await devtools.waitForURL(/^devtools:/);
  await showExtensionView(devtools, dock);
  if (dock === 'undocked') await resizeWindow(devtools);
  const frame = await pollFor(() =>
    devtools.frames().find((other) => other.url() === browser.pageUrl('panel.html')),
  );
  return { devtools, panel: frame };
}

async function resizeWindow(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { windowId } = await session.send('Browser.getWindowForTarget');
  await session.send('Browser.setWindowBounds', { windowId, bounds: WINDOW });
  await session.detach();
}

/** Selects our tab by means of DevTools' own view manager, which lists extension panels by origin. */
async function showExtensionView(devtools: Page, dock: Dock): Promise<void> {
  await pollFor(async () => {
    try {
      return await devtools.evaluate(async (side) => {
        const module: string = './ui/legacy/legacy.js';
        const UI = (await import(module)) as LegacyUi;
        const manager = UI.ViewManager.ViewManager.instance();
        const id = [...manager.views.keys()].find((key) => key.startsWith('chrome-extension://'));
        if (id === undefined) return undefined;
        UI.DockController.DockController.instance().setDockSide(side);
        await manager.showView(id);
        return id;
      }, dock);
    } catch {
      // DevTools throws while it is still starting.
      return undefined;
    }
  });
}

interface LegacyUi {
  ViewManager: {
    ViewManager: {
      instance(): { views: Map<string, unknown>; showView(id: string): Promise<void> };
    };
  };
  DockController: { DockController: { instance(): { setDockSide(side: string): void } } };
}

/** Stops the worker as Chromium would; returns once it is gone. */
export async function stopWorker(browser: ChromiumBrowser): Promise<void> {
  const connection = browser.context.browser();
  if (connection === null) throw new Error('The browser is gone.');
  const session = await connection.newBrowserCDPSession();
  const findWorker = async () => {
    const { targetInfos } = await session.send('Target.getTargets');
    return targetInfos.find(
      ({ type, url }) => type === 'service_worker' && url.includes(browser.extensionId),
    );
  };
  const target = await findWorker();
  if (target === undefined) throw new Error('No worker is running.');
  await session.send('Target.closeTarget', { targetId: target.targetId });
  // A page may wake a new one at once, which has the same target id: the old one is gone all the same.
  await session.detach();
}

/** Asks again every 50 ms until there is an answer. */
async function pollFor<T>(read: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = Date.now() + 15_000;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (Date.now() > end) throw new Error(`Gave up waiting for: ${read.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
