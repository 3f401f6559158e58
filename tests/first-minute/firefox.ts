import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { startFirefox, type Firefox } from '../firefox/firefox.ts';
import { followPopup, readErrors, saveDownloadsTo } from '../firefox/privileged.ts';
import { placeInBrowser, placeInPage, takeFocusAsUsual } from '../firefox/screen.ts';
import type { Display } from '../support/xvfb.ts';
import { checkExported } from './exported.ts';
import type { Stage } from './stage.ts';
import type { Walk } from './walk.ts';

const WAIT = { timeout: 10_000, intervals: [20] };
const MESSAGE = 'hello';
const TOOLBAR_BUTTON = '.webextension-browser-action[id$="-BAP"]';
const ALLOW = '#addon-webext-permissions-notification .popup-notification-primary-button';
/** What is asked for too soon is ignored, lest a click be meant for the page. */
const PROMPT_MS = 500;

/** Walks through Firefox. */
export async function walkFirefox(walk: Walk, stage: Stage): Promise<void> {
  const { display, folder } = stage;
  const downloads = join(folder, 'downloads');
  mkdirSync(downloads);
  const firefox = await startFirefox(undefined, display.name);
  try {
    const version = await firefox.marionette.run(() => navigator.userAgent.split('/').at(-1));
    walk.browser = `Firefox ${version}`;
    await takeFocusAsUsual(firefox);
    await saveDownloadsTo(firefox, downloads);
    await display.focus();
    await takeSteps(walk, firefox, stage, downloads);
    const [problem] = await readErrors(firefox);
    if (problem !== undefined) throw new Error(`Firefox: ${problem}`);
  } finally {
    await firefox.quit();
  }
}

async function takeSteps(
  walk: Walk,
  firefox: Firefox,
  { archive, display, url }: Stage,
  downloads: string,
): Promise<void> {
  const { marionette } = firefox;
  const focused = () =>
    marionette.run(() => (document.hasFocus() ? document.activeElement?.ariaLabel : undefined));

  await walk.step('install', 'the zip itself, as a temporary add-on', () =>
    firefox.install(archive),
  );

  await walk.step('popup', 'the button in the toolbar', async (did) => {
    did.click();
    await clickInBrowser(firefox, display, TOOLBAR_BUTTON);
    await followPopup(firefox);
    await expect.poll(focused, WAIT).toBe('MCP endpoint URL');
  });

  await walk.step('URL', 'typed where the focus is, and Enter', async (did) => {
    await display.type(url);
    const typed = () => marionette.run(() => document.querySelector('input')?.value);
    await expect.poll(typed, WAIT).toBe(url);
    did.key();
    await display.press('Return');
    await expect.poll(() => placeInBrowser(firefox, ALLOW), WAIT).toBeDefined();
  });

  await walk.step('permission', 'Allow in the browser’s prompt', async (did) => {
    did.click();
    const shownAt = performance.now();
    await expect.poll(() => performance.now() - shownAt, WAIT).toBeGreaterThan(PROMPT_MS);
    await clickInBrowser(firefox, display, ALLOW);
    await expect.poll(() => placeInBrowser(firefox, ALLOW), WAIT).toBeUndefined();
  });

  await walk.step('connected', 'the popup is still there, and says so', async () => {
    const connections = () => marionette.text('[aria-label="Connections"]');
    await expect.poll(connections, WAIT).toContain('connected ·');
  });

  await walk.firstResult('Explore, Enter, the argument, Enter', async (did) => {
    const known = await marionette.command<string[]>('WebDriver:GetWindowHandles');
    did.click();
    await clickInPage(firefox, display, '//button[normalize-space()="Explore"]');
    const findTab = async () =>
      (await marionette.command<string[]>('WebDriver:GetWindowHandles')).find(
        (handle) => !known.includes(handle),
      );
    await expect.poll(findTab, WAIT).toBeDefined();
    await marionette.command('WebDriver:SwitchToWindow', { handle: await findTab() });
    await expect.poll(focused, WAIT).toBe('Tools');
    did.key();
    await display.press('Return');
    const field = () => marionette.run(() => document.activeElement?.localName);
    await expect.poll(field, WAIT).toBe('input');
    await display.type(MESSAGE);
    did.key();
    await display.press('Return');
    const result = () => marionette.text('[aria-label^="Result of"]');
    await expect.poll(result, WAIT).toContain(`Echo: ${MESSAGE}`);
  });

  await walk.step('capture exported', 'Captures, Export, Export; read and checked', async (did) => {
    did.click(3);
    await clickInPage(firefox, display, '//button[normalize-space()="Captures"]');
    await clickInPage(firefox, display, '//button[starts-with(@aria-label, "Export ")]');
    const dialog = '//*[@role="alertdialog"]';
    await clickInPage(firefox, display, `${dialog}//button[normalize-space()="Export"]`);
    checkExported(await readSaved(downloads), MESSAGE, `Echo: ${MESSAGE}`);
  });
}

/** Clicks a part of the browser itself with the mouse, as soon as it is where it stays. */
async function clickInBrowser(firefox: Firefox, display: Display, selector: string): Promise<void> {
  await clickWhenAtRest(display, selector, () => placeInBrowser(firefox, selector));
}

/** Clicks in the page in front. */
async function clickInPage(firefox: Firefox, display: Display, xpath: string): Promise<void> {
  await clickWhenAtRest(display, xpath, () => placeInPage(firefox, xpath));
}

async function clickWhenAtRest(
  display: Display,
  what: string,
  find: () => Promise<{ x: number; y: number } | undefined>,
): Promise<void> {
  let last: { x: number; y: number } | undefined;
  const isAtRest = async () => {
    const before = last;
    last = await find();
    return last !== undefined && last.x === before?.x && last.y === before.y;
  };
  await expect.poll(isAtRest, { ...WAIT, message: `${what} is there` }).toBe(true);
  await display.click(Math.round(last?.x ?? 0), Math.round(last?.y ?? 0));
}

/** The only file of a folder, once all of it is there. */
async function readSaved(folder: string): Promise<string> {
  const read = () => {
    const [name] = readdirSync(folder).filter((each) => each.endsWith('.har'));
    return name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
  };
  await expect.poll(() => read().endsWith(']}}\n'), { ...WAIT, message: 'the file' }).toBe(true);
  return read();
}
