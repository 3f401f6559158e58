import { effect, signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { BackgroundFunctions, ConnectionSummary, RecentServer } from '../../port/contract.ts';

/** Servers that were connected before. */
export interface RecentServers {
  /** Newest first; asked for again whenever a connection comes up. */
  list: ReadonlySignal<readonly RecentServer[]>;
  forget(url: string): void;
}

/** Loads the list and keeps it up to date. */
export function loadRecentServers(
  background: Pick<BackgroundFunctions, 'recentServers' | 'forgetServer'>,
  connections: ReadonlySignal<readonly ConnectionSummary[]>,
): RecentServers {
  const list = signal<readonly RecentServer[]>([]);
  let known = '';

  async function load(): Promise<void> {
    try {
      list.value = await background.recentServers();
    } catch {
      // Nothing hangs on this list: without it there are no suggestions.
    }
  }

  // Here and below: a failure is dealt with where it happens.
  void load();
  effect(() => {
    const connected = connections.value
      .filter(({ state }) => state === 'connected')
      .map(({ connectionId }) => connectionId)
      .join(' ');
    if (connected !== known && connected !== '') void load();
    known = connected;
  });
  return {
    list,
    forget(url) {
      list.value = list.value.filter((server) => server.url !== url);
      // Whatever became of it: what is shown next is what is stored.
      void background.forgetServer(url).then(load, load);
    },
  };
}
