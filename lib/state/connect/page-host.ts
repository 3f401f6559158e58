import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { ConnectionSummary, RecentServer } from '../../port/contract.ts';
import { isOver } from './connection-state.ts';

/** Tells the URL of the page that DevTools is open on, and each that it goes to, until the result is called. */
export type WatchInspected = (listener: (url: string | undefined) => void) => () => void;

/** The page that DevTools is open on. */
export interface PageHost {
  /** Its host, as far as it is known and a server may be there. */
  name: ReadonlySignal<string | undefined>;
  /** Follows the page until the result is called. */
  follow(): () => void;
}

/** Creates it, with nothing known of the page. */
export function createPageHost(watchInspected: WatchInspected): PageHost {
  const name = signal<string>();
  return {
    name,
    follow: () =>
      watchInspected((url = '') => {
        // Pages of the browser, of extensions and of files have names that are no hosts.
        name.value = /^https?:/.test(url) ? URL.parse(url)?.hostname : undefined;
      }),
  };
}

/** Servers that were connected before, on the host of a page or below or above it. */
export function serversOf(
  host: string | undefined,
  servers: readonly RecentServer[],
): RecentServer[] {
  if (host === undefined) return [];
  return servers.filter(({ url }) => {
    const other = URL.parse(url)?.hostname ?? '';
    return other === host || other.endsWith(`.${host}`) || host.endsWith(`.${other}`);
  });
}

/** Those of them that are worth a word: neither connected to, nor typed already. */
export function suggestedServers(
  servers: readonly RecentServer[],
  connections: readonly ConnectionSummary[],
  typed: string,
): RecentServer[] {
  const open = connections.filter((connection) => !isOver(connection)).map(({ url }) => url);
  return servers.filter(({ url }) => url !== typed.trim() && !open.includes(url));
}
