import type { Page } from '@playwright/test';
import { findCapture, readOpening, scrollTo, watchOpening, type Opening } from './panel-reading.ts';
import { openPanelSession, readMemory } from './panel-session.ts';
import { median } from './median.ts';
import type { ChromiumBrowser } from '../support/chromium.ts';
import { watchThreads } from './thread-time.ts';
import { longestTask, type LongestTask } from './task-trace.ts';

const COUNT = 100_000;
const ROUNDS = 3;

/** Opening 100,000 stored events: a capture that is over, and the one that is being recorded. */
export async function benchOpening(): Promise<Record<string, number>> {
  await using session = await openPanelSession();
  const { wirescope } = session;
  await session.burst(COUNT);
  const captureId = await session.page.evaluate(findCapture, COUNT);
  // Pages of an extension share their memory.
  await session.page.close();
  const live = await benchPages(wirescope.browser, 'reopen', '');
  await wirescope.restart();
  const stored = await benchPages(wirescope.browser, 'openCapture', `?capture=${captureId}`);
  return { ...live, ...stored };
}

async function benchPages(browser: ChromiumBrowser, name: string, query: string) {
  const openings: Opening[] = [];
  const used: number[] = [];
  let heapMB = 0;
  const threads = await watchThreads(browser);
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await watchedPage(browser);
    const before = threads.read().panel;
    openings.push(await open(browser, page, query));
    used.push(threads.read().panel - before);
    ({ heapMB } = await readMemory(page));
    await page.close();
  }
  const tasks: { opening: LongestTask; scrolling: LongestTask }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await watchedPage(browser);
    const opening = await longestTask(browser, () => open(browser, page, query));
    tasks.push({ opening, scrolling: await longestTask(browser, () => scroll(page)) });
    await page.close();
  }
  const key = `panel.${name}${COUNT}`;
  return {
    [`${key}.usableMs`]: median(openings.map(({ usableMs }) => usableMs)),
    [`${key}.loadedMs`]: median(openings.map(({ loadedMs }) => loadedMs)),
    [`${key}.cpuSeconds`]: median(used),
    [`${key}.heapMB`]: heapMB,
    [`${key}.longestTaskMs`]: median(tasks.map(({ opening }) => opening.wallMs)),
    [`${key}.longestTaskCpuMs`]: median(tasks.map(({ opening }) => opening.cpuMs)),
    [`${key}.longestTaskScrollingMs`]: median(tasks.map(({ scrolling }) => scrolling.wallMs)),
    [`${key}.longestTaskScrollingCpuMs`]: median(tasks.map(({ scrolling }) => scrolling.cpuMs)),
  };
}

async function watchedPage({ context }: ChromiumBrowser): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(watchOpening, { rows: COUNT, last: `number ${COUNT - 1} of a flood` });
  return page;
}

async function open(browser: ChromiumBrowser, page: Page, query: string): Promise<Opening> {
  await page.goto(browser.pageUrl(`panel.html${query}`));
  return page.evaluate(readOpening);
}

/** Up by the wheel, and anywhere by the scroll bar. */
async function scroll(page: Page): Promise<void> {
  await page.locator('#traffic').hover();
  for (let turn = 0; turn < 60; turn += 1) await page.mouse.wheel(0, -400);
  for (let jump = 0; jump < 40; jump += 1) await page.evaluate(scrollTo, (jump * 0.37) % 1);
}
