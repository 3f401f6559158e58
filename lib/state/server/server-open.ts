import { batch, effect, signal, untracked } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { ConnectionSummary } from '../../port/contract.ts';
import type { FeedStatus } from '../../port/feed.ts';
import { LIST_KINDS, LISTS, type ListKind } from './server-entries.ts';
import type { ServerIdentity } from './server-identity.ts';
import type { ServerTab, ServerView } from './server-model.ts';

interface OpenParts {
  isOpen: ReadonlySignal<boolean>;
  /** A list that was asked for may stand in what is still being read. */
  feed: ReadonlySignal<FeedStatus>;
  connections: ReadonlySignal<readonly ConnectionSummary[]>;
  live: ReadonlySignal<ConnectionSummary | undefined>;
  view: ReadonlySignal<ServerView | undefined>;
  tab: Signal<ServerTab>;
}

interface Opening {
  /** Shows the first kind that the server of a connection lists, as soon as it is known what it offers. */
  showFirst(connectionId: string): void;
  stop(): void;
}

/**
 * Asks for what the user opens: the first page of the tools with the screen, and that of each other list with its
 * tab. Once in a connection, and only for what the server says it offers.
 */
export function openLists(parts: OpenParts): Opening {
  const { isOpen, feed, connections, live, view, tab } = parts;
  const sought = signal<string | undefined>(undefined);

  const endSeeking = effect(() => {
    const shown = view.value;
    const identity = shown?.identity.value;
    const isThere = connections.value.some(({ connectionId }) => connectionId === sought.value);
    // A page may be opened again when the connection that its address names is long gone.
    const isFound =
      shown?.connectionId === sought.value || (feed.value.kind === 'live' && !isThere);
    if (sought.value === undefined || identity === undefined || !isFound) return;
    batch(() => {
      sought.value = undefined;
      tab.value = LIST_KINDS.find((kind) => offersList(identity, kind)) ?? 'overview';
    });
  });

  const endAsking = effect(() => {
    const shown = view.value;
    const { connectionId, state } = live.value ?? {};
    if (!isOpen.value || feed.value.kind !== 'live' || state !== 'connected') return;
    if (shown?.connectionId !== connectionId || sought.value !== undefined) return;
    const identity = shown?.identity.value;
    const opened = tab.value;
    untracked(() => {
      for (const kind of LIST_KINDS) {
        if (kind !== 'tools' && kind !== opened) continue;
        if (offersList(identity, kind)) shown?.lists[kind].loadOnce();
      }
    });
  });

  return {
    showFirst(connectionId) {
      batch(() => {
        sought.value = connectionId;
        tab.value = 'tools';
      });
    },
    stop() {
      endSeeking();
      endAsking();
    },
  };
}

/** Whether a server says that it has lists of this kind; not while it has not introduced itself. */
export function offersList(identity: ServerIdentity | undefined, kind: ListKind): boolean {
  return identity?.capabilities.some(({ name }) => name === LISTS[kind].capability) ?? false;
}
