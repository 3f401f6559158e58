import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import { isRecord } from '../../record.ts';
import { compareDefinitions, type Definition, type DefinitionChange } from './server-changes.ts';
import { LIST_KINDS, type Entry, type ListKind } from './server-entries.ts';

/** Where what servers listed outlives the page, by URL. */
export interface VisitStore {
  read(url: string): Promise<unknown>;
  write(visit: StoredVisit): Promise<void>;
  forget(url: string): Promise<void>;
}

type Lists = Partial<Record<ListKind, Definition[]>>;

interface Seen {
  /** Wall time, ms. */
  at: number;
  connectionId: string;
  lists: Lists;
}

/** The last visit to a server, and the one before it: a visit is a connection. */
export interface StoredVisit extends Seen {
  url: string;
  before?: Seen;
}

/** What has changed at a server since the visit before this one. */
export interface VisitChanges {
  /** Wall time of that visit, ms. */
  since: number;
  /** Only of lists that were complete both times. */
  changes: { kind: ListKind; change: DefinitionChange }[];
}

/** Remembers what a server lists, and tells what has changed since the last visit. */
export interface Visits {
  /** Something is kept for the next visit. */
  isRemembered: ReadonlySignal<boolean>;
  /** Undefined on the first visit, and until something is known. */
  changes: ReadonlySignal<VisitChanges | undefined>;
  /** Why nothing is remembered, or not all of it. */
  trouble: ReadonlySignal<string | undefined>;
  /** Takes a list that is complete. */
  note(kind: ListKind, entries: readonly Entry[]): void;
  /** Forgets the server; the next list begins anew. */
  forget(): void;
}

/** Definitions beyond this are not worth their room, in UTF-16 units. */
const LIMIT = 2_000_000;

/** Creates the memory of one connection to a server. */
export function createVisits(
  loadStore: (() => Promise<VisitStore>) | undefined,
  visit: { url: string; connectionId: string },
  now: () => number,
): Visits {
  const { url, connectionId } = visit;
  const changes = signal<VisitChanges | undefined>(undefined);
  const trouble = signal<string | undefined>(undefined);
  const isRemembered = signal(false);
  let known: StoredVisit | undefined;
  let store: VisitStore | undefined;
  /** One after the other: each builds on what the one before it has stored. */
  let work: Promise<void> | undefined;

  async function begin(): Promise<void> {
    store = await loadStore?.();
    const stored = readVisit(await store?.read(url));
    if (stored === undefined) known = { url, at: now(), connectionId, lists: {} };
    else if (stored.connectionId === connectionId) known = stored;
    else {
      const { url: _url, before: _before, ...last } = stored;
      known = { url, at: now(), connectionId, lists: {}, before: last };
    }
  }

  async function take(kind: ListKind, definitions: Definition[]): Promise<void> {
    if (known === undefined) await begin();
    if (known === undefined) return;
    known = { ...known, at: now(), lists: { ...known.lists, [kind]: definitions } };
    changes.value = changesOf(known);
    const size = Object.values(known.lists)
      .flat()
      .reduce((sum, { source }) => sum + source.length, 0);
    if (size > LIMIT) {
      trouble.value = 'The definitions are too large to be remembered for the next visit.';
      return;
    }
    await store?.write({ ...known, lists: carried(known) });
    isRemembered.value = store !== undefined;
  }

  function queue(act: () => Promise<void>): void {
    work = (work ?? Promise.resolve()).then(act).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      trouble.value = `What this server lists cannot be remembered: ${reason}`;
    });
  }

  return {
    isRemembered,
    changes,
    trouble,
    note(kind, entries) {
      const definitions = entries.map(({ name, source }) => ({ name, source }));
      queue(() => take(kind, definitions));
    },
    forget() {
      queue(async () => {
        await store?.forget(url);
        known = { url, at: now(), connectionId, lists: {} };
        changes.value = undefined;
        isRemembered.value = false;
      });
    },
  };
}

/** A list that was not asked for this time is remembered as it was. */
function carried({ lists, before }: StoredVisit): Lists {
  return { ...before?.lists, ...lists };
}

function changesOf({ lists, before }: StoredVisit): VisitChanges | undefined {
  if (before === undefined) return undefined;
  const found = LIST_KINDS.flatMap((kind) => {
    const [then, now] = [before.lists[kind], lists[kind]];
    if (then === undefined || now === undefined) return [];
    return compareDefinitions(then, now).map((change) => ({ kind, change }));
  });
  return { since: before.at, changes: found };
}

/** Another version of Wirescope may have written it: what is not understood counts for nothing. */
function readVisit(value: unknown): StoredVisit | undefined {
  const seen = readSeen(value);
  if (seen === undefined || !isRecord(value) || typeof value['url'] !== 'string') return undefined;
  const before = readSeen(value['before']);
  return { url: value['url'], ...seen, ...(before === undefined ? {} : { before }) };
}

function readSeen(value: unknown): Seen | undefined {
  if (!isRecord(value)) return undefined;
  const { at, connectionId, lists } = value;
  if (typeof at !== 'number' || typeof connectionId !== 'string' || !isRecord(lists)) {
    return undefined;
  }
  const read: Lists = {};
  for (const kind of LIST_KINDS) {
    const list = lists[kind];
    if (Array.isArray(list) && list.every(isDefinition)) read[kind] = list;
  }
  return { at, connectionId, lists: read };
}

function isDefinition(value: unknown): value is Definition {
  return (
    isRecord(value) && typeof value['name'] === 'string' && typeof value['source'] === 'string'
  );
}
