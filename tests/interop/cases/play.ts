import { setImmediate } from 'node:timers/promises';
import type {
  Item,
  LifecycleItem,
  MessageRef,
  NotificationItem,
  RequestItem,
  StrayItem,
  StreamItem,
} from '../../../lib/capture/correlate/items.ts';
import { messageText } from '../../../lib/capture/correlate/http-record.ts';
import type { EventOf, WireFact } from '../../../lib/capture/wire-event.ts';
import type { Issue } from '../../../lib/lint/issue.ts';
import type { ManagerDoors } from '../../../lib/connection/manager.ts';
import type { ConnectionState, ConnectRequest } from '../../../lib/port/contract.ts';
import {
  startScripted,
  type Part,
  type Script,
  type ScriptedServer,
} from '../../server/scripted.ts';
import type { Behaviour } from '../../server/scripted-behaviour.ts';
import type { TestAuth } from '../../support/authorized.ts';
import { startTestWorker, type TestWorker } from '../../support/connected.ts';
import { issuesOf } from '../../support/rules.ts';

/** Reconnects at once, so that no test waits. */
export const FAST = { initialDelayMs: 5, maxDelayMs: 40, factor: 2, retries: 2 };

interface ItemKinds {
  request: RequestItem;
  notification: NotificationItem;
  stray: StrayItem;
  stream: StreamItem;
  lifecycle: LifecycleItem;
}

export interface PlayOptions extends Behaviour, Partial<ConnectRequest> {
  path?: string;
  /** The states to wait for; `connected` unless said otherwise. */
  state?: ConnectionState | ConnectionState[];
  doors?: Partial<ManagerDoors>;
  /** Who is asked where a server wants authorization; absent where nobody is. */
  user?: TestAuth;
}

/** A scripted server, our background under Node, and a connection between them. */
export interface Scene extends AsyncDisposable {
  server: ScriptedServer;
  worker: TestWorker;
  id: string;
  /** Sends a request; resolves with its item once that is settled. */
  call(method?: string, params?: string): Promise<RequestItem>;
  /** Sends a request; resolves with its item as soon as there is one. */
  begin(method?: string, params?: string): Promise<RequestItem>;
  settled(item: RequestItem): Promise<RequestItem>;
  items<Kind extends keyof ItemKinds>(kind: Kind): ItemKinds[Kind][];
  /** Protocol findings about the server, once the log is quiet: their rules, each once, in order. */
  issues(): Promise<string[]>;
  /** The first finding of a rule; its `count` tells how many there are. */
  finding(ruleId: string): Promise<Issue | undefined>;
  /** Findings about ourselves; none above `info` is allowed, whatever the server does. */
  ownIssues(): Promise<Issue[]>;
  /** Titles of all lifecycle rows. */
  rows(): string[];
  facts<Kind extends WireFact['kind']>(kind: Kind): EventOf<Kind>[];
  /** The fact once it is in the log. */
  fact<Kind extends WireFact['kind']>(
    kind: Kind,
    where?: (event: EventOf<Kind>) => boolean,
  ): Promise<EventOf<Kind>>;
  /** The item once it is there, and as wanted. */
  item<Kind extends keyof ItemKinds>(
    kind: Kind,
    where?: (item: ItemKinds[Kind]) => boolean,
  ): Promise<ItemKinds[Kind]>;
  text(ref: MessageRef | undefined): string | undefined;
  /** Whether a request is still waited for: only then does the user's cancellation reach the server. */
  isWaitedFor(item: RequestItem): Promise<boolean>;
  disconnect(terminate?: boolean): Promise<void>;
  /** Lets a body of `inSteps` out piece by piece, each when the one before is in the log as a chunk. */
  follow(steps: number): Promise<void>;
}

/** Parts of a body that wait for each other, so that each is a chunk of its own for who reads. */
export function inSteps(parts: Part[]): Part[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [{ wait: `step ${index}` }, part]));
}

/** Plays a script up to the wanted state of the connection. The GET stream stays closed unless asked for. */
export async function play(script: Script, options: PlayOptions = {}): Promise<Scene> {
  const {
    path,
    state = 'connected',
    doors = {},
    isHttpSse = false,
    revision,
    hasSessions,
    user,
    ...connect
  } = options;
  const server = await startScripted(script, {
    isHttpSse,
    ...(revision === undefined ? {} : { revision }),
    ...(hasSessions === undefined ? {} : { hasSessions }),
  });
  const worker = await startTestWorker(doors, undefined, undefined, user);
  const id = await worker.connect(server.url(path ?? (isHttpSse ? '/sse' : '/mcp')), {
    openStream: false,
    reconnection: FAST,
    ...(isHttpSse ? { transport: 'http-sse' } : {}),
    ...connect,
  });
  await worker.state(id, ...[state].flat());
  const { correlation, events } = worker;

  const items = <Kind extends keyof ItemKinds>(kind: Kind) =>
    correlation.items.filter((item: Item): item is ItemKinds[Kind] => item.kind === kind);
  const facts = <Kind extends WireFact['kind']>(kind: Kind) =>
    events.filter((event): event is EventOf<Kind> => event.kind === kind);

  async function begin(method = 'tools/list', params?: string): Promise<RequestItem> {
    const { rpcId } = await worker.manager.functions.send(id, method, params);
    return worker.until(
      () =>
        items('request').findLast((item) => item.rpcId === rpcId && item.direction === 'outgoing'),
      `the row of ${method}`,
    );
  }

  async function settled(item: RequestItem): Promise<RequestItem> {
    for (;;) {
      await worker.until(() => item.outcome !== 'pending', `the end of ${item.method}`);
      // The end of an exchange is not the end of a request whose stream goes on with another one.
      await setImmediate();
      await worker.recorder.flushed();
      if (item.outcome !== 'pending') return item;
    }
  }

  async function allIssues(): Promise<readonly Issue[]> {
    await worker.recorder.flushed();
    return issuesOf(correlation);
  }

  async function issues(): Promise<string[]> {
    const found = (await allIssues()).filter(({ side }) => side === 'server');
    return [...new Set(found.map(({ ruleId }) => ruleId))].toSorted();
  }

  async function ownIssues(): Promise<Issue[]> {
    return (await allIssues()).filter(({ side }) => side === 'client');
  }

  return {
    server,
    worker,
    id,
    issues,
    finding: async (ruleId) => (await allIssues()).find((issue) => issue.ruleId === ruleId),
    ownIssues,
    begin,
    settled,
    call: async (method, params) => settled(await begin(method, params)),
    items,
    facts,
    rows: () => items('lifecycle').map(({ title }) => title),
    fact: (kind, where = () => true) => worker.until(() => facts(kind).find(where), `fact ${kind}`),
    item: (kind, where = () => true) => worker.until(() => items(kind).find(where), `row ${kind}`),
    text: (ref) => (ref === undefined ? undefined : messageText(correlation.https, ref)),
    async isWaitedFor({ rpcId }) {
      await worker.manager.functions.cancel(id, rpcId);
      await worker.recorder.flushed();
      return items('notification').some(
        ({ method, message }) =>
          method === 'notifications/cancelled' &&
          messageText(correlation.https, message)?.includes(`"requestId":${rpcId},`) === true,
      );
    },
    disconnect: (terminate = false) => worker.manager.functions.disconnect(id, terminate),
    async follow(steps) {
      for (let step = 1; step < steps; step += 1) {
        await worker.until(() => {
          const newest = facts('http-response').at(-1)?.httpId;
          return facts('http-chunk').filter(({ httpId }) => httpId === newest).length >= step;
        }, `chunk ${step}`);
        server.open(`step ${step}`);
      }
    },
    async [Symbol.asyncDispose]() {
      const own = (await ownIssues()).filter(({ severity }) => severity !== 'info');
      await worker[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      if (own.length > 0) throw new Error(`We are at fault: ${JSON.stringify(own, null, 1)}`);
    },
  };
}
