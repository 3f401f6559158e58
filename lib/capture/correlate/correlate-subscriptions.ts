import type { Message } from '../../protocol/jsonrpc.ts';
import { jsonOf } from '../../text.ts';
import type { RequestItem, RpcId } from './items.ts';
import { filterOf, subscriptionIdOf } from './message-details.ts';

/** A `subscriptions/listen` request ("Subscriptions" of 2026-07-28). */
export interface Subscription {
  /** What it asks to be told of, as in its params. */
  asked: unknown;
  /** The part of it that the server has agreed to. */
  acknowledged?: unknown;
  isCancelledByServer?: boolean;
}

export const LISTEN = 'subscriptions/listen';

/** What a subscription is, and which notifications belong to it. */
export interface Subscriptions {
  /** By `key` of the request. */
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  begin(item: RequestItem, params: unknown, space: string): void;
  /** The subscription that a notification names; `space` is where ids are unique. */
  find(params: unknown, space: string): RequestItem | undefined;
  /** Takes note of what the server says about a subscription; `parent` is the one that it belongs to. */
  heed(
    message: Message & { kind: 'notification' },
    parent: RequestItem | undefined,
    space: string,
  ): RequestItem | undefined;
}

/** Follows subscriptions over the notifications that name them. */
export function createSubscriptions(): Subscriptions {
  const subscriptions = new Map<string, Subscription>();
  const requests = new Map<string, RequestItem>();

  function byId(id: RpcId | undefined, space: string): RequestItem | undefined {
    return id === undefined ? undefined : requests.get(`${space} ${id}`);
  }

  return {
    subscriptions,
    begin(item, params, space) {
      if (item.method !== LISTEN || item.direction === 'incoming') return;
      subscriptions.set(item.key, { asked: filterOf(params) });
      requests.set(`${space} ${item.rpcId}`, item);
    },
    find: (params, space) => byId(subscriptionIdOf(params), space),
    heed({ method, params }, parent, space) {
      if (method === 'notifications/subscriptions/acknowledged') {
        const subscription = subscriptions.get(parent?.key ?? '');
        if (subscription !== undefined) subscription.acknowledged = filterOf(params);
        return undefined;
      }
      if (method !== 'notifications/cancelled') return undefined;
      const named = byId(requestIdOf(params), space) ?? parent;
      const subscription = subscriptions.get(named?.key ?? '');
      if (named?.outcome !== 'pending' || subscription === undefined) return undefined;
      subscription.isCancelledByServer = true;
      named.outcome = 'cancelled';
      named.problem = { code: 'aborted', message: 'The server has cancelled the subscription.' };
      return named;
    },
  };
}

function requestIdOf(params: unknown): RpcId | undefined {
  const { requestId } = (params ?? {}) as { requestId?: unknown };
  return jsonOf(requestId);
}
