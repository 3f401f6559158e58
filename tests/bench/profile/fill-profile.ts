import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import type { ProfileShape } from './seed.ts';

/** Fills the database of the extension that the page belongs to; resolves with the bytes that are stored. */
export async function fillProfile(page: Page, shape: ProfileShape): Promise<number> {
  await page.evaluate(await bundleSeed());
  return page.evaluate(
    (wanted) =>
      (Reflect.get(globalThis, 'seedProfile') as (shape: ProfileShape) => Promise<number>)(wanted),
    shape,
  );
}

/** What fills it as one script, which needs nothing else. */
async function bundleSeed(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      rollupOptions: {
        input: join(import.meta.dirname, 'seed.ts'),
        output: { format: 'iife' },
      },
    },
  });
  const [bundle] = [built].flat();
  const chunk = bundle !== undefined && 'output' in bundle ? bundle.output[0] : undefined;
  if (chunk === undefined) throw new Error('The script that fills a profile could not be built.');
  return chunk.code;
}
