import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const KEYS = new Map([
  ['Panel, first load', 'size.panelKB'],
  ['Worker', 'size.workerKB'],
  ['Popup', 'size.popupKB'],
]);

/** What users download, and what of it each part loads, compressed; in kB. */
export async function benchSizes(): Promise<Record<string, number>> {
  await run('wxt', ['zip', '-b', 'chrome', '--mode', 'store']);
  const output = join(ROOT, '.output');
  const zip = readdirSync(output).find((name) => name.endsWith('-chrome.zip'));
  if (zip === undefined) throw new Error('There is no zip file.');
  await run('wxt', ['build', '-b', 'chrome']);
  const sizes = JSON.parse(await run('size-limit', ['--json'])) as {
    name: string;
    size: number;
  }[];
  const figures: Record<string, number> = {};
  for (const { name, size } of sizes) {
    const key = KEYS.get(name);
    if (key !== undefined) figures[key] = size / 1000;
  }
  return { ...figures, 'size.zipKB': statSync(join(output, zip)).size / 1000 };
}

async function run(program: string, args: string[]): Promise<string> {
  try {
    const file = join(ROOT, 'node_modules/.bin', program);
    const { stdout } = await promisify(execFile)(file, args, { cwd: ROOT });
    return stdout;
  } catch (error) {
    // What is too large is told all the same.
    if (program === 'size-limit' && error instanceof Error && 'stdout' in error) {
      return String(error.stdout);
    }
    throw error;
  }
}
