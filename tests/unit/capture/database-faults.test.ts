import * as fakeIndexedDb from 'fake-indexeddb';
import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { packBlocks } from '../../../lib/capture/store/blocks.ts';
import { captureDatabase, type CaptureDatabase } from '../../../lib/capture/store/database.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { chunkFact, startRecorder, wireEvent, wireEvents } from '../../support/builders.ts';

Object.assign(globalThis, fakeIndexedDb);

let name = '';
let count = 0;
const { IDBObjectStore } = fakeIndexedDb;
let database: CaptureDatabase;

beforeEach(() => {
  // One each: a database that a failed test leaves open must not hold up the others.
  count += 1;
  name = `faulty-log-${count}`;
  database = captureDatabase(name);
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  database.close();
  await deleteDB(name);
});

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

async function readEvents(from: number, to: number): Promise<WireEvent[]> {
  const events: WireEvent[] = [];
  for await (const blocks of database.readBlocks('capture', from, to)) {
    events.push(...blocks.flatMap((block) => block.events));
  }
  return events;
}

const sequences = (events: readonly WireEvent[]) => events.map((event) => event.sequence);
const gapsOf = (events: readonly WireEvent[]) => events.filter((event) => event.kind === 'gap');

/** Changes one stored record by hand, as a fault of the disk would. */
async function spoil(first: number, change: (block: Record<string, unknown>) => unknown) {
  const raw = await openDB(name);
  const key = ['capture', first];
  await raw.put('blocks', change((await raw.get('blocks', key)) as Record<string, unknown>), key);
  raw.close();
}

describe('a damaged block', () => {
  beforeEach(async () => {
    // Blocks 1-100, 101-200, 201-300, 301-350.
    await database.append(packBlocks(wireEvents(1, 349)));
    await database.append(packBlocks([wireEvent(350, chunkFact(10))]));
  });

  test.each([
    ['text that is cut off', (block) => ({ ...block, json: String(block['json']).slice(0, -40) })],
    ['events that are missing', (block) => ({ ...block, json: '[]' })],
    ['a record of another kind', () => 'nonsense'],
    ['a record without bytes', ({ bytes: _bytes, ...block }) => block],
  ] satisfies [string, (block: Record<string, unknown>) => unknown][])(
    'costs that block only, and is named: %s',
    async (_name, change) => {
      await spoil(101, change);
      const events = await readEvents(1, 350);
      expect(sequences(events)).toEqual([...range(1, 100), 200, ...range(201, 350)]);
      expect(gapsOf(events)).toMatchObject([
        {
          captureId: 'capture',
          sequence: 200,
          fromSequence: 101,
          toSequence: 200,
          what: expect.stringContaining('cannot be read'),
          bootId: 'boot',
          wallTime: events[99]!.wallTime,
        },
      ]);
    },
  );

  test('is named only where it was asked for', async () => {
    await spoil(101, () => null);
    expect(gapsOf(await readEvents(201, 350))).toEqual([]);
    expect(gapsOf(await readEvents(150, 350))).toMatchObject([
      { fromSequence: 150, toSequence: 200 },
    ]);
  });

  test('is named where it is the last one, and where bytes are missing', async () => {
    await spoil(350, (block) => ({ ...block, bytes: new Uint8Array(3) }));
    const events = await readEvents(1, 350);
    expect(sequences(events)).toEqual(range(1, 350));
    expect(gapsOf(events)).toMatchObject([{ fromSequence: 350, toSequence: 350 }]);
  });

  test('that the browser itself cannot read spoils no other', async () => {
    const fail = () => {
      throw new DOMException('Failed to read large IndexedDB value', 'DataError');
    };
    vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(fail);
    const { get } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (
      this: IDBObjectStore,
      key: unknown,
    ) {
      return (key as [string, number])[1] === 201 ? fail() : get.call(this as never, key as never);
    } as never);
    const events = await readEvents(1, 350);
    expect(sequences(events)).toEqual([...range(1, 200), 300, ...range(301, 350)]);
    expect(gapsOf(events)).toMatchObject([
      { fromSequence: 201, toSequence: 300, why: expect.stringContaining('DataError') },
    ]);
  });
});

test('an event that has no stored form is named in its place, and keeps no other from the disk', async () => {
  const odd: WireEvent = Object.assign(wireEvent(2), { connectionId: 'c1', extra: 1n });
  await database.append(packBlocks([wireEvent(1), odd, wireEvent(3)]));
  const events = await readEvents(1, 3);
  expect(sequences(events)).toEqual([1, 2, 3]);
  expect(events[1]).toMatchObject({
    kind: 'gap',
    connectionId: 'c1',
    fromSequence: 2,
    toSequence: 2,
    why: expect.stringContaining('BigInt'),
  });
});

describe('a write that fails half-way', () => {
  /** Aborts the transaction of the `at`th put. */
  function abortOnce(at: number, abort: (transaction: IDBTransaction) => void) {
    const { put } = IDBObjectStore.prototype;
    let puts = 0;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...given: unknown[]
    ) {
      const request = put.apply(this as never, given as never);
      puts += 1;
      const { transaction } = this;
      if (puts === at) queueMicrotask(() => abort(transaction));
      return request;
    } as never);
  }

  test('stores nothing of its blocks, and counts none', async () => {
    await database.append(packBlocks(wireEvents(1, 2)));
    abortOnce(2, (transaction) => transaction.abort());
    await expect(database.append(packBlocks(wireEvents(3, 250)))).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(sequences(await readEvents(1, 250))).toEqual([1, 2]);
    expect(await database.captures()).toMatchObject([{ eventCount: 2, lastSequence: 2 }]);
    await database.append(packBlocks(wireEvents(3, 250)));
    expect(sequences(await readEvents(1, 250))).toEqual(range(1, 250));
  });

  test('is written again by the recorder, each event once, with its checkpoint', async () => {
    abortOnce(2, (transaction) => transaction.abort());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { recorder, secrets } = await startRecorder({
      store: database,
      checkpoint: () => `up to ${recorder.lastCommittedSequence}`,
    });
    expect(secrets).toBeDefined();
    for (let turn = 0; turn < 150; turn += 1) recorder.record({ kind: 'wake' });
    await recorder.flushed();
    expect(recorder.unstored.map((event) => event.kind).slice(-2)).toEqual([
      'wake',
      'storage-state',
    ]);
    expect(recorder.unstored.at(-1)).toMatchObject({ state: 'memory', reason: /gave up/ });
    await vi.advanceTimersByTimeAsync(2000);
    await recorder.flushed();
    expect(recorder.unstored).toEqual([]);
    const events = await readEvents(1, 152);
    expect(sequences(events)).toEqual(range(1, 152));
    expect(events.at(-1)).toMatchObject({ kind: 'storage-state', state: 'stored' });
    expect(await database.captures()).toMatchObject([{ eventCount: 152, lastSequence: 152 }]);
  });

  test('says why the whole failed, not that a part was given up', async () => {
    // How the test database ends a transaction by itself, which no call of a page can play.
    abortOnce(1, (transaction) =>
      Reflect.apply(Reflect.get(transaction, '_abort'), transaction, ['QuotaExceededError']),
    );
    await expect(database.append(packBlocks(wireEvents(1, 2)))).rejects.toMatchObject({
      name: 'QuotaExceededError',
    });
    expect(await database.captures()).toEqual([]);
  });

  test('leaves nothing behind where a record was refused at once', async () => {
    const { put } = IDBObjectStore.prototype;
    let puts = 0;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...given: unknown[]
    ) {
      puts += 1;
      if (puts === 2) throw new DOMException('no clone', 'DataCloneError');
      return put.apply(this as never, given as never);
    } as never);
    await expect(database.append(packBlocks(wireEvents(1, 250)))).rejects.toMatchObject({
      name: 'DataCloneError',
    });
    expect(await readEvents(1, 250)).toEqual([]);
    expect(await database.captures()).toEqual([]);
  });
});

describe('a database that says nothing', () => {
  const SILENT = { problem: { message: 'The database has not answered for 10 s.' } };
  const reasonOf = (call: Promise<unknown>) =>
    call.then(
      () => 'it succeeded',
      (error: unknown) => error,
    );

  test('counts as broken while it opens, and refuses at once until it has', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const open = vi.spyOn(indexedDB, 'open').mockReturnValue(new fakeIndexedDb.IDBOpenDBRequest());
    const failing = reasonOf(database.captures());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await failing).toMatchObject(SILENT);
    await expect(database.captures()).rejects.toMatchObject(SILENT);
    expect(open).toHaveBeenCalledTimes(1);
  });

  test('gives up a write that takes too long, so that it is never stored twice', async () => {
    await database.append(packBlocks(wireEvents(1, 2)));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const other = await openDB(name);
    const held = other.transaction('blocks', 'readwrite');
    let isHeld = true;
    const hold = async () => {
      while (isHeld) await held.store.count();
      await held.done;
    };
    const holding = hold();
    const failing = reasonOf(database.append(packBlocks(wireEvents(3, 4))));
    // Until the write has begun, there is no time to run out.
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await failing).toMatchObject(SILENT);
    isHeld = false;
    await holding;
    other.close();
    expect(sequences(await readEvents(1, 10))).toEqual([1, 2]);
    await database.append(packBlocks(wireEvents(3, 4)));
    expect(sequences(await readEvents(1, 10))).toEqual([1, 2, 3, 4]);
  });
});

test('a database that the browser deletes under the recorder is made anew with the next batch', async () => {
  const { recorder } = await startRecorder({ store: database });
  recorder.record({ kind: 'wake' });
  await recorder.flushed();
  await deleteDB(name);
  recorder.record({ kind: 'wake' });
  await recorder.flushed();
  expect(sequences(await readEvents(1, 10))).toEqual([2]);
  expect(await database.captures()).toMatchObject([{ captureId: 'capture', lastSequence: 2 }]);
});

describe('deleting a capture', () => {
  test('takes all its blocks and its record, and nothing else', async () => {
    for (let at = 1; at <= 250; at += 1) await database.append(packBlocks(wireEvents(at, at)));
    const others = wireEvents(251, 260).map((event) => ({ ...event, captureId: 'capture-2' }));
    await database.append(packBlocks(others));
    await database.deleteCapture('capture');
    expect(await readEvents(1, 260)).toEqual([]);
    expect(await database.captures()).toMatchObject([{ captureId: 'capture-2', eventCount: 10 }]);
    const raw = await openDB(name);
    expect(await raw.count('blocks')).toBe(1);
    raw.close();
  });

  test('of what is pinned is up to who asks; a pin is kept as the capture grows', async () => {
    await database.append(packBlocks(wireEvents(1, 2)));
    await database.pinCapture('capture', true);
    await database.append(packBlocks(wireEvents(3, 4)));
    expect(await database.captures()).toMatchObject([{ isPinned: true, eventCount: 4 }]);
    await database.pinCapture('capture', false);
    expect((await database.captures())[0]).not.toHaveProperty('isPinned');
    await database.pinCapture('nothing', true);
    expect(await database.captures()).toHaveLength(1);
  });
});
