import { effect, signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { BackgroundFunctions, ConnectionSummary, RecentServer } from '../port/contract.ts';

/** Servers that were connected before, newest first; asked for again whenever a connection comes up. */
export function loadRecentServers(
  background: Pick<BackgroundFunctions, 'recentServers'>,
  connections: ReadonlySignal<readonly ConnectionSummary[]>,
): ReadonlySignal<readonly RecentServer[]> {
  const servers = signal<readonly RecentServer[]>([]);
  let known = '';

  async function load(): Promise<void> {
    try {
      servers.value = await background.recentServers();
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
  return servers;
}
