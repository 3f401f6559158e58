import * as fc from 'fast-check';
import * as fakeIndexedDb from 'fake-indexeddb';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { captureDatabase, type CaptureDatabase } from '../../../lib/capture/store/database.ts';
import type { CaptureRecord } from '../../../lib/capture/store/capture-record.ts';
import { packBlocks } from '../../../lib/capture/store/blocks.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { chunkFact, startRecorder, wireEvent, wireEvents } from '../../support/builders.ts';

Object.assign(globalThis, fakeIndexedDb);

const NAME = 'test-log';
let database: CaptureDatabase;

beforeEach(async () => {
  database = captureDatabase(NAME);
});

afterEach(async () => {
  database.close();
  await deleteDB(NAME);
});

function capture(captureId: string): CaptureRecord {
  const startedAt = 1000;
  return { captureId, name: captureId, startedAt, lastSequence: 0, eventCount: 0, sizeBytes: 0 };
}

function ofCapture(captureId: string, events: WireEvent[]): WireEvent[] {
  return events.map((event) => ({ ...event, captureId }));
}

async function read(from: number, to: number, captureId = 'capture'): Promise<number[]> {
  const sequences: number[] = [];
  for await (const blocks of database.readBlocks(captureId, from, to)) {
    sequences.push(...blocks.flatMap((block) => block.events.map((event) => event.sequence)));
  }
  return sequences;
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('reading', () => {
  test('gives the blocks that hold any event of a range, in order', async () => {
    // Blocks 1-100, 101-200, 201-250, 251-255.
    await database.append(packBlocks(wireEvents(1, 250)));
    await database.append(packBlocks(wireEvents(251, 255)));
    expect(await read(1, 255)).toEqual(range(1, 255));
    expect(await read(150, 255)).toEqual(range(101, 255));
    expect(await read(150, 160)).toEqual(range(101, 200));
    expect(await read(200, 201)).toEqual(range(101, 250));
    expect(await read(255, 255)).toEqual(range(251, 255));
    expect(await read(1, 1)).toEqual(range(1, 100));
    expect(await read(0, 3)).toEqual(range(1, 100));
  });

  test('gives nothing where nothing is', async () => {
    expect(await read(1, 100)).toEqual([]);
    await database.append(packBlocks(wireEvents(10, 20)));
    expect(await read(21, 500)).toEqual([]);
    expect(await read(1, 9)).toEqual([]);
    expect(await read(15, 14)).toEqual([]);
    expect(await read(10, 20, 'other')).toEqual([]);
  });

  test('leaves out a block that ends before the range, though it is the nearest one', async () => {
    await database.append(packBlocks(wireEvents(1, 10)));
    await database.append(packBlocks(wireEvents(31, 40)));
    expect(await read(20, 35)).toEqual(range(31, 40));
  });

  test('pages through more blocks than one read takes', async () => {
    for (let from = 1; from <= 441; from += 10) {
      await database.append(packBlocks(wireEvents(from, from + 9)));
    }
    expect(await read(1, 450)).toEqual(range(1, 450));
    expect(await read(195, 405)).toEqual(range(191, 410));
  });

  test('pages through blocks of one event each', async () => {
    for (let at = 1; at <= 45; at += 1) await database.append(packBlocks(wireEvents(at, at)));
    expect(await read(1, 45)).toEqual(range(1, 45));
  });

  test('begins at the block that holds the first event, not at the first block', async () => {
    await database.append(packBlocks(wireEvents(1, 500)));
    const getAll = vi.spyOn(fakeIndexedDb.IDBObjectStore.prototype, 'getAll');
    expect(await read(450, 500)).toEqual(range(401, 500));
    const [query] = getAll.mock.calls[0] as [IDBKeyRange];
    expect(query.lower).toEqual(['capture', 401]);
  });

  test('keeps captures apart', async () => {
    await database.append(packBlocks(ofCapture('a', wireEvents(1, 5))));
    await database.append(packBlocks(ofCapture('b', wireEvents(6, 9))));
    await database.append(packBlocks(ofCapture('a', wireEvents(10, 12))));
    expect(await read(1, 12, 'a')).toEqual([1, 2, 3, 4, 5, 10, 11, 12]);
    expect(await read(1, 12, 'b')).toEqual([6, 7, 8, 9]);
  });

  test('agrees with a plain list, for any blocks and any range', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat({ max: 2 })), { maxLength: 60 }),
        fc.nat({ max: 200 }),
        fc.nat({ max: 200 }),
        async (shape, from, to) => {
          const blocks = [];
          let next = 1;
          for (const [length, hole] of shape) {
            blocks.push(...packBlocks(wireEvents(next, next + length - 1)));
            next += length + hole;
          }
          database.close();
          await deleteDB(NAME);
          database = captureDatabase(NAME);
          await database.append(blocks);
          const expected = blocks.filter(
            (block) => block.lastSequence >= from && block.firstSequence <= to && from <= to,
          );
          const firsts = [];
          for await (const found of database.readBlocks('capture', from, to)) {
            expect(found.length).toBeGreaterThan(0);
            firsts.push(...found.map((block) => block.firstSequence));
          }
          expect(firsts).toEqual(expected.map((block) => block.firstSequence));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('gives the same bytes back', async () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
    const data = { bytes, cuts: [{ offset: 1, length: 2, secret: 'a91c', from: 0 }] };
    const event = wireEvent(1, { kind: 'http-chunk', httpId: 'h1', offset: 0, data });
    await database.append(packBlocks([event]));
    for await (const [block] of database.readBlocks('capture', 1, 1)) {
      expect(block!.events).toEqual([event]);
    }
  });
});

describe('captures', () => {
  test('count what was appended to each', async () => {
    await database.ensureCapture(capture('a'));
    await database.ensureCapture(capture('b'));
    await database.append([
      ...packBlocks(ofCapture('a', wireEvents(1, 150))),
      ...packBlocks(ofCapture('b', [wireEvent(151, chunkFact(1000))])),
    ]);
    const [a, b] = await database.captures();
    expect(a).toMatchObject({ captureId: 'a', lastSequence: 150, eventCount: 150 });
    expect(b).toMatchObject({ captureId: 'b', lastSequence: 151, eventCount: 1 });
    expect(b!.sizeBytes).toBeGreaterThanOrEqual(1000);
    // What it takes on the disk, roughly.
    expect(a!.sizeBytes).toBeGreaterThan(150 * 80);
    expect(a!.sizeBytes).toBeLessThan(150 * 200);
    expect(b!.endedAt).toBe(wireEvent(151).wallTime);
  });

  test('are made once', async () => {
    await database.ensureCapture(capture('a'));
    await database.append(packBlocks(ofCapture('a', wireEvents(1, 5))));
    await database.ensureCapture({ ...capture('a'), name: 'other' });
    expect(await database.captures()).toMatchObject([{ name: 'a', lastSequence: 5 }]);
  });

  test('are known by their events alone, so that no sequence is ever given twice', async () => {
    await database.append(packBlocks(ofCapture('lost', wireEvents(7, 9))));
    expect(await database.captures()).toMatchObject([
      { captureId: 'lost', lastSequence: 9, eventCount: 3 },
    ]);
  });

  test('are still there after the database was closed and opened again', async () => {
    await database.ensureCapture(capture('capture'));
    const { recorder } = await startRecorder({ store: database });
    for (let turn = 0; turn < 130; turn += 1) recorder.record({ kind: 'wake' });
    await recorder.flushed();
    database.close();
    database = captureDatabase(NAME);
    const [found] = await database.captures();
    expect(found).toMatchObject({ lastSequence: 130, eventCount: 130 });
    expect(await read(1, 130)).toEqual(range(1, 130));
  });
});

test('makes way for a deletion, and starts anew with the next write', async () => {
  await database.append(packBlocks(wireEvents(1, 3)));
  await deleteDB(NAME);
  await database.append(packBlocks(wireEvents(4, 6)));
  expect(await read(1, 10)).toEqual([4, 5, 6]);
});
