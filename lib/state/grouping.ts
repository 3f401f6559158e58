import type { Correlation } from '../capture/correlate.ts';
import type { Item, RequestItem } from '../capture/items.ts';
import { redirectsBefore } from './redirects.ts';

type GroupSource = Pick<Correlation, 'https' | 'sockets'>;

/** Which item stands under which, by what the log says and never by what is adjacent. */
export interface Grouping {
  /** Takes note of a new item and finds its parent. Items are to come in their order, each once. */
  add(item: Item): Item | undefined;
  /** Takes note of a change; returns the items whose parent this item has become. */
  change(item: Item): readonly Item[];
  /** The item of a key, among those that can be a parent. */
  find(key: string): Item | undefined;
}

/** Follows ids from item to item: keys, rounds, exchanges, and tasks. */
export function createGrouping(source: GroupSource): Grouping {
  const byKey = new Map<string, Item>();
  const byExchange = new Map<string, Item>();
  const parents = new Map<Item, Item>();
  const taskOwners = new Map<string, Item>();
  /** What is about a task whose creation has not been seen. */
  const taskless = new Map<string, Item[]>();

  function note(item: Item): void {
    if (!canBeParent(item)) return;
    byKey.set(item.key, item);
    if (item.httpId === undefined || !isCarried(item)) return;
    byExchange.set(item.httpId, item);
    for (const hop of hopsBefore(item.httpId)) byExchange.set(hop.httpId, item);
  }

  function hopsBefore(httpId: string) {
    const record = source.https.get(httpId);
    return record === undefined ? [] : redirectsBefore(source.https, record);
  }

  /** The request that began the exchange, before it was redirected. */
  function linksOf(httpId: string) {
    return (hopsBefore(httpId)[0] ?? source.https.get(httpId))?.request.links;
  }

  function parentByExchange(item: Item): Item | undefined {
    if (item.httpId === undefined) return undefined;
    if (!isCarried(item)) return carrierOfServerRequest(item);
    const links = linksOf(item.httpId);
    if (links?.retryOf !== undefined) return sibling(byExchange.get(links.retryOf));
    if (links?.causedBy === undefined) return undefined;
    const cause = byExchange.get(links.causedBy);
    if (item.kind !== 'stream') return cause;
    // What is opened anew is another stream; only what is resumed goes on with the one before.
    if (links.reason !== 'resume') return undefined;
    return cause?.kind === 'stream' ? sibling(cause) : cause;
  }

  /** A repeat stands beside the repeat before it, not under it. */
  function sibling(before: Item | undefined): Item | undefined {
    if (before === undefined) return undefined;
    const above = parents.get(before);
    const isRepeat = above !== undefined && above.kind === before.kind && isCarried(above);
    return isRepeat ? above : before;
  }

  /** A server asks on the stream of the call for which it asks. */
  function carrierOfServerRequest(item: Item): Item | undefined {
    if (item.kind !== 'request' || item.message.in !== 'event') return undefined;
    const carrier = byExchange.get(item.message.httpId);
    if (carrier?.kind === 'stream') return parentItem(carrier.parent);
    return carrier?.kind === 'request' ? carrier : undefined;
  }

  function parentItem(key: string | undefined): Item | undefined {
    return key === undefined ? undefined : byKey.get(key);
  }

  function parentByKey(item: Item): Item | undefined {
    switch (item.kind) {
      case 'notification':
      case 'stray':
      case 'stream':
        return parentItem(item.parent);
      case 'request':
        return parentItem(item.round?.first);
      default:
        return undefined;
    }
  }

  function parentByTask(item: Item): Item | undefined {
    const taskId = 'aboutTask' in item ? item.aboutTask : undefined;
    if (taskId === undefined) return undefined;
    const key = taskKey(item, taskId);
    const owner = taskOwners.get(key);
    if (owner === undefined) listAt(taskless, key).push(item);
    return owner;
  }

  function ownTask(item: RequestItem, taskId: string): readonly Item[] {
    const key = taskKey(item, taskId);
    if (taskOwners.has(key)) return [];
    taskOwners.set(key, item);
    const waiting = (taskless.get(key) ?? []).filter(({ sequence }) => sequence > item.sequence);
    taskless.delete(key);
    for (const child of waiting) parents.set(child, item);
    return waiting;
  }

  return {
    add(item) {
      note(item);
      const parent = parentByTask(item) ?? parentByKey(item) ?? parentByExchange(item);
      if (item.kind === 'request' && item.createdTask !== undefined) {
        ownTask(item, item.createdTask);
      }
      if (parent === undefined || parent === item) return undefined;
      // Only what can be a parent itself is ever asked for its own.
      if (canBeParent(item)) parents.set(item, parent);
      return parent;
    },
    change(item) {
      note(item);
      if (item.kind !== 'request' || item.createdTask === undefined) return [];
      return ownTask(item, item.createdTask);
    },
    find: (key) => byKey.get(key),
  };
}

/** What only comes in has nothing under it: it need not be found again. */
function canBeParent(item: Item): boolean {
  if (item.kind === 'lifecycle') return false;
  return !('direction' in item) || item.kind === 'request' || item.direction === 'outgoing';
}

/** Whether the item stands for its exchange, and did not only come in it. */
function isCarried(item: Item): boolean {
  if (item.kind === 'lifecycle') return false;
  return 'direction' in item ? item.direction === 'outgoing' : item.httpId !== undefined;
}

function taskKey(item: Item, taskId: string): string {
  return `${item.connectionId ?? ''} ${taskId}`;
}

function listAt<Value>(lists: Map<string, Value[]>, key: string): Value[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
