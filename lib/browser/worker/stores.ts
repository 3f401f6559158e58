import { browser } from 'wxt/browser';
import type { UnstoredRange } from '../../capture/recorder.ts';
import type { SessionLog } from '../../capture/store/log.ts';
import { DEFAULT_LIMIT_BYTES } from '../../capture/store/retention-plan.ts';
import type { HeldSecrets, SecretKeeper } from '../../capture/secrets.ts';
import type { Wish } from '../../connection/wishes/wishes.ts';
import type { EraStore, KnownRung } from '../../connection/connect/era-cache.ts';
import type { RecentServersStore } from '../../connection/wishes/recent-servers.ts';
import type { RecentServer } from '../../port/contract.ts';

/** What is kept under a key, of the type with which it was saved. */
async function read<T>(area: 'session' | 'local', key: string): Promise<T | undefined> {
  return (await browser.storage[area].get(key))[key] as T | undefined;
}

/** Secrets in `storage.session`: they survive the worker, never the browser, and are never on disk. */
export const sessionSecrets: SecretKeeper = {
  load: () => read<HeldSecrets>('session', 'secrets'),
  save(held) {
    // At worst a value shows as no longer held after a restart of the worker.
    browser.storage.session.set({ secrets: held }).catch(() => undefined);
  },
};

/** Wishes hold header values, so they stay in memory too, and so do the profiles of what is open. */
export const sessionWishes = {
  loadWishes: async () => (await read<Wish[]>('session', 'wishes')) ?? [],
  saveWishes: (wishes: Wish[]): Promise<void> => browser.storage.session.set({ wishes }),
  loadOpen: async () => (await read<Wish[]>('session', 'open')) ?? [],
  saveOpen: (open: Wish[]): Promise<void> => browser.storage.session.set({ open }),
};

/** Recent servers in `storage.local`, without secret values. */
export const localRecentServers: RecentServersStore = {
  load: async () => (await read<RecentServer[]>('local', 'recentServers')) ?? [],
  save: (recentServers) => browser.storage.local.set({ recentServers }),
};

/** What the automatic choice has found, in `storage.local`: URLs without secrets. */
export const localEras: EraStore = {
  load: async () => (await read<Record<string, KnownRung>>('local', 'eras')) ?? {},
  save: (eras) => browser.storage.local.set({ eras }),
};

/** In `storage.session`, as the secrets are. */
export const sessionLog: SessionLog = {
  async load() {
    const [captureId, unstored] = await Promise.all([
      read<string>('session', 'captureId'),
      read<UnstoredRange>('session', 'unstored'),
    ]);
    return { captureId, unstored };
  },
  saveCapture(captureId: string): void {
    // At worst the next life of the worker begins a capture of its own.
    browser.storage.session.set({ captureId }).catch(() => undefined);
  },
  saveUnstored(unstored: UnstoredRange | undefined): void {
    const saved =
      unstored === undefined
        ? browser.storage.session.remove('unstored')
        : browser.storage.session.set({ unstored });
    // At worst a loss is not named, should the browser stop the worker now.
    saved.catch(() => undefined);
  },
};

/** What recordings may take, in `storage.local`. */
export const localLimit = {
  loadLimit: async () => (await read<number>('local', 'storageLimitBytes')) ?? DEFAULT_LIMIT_BYTES,
  saveLimit: (storageLimitBytes: number): Promise<void> =>
    browser.storage.local.set({ storageLimitBytes }),
};
