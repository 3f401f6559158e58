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

  function load(): void {
    background.recentServers().then(
      (list) => {
        servers.value = list;
      },
      // Nothing hangs on this list: without it the field simply has no suggestions.
      () => undefined,
    );
  }

  load();
  effect(() => {
    const connected = connections.value
      .filter(({ state }) => state === 'connected')
      .map(({ connectionId }) => connectionId)
      .join(' ');
    if (connected !== known && connected !== '') load();
    known = connected;
  });
  return servers;
}
