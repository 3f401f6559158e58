import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BlockStore, UnstoredRange } from '../../../lib/capture/recorder.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { AppError } from '../../../lib/errors.ts';
import { chunkFact, startRecorder } from '../../support/builders.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A database that refuses for a reason, until that is taken away. */
function refusingStore(reason: Error | undefined) {
  const state: { reason: Error | undefined; attempts: number } = { reason, attempts: 0 };
  const stored: WireEvent[] = [];
  const store: BlockStore = {
    async append(blocks) {
      state.attempts += 1;
      if (state.reason !== undefined) throw state.reason;
      stored.push(...blocks.flatMap((block) => block.events));
    },
  };
  return { store, state, stored };
}

const full = new DOMException('no room', 'QuotaExceededError');
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('events that are in memory only', () => {
  test('get to the disk by themselves, when nothing more is recorded', async () => {
    const { store, state, stored } = refusingStore(full);
    const { recorder } = await startRecorder({ store });
    recorder.record({ kind: 'wake' });
    await recorder.flushed();
    expect(recorder.unstored).toHaveLength(2);
    state.reason = undefined;
    await vi.advanceTimersByTimeAsync(1999);
    expect(stored).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await recorder.flushed();
    expect(stored.map((event) => [event.sequence, event.kind])).toEqual([
      [1, 'wake'],
      [2, 'storage-state'],
      [3, 'storage-state'],
    ]);
    expect(recorder.unstored).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(state.attempts).toBe(3);
  });

  test('are tried ever less often, and never given up', async () => {
    const { store, state } = refusingStore(full);
    const { recorder } = await startRecorder({ store });
    recorder.record({ kind: 'wake' });
    await recorder.flushed();
    const attempts: number[] = [];
    for (const seconds of [2, 4, 8, 10, 10, 10]) {
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
      const before = state.attempts;
      await vi.advanceTimersByTimeAsync(1);
      attempts.push(state.attempts - before);
    }
    expect(attempts).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('are tried at once when somebody has made room', async () => {
    const { store, state, stored } = refusingStore(full);
    const { recorder } = await startRecorder({ store });
    recorder.record({ kind: 'wake' });
    await recorder.flushed();
    state.reason = undefined;
    recorder.retry();
    await recorder.flushed();
    expect(stored).toHaveLength(3);
    recorder.retry();
    await recorder.flushed();
    expect(state.attempts).toBe(3);
  });

  test('are told of as a range that only grows, until all are stored', async () => {
    const { store, state } = refusingStore(full);
    const ranges: (UnstoredRange | undefined)[] = [];
    const { recorder } = await startRecorder({
      store,
      lastSequence: 10,
      memoryBytes: 3000,
      unstoredChanged: (unstored) => void ranges.push(unstored),
    });
    for (let turn = 0; turn < 4; turn += 1) {
      recorder.record(chunkFact(1000), 'c1');
      await recorder.flushed();
    }
    expect(recorder.unstored[0]?.sequence).toBeGreaterThan(11);
    expect(ranges[0]).toEqual({ from: 11, to: 11 });
    expect(ranges.at(-1)).toEqual({ from: 11, to: recorder.lastCommittedSequence });
    expect(ranges.every((found) => found?.from === 11)).toBe(true);
    state.reason = undefined;
    await vi.advanceTimersByTimeAsync(2000);
    await recorder.flushed();
    expect(ranges.at(-1)).toBeUndefined();
  });

  test('begin a range of their own when the database refuses once more', async () => {
    const { store, state } = refusingStore(full);
    const ranges: (UnstoredRange | undefined)[] = [];
    const { recorder } = await startRecorder({
      store,
      unstoredChanged: (unstored) => void ranges.push(unstored),
    });
    recorder.record({ kind: 'wake' });
    await recorder.flushed();
    state.reason = undefined;
    recorder.retry();
    await recorder.flushed();
    const stored = recorder.lastCommittedSequence;
    state.reason = full;
    recorder.record({ kind: 'wake' });
    await recorder.flushed();
    expect(ranges[0]?.from).toBe(1);
    expect(ranges.at(-1)?.from).toBe(stored + 1);
  });
});

describe('the report of a refusal', () => {
  test.each([
    [full, /quota of this browser profile is full/, /delete old captures/],
    [new DOMException('x', 'VersionError'), /newer version of Wirescope/, /Update Wirescope/],
    [new DOMException('x', 'AbortError'), /gave up a write/, /tried again by itself/],
    [new DOMException('x', 'InvalidStateError'), /closed the database/, /tried again/],
    [new DOMException('broken', 'UnknownError'), /UnknownError: broken/, /restart the browser/],
    [
      new AppError({ code: 'storage-failed', message: 'Blocked.', advice: 'Close the other.' }),
      /^Blocked.$/,
      /^Close the other.$/,
    ],
  ])('says why, and what to do: %s', async (reason, message, advice) => {
    const { store } = refusingStore(reason);
    const { recorder } = await startRecorder({ store });
    recorder.record({ kind: 'wake' });
    await recorder.flushed();
    expect(recorder.unstored.at(-1)).toMatchObject({
      kind: 'storage-state',
      state: 'memory',
      reason: expect.stringMatching(message),
      advice: expect.stringMatching(advice),
    });
  });
});

test('a quota that is reached under load costs no event, and both changes are in the log', async () => {
  const { store, state, stored } = refusingStore(undefined);
  const { recorder, batches } = await startRecorder({ store });
  for (let turn = 0; turn < 1000; turn += 1) {
    if (turn === 300) state.reason = full;
    if (turn === 700) state.reason = undefined;
    recorder.record({ kind: 'wake' }, 'c1');
    await recorder.flushed();
  }
  await vi.advanceTimersByTimeAsync(2000);
  await recorder.flushed();
  expect(stored.map(({ sequence }) => sequence)).toEqual(range(1, 1002));
  expect(batches.flatMap(({ events }) => events).map(({ sequence }) => sequence)).toEqual(
    range(1, 1002),
  );
  expect(stored.filter(({ kind }) => kind === 'storage-state')).toMatchObject([
    { state: 'memory' },
    { state: 'stored' },
  ]);
});

test('a queue is told of at every megabyte that it passes, up and down to none', async () => {
  const queues: [string, number][] = [];
  const { recorder } = await startRecorder({
    queueChanged: (connectionId, sizeBytes) => void queues.push([connectionId, sizeBytes]),
  });
  for (let turn = 0; turn < 5; turn += 1) recorder.record(chunkFact(700_000), 'c1');
  recorder.record(chunkFact(10), 'c2');
  const sizes = queues.map(([, sizeBytes]) => sizeBytes);
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  expect(sizes).toHaveLength(3);
  await recorder.flushed();
  expect(new Set(queues.map(([connectionId]) => connectionId))).toEqual(new Set(['c1']));
  expect(queues.at(-1)?.[1]).toBeLessThan(1024 * 1024);
});
