import { createCorrelation, type Correlation } from '../../lib/capture/correlate/correlate.ts';
import { createRecorder, type Recorder } from '../../lib/capture/recorder.ts';
import { joinCuts, openSecrets, type HeldSecrets } from '../../lib/capture/secrets.ts';
import type { Block, WireEvent } from '../../lib/capture/wire-event.ts';
import { createAuthorizing } from '../../lib/connection/auth/authorizing.ts';
import { createLateAuthorizing } from '../../lib/connection/auth/late-authorizing.ts';
import { createManager, type Manager, type ManagerDoors } from '../../lib/connection/manager.ts';
import type { Wish } from '../../lib/connection/wishes/wishes.ts';
import { createRawSender } from '../../lib/connection/raw/raw-send.ts';
import { createAccess } from '../../lib/connection/wishes/access.ts';
import { createReports } from '../../lib/connection/report/report.ts';
import { createRecentServers } from '../../lib/connection/wishes/recent-servers.ts';
import {
  DEFAULT_CONNECT,
  type ConnectionSummary,
  type ConnectRequest,
  type RecentServer,
} from '../../lib/port/contract.ts';
import { createFaultBench } from '../../lib/transport/faults/faults.ts';
import { createTestAuthorization, type TestAuth } from './authorized.ts';
import { mortal, mortalSockets } from './mortal.ts';
import { createNodeHttpDoor } from './node-http.ts';
import { createNodeSocketDoor } from './node-socket.ts';

/** The whole background under Node: manager, recorder and log, with a list in memory for a database. */
export interface TestWorker extends AsyncDisposable {
  manager: Manager;
  recorder: Recorder;
  events: WireEvent[];
  blocks: Block[];
  correlation: Correlation;
  granted: Set<string>;
  /** Stops it as browsers do: all connections break, nothing more is stored. */
  kill(): void;
  /** The list of recent servers as it is on disk; saving fails while `isBroken`. */
  kept: { recents: RecentServer[]; isBroken: boolean };
  connect(url: string, options?: Partial<ConnectRequest>): Promise<string>;
  summary(connectionId: string): ConnectionSummary;
  /** Whether the list of connections has it. */
  has(connectionId: string): boolean;
  /** Resolves when `found` returns something; is asked again after every batch and every change of a connection. */
  until<T>(found: () => T | undefined | false, what?: string): Promise<T>;
  /** Resolves with the summary once the connection is in one of these states. */
  state(connectionId: string, ...states: ConnectionSummary['state'][]): Promise<ConnectionSummary>;
}

const GIVE_UP_MS = 40_000;

/** What outlives a worker: the database, and the memory of the browser. */
export interface Home {
  blocks: Block[];
  checkpoint: string | undefined;
  held: HeldSecrets | undefined;
  open: Wish[];
  wishes: Wish[];
  boots: number;
  /** Why the database takes nothing, while it does not. */
  refusal?: Error | undefined;
}

/** Who else is told what the worker tells: the hub. */
export interface Told {
  committed(events: WireEvent[], areStored: boolean): void;
  changed(list: ConnectionSummary[]): void;
}

/** A browser in which no worker has run yet. */
export function newHome(): Home {
  return {
    blocks: [],
    checkpoint: undefined,
    held: undefined,
    open: [],
    wishes: [],
    boots: 0,
  };
}

/**
 * Starts a worker; in a home where one ran before, it goes on with what that one left. It authorizes only
 * where `auth` says how.
 */
export async function startTestWorker(
  doors: Partial<ManagerDoors> = {},
  home: Home = newHome(),
  told?: Told,
  auth?: TestAuth,
): Promise<TestWorker> {
  home.boots += 1;
  const boot = home.boots;
  const { blocks } = home;
  const events: WireEvent[] = blocks.flatMap((block) => block.events);
  const correlation = createCorrelation();
  correlation.apply(events);
  const killed = new AbortController();
  const granted = new Set<string>(['*']);
  const kept = { recents: [] as RecentServer[], isBroken: false };
  let summaries: ConnectionSummary[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const check of waiting) check();
  };
  const secrets = await openSecrets({
    load: () => Promise.resolve(home.held),
    save: (held) => void (home.held = structuredClone(held)),
  });
  const recorder = createRecorder({
    store: {
      append(added, checkpoint) {
        // What a stopped worker hands over reaches no disk, and it never hears of that.
        if (killed.signal.aborted) return new Promise(() => undefined);
        if (home.refusal !== undefined) return Promise.reject(home.refusal);
        blocks.push(...structuredClone(added));
        if (checkpoint !== undefined) home.checkpoint = joinCuts(checkpoint, secrets.reveal);
        return Promise.resolve();
      },
    },
    secrets,
    captureId: 'capture',
    nextTurn: () => Promise.resolve(),
    bootId: boot === 1 ? 'boot' : `boot-${boot}`,
    lastSequence: events.at(-1)?.sequence ?? 0,
    checkpoint: () => manager.checkpoint(),
    committed(batch, areStored) {
      events.push(...batch);
      correlation.apply(batch);
      if (!killed.signal.aborted) told?.committed(batch, areStored);
      wake();
    },
  });
  let count = 0;
  const newId = () => `${boot === 1 ? 't' : `t${boot}`}-${(count += 1)}`;
  const http = doors.http ?? mortal(createNodeHttpDoor(), killed.signal);
  const permissions = {
    hostPattern: (url: string) => `${new URL(url).origin}/*`,
    hasPermission: (host: string) => Promise.resolve(granted.has('*') || granted.has(host)),
  };
  const authorizing =
    auth === undefined
      ? undefined
      : createLateAuthorizing((profiles) => {
          const parts = { recorder, secrets, door: http, newId };
          return Promise.resolve(
            createAuthorizing({
              doors: permissions,
              recorder,
              secrets,
              host: (asks) => createTestAuthorization(auth, parts, asks),
              profiles,
              now: Date.now,
              changed: manager.changed,
            }),
          );
        });
  const manager = createManager({
    doors: {
      http,
      socket: mortalSockets(createNodeSocketDoor(), killed.signal),
      ...permissions,
      setOrigin: () => Promise.resolve(),
      clearOrigin: () => Promise.resolve(),
      keepAlive: () => undefined,
      loadWishes: () => Promise.resolve(home.wishes),
      saveWishes: (wishes) => Promise.resolve(void (home.wishes = structuredClone(wishes))),
      loadOpen: () => Promise.resolve(home.open),
      saveOpen(open) {
        if (!killed.signal.aborted) home.open = structuredClone(open);
        return Promise.resolve();
      },
      ...doors,
    },
    recorder,
    secrets,
    recents: createRecentServers(
      {
        load: () => Promise.resolve(kept.recents),
        save: (servers) =>
          kept.isBroken
            ? Promise.reject(new Error('no disk'))
            : Promise.resolve(void (kept.recents = servers)),
      },
      Date.now,
    ),
    clientVersion: '0.0.0',
    newId,
    ...(authorizing === undefined ? {} : { authorizing }),
    loadAccess: () => Promise.resolve(createAccess),
    loadReports: () => Promise.resolve(createReports),
    loadRaw: () => Promise.resolve(createRawSender),
    loadFaults: () => Promise.resolve(createFaultBench),
    now: Date.now,
    changed(list) {
      summaries = list;
      if (!killed.signal.aborted) told?.changed(list);
      wake();
    },
  });

  // As in the extension: at once where something is held, and otherwise when it is needed.
  if (auth?.credentials !== undefined) await authorizing?.ready();
  if (boot > 1) {
    recorder.record({ kind: 'worker-started', cause: 'wake' });
    await manager.restore(home.checkpoint, 100);
  } else {
    await manager.restore();
  }

  function until<T>(found: () => T | undefined | false, what = String(found)): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(check);
        reject(new Error(`never happened: ${what}\n${describe()}`));
      }, GIVE_UP_MS);
      const check = () => {
        const value = found();
        if (value === undefined || value === false) return;
        clearTimeout(timer);
        waiting.delete(check);
        resolve(value);
      };
      waiting.add(check);
      check();
    });
  }

  function describe(): string {
    const items = correlation.items.map(
      (item) =>
        `${item.kind} ${'method' in item ? item.method : 'title' in item ? item.title : ''} ${'outcome' in item ? item.outcome : ''}`,
    );
    return [...items, JSON.stringify(summaries)].join('\n');
  }

  const find = (connectionId: string) =>
    summaries.find((summary) => summary.connectionId === connectionId);

  return {
    manager,
    recorder,
    events,
    blocks,
    correlation,
    granted,
    kept,
    until,
    async connect(url, options = {}) {
      const { connectionId } = await manager.functions.connect({
        ...DEFAULT_CONNECT,
        // Most tests are about one transport; the automatic choice has its own.
        transport: 'streamable-http',
        url,
        ...options,
      });
      return connectionId;
    },
    has: (connectionId) => find(connectionId) !== undefined,
    summary(connectionId) {
      const summary = find(connectionId);
      if (summary === undefined) throw new Error(`no connection ${connectionId}`);
      return summary;
    },
    state: (connectionId, ...states) =>
      until(
        () => {
          const summary = find(connectionId);
          return summary !== undefined && states.includes(summary.state) && summary;
        },
        `state ${states.join(' or ')}`,
      ),
    kill: () => killed.abort(new Error('the worker was stopped')),
    async [Symbol.asyncDispose]() {
      if (killed.signal.aborted) return;
      for (const { connectionId } of summaries)
        await manager.functions.disconnect(connectionId, false);
      await recorder.flushed();
    },
  };
}
