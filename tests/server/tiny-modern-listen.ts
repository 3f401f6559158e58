import type { ServerResponse } from 'node:http';
import { isRecord, openStream, sendEvent } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { modernResult } from './tiny-modern-result.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

type Filter = Record<string, unknown>;

interface Listener {
  exchange: Exchange;
  stream: ServerResponse;
  filter: Filter;
}

/** Open subscriptions, by the server that they belong to. */
const LISTENERS = new WeakMap<object, Set<Listener>>();

function listenersOf({ sessions }: Exchange): Set<Listener> {
  const known = LISTENERS.get(sessions) ?? new Set();
  LISTENERS.set(sessions, known);
  return known;
}

/** Opens an event stream that proxies are asked not to hold back. */
export function openModernStream(exchange: Exchange): ServerResponse {
  exchange.response.setHeader('X-Accel-Buffering', 'no');
  return openStream(exchange);
}

/** A message of a subscription, which names the request that opened it. */
export function onSubscription(
  exchange: Exchange,
  method: string,
  params: Record<string, unknown> = {},
): string {
  const _meta = { [SUBSCRIPTION]: exchange.message.id };
  return JSON.stringify({ jsonrpc: '2.0', method, params: { _meta, ...params } });
}

/** Answers `subscriptions/listen`: acknowledges what it keeps, and stays open. */
export function listen(exchange: Exchange): ServerResponse {
  const asked = exchange.message.params?.['notifications'];
  const { toolsListChanged, resourceSubscriptions } = isRecord(asked) ? asked : {};
  const filter: Filter = {
    ...(toolsListChanged === true ? { toolsListChanged } : {}),
    ...(Array.isArray(resourceSubscriptions) ? { resourceSubscriptions } : {}),
  };
  const stream = openModernStream(exchange);
  const listener = { exchange, stream, filter };
  listenersOf(exchange).add(listener);
  stream.once('close', () => listenersOf(exchange).delete(listener));
  const acknowledged = 'notifications/subscriptions/acknowledged';
  sendEvent(stream, onSubscription(exchange, acknowledged, { notifications: filter }));
  return stream;
}

/** Tells all that asked for it that the tools have changed; returns how many were told. */
export function tellToolsChanged(exchange: Exchange): number {
  return tell(exchange, 'notifications/tools/list_changed', {}, ({ toolsListChanged }) => {
    return toolsListChanged === true;
  });
}

/** Tells all that asked for it that a resource has changed; returns how many were told. */
export function tellUpdated(exchange: Exchange, uri: string): number {
  return tell(exchange, 'notifications/resources/updated', { uri }, (filter) => {
    const uris = filter['resourceSubscriptions'];
    return Array.isArray(uris) && uris.includes(uri);
  });
}

function tell(
  exchange: Exchange,
  method: string,
  params: Record<string, unknown>,
  isWanted: (filter: Filter) => boolean,
): number {
  const wanted = [...listenersOf(exchange)].filter(({ filter }) => isWanted(filter));
  for (const { stream, exchange: opened } of wanted) {
    sendEvent(stream, onSubscription(opened, method, params));
  }
  return wanted.length;
}

/** Ends all subscriptions, with their result or by cutting the connection; returns how many there were. */
export function endSubscriptions(exchange: Exchange, isAbrupt: boolean): number {
  const all = [...listenersOf(exchange)];
  for (const { stream, exchange: opened } of all) {
    if (isAbrupt) {
      opened.request.socket.resetAndDestroy();
    } else {
      sendEvent(stream, modernResult(opened, { _meta: { [SUBSCRIPTION]: opened.message.id } }));
      stream.end();
    }
  }
  return all.length;
}
