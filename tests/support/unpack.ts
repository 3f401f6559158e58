import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzip } from '../../lib/har/read/unzip.ts';

/** Unpacks a zip into a folder. */
export async function unpack(archive: string, folder: string): Promise<void> {
  for (const [name, bytes] of await unzip(new Uint8Array(await readFile(archive)))) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
}
