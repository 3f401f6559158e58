import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds the extension; resolves with the folder. `granted` lists host patterns that the build holds from
 * the start. Rejects with the builder's own words.
 */
export async function buildExtension(
  mode: string,
  granted: string[],
  browser: 'chromium' | 'firefox' = 'chromium',
): Promise<string> {
  const target = browser === 'chromium' ? 'chrome' : browser;
  const wxt = fileURLToPath(new URL('../../node_modules/.bin/wxt', import.meta.url));
  const child = spawn(wxt, ['build', '-b', target, '--mode', mode], {
    cwd: root,
    env: { ...process.env, WIRESCOPE_GRANT: granted.join(',') },
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`The extension could not be built.\n${output}`);
  return fileURLToPath(new URL(`../../.output/${target}-mv3-${mode}`, import.meta.url));
}
