import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { Item, RequestItem } from '../../capture/correlate/items.ts';
import { indexOfSequence } from './by-sequence.ts';
import { originOf } from '../replay/replay-links.ts';

/** How a row hangs together with another one. */
export type Relation = 'cause' | 'effect';

/** Why one row is there because of another one, in words that go before its name. */
export type CauseWord = 'Replay of' | 'Retry of' | 'Within' | 'On' | 'Caused by' | 'Answer to';

/** A row because of which another one is there. */
export interface Cause {
  item: Item;
  word: CauseWord;
}

type RelationSource = Pick<Correlation, 'items' | 'https' | 'sockets'>;

/** What caused what, found by ids; never by what stands next to each other. */
export interface Relations {
  /** Direct causes of an item, the nearest first. */
  causesOf(item: Item): readonly Cause[];
  /** What one row is to another one: directly, or over rows between them. */
  between(item: Item, other: Item): Relation | undefined;
  /** Requests of the server within a call that waited, or wait, for the user. */
  askedWithin(item: Item): readonly RequestItem[];
  /** Replays of a request. */
  replaysOf(item: Item): readonly Item[];
  /** Looks at what came since the last time; to be called once per batch. */
  refresh(): void;
}

/** A cause has a cause, but no row has this many in a line. */
const DEPTH = 8;

/** Creates the relations over an append-only list of items. `parentOf` finds the row under which one stands. */
export function createRelations(
  source: RelationSource,
  parentOf: (item: Item) => Item | undefined,
): Relations {
  const replays = new Map<number, Item[]>();
  const asked = new Map<Item, RequestItem[]>();
  let seen = 0;

  /** The item whose exchange this is: it begins with its request, or with that of a redirect before it. */
  function itemOfExchange(httpId: string | undefined): Item | undefined {
    let record = httpId === undefined ? undefined : source.https.get(httpId);
    for (let hop = 0; record !== undefined && hop < DEPTH; hop += 1) {
      const { sequence, links } = record.request;
      const item = source.items[indexOfSequence(source.items, sequence)];
      if (item !== undefined || links.causedBy === undefined) return item;
      record = source.https.get(links.causedBy);
    }
    return undefined;
  }

  function itemOfSocket(socketId: string | undefined): Item | undefined {
    const record = socketId === undefined ? undefined : source.sockets.get(socketId);
    return record && source.items[indexOfSequence(source.items, record.opening.sequence)];
  }

  function causesOf(item: Item): Cause[] {
    const causes: Cause[] = [];
    const add = (cause: Item | undefined, word: CauseWord) => {
      if (cause === undefined || cause === item) return;
      if (!causes.some((known) => known.item === cause)) causes.push({ item: cause, word });
    };
    const origin = originOf(item, source.https);
    if (origin !== undefined) {
      add(source.items[indexOfSequence(source.items, origin)], 'Replay of');
    }
    const carrier = itemOfExchange(item.httpId) ?? itemOfSocket(item.socketId);
    if (carrier === item) {
      const links = source.https.get(item.httpId ?? '')?.request.links;
      add(itemOfExchange(links?.retryOf), 'Retry of');
      if (links?.reason !== 'redirect') add(itemOfExchange(links?.causedBy), 'Caused by');
    }
    add(parentOf(item), item.kind === 'stray' ? 'Answer to' : 'Within');
    if (isIncoming(item)) add(carrier, carrier?.kind === 'request' ? 'Within' : 'On');
    return causes;
  }

  function isCausedBy(item: Item, other: Item, depth = 0): boolean {
    // What came later has caused nothing.
    if (depth >= DEPTH || other.sequence > item.sequence) return false;
    return causesOf(item).some(
      (cause) => cause.item === other || isCausedBy(cause.item, other, depth + 1),
    );
  }

  function note(item: Item): void {
    const origin = originOf(item, source.https);
    if (origin !== undefined) {
      const list = replays.get(origin) ?? [];
      replays.set(origin, list);
      list.push(item);
    }
    if (item.kind !== 'request') return;
    const call = item.direction === 'incoming' ? itemOfExchange(item.httpId) : undefined;
    if (call?.kind !== 'request' || item.method === 'ping') return;
    const list = asked.get(call) ?? [];
    asked.set(call, list);
    list.push(item);
  }

  return {
    causesOf,
    between(item, other) {
      if (item === other) return undefined;
      if (isCausedBy(item, other)) return 'cause';
      return isCausedBy(other, item) ? 'effect' : undefined;
    },
    askedWithin: (item) =>
      asked.get(item)?.filter(({ answeredBy }) => answeredBy !== 'policy') ?? [],
    replaysOf: (item) => replays.get(item.sequence) ?? [],
    refresh() {
      for (; seen < source.items.length; seen += 1) {
        const item = source.items[seen];
        if (item !== undefined) note(item);
      }
    },
  };
}

function isIncoming(item: Item): boolean {
  return 'direction' in item && item.direction === 'incoming';
}
