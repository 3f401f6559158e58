import type { Rung } from '../../capture/wire-event.ts';
import { withoutSecretParams } from '../profile.ts';

/** A server may be upgraded at any time, and an upgraded one still answers as a legacy client expects. */
const LEGACY_MS = 60 * 60_000;
const KEPT = 200;

/** What the automatic choice has found at an endpoint. */
export interface KnownRung {
  rung: Rung;
  /** Wall time, ms. */
  since: number;
}

/** Where verdicts are kept, by URL. */
export interface EraStore {
  load(): Promise<Record<string, KnownRung>>;
  save(known: Record<string, KnownRung>): Promise<void>;
}

/** Verdicts of the automatic choice by endpoint URL, since one origin can host several servers. */
export interface EraCache {
  /** What is known and has not expired. A store that cannot be read knows nothing. */
  recall(url: string): Promise<KnownRung | undefined>;
  keep(url: string, rung: Rung): Promise<void>;
  drop(url: string): Promise<void>;
}

/** Modern verdicts last, since they fail loudly when they are wrong; legacy ones last an hour. */
export function createEraCache(store: EraStore, now: () => number): EraCache {
  // One change after the other: two connects at once must not overwrite each other.
  let last: Promise<unknown> = Promise.resolve();

  function change(alter: (known: Record<string, KnownRung>) => void): Promise<void> {
    const next = last.then(async () => {
      const known = { ...(await store.load()) };
      alter(known);
      const newest = Object.entries(known)
        .toSorted(([, a], [, b]) => b.since - a.since)
        .slice(0, KEPT);
      await store.save(Object.fromEntries(newest));
    });
    // What cannot be kept is found out again next time.
    last = next.catch(() => undefined);
    return last.then(() => undefined);
  }

  return {
    async recall(url) {
      await last;
      const known = await store.load().catch(() => undefined);
      const found = known?.[withoutSecretParams(url)];
      if (found === undefined || found.rung === 'modern') return found;
      // The clock may have been set back: then nobody knows how old it is.
      return Math.abs(now() - found.since) < LEGACY_MS ? found : undefined;
    },
    keep: (url, rung) =>
      change((known) => (known[withoutSecretParams(url)] = { rung, since: now() })),
    drop: (url) => change((known) => delete known[withoutSecretParams(url)]),
  };
}
