import { isSecretHeader } from '../capture/secrets.ts';
import type { RecentServer } from '../port/contract.ts';
import { withoutSecretParams, type Profile } from './profile.ts';

const KEPT = 12;

/** Where the list is kept: on disk, so without secret values. */
export interface RecentServersStore {
  load(): Promise<RecentServer[]>;
  save(servers: RecentServer[]): Promise<void>;
}

export interface RecentServers {
  list(): Promise<RecentServer[]>;
  remember(profile: Profile, name: string | undefined): Promise<void>;
  forget(url: string): Promise<void>;
}

/** Servers that were connected before, newest first. Values of secret headers are left out, their names stay. */
export function createRecentServers(store: RecentServersStore, now: () => number): RecentServers {
  // One change after the other: two connects at once must not overwrite each other.
  let last: Promise<unknown> = Promise.resolve();

  function change(alter: (servers: RecentServer[]) => RecentServer[]): Promise<void> {
    const next = last.then(async () => store.save(alter(await store.load())));
    last = next.catch(() => undefined);
    return next;
  }

  return {
    // What is being remembered just now is part of the answer.
    list: () => last.then(() => store.load()),
    remember: (profile, name) =>
      change((servers) => {
        const url = withoutSecretParams(profile.url);
        const known = servers.find((server) => server.url === url);
        const shown = name ?? known?.name;
        const server: RecentServer = {
          url,
          headers: profile.headers.map((header) =>
            header.secret || isSecretHeader(header.name)
              ? { ...header, value: '', secret: true }
              : header,
          ),
          usedAt: now(),
          ...(shown === undefined ? {} : { name: shown }),
        };
        return [server, ...servers.filter((other) => other.url !== url)].slice(0, KEPT);
      }),
    forget: (url) => change((servers) => servers.filter((server) => server.url !== url)),
  };
}
