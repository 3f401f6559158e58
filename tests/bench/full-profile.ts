import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchWirescope, type Wirescope } from '../e2e/wirescope.ts';
import { median } from './median.ts';
import { fillProfile } from './profile/fill-profile.ts';
import type { ProfileShape } from './profile/seed.ts';

const ROUNDS = 5;
const PATIENCE_MS = 300_000;
/** More than is stored: what is measured is not to be deleted for it. */
const LIMIT_BYTES = 5_000_000_000;

/** 1.1 GB in 607 captures. */
const SHAPE: ProfileShape = {
  empty: 200,
  small: { count: 400, bytes: 750_000 },
  streams: { count: 3, events: 100_000 },
  bodies: { count: 4, bodies: 8, bytes: 13_000_000 },
};

/**
 * What a profile full of captures costs: each as a ratio to an empty one. Nothing that is done with one capture, or
 * with what is live, should know how many there are.
 */
export async function benchFullProfile(): Promise<Record<string, number>> {
  const empty = await measureProfile();
  const full = await measureProfile(SHAPE);
  return {
    'profile.storedGB': full.storedGB,
    'profile.panelOpenRatio': full.panelOpenMs / empty.panelOpenMs,
    'profile.popupOpenRatio': full.popupOpenMs / empty.popupOpenMs,
    'profile.workerStartRatio': full.workerStartMs / empty.workerStartMs,
    'profile.capturesFirstSeconds': full.countedMs / 1000,
    'profile.capturesListedMs': full.listedMs,
    'profile.capturesListedRatio': full.listedMs / empty.listedMs,
    'profile.deleted200Seconds': full.deletedMs / 1000,
  };
}

async function measureProfile(shape?: ProfileShape) {
  const folder = mkdtempSync(join(tmpdir(), 'wirescope-bench-'));
  const wirescope = await launchWirescope({ build: 'granted', profile: join(folder, 'profile') });
  try {
    const storedGB = shape === undefined ? 0 : await fill(wirescope, shape);
    await wirescope.restart();
    const workerStartMs = await timed(() => openLive(wirescope));
    const panelOpenMs = await rounds(() => openLive(wirescope));
    const popupOpenMs = await rounds(async () => {
      const popup = await wirescope.openPopup();
      await popup.url.waitFor();
      await popup.page.close();
    });
    const panel = await wirescope.openPanelTab();
    const list = async () => {
      await panel.button('Captures').click();
      await panel.captures.first().waitFor();
    };
    const close = async () => {
      await panel.page.keyboard.press('Escape');
      await panel.storage.waitFor({ state: 'hidden' });
    };
    await list();
    const noTraffic = panel.storage.getByText('hold no traffic');
    const uncounted = panel.captures.filter({ hasText: '…' });
    const countedMs = await timed(async () => {
      if (shape === undefined) return;
      await noTraffic.waitFor({ timeout: PATIENCE_MS });
      await uncounted.first().waitFor({ state: 'detached', timeout: PATIENCE_MS });
    });
    await close();
    const listedMs = await rounds(async () => {
      await list();
      await close();
    });
    const deletedMs = await timed(async () => {
      if (shape === undefined) return;
      await list();
      await panel.button('Delete them').click();
      await close();
      await panel.rows('Deleted: ').first().waitFor();
      await panel.page.waitForFunction(isLeft, SHAPE, { timeout: PATIENCE_MS });
    });
    return { storedGB, workerStartMs, panelOpenMs, popupOpenMs, countedMs, listedMs, deletedMs };
  } finally {
    await wirescope.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function fill({ browser }: Wirescope, shape: ProfileShape): Promise<number> {
  const page = await browser.context.newPage();
  await page.goto(browser.pageUrl('grant.html'));
  await page.evaluate((storageLimitBytes) => {
    const { storage }: { storage: { local: { set(items: object): Promise<void> } } } = Reflect.get(
      globalThis,
      'chrome',
    );
    return storage.local.set({ storageLimitBytes });
  }, LIMIT_BYTES);
  const storedBytes = await fillProfile(page, shape);
  await page.close();
  return storedBytes / 1e9;
}

async function openLive(wirescope: Wirescope): Promise<void> {
  const panel = await wirescope.openPanelTab();
  await panel.capture.filter({ hasText: 'stored on disk' }).waitFor();
  await panel.page.close();
}

/** Whether no more captures are stored than those with traffic, and those of this browser. Runs in the page. */
async function isLeft({ small, streams, bodies }: ProfileShape): Promise<boolean> {
  const answer = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(new Error(String(request.error))));
    });
  const database = await answer(indexedDB.open('wirescope'));
  const count = await answer(database.transaction('captures').objectStore('captures').count());
  database.close();
  return count <= small.count + streams.count + bodies.count + 2;
}

async function rounds(act: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(act));
  return median(times);
}

async function timed(act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}
