import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, expect, type BrowserContext, type Page } from '@playwright/test';
import { answerShownPrompt } from '../e2e/prompt.ts';
import { watchProblems } from '../support/chromium-problems.ts';
import { openPopup } from '../support/chromium.ts';
import { programPath } from '../support/programs.mjs';
import { unpack } from '../support/unpack.ts';
import { checkExported } from './exported.ts';
import type { Stage } from './stage.ts';
import type { Walk } from './walk.ts';

const MESSAGE = 'hello';

/** Walks through Chromium. */
export async function walkChromium(walk: Walk, stage: Stage): Promise<void> {
  const { display, folder } = stage;
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: programPath('chromium'),
    headless: false,
    viewport: null,
    args: ['--window-size=1280,800', '--enable-unsafe-extension-debugging'],
    ignoreDefaultArgs: ['--disable-extensions'],
    env: { ...process.env, DISPLAY: display.name },
  });
  try {
    walk.browser = `Chromium ${context.browser()?.version()}`;
    const problems = watchProblems(context);
    await display.focus();
    await takeSteps(walk, context, stage);
    const [problem] = problems.found;
    if (problem !== undefined) throw new Error(`Chromium: ${problem}`);
  } finally {
    await context.close();
  }
}

async function takeSteps(walk: Walk, context: BrowserContext, stage: Stage): Promise<void> {
  const { display, url } = stage;
  await walk.step('install', 'unpacked from the zip: Chromium installs only what is signed', () =>
    install(context, stage),
  );

  const popup = await walk.step(
    'popup',
    'the Extensions menu, and Wirescope in it',
    async (did) => {
      // A click on the menu and one on the line in it; the browser shows no button of its own at first.
      did.click(2);
      const worker = async () =>
        context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
      const opened = await openPopup({ context, worker });
      await expect(opened.getByRole('textbox', { name: 'MCP endpoint URL' })).toBeFocused();
      return opened;
    },
  );

  await walk.step('URL', 'typed where the focus is, and Enter', async (did) => {
    await display.type(url);
    await expect(popup.getByRole('textbox', { name: 'MCP endpoint URL' })).toHaveValue(url);
    did.key();
    // The prompt takes its place.
    await Promise.all([popup.waitForEvent('close'), display.press('Return')]);
  });

  const again = await walk.step('permission', 'Allow in the browser’s prompt', async (did) => {
    const opening = context.waitForEvent('page', (page) => page.url().includes('/popup.html'));
    let isAnswered = false;
    void opening.then(() => (isAnswered = true));
    // By keys, which reach what no page can; a user clicks.
    did.click();
    await answerShownPrompt(display, 'Allow', async () => !isAnswered);
    return await opening;
  });

  await walk.step('connected', 'the popup is back, and says so', async () => {
    await expect(again.getByRole('list', { name: 'Connections' })).toContainText('connected ·');
  });

  const panel = await walk.firstResult('Explore, Enter, the argument, Enter', async (did) => {
    did.click();
    const [tab] = await Promise.all([
      context.waitForEvent('page', (page) => page.url().includes('/panel.html')),
      again.getByRole('button', { name: 'Explore' }).click(),
    ]);
    await expect(tab.getByRole('listbox', { name: 'Tools' })).toBeFocused();
    did.key();
    await display.press('Return');
    await expect(tab.getByRole('textbox', { name: 'message (required)' })).toBeFocused();
    await display.type(MESSAGE);
    did.key();
    await display.press('Return');
    await expect(tab.getByRole('region', { name: /^Result of/ })).toContainText(`Echo: ${MESSAGE}`);
    return tab;
  });

  await walk.step('capture exported', 'Captures, Export, Export; read and checked', async (did) => {
    did.click(3);
    checkExported(await exportCapture(panel), MESSAGE, `Echo: ${MESSAGE}`);
  });
}

/** Loads the unpacked package, as “Load unpacked” does; its service worker runs afterwards. */
async function install(context: BrowserContext, { archive, folder }: Stage): Promise<void> {
  const extension = join(folder, 'wirescope');
  await unpack(archive, extension);
  const session = await context.browser()?.newBrowserCDPSession();
  const started = context.waitForEvent('serviceworker');
  await session?.send('Extensions.loadUnpacked', { path: extension });
  await started;
  await session?.detach();
}

async function exportCapture(panel: Page): Promise<string> {
  await panel.getByRole('button', { name: 'Captures', exact: true }).click();
  const storage = panel.getByRole('region', { name: 'Captures' });
  await storage
    .getByRole('button', { name: /^Export / })
    .first()
    .click();
  const [download] = await Promise.all([
    panel.waitForEvent('download'),
    storage.getByRole('alertdialog').getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}
