import type { Correlation } from '../capture/correlate.ts';
import type { HttpRecord, Item, MessageRef } from '../capture/items.ts';
import type { WireEvent } from '../capture/wire-event.ts';

/** How far an exchange has been read. */
interface Cursor {
  hasReceived: boolean;
  hasHead: boolean;
  hasEnd: boolean;
  stream: number;
  deadlines: number;
}

/** Finds what is new in a correlation, at a cost in proportion to what is new. */
export interface Collector {
  /** New events in order; every event once, however the log is cut into batches. */
  collect(touched: ReadonlySet<Item>): WireEvent[];
  /** Key of the item at a sequence: with that key where given, else the first one. */
  keyAt(sequence: number, key?: string): string | undefined;
}

/** Reads the events behind a correlation's items. */
export function createCollector(correlation: Pick<Correlation, 'items' | 'https'>): Collector {
  const { items, https } = correlation;
  const cursors = new Map<HttpRecord, Cursor>();
  // A map's iterator sees what is added later, as long as it has not come to the end.
  const records = https.values();
  /** Exchanges that are not over: few, and looked at each time, as not all of them have an item. */
  let open = new Set<HttpRecord>();
  const lifecycle = new Set<Item>();
  let recordCount = 0;
  let bootId: string | undefined;

  function collectNewRecords(found: WireEvent[]): void {
    for (; recordCount < https.size; recordCount += 1) {
      const { value: record } = records.next();
      if (record === undefined) return;
      found.push(record.request);
      // Another life of the worker: what an earlier one had open stays as it is.
      if (record.request.bootId !== bootId) open = new Set();
      bootId = record.request.bootId;
      open.add(record);
      cursors.set(record, {
        hasReceived: false,
        hasHead: false,
        hasEnd: false,
        stream: 0,
        deadlines: 0,
      });
    }
  }

  function collectRecord(record: HttpRecord, found: WireEvent[]): void {
    const cursor = cursors.get(record);
    if (cursor === undefined) return;
    if (!cursor.hasReceived && record.received !== undefined) {
      cursor.hasReceived = true;
      found.push(record.received);
    }
    if (!cursor.hasHead && record.response !== undefined) {
      cursor.hasHead = true;
      found.push(record.response);
    }
    cursor.stream = collectFrom(record.stream, cursor.stream, found);
    cursor.deadlines = collectFrom(record.deadlines, cursor.deadlines, found);
    if (!cursor.hasEnd && record.end !== undefined) {
      cursor.hasEnd = true;
      found.push(record.end);
      open.delete(record);
    }
  }

  function add(httpId: string | undefined, into: Set<HttpRecord>): void {
    const record = httpId === undefined ? undefined : https.get(httpId);
    if (record !== undefined) into.add(record);
  }

  return {
    collect(touched) {
      const found: WireEvent[] = [];
      const before = [...open];
      collectNewRecords(found);
      const changed = new Set([...before, ...open]);
      for (const item of touched) {
        add(item.httpId, changed);
        if ('message' in item) add(httpIdOf(item.message), changed);
        // Our answer to a request of the server has an exchange of its own.
        if (item.kind === 'request') add(httpIdOf(item.response), changed);
        if (item.kind === 'lifecycle' && !('httpId' in item.event) && !lifecycle.has(item)) {
          lifecycle.add(item);
          found.push(item.event);
        }
      }
      for (const record of changed) collectRecord(record, found);
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

function collectFrom(events: readonly WireEvent[], from: number, found: WireEvent[]): number {
  for (let index = from; index < events.length; index += 1) {
    const event = events[index];
    if (event !== undefined) found.push(event);
  }
  return events.length;
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

function httpIdOf(ref: MessageRef | undefined): string | undefined {
  return ref !== undefined && 'httpId' in ref ? ref.httpId : undefined;
}
