import { isSecretHeader } from '../../capture/secrets.ts';
import type { RecentServer, ServerOptions } from '../../port/contract.ts';
import { withoutSecretParams, type Profile } from '../profile.ts';

/** How many are kept that the user has only connected to. */
const KEPT = 12;
/** Members of the options for authorization. */
const PROOF = /^(secret|privateKeyPem|clientSecret|idToken|workloadToken)$/;

/** Where the list is kept: on disk, so without secret values. */
export interface RecentServersStore {
  load(): Promise<RecentServer[]>;
  save(servers: RecentServer[]): Promise<void>;
}

export interface RecentServers {
  list(): Promise<RecentServer[]>;
  remember(profile: Profile, name: string | undefined): Promise<void>;
  keep(servers: RecentServer[]): Promise<void>;
  forget(url: string): Promise<void>;
}

/** Servers that were connected before, newest first. Values that are secret are left out, their names stay. */
export function createRecentServers(store: RecentServersStore, now: () => number): RecentServers {
  // One change after the other: two connects at once must not overwrite each other.
  let last: Promise<unknown> = Promise.resolve();

  function change(alter: (servers: RecentServer[]) => RecentServer[]): Promise<void> {
    const next = last.then(async () => store.save(alter(await store.load())));
    last = next.catch(() => undefined);
    return next;
  }

  /** Puts a server first; what was known of it and is not said now stays. */
  function put(servers: RecentServer[], server: RecentServer): RecentServer[] {
    const url = withoutSecretParams(server.url);
    const known = servers.find((other) => other.url === url);
    const { name = known?.name, isKept = known?.isKept, options } = server;
    const first: RecentServer = {
      url,
      headers: server.headers.map((header) =>
        header.secret || isSecretHeader(header.name)
          ? { ...header, value: '', secret: true }
          : header,
      ),
      usedAt: now(),
      ...(name === undefined ? {} : { name }),
      ...(isKept === undefined ? {} : { isKept }),
      ...(options === undefined ? {} : { options: withoutSecrets(options) }),
    };
    return [first, ...servers.filter((other) => other.url !== url)];
  }

  return {
    // What is being remembered just now is part of the answer.
    list: () => last.then(() => store.load()),
    remember: (profile, name) =>
      change((servers) => {
        const { url, headers, attach: _, probeAgain: __, ...options } = profile;
        const server = {
          url,
          headers,
          options,
          usedAt: 0,
          ...(name === undefined ? {} : { name }),
        };
        let places = KEPT;
        return put(servers, server).filter(({ isKept }) => isKept === true || (places -= 1) >= 0);
      }),
    keep: (added) =>
      change((servers) =>
        added.reduceRight((list, server) => put(list, { ...server, isKept: true }), servers),
      ),
    forget: (url) => change((servers) => servers.filter((server) => server.url !== url)),
  };
}

/** What proves who somebody is goes, who it is stays. That there was something is told by an empty value. */
function withoutSecrets(options: Partial<ServerOptions>): Partial<ServerOptions> {
  return JSON.parse(JSON.stringify(options, (name, value) => (PROOF.test(name) ? '' : value)));
}
