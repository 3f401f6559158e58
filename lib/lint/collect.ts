import type { Correlation } from '../capture/correlate/correlate.ts';
import type { HttpRecord, Item, SocketRecord } from '../capture/correlate/items.ts';
import type { WireEvent } from '../capture/wire-event.ts';

/** Finds what is new in a correlation, at a cost in proportion to what is new. */
export interface Collector {
  /** New events in order; every event once, however the log is cut into batches. */
  collect(touched: ReadonlySet<Item>): WireEvent[];
  /** Key of the item at a sequence: with that key where given, else the first one. */
  keyAt(sequence: number, key?: string): string | undefined;
}

/** What the rules read of a correlation. */
export type LintSource = Pick<Correlation, 'items' | 'https' | 'sockets'>;

/** One exchange or socket, and how far it has been read. */
interface Reading {
  /** Events that come once, in their order, each until it has been seen. */
  once: (() => WireEvent | undefined)[];
  /** Lists that grow, with the number of entries seen. */
  lists: { events: readonly WireEvent[]; seen: number }[];
  isOver(): boolean;
}

/** Reads the events behind a correlation's items. */
export function createCollector({ items, https, sockets }: LintSource): Collector {
  const readings = new Map<string, Reading>();
  const lifecycle = new Set<Item>();
  /** Carriers that are not over: few, and looked at each time, as not all of them have an item. */
  let open = new Set<Reading>();
  let bootId: string | undefined;

  const takeExchanges = createQueue(https, (record) =>
    begin(record.httpId, record.request, readExchange(record)),
  );
  const takeSockets = createQueue(sockets, (record) =>
    begin(record.socketId, record.opening, readSocket(record)),
  );

  function begin(id: string, first: WireEvent, reading: Reading): WireEvent {
    // Another life of the worker: what an earlier one had open stays as it is.
    if (first.bootId !== bootId) open = new Set();
    bootId = first.bootId;
    readings.set(id, reading);
    open.add(reading);
    return first;
  }

  function add(id: string | undefined, into: Set<Reading>): void {
    const reading = id === undefined ? undefined : readings.get(id);
    if (reading !== undefined) into.add(reading);
  }

  return {
    collect(touched) {
      const before = [...open];
      const found: WireEvent[] = [...takeExchanges(), ...takeSockets()];
      const changed = new Set([...before, ...open]);
      for (const item of touched) {
        // What comes behind an end: headers that a browser tells late, deadlines, tails.
        add(item.httpId, changed);
        if (item.kind !== 'lifecycle' || lifecycle.has(item)) continue;
        if ('httpId' in item.event || 'socketId' in item.event) continue;
        lifecycle.add(item);
        found.push(item.event);
      }
      for (const reading of changed) {
        read(reading, found);
        if (reading.isOver()) open.delete(reading);
      }
      return found.sort((left, right) => left.sequence - right.sequence);
    },
    keyAt(sequence, key) {
      for (let index = indexAt(items, sequence); ; index += 1) {
        const item = items[index];
        if (item?.sequence !== sequence) return undefined;
        if (key === undefined || item.key === key) return item.key;
      }
    },
  };
}

function readExchange(record: HttpRecord): Reading {
  return {
    once: [() => record.received, () => record.response, () => record.end],
    lists: [
      { events: record.stream, seen: 0 },
      { events: record.deadlines, seen: 0 },
    ],
    isOver: () => record.end !== undefined,
  };
}

function readSocket(record: SocketRecord): Reading {
  return {
    once: [() => record.open, () => record.close],
    lists: [
      { events: record.frames, seen: 0 },
      { events: record.deadlines, seen: 0 },
    ],
    isOver: () => record.close !== undefined,
  };
}

function read(reading: Reading, found: WireEvent[]): void {
  if (reading.once.length > 0) {
    reading.once = reading.once.filter((get) => {
      const event = get();
      if (event !== undefined) found.push(event);
      return event === undefined;
    });
  }
  for (const list of reading.lists) {
    for (; list.seen < list.events.length; list.seen += 1) {
      const event = list.events[list.seen];
      if (event !== undefined) found.push(event);
    }
  }
}

/** Hands out what was added to a map since the last call. */
function createQueue<Entry>(
  map: ReadonlyMap<string, Entry>,
  take: (entry: Entry) => WireEvent,
): () => WireEvent[] {
  // A map's iterator sees what is added later, as long as it has not come to the end.
  const entries = map.values();
  let count = 0;
  return () => {
    const found: WireEvent[] = [];
    for (; count < map.size; count += 1) {
      const { value } = entries.next();
      if (value !== undefined) found.push(take(value));
    }
    return found;
  };
}

function indexAt(items: readonly Item[], sequence: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.sequence ?? Infinity) < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}
