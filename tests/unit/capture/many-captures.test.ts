import * as fakeIndexedDb from 'fake-indexeddb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newCapture } from '../../../lib/capture/store/capture-record.ts';
import { captureShelf } from '../../../lib/capture/store/capture-shelf.ts';
import { captureDatabase } from '../../../lib/capture/store/database.ts';
import { importCapture } from '../../../lib/capture/store/import-capture.ts';
import { openLog, type Log } from '../../../lib/capture/store/log.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { readUsage } from '../../../lib/state/captures/capture-counting.ts';
import { createStorageModel } from '../../../lib/state/captures/storage-model.ts';
import { LogBuilder } from '../../support/builders.ts';
import { countRecordReads } from '../../support/record-reads.ts';
import { fakeBackground } from '../state/fakes.ts';

// What is done with one capture, or with the list, must cost no more the more captures there are. Counted are the
// records that are read, not the time.
Object.assign(globalThis, fakeIndexedDb);

const NAME = 'many-captures';
const CAPTURES = 40;
const BLOCKS = 5;

const takeReads = countRecordReads(fakeIndexedDb.IDBObjectStore.prototype);
const database = captureDatabase(NAME);
const shelf = captureShelf(NAME);
let limit = 1_000_000_000;
let log: Log;

function openWorker(): Promise<Log> {
  return openLog(
    'boot',
    { committed: () => undefined, queueChanged: () => undefined },
    {
      database,
      secrets: { load: () => Promise.resolve(undefined), save: () => undefined },
      session: {
        load: () => Promise.resolve({ captureId: 'current' }),
        saveCapture: () => undefined,
        saveUnstored: () => undefined,
      },
      loadLimit: () => Promise.resolve(limit),
      saveLimit: (limitBytes) => Promise.resolve(void (limit = limitBytes)),
      estimate: () => Promise.resolve({}),
      wasReplaced: () => false,
      touch: () => undefined,
    },
  );
}

function openScreen() {
  const { background } = fakeBackground({
    storage: () => log.retention.report(),
    deleteCaptures: (captureIds) => log.retention.remove(captureIds),
  });
  return createStorageModel({
    background,
    showCapture: () => undefined,
    openCapture: () => undefined,
    loadFiles: () => Promise.reject(new Error('There are no files here.')),
    loadShelf: async () => shelf,
    openSearchWorker: () => ({ post: () => undefined, end: () => undefined }),
  });
}

beforeAll(async () => {
  let sequence = 0;
  for (let at = 0; at < CAPTURES; at += 1) {
    const capture = newCapture(at * 1000, `c${at}`);
    const events = called(`c${at}`).map((event) => ({
      ...event,
      captureId: capture.captureId,
      sequence: (sequence += 1),
    }));
    await importCapture(database, capture, events);
  }
  takeReads();
});

/** Answers of 1 MB fill a block each. */
function called(connectionId: string): WireEvent[] {
  const built = new LogBuilder(connectionId);
  built.opened();
  for (let id = 1; id <= BLOCKS; id += 1) {
    const text = 'a'.repeat(1_000_000);
    built.answer(built.call(String(id)), { jsonrpc: '2.0', id, result: { text } });
  }
  return built.events;
}

afterAll(() => {
  database.close();
  shelf.close();
});

test('the worker starts, keeps its limit and tells of its captures without reading any', async () => {
  log = await openWorker();
  await log.recorder.flushed();
  await log.retention.keepLimit();
  expect((await log.retention.report()).captures).toHaveLength(CAPTURES + 1);
  const { blocks, captures } = takeReads();
  expect(blocks).toBe(0);
  // To find its own, to look at the limit, to tell of them, and its own with each batch.
  expect(captures).toBeLessThan(4 * (CAPTURES + 1));
});

test('the screen reads a capture once and for all, and the list no more often the longer it is', async () => {
  const screen = openScreen();
  await screen.refresh();
  await vi.waitFor(
    () =>
      expect(screen.rows.value.every(({ description }) => description.facts !== undefined)).toBe(
        true,
      ),
    { timeout: 20_000 },
  );
  const counted = takeReads();
  expect(counted.blocks).toBeGreaterThanOrEqual(CAPTURES * BLOCKS);
  expect(counted.blocks).toBeLessThan(CAPTURES * (BLOCKS + 2));
  expect(counted.captures).toBeLessThan(3 * CAPTURES);
  expect(counted.descriptions).toBeLessThan(3 * CAPTURES);
  screen.leave();

  const again = openScreen();
  await again.refresh();
  const facts = again.rows.value.map(({ description }) => description.facts?.exchanges);
  expect(facts.filter((exchanges) => exchanges === BLOCKS)).toHaveLength(CAPTURES);
  again.leave();
  const { captures } = await log.retention.report();
  const { signal } = new AbortController();
  for await (const used of readUsage(captures, shelf, signal)) expect(used).toEqual([]);
  expect(takeReads().blocks).toBe(0);
});

test('a capture is opened by its own blocks, and its end by the last of them', async () => {
  const { captures } = await log.retention.report();
  takeReads();
  const capture = captures.find(({ captureId }) => captureId === 'c30');
  if (capture === undefined) throw new Error('It is gone.');
  await shelf.read(capture, {});
  const { blocks } = takeReads();
  expect(blocks).toBeGreaterThanOrEqual(BLOCKS);
  expect(blocks).toBeLessThan(2 * BLOCKS);
});

test('many are deleted without reading any, and the list is not read for each', async () => {
  const screen = openScreen();
  await screen.refresh();
  takeReads();
  const { captures = [] } = screen.report.value ?? {};
  screen.removal.remove(captures.filter(({ captureId }) => captureId !== 'current').slice(0, 30));
  // While the log tells of each that went.
  screen.leave();
  const told = Array.from({ length: 30 }, () => screen.refresh());
  await vi.waitFor(() => expect(screen.rows.value).toHaveLength(CAPTURES + 1 - 30), {
    timeout: 20_000,
  });
  await Promise.all(told);
  const reads = takeReads();
  expect(reads.blocks).toBe(0);
  expect(reads.captures).toBeLessThan(6 * CAPTURES);
  expect(reads.descriptions).toBeLessThan(6 * CAPTURES);
});
