import type { BrowserContext, Page } from '@playwright/test';

export interface Problems {
  /** What went wrong so far, one line each. */
  readonly found: ReadonlySet<string>;
  /** Makes Chromium keep the errors of the extension: only so are rejections in the worker seen. */
  start(extensionId: string): Promise<void>;
  /** Adds what Chromium has kept; call it before closing. */
  finish(extensionId: string): Promise<void>;
}

/** The browser's own note that a request failed: the traffic that is being looked at, no error of ours. */
const TRAFFIC = /^Failed to load resource: /;

/** Watches every page and the worker of an extension: console errors, exceptions, CSP violations. */
export function watchProblems(context: BrowserContext): Problems {
  const found = new Set<string>();
  const note = (text: string, where: string) => {
    if (!TRAFFIC.test(text) && where.includes('chrome-extension:')) found.add(`${text} (${where})`);
  };
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    note(message.text(), message.location().url || (message.page()?.url() ?? ''));
  });
  context.on('weberror', (error) => {
    const { message, stack } = error.error();
    note(message, `${error.page()?.url()} ${stack}`);
  });
  return {
    found,
    async start(extensionId) {
      const page = await openExtensionsPage(context);
      await page.evaluate(async (id) => {
        const { developerPrivate }: DeveloperChrome = Reflect.get(globalThis, 'chrome');
        const options = { extensionId: id, errorCollection: true };
        await developerPrivate.updateExtensionConfiguration(options);
      }, extensionId);
      await page.close();
    },
    async finish(extensionId) {
      const page = await openExtensionsPage(context);
      const { manifestErrors, runtimeErrors } = await page.evaluate(async (id) => {
        const { developerPrivate }: DeveloperChrome = Reflect.get(globalThis, 'chrome');
        return await developerPrivate.getExtensionInfo(id);
      }, extensionId);
      await page.close();
      for (const error of manifestErrors) note(error.message, 'chrome-extension: manifest');
      for (const error of runtimeErrors) {
        if (error.severity === 'ERROR') note(error.message, error.source);
      }
    },
  };
}

async function openExtensionsPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto('chrome://extensions');
  return page;
}

/** What Chromium's own page of extensions may call. */
interface DeveloperChrome {
  developerPrivate: {
    updateExtensionConfiguration(options: {
      extensionId: string;
      errorCollection: boolean;
    }): Promise<void>;
    getExtensionInfo(id: string): Promise<{
      manifestErrors: { message: string }[];
      runtimeErrors: { message: string; severity: string; source: string }[];
    }>;
  };
}
