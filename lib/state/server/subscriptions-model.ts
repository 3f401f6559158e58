import { computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { Item, NotificationItem, RequestItem } from '../../capture/correlate/items.ts';
import type { Problem } from '../../errors.ts';
import type { BackgroundFunctions, ConnectionSummary } from '../../port/contract.ts';
import type { AppModel } from '../app-model.ts';
import { canSend } from '../connect/connection-state.ts';
import { toStatusText } from '../view/item-status.ts';
import { readProblem } from '../captures/read-problem.ts';
import { toFilterWords } from './subscription-words.ts';

/** Something that a server tells of when it changes. */
export interface SubscriptionRow {
  key: string;
  connectionId: string;
  /** What is subscribed to, in a few words. */
  words: string;
  /** How its stream stands. */
  state: string;
  isOpen: boolean;
  /** Notifications so far, and the newest of them. */
  count: number;
  last?: NotificationItem;
  /** The request that has begun it. */
  item: RequestItem;
  /** A resource of a legacy server, which is left by a request of its own. */
  uri?: string;
}

/** What a new subscription is to tell of. */
export interface SubscriptionWish {
  tools: Signal<boolean>;
  prompts: Signal<boolean>;
  resources: Signal<boolean>;
  /** URIs of resources, one a line. */
  uris: Signal<string>;
}

export interface SubscriptionsModel {
  rows: ReadonlySignal<readonly SubscriptionRow[]>;
  wish: SubscriptionWish;
  problem: ReadonlySignal<Problem | undefined>;
  /** Why nothing can be subscribed to, in a sentence. */
  faultOf(connection: ConnectionSummary | undefined): string | undefined;
  subscribe(connection: ConnectionSummary): void;
  end(row: SubscriptionRow): void;
  /** Whether it can be ended from here. */
  isLive(row: SubscriptionRow): boolean;
  setLevel(connection: ConnectionSummary, level: string): void;
  ping(connection: ConnectionSummary): void;
}

const models = new WeakMap<AppModel, SubscriptionsModel>();

/** The subscriptions of a panel, made when they are first asked for and kept as long as it is. */
export function subscriptionsModelOf(model: AppModel): SubscriptionsModel {
  const known = models.get(model);
  if (known !== undefined) return known;
  const made = createSubscriptionsModel(model);
  models.set(model, made);
  return made;
}

type Parts = Pick<AppModel, 'correlation' | 'watch' | 'connections'> & {
  background: Pick<BackgroundFunctions, 'send' | 'cancel'>;
};

/** Creates the subscriptions over a log. */
export function createSubscriptionsModel(model: Parts): SubscriptionsModel {
  const found = new Map<string, SubscriptionRow>();
  const rows = signal<readonly SubscriptionRow[]>([]);
  const problem = signal<Problem | undefined>(undefined);
  const wish = {
    tools: signal(true),
    prompts: signal(false),
    resources: signal(false),
    uris: signal(''),
  };

  function take(changed: Iterable<Item>): void {
    let isNew = false;
    for (const item of changed) {
      if (item.kind === 'request' && item.direction === 'outgoing') isNew = begin(item) || isNew;
      if (item.kind === 'notification' && item.direction === 'incoming') {
        isNew = tell(item) || isNew;
      }
    }
    if (isNew) rows.value = [...found.values()].toReversed();
  }

  function begin(item: RequestItem): boolean {
    const { connectionId = '', key, target = '' } = item;
    const listen = model.correlation.subscriptions.get(key);
    if (listen !== undefined) {
      const known = found.get(key);
      const isAgreed = 'acknowledged' in listen;
      const asked = toFilterWords(listen.asked);
      const agreed = isAgreed ? toFilterWords(listen.acknowledged) : asked;
      found.set(key, {
        key,
        connectionId,
        words: agreed === asked ? asked : `${agreed} (of ${asked})`,
        state: toStatusText(item, model.correlation) || item.outcome,
        isOpen: item.outcome === 'pending',
        count: known?.count ?? 0,
        ...(known?.last === undefined ? {} : { last: known.last }),
        item,
      });
      return true;
    }
    const place = `${connectionId} ${target}`;
    const isDone = item.outcome === 'result';
    if (item.method === 'resources/subscribe') {
      const state = isDone ? 'subscribed' : item.outcome;
      const known = found.get(place);
      if (known?.item.sequence !== undefined && known.item.sequence > item.sequence) return false;
      const { count = 0 } = known ?? {};
      found.set(place, {
        key: place,
        connectionId,
        words: target,
        uri: target,
        state,
        isOpen: isDone,
        count,
        item,
      });
      return true;
    }
    const known = found.get(place);
    if (item.method !== 'resources/unsubscribe' || known === undefined || !isDone) return false;
    if (known.item.sequence > item.sequence) return false;
    found.set(place, { ...known, state: 'unsubscribed', isOpen: false });
    return true;
  }

  function tell(item: NotificationItem): boolean {
    const { connectionId = '', parent, summary = '' } = item;
    const isUpdate = item.method === 'notifications/resources/updated';
    const known =
      found.get(parent ?? '') ?? (isUpdate ? found.get(`${connectionId} ${summary}`) : undefined);
    if (known === undefined || counted.has(item)) return false;
    if (item.method === 'notifications/subscriptions/acknowledged') return false;
    counted.add(item);
    found.set(known.key, { ...known, count: known.count + 1, last: item });
    return true;
  }

  const counted = new WeakSet<Item>();
  take(model.correlation.items);
  model.watch(take);

  function liveOf(connectionId: string): ConnectionSummary | undefined {
    return model.connections.value.find(
      (each) => each.connectionId === connectionId && canSend(each),
    );
  }

  function watch(work: Promise<unknown>): void {
    problem.value = undefined;
    work.catch((error: unknown) => {
      problem.value = readProblem(error);
    });
  }

  const uris = computed(() =>
    wish.uris.value
      .split('\n')
      .map((uri) => uri.trim())
      .filter((uri) => uri !== ''),
  );

  return {
    rows,
    wish,
    problem,
    faultOf(connection) {
      if (connection === undefined) return 'Connect to a server first.';
      const isSome = wish.tools.value || wish.prompts.value || wish.resources.value;
      if (connection.era === 'modern' && !isSome && uris.value.length === 0) {
        return 'Choose what to be told of.';
      }
      if (connection.era === 'modern' || uris.value.length > 0) return undefined;
      return 'Name the resources; of its lists this server tells unasked.';
    },
    subscribe({ connectionId, era }) {
      if (era !== 'modern') {
        for (const uri of uris.value) {
          watch(
            model.background.send(connectionId, 'resources/subscribe', JSON.stringify({ uri })),
          );
        }
        return;
      }
      const notifications = {
        ...(wish.tools.value ? { toolsListChanged: true } : {}),
        ...(wish.prompts.value ? { promptsListChanged: true } : {}),
        ...(wish.resources.value ? { resourcesListChanged: true } : {}),
        ...(uris.value.length === 0 ? {} : { resourceSubscriptions: uris.value }),
      };
      const params = JSON.stringify({ notifications });
      watch(model.background.send(connectionId, 'subscriptions/listen', params));
    },
    end({ connectionId, uri, item }) {
      watch(
        uri === undefined
          ? model.background.cancel(connectionId, item.rpcId)
          : model.background.send(connectionId, 'resources/unsubscribe', JSON.stringify({ uri })),
      );
    },
    isLive: (row) => row.isOpen && liveOf(row.connectionId) !== undefined,
    setLevel({ connectionId }, level) {
      watch(model.background.send(connectionId, 'logging/setLevel', JSON.stringify({ level })));
    },
    ping({ connectionId, era }) {
      watch(
        model.background.send(
          connectionId,
          era === 'modern' ? 'server/discover' : 'ping',
          undefined,
        ),
      );
    },
  };
}
