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
const TRAFFIC = /^(?:Failed to load resource|WebSocket connection to \S+ failed): /;

/** Watches every page and the worker of an extension: console errors, exceptions, CSP violations. */
export function watchProblems(context: BrowserContext): Problems {
  const found = new Set<string>();
  const note = (text: string, where: string) => {
    if (!TRAFFIC.test(text)) found.add(`${text} (${where})`);
  };
  // The panel is a frame in a page of DevTools, whose own errors are not ours.
  const isOurs = (code: string, page: string) =>
    code === '' || code.includes('eval at evaluate')
      ? /^(?:chrome-extension|devtools):/.test(page)
      : code.includes('chrome-extension:');
  context.on('console', (message) => {
    const { url } = message.location();
    const page = message.page()?.url() ?? '';
    if (message.type() === 'error' && isOurs(url, page)) note(message.text(), url || page);
  });
  context.on('weberror', (error) => {
    const { message, stack = '' } = error.error();
    const page = error.page()?.url() ?? '';
    if (isOurs(stack, page)) note(stack || message, page);
  });
  return {
    found,
    async start(extensionId) {
      const page = await openExtensionsPage(context);
      await page.evaluate(async (id) => {
        const { developerPrivate }: DeveloperChrome = Reflect.get(globalThis, 'chrome');
        await developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
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
    updateProfileConfiguration(options: { inDeveloperMode: boolean }): Promise<void>;
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
