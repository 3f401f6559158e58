import { batch, computed, effect, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { RequestItem } from '../../capture/correlate/items.ts';
import { isMessageHeld, recordedText } from '../../capture/correlate/socket-record.ts';
import type { ConnectionSummary } from '../../port/contract.ts';
import type { AppModel } from '../app-model.ts';
import { canSend } from '../connect/connection-state.ts';
import { listChoices, type ServerChoice } from './server-choices.ts';
import { createCallDesk, type CallDesk } from './server-call.ts';
import { LIST_KINDS, type Entry, type ListKind } from './server-entries.ts';
import { followLists } from './server-follow.ts';
import { openLists } from './server-open.ts';
import { readIdentity, tasksIn, type ServerIdentity } from './server-identity.ts';
import { createListModel, type ListModel } from './server-list-model.ts';
import { deriveListing, type Listing, type ReadMessage } from './server-lists.ts';
import { createServerLog } from './server-log.ts';
import { createVisits, type Visits, type VisitStore } from './server-visits.ts';
import { createEntryWork, type EntryWork } from './server-work.ts';

export type ServerTab = 'overview' | ListKind;

/** What the screen of a server needs; it makes its own model of it when it is opened. */
export interface ServerDesk {
  isOpen: Signal<boolean>;
  /** A connection that it is to show, by the first of what its server lists: its tools, where it has any. */
  wanted: Signal<string | undefined>;
  /** What servers listed when they were last visited; without it, nothing is remembered. */
  loadVisits: (() => Promise<VisitStore>) | undefined;
}

/** A server as one connection knows it. */
export interface ServerView {
  connectionId: string;
  url: string;
  identity: ReadonlySignal<ServerIdentity | undefined>;
  lists: Record<ListKind, ListModel>;
  visits: Visits;
  /** The key of the chosen entry of each list. */
  chosen: Record<ListKind, Signal<string | undefined>>;
  /** A resource that is read although it is on no list. */
  unlisted: Signal<string | undefined>;
  /** The form of an entry, and what was sent with it. */
  workOf(entry: Entry): EntryWork;
  /** Shows a resource by its URI, and reads it. */
  read(uri: string): void;
}

/** The screen of servers, while it is open. */
export interface ServerModel {
  choices: ReadonlySignal<readonly ServerChoice[]>;
  view: ReadonlySignal<ServerView | undefined>;
  /** The live connection that is shown, while requests can be sent on it. */
  live: ReadonlySignal<ConnectionSummary | undefined>;
  tab: Signal<ServerTab>;
  /** Lists are loaded again when the server says that they have changed. */
  follows: Signal<boolean>;
  choose(connectionId: string): void;
  stop(): void;
}

type Source = Pick<
  AppModel,
  'recorded' | 'connections' | 'feed' | 'report' | 'server' | 'desk' | 'watch'
>;

/** Creates the model; `stop` ends what it does by itself. */
export function createServerModel(model: Source, now = () => Date.now()): ServerModel {
  const { recorded, connections, server, desk } = model;
  const { background, log: reportLog } = model.report;
  const log = createServerLog(recorded);
  const stopping = new AbortController();
  /** By connection: grows when its part of the log is another one. */
  const revisions = new Map<string, Signal<number>>();
  const views = new Map<string, ServerView>();
  const tab = signal<ServerTab>('overview');
  const follows = signal(false);
  const chosenId = signal<string | undefined>(undefined);
  const connectionCount = signal(0);

  const read: ReadMessage = (item, which) => {
    const ref = which === 'request' ? item.message : item.response;
    if (ref === undefined) return undefined;
    const text = recordedText(recorded, ref);
    return isMessageHeld(recorded, ref) ? text : undefined;
  };
  const calls: CallDesk = createCallDesk({
    background,
    correlation: recorded,
    read: (item) => read(item, 'response'),
    restored: desk.restored,
    now,
  });

  function revisionOf(connectionId: string): Signal<number> {
    const found = revisions.get(connectionId) ?? signal(0);
    revisions.set(connectionId, found);
    return found;
  }

  const unwatch = model.watch((changed) => {
    batch(() => {
      for (const id of log.apply(changed)) revisionOf(id).value += 1;
      calls.apply(changed);
      connectionCount.value = recorded.connections.size;
    });
  });

  const choices = computed(() => {
    void connectionCount.value;
    void connections.value;
    void reportLog.revision.value;
    return listChoices(recorded.connections.values(), connections.value, reportLog);
  });
  const shownId = computed(() => {
    const ids = choices.value.map(({ connectionId }) => connectionId);
    const chosen = chosenId.value;
    if (chosen !== undefined && ids.includes(chosen)) return chosen;
    const live = connections.value.findLast(canSend);
    return live?.connectionId ?? ids.at(-1);
  });
  const live = computed(() =>
    connections.value.find(
      (connection) => connection.connectionId === shownId.value && canSend(connection),
    ),
  );
  const liveId = computed(() => live.value?.connectionId);

  function viewOf({ connectionId, url }: ServerChoice): ServerView {
    const found = views.get(connectionId) ?? createView(connectionId, url);
    views.set(connectionId, found);
    return found;
  }

  function createView(connectionId: string, url: string): ServerView {
    const revision = revisionOf(connectionId);
    const record = log.of(connectionId);
    const ownId = computed(() => (liveId.value === connectionId ? connectionId : undefined));
    const identity = computed(() => {
      void revision.value;
      void desk.restored.value;
      return readIdentity(record.introductions, read);
    });
    const visits = createVisits(server.loadVisits, { url, connectionId }, now);
    const work = new Map<string, { entry: Entry; work: EntryWork }>();
    const unlisted = signal<string | undefined>(undefined);

    function listOf(kind: ListKind): ListModel {
      const listing = computed<Listing>(() => {
        void revision.value;
        void desk.restored.value;
        const isModern = recorded.connections.get(connectionId)?.era === 'modern';
        return deriveListing(kind, record.lists[kind], record.changes[kind], read, isModern);
      });
      return createListModel(
        kind,
        { background, listing, connectionId: ownId, follows },
        stopping.signal,
      );
    }

    const view: ServerView = {
      connectionId,
      url,
      identity,
      lists: {
        tools: listOf('tools'),
        resources: listOf('resources'),
        templates: listOf('templates'),
        prompts: listOf('prompts'),
      },
      visits,
      chosen: {
        tools: signal(undefined),
        resources: signal(undefined),
        templates: signal(undefined),
        prompts: signal(undefined),
      },
      unlisted,
      workOf(entry) {
        const key = `${entry.kind} ${entry.key}`;
        const known = work.get(key);
        if (known?.entry.source === entry.source) return known.work;
        const capabilities = identity.peek()?.capabilities ?? [];
        const tasks = tasksIn(capabilities);
        // What was typed for an earlier definition is still what the user means.
        const typed = known?.work.form?.text.peek();
        const made = createEntryWork(entry, {
          desk: calls,
          connectionId: () => ownId.peek(),
          hasCompletions: capabilities.some(({ name }) => name === 'completions'),
          ...(tasks === undefined ? {} : { tasks }),
          ...(typed === undefined || typed === '' ? {} : { given: typed }),
        });
        work.set(key, { entry, work: made });
        return made;
      },
      read(uri) {
        const listed = view.lists.resources.listing.peek().entries;
        const entry = listed.find(({ name }) => name === uri) ?? unlistedEntry(uri);
        batch(() => {
          unlisted.value = listed.includes(entry) ? undefined : uri;
          view.chosen.resources.value = entry.key;
          tab.value = 'resources';
        });
        const target = ownId.peek();
        if (target !== undefined) view.workOf(entry).send(target);
      },
    };
    noteVisits(view, ownId);
    return view;
  }

  /** A list that is complete, while its server can be asked, is what the next visit is compared with. */
  function noteVisits(view: ServerView, ownId: ReadonlySignal<string | undefined>): void {
    for (const kind of LIST_KINDS) {
      let noted: readonly RequestItem[] = [];
      const end = effect(() => {
        const { pages, isLoading, nextCursor, isRepeating, failure, entries } =
          view.lists[kind].listing.value;
        const isWhole = pages.length > 0 && nextCursor === undefined && !isRepeating;
        if (!isWhole || isLoading || failure !== undefined || ownId.value === undefined) return;
        const items = pages.map(({ item }) => item);
        if (items.length === noted.length && items.every((item, at) => item === noted[at])) return;
        noted = items;
        view.visits.note(kind, entries);
      });
      stopping.signal.addEventListener('abort', end);
    }
  }

  const unfollow = followLists({
    desk: calls,
    follows,
    live,
    identity: (connectionId) => readIdentity(log.of(connectionId).introductions, read),
  });

  const view = computed(() => {
    const choice = choices.value.find(({ connectionId }) => connectionId === shownId.value);
    return choice && viewOf(choice);
  });
  const opening = openLists({
    isOpen: server.isOpen,
    feed: model.feed,
    connections,
    live,
    view,
    tab,
  });
  const endWanted = effect(() => {
    const wanted = server.wanted.value;
    if (wanted === undefined) return;
    batch(() => {
      chosenId.value = wanted;
      opening.showFirst(wanted);
      server.wanted.value = undefined;
    });
  });

  return {
    choices,
    view,
    live,
    tab,
    follows,
    choose(connectionId) {
      chosenId.value = connectionId;
    },
    stop() {
      unwatch();
      unfollow();
      endWanted();
      opening.stop();
      stopping.abort();
    },
  };
}

/** A resource that is on no list, as far as its URI tells. */
export function unlistedEntry(uri: string): Entry {
  return {
    kind: 'resources',
    key: `unlisted ${uri}`,
    name: uri,
    source: JSON.stringify({ uri }),
    sizeBytes: 0,
    value: { uri },
    faults: [],
    isDuplicate: false,
  };
}
