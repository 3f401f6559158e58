import * as fakeIndexedDb from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { captureDatabase, type CaptureDatabase } from '../../../lib/capture/store/database.ts';
import { newCapture } from '../../../lib/capture/store/capture-record.ts';
import { importCapture } from '../../../lib/capture/store/import-capture.ts';
import { openLog, type Log } from '../../../lib/capture/store/log.ts';
import type { UnstoredRange } from '../../../lib/capture/recorder.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { wireEvent } from '../../support/builders.ts';

Object.assign(globalThis, fakeIndexedDb);

let count = 0;
let databases: CaptureDatabase[] = [];

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  for (const database of databases) database.close();
  databases = [];
  vi.useRealTimers();
});

/** A browser profile: its disk, and its memory, which a start of the browser empties. */
function createProfile() {
  count += 1;
  const name = `profile-${count}`;
  const profile = {
    session: {} as { captureId?: string; unstored?: UnstoredRange },
    isBroken: false,
    /** What the browser says of the start that comes. */
    isReplaced: false,
    limit: 1_000_000_000,
    touches: 0,
    shown: [] as WireEvent[],
    boots: 0,
    restartBrowser: () => void (profile.session = {}),
    /** The next life of the worker; what the one before does after that reaches nothing. */
    async startWorker(): Promise<Log> {
      profile.boots += 1;
      const disk = captureDatabase(name);
      databases.push(disk);
      const guarded =
        <Given extends unknown[], T>(call: (...given: Given) => Promise<T>) =>
        (...given: Given) =>
          profile.isBroken
            ? Promise.reject(new DOMException('full', 'QuotaExceededError'))
            : call(...given);
      const log = await openLog(
        `boot-${profile.boots}`,
        {
          committed: (events) => void profile.shown.push(...events),
          queueChanged: () => undefined,
        },
        {
          database: {
            ...disk,
            append: guarded(disk.append),
            captures: guarded(disk.captures),
            checkpoint: guarded(disk.checkpoint),
            ensureCapture: guarded(disk.ensureCapture),
          },
          secrets: { load: () => Promise.resolve(undefined), save: () => undefined },
          session: {
            load: () => Promise.resolve({ ...profile.session }),
            saveCapture: (captureId) => void (profile.session.captureId = captureId),
            saveUnstored(unstored) {
              if (unstored === undefined) delete profile.session.unstored;
              else profile.session.unstored = unstored;
            },
          },
          loadLimit: () => Promise.resolve(profile.limit),
          saveLimit: (limit) => Promise.resolve(void (profile.limit = limit)),
          estimate: () => Promise.resolve({}),
          wasReplaced: () => profile.isReplaced,
          touch: () => void (profile.touches += 1),
        },
      );
      await log.recorder.flushed();
      return log;
    },
    /** Stores a capture from a file whose last event has this number. */
    async importFile(lastSequence: number): Promise<void> {
      const disk = captureDatabase(name);
      databases.push(disk);
      const imported = { file: 'other.har', repairCount: 0, repairs: [] };
      const capture = { ...newCapture(0, 'imported'), imported };
      await importCapture(disk, capture, [
        wireEvent(lastSequence, undefined, { captureId: 'imported' }),
      ]);
    },
    async readCaptures(): Promise<Record<string, WireEvent[]>> {
      const disk = captureDatabase(name);
      databases.push(disk);
      const found: Record<string, WireEvent[]> = {};
      for (const { captureId, lastSequence } of await disk.captures()) {
        const events: WireEvent[] = [];
        for await (const blocks of disk.readBlocks(captureId, 0, lastSequence)) {
          events.push(...blocks.flatMap((block) => block.events));
        }
        found[captureId] = events;
      }
      return found;
    },
  };
  return profile;
}

const startsOf = (events: readonly WireEvent[]) =>
  events.flatMap((event) => (event.kind === 'worker-started' ? [event.cause] : []));

test('numbers of an imported file, however high, do not become ours', async () => {
  const profile = createProfile();
  await profile.startWorker();
  await profile.importFile(Number.MAX_SAFE_INTEGER);
  profile.restartBrowser();
  const { recorder } = await profile.startWorker();
  recorder.record({ kind: 'online' });
  recorder.record({ kind: 'offline' });
  await recorder.flushed();
  const events = (await profile.readCaptures())[recorder.captureId] ?? [];
  expect(events.map(({ kind }) => kind)).toEqual([
    'worker-started',
    'capture-started',
    'online',
    'offline',
  ]);
  expect(recorder.lastCommittedSequence).toBeLessThan(100);
});

describe('an extension that was replaced', () => {
  test('begins a capture that says so, with what was open before it', async () => {
    const profile = createProfile();
    const first = await profile.startWorker();
    expect(first.cutOff).toBeUndefined();
    first.keep(() => '[{"url":"http://a/"}]');
    first.recorder.record({ kind: 'online' });
    await first.recorder.flushed();
    const { cutOff, recorder } = await profile.startWorker();
    expect(cutOff).toBeUndefined();
    expect(recorder.captureId).toBe(first.recorder.captureId);

    profile.restartBrowser();
    profile.isReplaced = true;
    const replaced = await profile.startWorker();
    expect(replaced.cutOff).toBe('[{"url":"http://a/"}]');
    const captures = await profile.readCaptures();
    expect(startsOf(captures[replaced.recorder.captureId]!)).toEqual(['update']);
  });

  test('says nothing of it where it was installed just now', async () => {
    const profile = createProfile();
    profile.isReplaced = true;
    expect((await profile.startWorker()).cutOff).toBeUndefined();
    expect(startsOf(profile.shown)).toEqual(['install']);
  });
});

describe('captures', () => {
  test('begin with each start of the browser, and go on through every life of the worker', async () => {
    const profile = createProfile();
    const first = await profile.startWorker();
    const second = await profile.startWorker();
    expect(second.recorder.captureId).toBe(first.recorder.captureId);
    profile.restartBrowser();
    const third = await profile.startWorker();
    expect(third.recorder.captureId).not.toBe(first.recorder.captureId);
    const captures = await profile.readCaptures();
    expect(Object.keys(captures)).toHaveLength(2);
    expect(startsOf(captures[first.recorder.captureId]!)).toEqual(['install', 'wake']);
    expect(startsOf(captures[third.recorder.captureId]!)).toEqual(['browser-start']);
    const sequences = profile.shown.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  });

  test('can be split: the next one begins at once, and outlives the worker', async () => {
    const profile = createProfile();
    const first = await profile.startWorker();
    const before = first.recorder.captureId;
    const captureId = first.split();
    expect(first.recorder.captureId).toBe(captureId);
    first.recorder.record({ kind: 'online' });
    await first.recorder.flushed();
    const second = await profile.startWorker();
    expect(second.recorder.captureId).toBe(captureId);
    const captures = await profile.readCaptures();
    expect(captures[before]?.at(-1)).toMatchObject({ kind: 'capture-split', into: captureId });
    expect(captures[captureId]?.map(({ kind }) => kind)).toEqual([
      'capture-started',
      'online',
      'worker-started',
    ]);
    expect(captures[captureId]?.[0]).toMatchObject({ continues: before });
    const sequences = profile.shown.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  });

  test('that are old go with a start of the browser, when they are over the limit', async () => {
    const profile = createProfile();
    const first = await profile.startWorker();
    profile.limit = 1;
    profile.restartBrowser();
    const second = await profile.startWorker();
    await vi.waitFor(async () =>
      expect(Object.keys(await profile.readCaptures())).toEqual([second.recorder.captureId]),
    );
    expect(profile.shown.find(({ kind }) => kind === 'capture-removed')).toMatchObject({
      by: 'limit',
      removed: { captureId: first.recorder.captureId, eventCount: 2 },
    });
  });
});

describe('a database that refuses', () => {
  test('when the worker starts costs nothing, and gets all of it by itself later', async () => {
    const profile = createProfile();
    await profile.startWorker();
    profile.isBroken = true;
    const log = await profile.startWorker();
    log.recorder.record({ kind: 'online' });
    await log.recorder.flushed();
    expect(log.recorder.unstored.map(({ kind }) => kind)).toEqual([
      'worker-started',
      'storage-state',
      'online',
    ]);
    await vi.advanceTimersByTimeAsync(2000);
    await log.recorder.flushed();
    // What is in memory only would go with the worker.
    expect(profile.touches).toBeGreaterThan(0);
    profile.isBroken = false;
    await vi.advanceTimersByTimeAsync(10_000);
    await log.recorder.flushed();
    const captures = await profile.readCaptures();
    expect(captures[log.recorder.captureId]!.map(({ kind }) => kind)).toEqual([
      'worker-started',
      'capture-started',
      'worker-started',
      'storage-state',
      'online',
      'storage-state',
    ]);
    expect(profile.session).not.toHaveProperty('unstored');
  });

  test('until the worker is stopped loses what was in memory; the next life names it and uses no number twice', async () => {
    const profile = createProfile();
    const first = await profile.startWorker();
    profile.isBroken = true;
    for (let turn = 0; turn < 5; turn += 1) first.recorder.record({ kind: 'online' });
    await first.recorder.flushed();
    // 1 and 2 are stored; 3 to 7 were shown, and 8 says that the disk refuses.
    expect(profile.session.unstored).toEqual({ from: 3, to: 8 });
    vi.clearAllTimers();
    profile.isBroken = false;
    const second = await profile.startWorker();
    await second.recorder.flushed();
    const events = (await profile.readCaptures())[second.recorder.captureId]!;
    expect(events.map(({ sequence, kind }) => [sequence, kind])).toEqual([
      [1, 'worker-started'],
      [2, 'capture-started'],
      [9, 'worker-started'],
      [10, 'gap'],
    ]);
    expect(events.at(-1)).toMatchObject({ fromSequence: 3, toSequence: 8 });
    await vi.waitFor(() => expect(profile.session).not.toHaveProperty('unstored'));
    await profile.startWorker();
    const after = (await profile.readCaptures())[second.recorder.captureId]!;
    expect(after.filter(({ kind }) => kind === 'gap')).toHaveLength(1);
  });

  test('in one life after the other has every loss named, and every number used once', async () => {
    const profile = createProfile();
    await profile.startWorker();
    profile.isBroken = true;
    for (let life = 0; life < 3; life += 1) {
      const log = await profile.startWorker();
      log.recorder.record({ kind: 'online' });
      await log.recorder.flushed();
      vi.clearAllTimers();
    }
    profile.isBroken = false;
    const last = await profile.startWorker();
    await last.recorder.flushed();
    const sequences = profile.shown.map(({ sequence }) => sequence);
    expect(new Set(sequences).size).toBe(sequences.length);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    const stored = Object.values(await profile.readCaptures()).flat();
    const kept = new Set(stored.map(({ sequence }) => sequence));
    const isNamed = (sequence: number) =>
      stored.some(
        (event) =>
          event.kind === 'gap' && event.fromSequence! <= sequence && sequence <= event.toSequence!,
      );
    expect(sequences.filter((one) => !kept.has(one) && !isNamed(one))).toEqual([]);
  });
});

test('a life goes on with the checkpoint of the one before', async () => {
  const profile = createProfile();
  const first = await profile.startWorker();
  expect(first.checkpoint).toBeUndefined();
  first.keep(() => 'where it stands');
  first.recorder.record({ kind: 'online' });
  await first.recorder.flushed();
  expect((await profile.startWorker()).checkpoint).toBe('where it stands');
});
