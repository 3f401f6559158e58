import { batch, computed, effect, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { BackgroundFunctions } from '../../port/contract.ts';
import type { Problem } from '../../errors.ts';
import { readProblem } from '../captures/read-problem.ts';
import { LISTS, type Entry, type ListKind } from './server-entries.ts';
import { matches, type Listing } from './server-lists.ts';

/** One kind of what a server lists, and how it is asked for. */
export interface ListModel {
  kind: ListKind;
  listing: ReadonlySignal<Listing>;
  search: Signal<string>;
  /** What the search leaves. */
  shown: ReadonlySignal<readonly Entry[]>;
  /** Asks for one page after the other, until the end of the list or until it is stopped. */
  isLoadingAll: ReadonlySignal<boolean>;
  problem: ReadonlySignal<Problem | undefined>;
  /** Begins the list anew. */
  load(): void;
  /** Begins the list where it was not asked for yet in this connection; called again, it does nothing. */
  loadOnce(): void;
  loadNext(): void;
  /** Begins the list anew where it is not there or has changed, and goes on to its end. */
  loadAll(): void;
  stop(): void;
}

export interface ListModelParts {
  background: Pick<BackgroundFunctions, 'send'>;
  listing: ReadonlySignal<Listing>;
  /** Where it is asked for; undefined while nothing can be sent. */
  connectionId: ReadonlySignal<string | undefined>;
  /** Follow what the server says of changes. */
  follows: ReadonlySignal<boolean>;
}

/** A server that never comes to an end is asked no more than this at one go. */
const MANY_PAGES = 500;
/** A list that changes all the time is asked for no more often than this, in milliseconds. */
const PAUSE_MS = 1000;

/** Creates the model of one list; `stopped` ends what follows by itself. */
export function createListModel(
  kind: ListKind,
  parts: ListModelParts,
  stopped: AbortSignal,
): ListModel {
  const { background, listing, connectionId, follows } = parts;
  const search = signal('');
  const isLoadingAll = signal(false);
  const problem = signal<Problem | undefined>(undefined);
  /** Rows of the list before the request that was sent last; its own row comes after it was sent. */
  const sentAfter = signal<number | undefined>(undefined);
  let pages = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let loadedAt = -Infinity;

  const requestCount = computed(() => listing.value.requestCount);

  function send(cursor: string | undefined): void {
    const target = connectionId.peek();
    if (target === undefined) return;
    batch(() => {
      problem.value = undefined;
      sentAfter.value = requestCount.peek();
    });
    const params = cursor === undefined ? undefined : JSON.stringify({ cursor });
    background.send(target, LISTS[kind].method, params).catch((error: unknown) => {
      batch(() => {
        problem.value = readProblem(error);
        isLoadingAll.value = false;
        sentAfter.value = undefined;
      });
    });
  }

  function load(): void {
    loadedAt = performance.now();
    send(undefined);
  }

  function loadOnce(): void {
    if (loadedAt === -Infinity && requestCount.peek() === 0) load();
  }

  function loadNext(): void {
    const { nextCursor } = listing.peek();
    if (nextCursor !== undefined) send(nextCursor);
  }

  function loadAll(): void {
    const { pages: loaded, changed, nextCursor } = listing.peek();
    pages = 0;
    // What follows by itself must not look before the first request is on its way.
    batch(() => {
      isLoadingAll.value = true;
      if (loaded.length === 0 || changed !== undefined || nextCursor === undefined) load();
      else loadNext();
    });
  }

  // One page leads to the next.
  const endPages = effect(() => {
    const { isLoading, failure, nextCursor } = listing.value;
    if (sentAfter.value !== undefined && requestCount.value > sentAfter.value) {
      sentAfter.value = undefined;
    }
    if (!isLoadingAll.value || isLoading || sentAfter.value !== undefined) return;
    pages += 1;
    const isOver = failure !== undefined || nextCursor === undefined || pages >= MANY_PAGES;
    if (isOver || connectionId.value === undefined) isLoadingAll.value = false;
    else loadNext();
  });
  const endFollowing = effect(() => {
    const { changed, isLoading } = listing.value;
    if (!follows.value || changed === undefined || isLoading || isLoadingAll.value) return;
    if (connectionId.value === undefined || sentAfter.value !== undefined) return;
    clearTimeout(timer);
    const waitMs = Math.max(loadedAt + PAUSE_MS - performance.now(), 0);
    timer = setTimeout(loadAll, waitMs);
  });
  stopped.addEventListener('abort', () => {
    endPages();
    endFollowing();
    clearTimeout(timer);
  });

  return {
    kind,
    listing,
    search,
    shown: computed(() => listing.value.entries.filter((entry) => matches(entry, search.value))),
    isLoadingAll,
    problem,
    load,
    loadOnce,
    loadNext,
    loadAll,
    stop: () => (isLoadingAll.value = false),
  };
}
