import type { Page } from '@playwright/test';
import { median } from './median.ts';
import { scrollTo } from './panel-reading.ts';
import { readChange, watchChange, type Change } from './panel-timing.ts';
import { openPanelSession } from './panel-session.ts';
import { longestTask } from './task-trace.ts';

const SIZES = [1000, 10_000, 100_000];

const ROUNDS = 3;

/** Keys of a filter for rows of one colour, and what part of the rows each leaves. */
const KEYS = [
  { key: 'l', text: 'bl', share: 2 / 5 },
  { key: 'u', text: 'blu', share: 1 / 5 },
  { key: 'Backspace', text: 'bl', share: 2 / 5 },
  { key: 'Backspace', text: 'b', share: 1 },
];

/** What a key in the filter costs, and sorting, by the number of rows that are not grouped. */
export async function benchView(): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const count of SIZES) {
    await using session = await openPanelSession();
    const { page, threads } = session;
    await session.burst(count, 'pour');
    const before = threads.read().panel;
    const { wallMs, cpuMs, result } = await longestTask(session.wirescope.browser, () =>
      filter(page, count),
    );
    const firsts = result.map(({ firstMs }) => firstMs);
    figures[`panel.filterKey${count}Ms`] = median(firsts);
    figures[`panel.filterKey${count}WorstMs`] = Math.max(...firsts);
    figures[`panel.filterKey${count}AllMs`] = median(result.map(({ allMs }) => allMs));
    // Those that write the first letter and take it away count too.
    figures[`panel.filterKey${count}CpuMs`] =
      ((threads.read().panel - before) * 1000) / (result.length + 2);
    figures[`panel.filterKey${count}LongestTaskMs`] = wallMs;
    figures[`panel.filterKey${count}LongestTaskCpuMs`] = cpuMs;
    const sorting = await longestTask(session.wirescope.browser, () => sort(page));
    figures[`panel.sort${count}Ms`] = median(sorting.result.map(({ firstMs }) => firstMs));
    figures[`panel.sort${count}LongestTaskMs`] = sorting.wallMs;
    figures[`panel.sort${count}LongestTaskCpuMs`] = sorting.cpuMs;
  }
  return figures;
}

/** For each key, until the rows in sight are those that it leaves, and until all are. */
async function filter(page: Page, count: number): Promise<Change[]> {
  const box = page.getByRole('combobox', { name: 'Filter' });
  await box.focus();
  const rows = Number(await page.locator('#traffic').getAttribute('aria-rowcount')) - 1;
  const changes: Change[] = [];
  await page.keyboard.press('b');
  for (const { key, text, share } of Array.from({ length: ROUNDS }, () => KEYS).flat()) {
    const expected = { text, rows: share * count, by: 'keydown' } as const;
    await page.evaluate(watchChange, expected);
    await page.keyboard.press(key);
    changes.push(await page.evaluate(readChange));
  }
  await page.keyboard.press('Backspace');
  await page.locator(`#traffic[aria-rowcount="${rows + 1}"]`).waitFor();
  return changes;
}

const ORDERS = ['ascending', 'descending'] as const;

/** By name, which tells the number, up and down: until the rows at the top are in order. */
async function sort(page: Page): Promise<Change[]> {
  const heading = page.locator('#traffic').getByRole('columnheader', { name: 'Name' });
  const changes: Change[] = [];
  await page.evaluate(scrollTo, 0);
  for (const order of Array.from({ length: ROUNDS }, () => ORDERS).flat()) {
    await page.evaluate(watchChange, { order, by: 'click' } as const);
    await heading.getByRole('button').first().click();
    changes.push(await page.evaluate(readChange));
    // The third click brings back the order of the log.
    if (order === 'descending') await heading.getByRole('button').first().click();
  }
  return changes;
}
