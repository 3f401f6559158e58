import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { Item, NotificationItem, RequestItem } from '../../capture/correlate/items.ts';
import { LIST_KINDS, LISTS, type ListKind } from './server-entries.ts';

/** What the log holds of one server, as far as its screen shows it; the oldest first. */
export interface ServerRecord {
  /** `initialize` and `server/discover`. */
  introductions: RequestItem[];
  lists: Record<ListKind, RequestItem[]>;
  /** Notifications that a list has changed. */
  changes: Record<ListKind, NotificationItem[]>;
}

/** The requests and notifications that the server screen is about, by connection. */
export interface ServerLog {
  of(connectionId: string): ServerRecord;
  /** Takes what is new or has changed; returns the connections whose records are others now. */
  apply(items: Iterable<Item>): Set<string>;
}

const BY_METHOD = new Map(LIST_KINDS.map((kind) => [LISTS[kind].method, kind]));
const INTRODUCTIONS = new Set(['initialize', 'server/discover']);

/** Creates the index over all that was recorded so far. */
export function createServerLog(correlation: Pick<Correlation, 'items'>): ServerLog {
  const records = new Map<string, ServerRecord>();
  const seen = new Set<Item>();

  function of(connectionId: string): ServerRecord {
    const found = records.get(connectionId) ?? {
      introductions: [],
      lists: { tools: [], resources: [], templates: [], prompts: [] },
      changes: { tools: [], resources: [], templates: [], prompts: [] },
    };
    records.set(connectionId, found);
    return found;
  }

  function apply(items: Iterable<Item>): Set<string> {
    const changed = new Set<string>();
    for (const item of items) {
      if (!isOfInterest(item) || item.connectionId === undefined) continue;
      changed.add(item.connectionId);
      if (seen.has(item)) continue;
      seen.add(item);
      const record = of(item.connectionId);
      if (item.kind === 'request') {
        const kind = BY_METHOD.get(item.method);
        insert(kind === undefined ? record.introductions : record.lists[kind], item);
        continue;
      }
      for (const kind of LIST_KINDS) {
        if (LISTS[kind].changed === item.method) insert(record.changes[kind], item);
      }
    }
    return changed;
  }

  apply(correlation.items);
  return { of, apply };
}

function isOfInterest(item: Item): item is RequestItem | NotificationItem {
  if (item.kind === 'request') {
    const isOurs = item.direction === 'outgoing';
    return isOurs && (BY_METHOD.has(item.method) || INTRODUCTIONS.has(item.method));
  }
  if (item.kind !== 'notification' || item.direction !== 'incoming') return false;
  return LIST_KINDS.some((kind) => LISTS[kind].changed === item.method);
}

/** Changed items come in any order. */
function insert<Kind extends { sequence: number }>(list: Kind[], item: Kind): void {
  let at = list.length;
  while (at > 0 && (list[at - 1]?.sequence ?? 0) > item.sequence) at -= 1;
  list.splice(at, 0, item);
}
