// Makes the packages again from the sources package, elsewhere: they must be the same, byte by byte.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unpack } from '../support/unpack.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The hashes of all packages of a folder, by name. */
async function readHashes(folder: string): Promise<Map<string, string>> {
  const output = join(folder, '.output');
  const hashes = new Map<string, string>();
  for (const name of await readdir(output)) {
    if (!name.endsWith('.zip')) continue;
    const bytes = await readFile(join(output, name));
    hashes.set(name, createHash('sha256').update(bytes).digest('hex'));
  }
  return hashes;
}

const made = await readHashes(ROOT);
const sources = [...made.keys()].find((name) => name.endsWith('-sources.zip'));
if (sources === undefined) throw new Error('There are no packages: run `npm run zip` first.');
const folder = await mkdtemp(join(tmpdir(), 'wirescope-sources-'));
try {
  await unpack(join(ROOT, '.output', sources), folder);
  // What `npm ci` would put there.
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await promisify(execFile)('npm', ['run', '-s', 'zip'], {
    cwd: folder,
    // The time of day of the machine must not show.
    env: { ...process.env, TZ: 'Pacific/Auckland' },
    maxBuffer: 64 * 1024 * 1024,
  });
  const again = await readHashes(folder);
  const same = [...made].filter(([name, hash]) => again.get(name) === hash);
  for (const [name, hash] of made) {
    console.log(`${hash.slice(0, 16)}  ${name}${again.get(name) === hash ? '' : '  DIFFERS'}`);
  }
  console.log(`${same.length} of ${made.size} packages are the same when made again from sources`);
  process.exitCode = same.length === 3 && made.size === 3 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
