import type { CDPSession, Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchWirescope, type Wirescope } from '../e2e/wirescope.ts';
import { countNodes, readRowsInSight, scrollTo, sendAndSettle } from './panel-reading.ts';
import { startBenchServer } from './start-server.ts';
import { watchThreads, type ThreadTimes, type ThreadWatch } from './thread-time.ts';

/** So often a table is looked at between its ends. */
const STEPS = 20;

/** A panel of its own browser, connected to a server of its own. */
export interface PanelSession extends AsyncDisposable {
  wirescope: Wirescope;
  page: Page;
  threads: ThreadWatch;
  /** Number of rows now. */
  rows(): Promise<number>;
  /** Writes the call of a tool into the form; the page presses the button by itself. */
  prepare(tool: string, count: number): Promise<void>;
  /**
   * So many notifications in one stream, until all rows are there: in that of their call, and so in its group, or
   * in the standalone one.
   */
  burst(count: number, tool?: 'flood' | 'pour'): Promise<{ settledMs: number; used: ThreadTimes }>;
}

/** Opens a browser with the panel in a tab, connected and at rest. */
export async function openPanelSession(): Promise<PanelSession> {
  const folder = mkdtempSync(join(tmpdir(), 'wirescope-bench-'));
  const server = await startBenchServer();
  const wirescope = await launchWirescope({ build: 'granted', profile: join(folder, 'profile') });
  const panel = await wirescope.openPanelTab();
  const { page } = panel;
  await panel.choose('Transport', 'Streamable HTTP, legacy');
  await panel.connectAndWait(`${server.url}/stream`);
  await panel.rows('GET stream', 'open').waitFor();
  const threads = await watchThreads(wirescope.browser);
  const rows = async () => Number(await page.locator('#traffic').getAttribute('aria-rowcount')) - 1;

  async function prepare(tool: string, count: number): Promise<void> {
    const method = page.getByLabel('Method', { exact: true });
    if (!(await method.isVisible())) await panel.button('Send a request').click();
    await method.fill('tools/call');
    const params = JSON.stringify({ name: tool, arguments: { count } });
    await panel.write(page.getByRole('textbox', { name: 'Params (JSON)' }), params);
    await threads.calm();
  }

  return {
    wirescope,
    page,
    threads,
    rows,
    prepare,
    async burst(count, tool = 'flood') {
      await prepare(tool, count);
      const whole = { rows: (await rows()) + 1 + count, last: `number ${count - 1} of a flood` };
      const before = threads.read();
      const settledMs = await page.evaluate(sendAndSettle, whole);
      await threads.calm();
      const after = threads.read();
      const used = {
        panel: after.panel - before.panel,
        worker: after.worker - before.worker,
      };
      return { settledMs, used };
    },
    async [Symbol.asyncDispose]() {
      server[Symbol.dispose]();
      const problems = await wirescope.end();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      if (problems.length > 0) throw new Error(`The browser complains: ${problems.join('\n')}`);
    },
  };
}

/** Fails unless all rows of a flood can be got at: the first by Home, the last by End, others by scrolling. */
export async function expectEveryRow(page: Page, count: number): Promise<void> {
  const table = page.locator('#traffic');
  const rows = Number(await table.getAttribute('aria-rowcount')) - 1;
  for (let step = 0; step <= STEPS; step += 1) {
    await page.evaluate(scrollTo, step / STEPS);
    const seen = await page.evaluate(readRowsInSight);
    const numbers = seen.flatMap(({ text }) => {
      const number = /number (\d+) of a flood/.exec(text)?.[1];
      return number === undefined ? [] : [Number(number)];
    });
    const isInOrder = numbers.every((number, at) => number === (numbers[0] ?? 0) + at);
    // Few other rows stand before them, or between.
    const about = ((seen[0]?.index ?? 0) / rows) * count;
    const isThere = Math.abs((numbers[0] ?? -1) - about) < 100;
    if (isInOrder && isThere && numbers.length > 10) continue;
    throw new Error(`Rows are missing among these: ${seen.map(({ text }) => text).join('\n')}`);
  }
  await table.focus();
  for (const [key, index] of [
    ['Home', 2],
    ['End', rows + 1],
  ] as const) {
    await table.press(key);
    const isThere = async () =>
      (await page.evaluate(readRowsInSight)).some((row) => row.index === index);
    for (let look = 0; !(await isThere()); look += 1) {
      if (look > 100) throw new Error(`${key} shows no row ${index}.`);
    }
  }
}

/** What a page costs once its garbage is collected: megabytes of values and of their bytes, and nodes. */
export async function readMemory(
  page: Page,
): Promise<{ heapMB: number; nodes: number; elements: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await heapUsage(session);
  await session.detach();
  return { heapMB: (usedSize + backingStorageSize) / 1e6, ...(await page.evaluate(countNodes)) };
}

/** Playwright's protocol does not know of the size of bytes yet, which the browser tells. */
async function heapUsage(session: CDPSession) {
  const usage: { usedSize: number; backingStorageSize?: number } =
    await session.send('Runtime.getHeapUsage');
  return { backingStorageSize: 0, ...usage };
}
