// Runs inside Firefox with the rights of the browser; see `privileged.ts`.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Firefox } from './firefox.ts';

interface Install {
  install(): unknown;
  addListener(listener: Record<string, () => void>): void;
}

interface LocalFile {
  path: string;
  leafName: string;
  isDirectory(): boolean;
  directoryEntries: Iterable<LocalFile>;
}

declare const ChromeUtils: { importESModule<T>(url: string): T };
declare const Cc: Record<string, { createInstance(type: unknown): unknown }>;
declare const Ci: Record<string, { new (): object }>;

/** How far Firefox went with a package: where an extension listens for updates, one of it is put off. */
type Outcome = 'installed' | 'put off';

/** Has Firefox install a build to stay, under a version of its own: a second one is an update of the first. */
export async function installVersion(
  { marionette, profile }: Firefox,
  build: string,
  version: string,
): Promise<Outcome> {
  const folder = join(profile, `wirescope-${version}`);
  cpSync(build, folder, { recursive: true });
  const manifest = join(folder, 'manifest.json');
  const { version: _, ...others } = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, JSON.stringify({ ...others, version }));
  return await marionette.runPrivileged(async (path) => {
    const open = (of: string) => {
      const file = Cc['@mozilla.org/file/local;1']?.createInstance(Ci['nsIFile']);
      (file as { initWithPath(path: string): void }).initWithPath(of);
      return file as LocalFile;
    };
    const folderFile = open(path);
    const archive = open(`${path}.xpi`);
    const writer = Cc['@mozilla.org/zipwriter;1']?.createInstance(Ci['nsIZipWriter']) as {
      open(file: LocalFile, flags: number): void;
      addEntryFile(name: string, compression: number, file: LocalFile, isLater: boolean): void;
      close(): void;
    };
    const CREATE_AND_WRITE = 0x02 | 0x08 | 0x20;
    writer.open(archive, CREATE_AND_WRITE);
    const add = (from: LocalFile, before: string) => {
      for (const file of from.directoryEntries) {
        const name = `${before}${file.leafName}`;
        if (file.isDirectory()) add(file, `${name}/`);
        else writer.addEntryFile(name, 0, file, false);
      }
    };
    add(folderFile, '');
    writer.close();
    const { AddonManager } = ChromeUtils.importESModule<{
      AddonManager: { getInstallForFile(file: LocalFile): Promise<Install> };
    }>('resource://gre/modules/AddonManager.sys.mjs');
    const install = await AddonManager.getInstallForFile(archive);
    return await new Promise<Outcome>((resolve, reject) => {
      install.addListener({
        onInstallEnded: () => resolve('installed'),
        onInstallPostponed: () => resolve('put off'),
        onInstallFailed: () => reject(new Error(`${path} was not installed.`)),
      });
      void install.install();
    });
  }, folder);
}

/** The version of the extension that runs. */
export async function runningVersion({ marionette }: Firefox, id: string): Promise<string> {
  return await marionette.runPrivileged(async (wanted) => {
    const { AddonManager } = ChromeUtils.importESModule<{
      AddonManager: { getAddonByID(id: string): Promise<{ version: string }> };
    }>('resource://gre/modules/AddonManager.sys.mjs');
    return (await AddonManager.getAddonByID(wanted)).version;
  }, id);
}
