import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame, Page } from '@playwright/test';
import { openDevtoolsPanel, startChromium } from '../../support/chromium.ts';
import type { Run } from './hand.ts';
import type { OpenView, View } from './view.ts';

const PAGE = 'data:text/html,<title>Wirescope</title><p>Wirescope is the MCP tab of DevTools.';

async function start(extension: string) {
  const profile = mkdtempSync(join(tmpdir(), 'wirescope-screenshots-'));
  const browser = await startChromium({ extension, profile });
  const page = await browser.context.newPage();
  const close = async () => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { browser, page, close };
}

function runIn(page: Page | Frame): Run {
  return (script, ...args) => page.evaluate(`(${script.toString()})(...${JSON.stringify(args)})`);
}

function setThemeOf(page: Page): View['setTheme'] {
  return (colorScheme) => page.emulateMedia({ colorScheme });
}

/** A tab of Chromium. */
export const openChromium: OpenView = async (extension) => {
  const { browser, page, close } = await start(extension);
  return {
    run: runIn(page),
    goTo: async (file) => {
      await page.goto(browser.pageUrl(file));
    },
    resize: (size) => page.setViewportSize(size),
    setTheme: setThemeOf(page),
    picture: () => page.screenshot(),
    close,
  };
};

/** The DevTools of Chromium in their window, which has the size of the pictures for stores. */
export const openChromiumDevtools: OpenView = async (extension) => {
  const { browser, page, close } = await start(extension);
  await page.goto(PAGE);
  const { devtools, panel } = await openDevtoolsPanel(browser, page, 'undocked');
  return {
    run: runIn(panel),
    goTo: () => Promise.resolve(),
    resize: () => Promise.resolve(),
    setTheme: setThemeOf(devtools),
    picture: () => devtools.screenshot(),
    close,
  };
};
