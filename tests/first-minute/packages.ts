import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');

/** The package of a browser, as it would be published; it is made where there is none. */
export async function findPackage(browser: 'chrome' | 'firefox'): Promise<string> {
  const made = newest(browser);
  if (made !== undefined) return made;
  console.log(`Making the package for ${browser}…`);
  const wxt = join(ROOT, 'node_modules/.bin/wxt');
  await promisify(execFile)(wxt, ['zip', '-b', browser, '--mode', 'store'], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
  });
  const now = newest(browser);
  if (now === undefined) throw new Error(`\`wxt zip -b ${browser}\` has made no package.`);
  return now;
}

/** One of an older version may lie beside it. */
function newest(browser: string): string | undefined {
  const folder = join(ROOT, '.output');
  const made = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(`-${browser}.zip`))
    .map(({ name }) => join(folder, name));
  return made.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
}
