import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { startChromium } from '../support/chromium.ts';
import type { WorkerBench } from './extension/shared.ts';
import { median } from './median.ts';

const ROUNDS = 5;
const EVENTS = 40_000;
const SOURCES = join(import.meta.dirname, 'extension');

const MANIFEST = {
  manifest_version: 3,
  name: 'Benchmark',
  version: '1',
  background: { service_worker: 'worker.js', type: 'module' },
};

/** Events of 1 KB a second in the worker of a real Chromium: into IndexedDB, and over a port to a page. */
export async function benchWorker(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'wirescope-bench-'));
  const extension = join(folder, 'extension');
  await buildBench(extension);
  const browser = await startChromium({ extension, profile: join(folder, 'profile') });
  try {
    const page = await browser.context.newPage();
    await page.goto(browser.pageUrl('page.html'));
    await page.waitForFunction(() => document.title === 'live');
    const worker = await browser.worker();
    const measure = (name: keyof WorkerBench) =>
      worker.evaluate(
        ([of, count]) => (Reflect.get(globalThis, 'bench') as WorkerBench)[of](count),
        [name, EVENTS] as const,
      );
    const rates = { stored: [] as number[], ported: [] as number[] };
    // The first round of each warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      rates.stored.push(await measure('recordedEvents'));
      rates.ported.push(await measure('portedEvents'));
    }
    return {
      'storage.eventsPerSecond': median(rates.stored.slice(1)),
      'port.messagesPerSecond': median(rates.ported.slice(1)),
    };
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function buildBench(outDir: string): Promise<void> {
  mkdirSync(outDir, { recursive: true });
  await build({
    configFile: false,
    logLevel: 'warn',
    root: SOURCES,
    build: {
      outDir,
      emptyOutDir: false,
      minify: true,
      modulePreload: false,
      rollupOptions: {
        input: { worker: join(SOURCES, 'worker.ts'), page: join(SOURCES, 'page.ts') },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  writeFileSync(join(outDir, 'manifest.json'), JSON.stringify(MANIFEST));
  const head = '<!doctype html><meta charset="utf-8"><title>bench</title>';
  writeFileSync(join(outDir, 'page.html'), `${head}<script type="module" src="page.js"></script>`);
}
