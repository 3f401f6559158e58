import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { HttpRecord, Item } from '../../capture/correlate/items.ts';
import type { RequestLinks } from '../../capture/wire-event.ts';

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
  /** By what they have begun: tasks and authorization chains. */
  const owners = new Map<string, Item>();
  /** What is about something whose beginning has not been seen. */
  const ownerless = new Map<string, Item[]>();

  function note(item: Item): void {
    if (!canBeParent(item)) return;
    byKey.set(item.key, item);
    if (item.httpId === undefined || !isCarried(item)) return;
    byExchange.set(item.httpId, item);
    for (const { httpId } of attemptsOf(item.httpId)) byExchange.set(httpId, item);
  }

  /** The exchanges that carried one message, the last one first: a redirect is followed, a challenge answered. */
  function attemptsOf(httpId: string): HttpRecord[] {
    const attempts: HttpRecord[] = [];
    for (let record = source.https.get(httpId); record !== undefined;) {
      // An imported log may point in a circle.
      if (attempts.includes(record)) break;
      attempts.push(record);
      const { reason, causedBy, retryOf, authChain } = record.request.links;
      const before = reason === 'redirect' ? causedBy : authChain && retryOf;
      record = before === undefined ? undefined : source.https.get(before);
    }
    return attempts;
  }

  /** The item that an exchange carries, also where it has only just been sent again. */
  function carriedBy(httpId: string): Item | undefined {
    for (const attempt of attemptsOf(httpId)) {
      const item = byExchange.get(attempt.httpId);
      if (item !== undefined) return item;
    }
    return undefined;
  }

  /** What the first attempt hangs together with. */
  function linksOf(item: Item): RequestLinks | undefined {
    if (item.httpId === undefined || !isCarried(item)) return undefined;
    return attemptsOf(item.httpId).at(-1)?.request.links;
  }

  function parentByExchange(item: Item): Item | undefined {
    if (!isCarried(item)) return carrierOfServerRequest(item);
    const links = linksOf(item);
    if (links?.retryOf !== undefined) return sibling(carriedBy(links.retryOf));
    if (links?.causedBy === undefined) return undefined;
    const cause = carriedBy(links.causedBy);
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
    const carrier = carriedBy(item.message.httpId);
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

  /** The task or the authorization chain that an item is about; a chain itself is about who waits for it. */
  function subjectOf(item: Item): string | undefined {
    if (item.kind === 'auth') return waitKey(item.chain);
    if (item.kind === 'lifecycle') {
      const chain = 'chain' in item.event ? item.event.chain : undefined;
      return chain === undefined ? undefined : chainKey(chain);
    }
    if ('aboutTask' in item && item.aboutTask !== undefined) return taskKey(item, item.aboutTask);
    const chain = linksOf(item)?.authChain;
    return chain === undefined ? undefined : chainKey(chain);
  }

  function parentBySubject(item: Item): Item | undefined {
    const subject = subjectOf(item);
    if (subject === undefined) return undefined;
    const owner = owners.get(subject);
    if (owner === undefined) listAt(ownerless, subject).push(item);
    return owner;
  }

  /** Takes note of what an item has begun; returns what has been waiting for that. */
  function own(item: Item): Item[] {
    const found: Item[] = [];
    for (const subject of subjectsBegunBy(item)) {
      if (owners.has(subject)) continue;
      owners.set(subject, item);
      const waiting = ownerless.get(subject) ?? [];
      ownerless.delete(subject);
      for (const child of waiting) if (child.sequence > item.sequence) found.push(child);
    }
    for (const child of found) parents.set(child, item);
    return found;
  }

  return {
    add(item) {
      note(item);
      own(item);
      const parent = parentBySubject(item) ?? parentByKey(item) ?? parentByExchange(item);
      if (parent === undefined || parent === item) return undefined;
      // Only what can be a parent itself is ever asked for its own.
      if (canBeParent(item)) parents.set(item, parent);
      return parent;
    },
    change(item) {
      note(item);
      return own(item);
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

function subjectsBegunBy(item: Item): string[] {
  if (item.kind === 'auth') return [chainKey(item.chain)];
  const chains = (item.authChains ?? []).map(waitKey);
  if (item.kind !== 'request' || item.createdTask === undefined) return chains;
  return [...chains, taskKey(item, item.createdTask)];
}

function chainKey(chain: string): string {
  return `chain ${chain}`;
}

/** Requests begin no chain: they wait for one. */
function waitKey(chain: string): string {
  return `wait ${chain}`;
}

function taskKey(item: Item, taskId: string): string {
  return `task ${item.connectionId ?? ''} ${taskId}`;
}

function listAt<Value>(lists: Map<string, Value[]>, key: string): Value[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
