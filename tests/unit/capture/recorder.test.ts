import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { eventBytes, packBlocks } from '../../../lib/capture/store/blocks.ts';
import type { BlockStore } from '../../../lib/capture/recorder.ts';
import type { Block, WireEvent, WireFact } from '../../../lib/capture/wire-event.ts';
import { nextTask } from '../../../lib/turns.ts';
import { chunkFact, startRecorder, wireEvent, wireEvents } from '../../support/builders.ts';

const WAKE: WireFact = { kind: 'wake' };
/** The database is asked again after this long, whatever came before, ms. */
const LONG_ENOUGH = 11_000;

afterEach(() => void vi.useRealTimers());

/** A database that answers only when told to. */
function heldStore() {
  const calls: { blocks: Block[]; finish(error?: Error): void }[] = [];
  let running = 0;
  const store: BlockStore = {
    append(blocks) {
      running += 1;
      expect(running).toBe(1);
      return new Promise((resolve, reject) => {
        calls.push({
          blocks,
          finish(error) {
            running -= 1;
            if (error === undefined) resolve();
            else reject(error);
          },
        });
      });
    },
  };
  const nextCall = (count: number) =>
    vi.waitUntil(() => calls.length >= count && calls[count - 1], { timeout: 10_000, interval: 1 });
  return { store, calls, nextCall };
}

/** A database that refuses while `isBroken`. */
function breakableStore() {
  const state = { isBroken: false, attempts: 0 };
  const stored: WireEvent[] = [];
  const store: BlockStore = {
    append(blocks) {
      state.attempts += 1;
      if (state.isBroken) return Promise.reject(new DOMException('no room', 'QuotaExceededError'));
      stored.push(...structuredClone(blocks).flatMap((block) => block.events));
      return Promise.resolve();
    },
  };
  return { store, state, stored };
}

function movingClock() {
  const clock = { now: 0, wall: () => 1_000_000 + clock.now, monotonic: () => clock.now };
  return clock;
}

const sequences = (events: readonly WireEvent[]) => events.map((event) => event.sequence);
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('stamping', () => {
  test('goes on behind the last stored event, without gaps', async () => {
    const { recorder, batches } = await startRecorder({ lastSequence: 41 });
    const events = Array.from({ length: 5 }, () => recorder.record(WAKE, 'c1'));
    expect(sequences(events)).toEqual([42, 43, 44, 45, 46]);
    expect(recorder.lastCommittedSequence).toBe(41);
    await recorder.flushed();
    expect(recorder.lastCommittedSequence).toBe(46);
    expect(sequences(batches.flatMap((batch) => batch.events))).toEqual([42, 43, 44, 45, 46]);
  });

  test('gives both times, the boot, the capture and the connection', async () => {
    const clock = movingClock();
    clock.now = 77;
    const { recorder } = await startRecorder({ clock, bootId: 'b7', captureId: 'cap' });
    expect(recorder.record(WAKE, 'c1', { kind: 'injected' })).toEqual({
      kind: 'wake',
      sequence: 1,
      captureId: 'cap',
      bootId: 'b7',
      wallTime: 1_000_077,
      monotonicTime: 77,
      connectionId: 'c1',
      origin: { kind: 'injected' },
    });
    expect(recorder.record(WAKE)).not.toHaveProperty('connectionId');
  });

  test('spends no number on a fact that cannot be masked', async () => {
    const { recorder } = await startRecorder();
    const broken = { kind: 'http-chunk', httpId: 'h1', offset: 0 } as unknown as WireFact;
    expect(() => recorder.record(broken)).toThrow(TypeError);
    expect(recorder.record(WAKE).sequence).toBe(1);
    await recorder.flushed();
  });
});

describe('committing', () => {
  test('runs one transaction at a time, which takes all that came during the last one', async () => {
    const { store, calls, nextCall } = heldStore();
    const { recorder, batches } = await startRecorder({ store });
    recorder.record(WAKE);
    recorder.record(WAKE);
    const first = await nextCall(1);
    expect(sequences(first.blocks[0]!.events)).toEqual([1, 2]);
    for (let turn = 0; turn < 250; turn += 1) recorder.record(WAKE);
    expect(calls).toHaveLength(1);
    expect(batches).toHaveLength(0);
    first.finish();
    const second = await nextCall(2);
    expect(second.blocks.map((block) => block.events.length)).toEqual([100, 100, 50]);
    expect(sequences(second.blocks.flatMap((block) => block.events))).toEqual(range(3, 252));
    expect(batches.map((batch) => sequences(batch.events))).toEqual([[1, 2]]);
    recorder.record(WAKE);
    second.finish();
    (await nextCall(3)).finish();
    await recorder.flushed();
    expect(batches.map((batch) => batch.events.length)).toEqual([2, 250, 1]);
    expect(batches.every((batch) => batch.isStored)).toBe(true);
  });

  test('gives a transaction all that its turn brings, and lets what is under way go first', async () => {
    const { store, calls, nextCall } = heldStore();
    const { recorder } = await startRecorder({ store, nextTurn: nextTask });
    const begun = (async () => {
      for (let step = 0; step < 20; step += 1) {
        recorder.record(WAKE);
        await Promise.resolve();
      }
      expect(calls).toHaveLength(0);
    })();
    const { blocks, finish } = await nextCall(1);
    await begun;
    expect(sequences(blocks.flatMap((block) => block.events))).toEqual(range(1, 20));
    finish();
    await recorder.flushed();
  });

  test('publishes nothing before it is stored', async () => {
    const { store, nextCall } = heldStore();
    const { recorder, batches } = await startRecorder({ store });
    recorder.record(WAKE);
    const call = await nextCall(1);
    expect(batches).toEqual([]);
    expect(recorder.lastCommittedSequence).toBe(0);
    call.finish();
    await recorder.flushed();
    expect(batches).toHaveLength(1);
  });

  test('resolves `flushed` only when all that was recorded is committed', async () => {
    const { store, nextCall } = heldStore();
    const { recorder } = await startRecorder({ store });
    recorder.record(WAKE);
    let isFlushed = false;
    const flushed = recorder.flushed().then(() => (isFlushed = true));
    const first = await nextCall(1);
    recorder.record(WAKE);
    first.finish();
    const second = await nextCall(2);
    expect(isFlushed).toBe(false);
    second.finish();
    await flushed;
    expect(recorder.lastCommittedSequence).toBe(2);
  });

  test('goes on, and tells of it, when a listener throws', async () => {
    vi.useFakeTimers();
    const { store, stored } = breakableStore();
    const { recorder } = await startRecorder({
      store,
      committed() {
        throw new Error('a page is broken');
      },
    });
    recorder.record(WAKE);
    await recorder.flushed();
    expect(() => vi.runAllTimers()).toThrow('a page is broken');
    recorder.record(WAKE);
    await recorder.flushed();
    expect(sequences(stored)).toEqual([1, 2]);
    expect(() => vi.runAllTimers()).toThrow('a page is broken');
  });

  test('takes what is recorded while a batch is published', async () => {
    const seen: number[] = [];
    const { recorder } = await startRecorder({
      committed(events) {
        seen.push(...sequences(events));
        if (seen.length < 4) recorder.record(WAKE);
      },
    });
    recorder.record(WAKE);
    await recorder.flushed();
    expect(seen).toEqual([1, 2, 3, 4]);
  });
});

describe('uncommitted bytes', () => {
  test('count what a connection has waiting, and return to 0', async () => {
    const { store, nextCall } = heldStore();
    const { recorder } = await startRecorder({ store });
    recorder.record(chunkFact(5000), 'c1');
    recorder.record(chunkFact(70), 'c2');
    recorder.record(WAKE);
    expect(recorder.uncommittedBytes('c1')).toBeGreaterThanOrEqual(5000);
    expect(recorder.uncommittedBytes('c2')).toBeLessThan(5000);
    expect(recorder.uncommittedBytes('c3')).toBe(0);
    (await nextCall(1)).finish();
    await recorder.flushed();
    expect(recorder.uncommittedBytes('c1')).toBe(0);
    expect(recorder.uncommittedBytes('c2')).toBe(0);
  });

  test('return to 0 when the database refuses', async () => {
    const { store, state } = breakableStore();
    state.isBroken = true;
    const { recorder } = await startRecorder({ store });
    recorder.record(chunkFact(5000), 'c1');
    await recorder.flushed();
    expect(recorder.uncommittedBytes('c1')).toBe(0);
  });
});

describe('a database that refuses', () => {
  test('is named, left alone for a while, and gets everything once it takes data again', async () => {
    const clock = movingClock();
    const { store, state, stored } = breakableStore();
    const { recorder, batches } = await startRecorder({ store, clock });
    recorder.record(WAKE);
    await recorder.flushed();
    state.isBroken = true;
    recorder.record(WAKE);
    await recorder.flushed();
    expect(recorder.unstored.map((event) => event.kind)).toEqual(['wake', 'storage-state']);
    expect(recorder.unstored[1]).toMatchObject({
      state: 'memory',
      reason: expect.stringMatching(/full/),
    });
    expect(batches.map((batch) => batch.isStored)).toEqual([true, false, false]);
    const attempts = state.attempts;
    recorder.record(WAKE);
    await recorder.flushed();
    expect(state.attempts).toBe(attempts);
    clock.now += LONG_ENOUGH;
    recorder.record(WAKE);
    await recorder.flushed();
    expect(state.attempts).toBe(attempts + 1);
    state.isBroken = false;
    clock.now += LONG_ENOUGH;
    recorder.record(WAKE);
    await recorder.flushed();
    expect(sequences(stored)).toEqual(range(1, 7));
    expect(stored.map((event) => event.kind)).toEqual([
      'wake',
      'wake',
      'storage-state',
      'wake',
      'wake',
      'wake',
      'storage-state',
    ]);
    expect(stored.at(-1)).toMatchObject({ state: 'stored' });
    expect(recorder.unstored).toEqual([]);
    expect(batches.at(-1)).toMatchObject({ isStored: true });
    const published = batches.flatMap((batch) => sequences(batch.events));
    expect(published).toEqual(range(1, 7));
  });

  test('loses the oldest beyond the memory bound, and names exactly what', async () => {
    const clock = movingClock();
    const { store, state, stored } = breakableStore();
    state.isBroken = true;
    const { recorder } = await startRecorder({ store, clock, memoryBytes: 10_000 });
    for (let turn = 0; turn < 40; turn += 1) {
      recorder.record(chunkFact(800), 'c1');
      await recorder.flushed();
    }
    expect(sizeOf(recorder.unstored)).toBeLessThanOrEqual(10_000);
    state.isBroken = false;
    clock.now += LONG_ENOUGH;
    recorder.record(WAKE);
    await recorder.flushed();
    const kept = new Set(sequences(stored));
    const missing = range(1, recorder.lastCommittedSequence).filter((number) => !kept.has(number));
    expect(missing.length).toBeGreaterThan(0);
    const gaps = stored.filter((event) => event.kind === 'gap');
    const named = gaps.flatMap((gap) => range(gap.fromSequence!, gap.toSequence!));
    expect(missing.filter((number) => !named.includes(number))).toEqual([]);
    expect(named.filter((number) => kept.has(number))).toEqual([]);
  });

  test('does not drown the memory in reports of its own', async () => {
    const { store, state } = breakableStore();
    state.isBroken = true;
    const clock = movingClock();
    const { recorder, batches } = await startRecorder({ store, clock, memoryBytes: 20_000 });
    for (let turn = 0; turn < 1000; turn += 1) {
      recorder.record(WAKE, 'c1');
      // A report of a gap must not fill the memory again, or this never ends.
      await Promise.race([recorder.flushed(), tooManyTurns()]);
    }
    const events = batches.flatMap((batch) => batch.events);
    const gaps = events.filter((event) => event.kind === 'gap');
    expect(events.filter((event) => event.kind === 'wake')).toHaveLength(1000);
    expect(gaps.length).toBeGreaterThan(0);
    expect(gaps.length).toBeLessThan(100);

    async function tooManyTurns(): Promise<never> {
      for (let turn = 0; turn < 1000; turn += 1) await Promise.resolve();
      throw new Error('the recorder keeps itself busy');
    }
  });

  test('keeps an event that alone is over the bound until the next one comes', async () => {
    const { store, state } = breakableStore();
    state.isBroken = true;
    const { recorder } = await startRecorder({ store, clock: movingClock(), memoryBytes: 10_000 });
    recorder.record(chunkFact(50_000));
    await recorder.flushed();
    expect(recorder.unstored.map((event) => event.kind)).toEqual(['storage-state', 'gap']);
    expect(recorder.unstored[1]).toMatchObject({ fromSequence: 1, toSequence: 1 });
  });

  test('never loses an event between failures, for any pattern of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 5 }))), async (steps) => {
        const clock = movingClock();
        const { store, state, stored } = breakableStore();
        const { recorder, batches } = await startRecorder({ store, clock });
        for (const [isBroken, count] of [...steps, [false, 1] as const]) {
          state.isBroken = isBroken;
          clock.now += LONG_ENOUGH;
          for (let turn = 0; turn < count; turn += 1) recorder.record(WAKE, 'c1');
          await recorder.flushed();
        }
        const all = range(1, recorder.lastCommittedSequence);
        expect(sequences(stored)).toEqual(all);
        expect(batches.flatMap((batch) => sequences(batch.events))).toEqual(all);
        expect(recorder.uncommittedBytes('c1')).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});

function sizeOf(events: readonly WireEvent[]): number {
  return events.reduce((sum, event) => sum + eventBytes(event), 0);
}

describe('blocks', () => {
  test('hold at most 100 events and about a megabyte, in order, each exactly once', () => {
    const anyEvents = fc.array(fc.nat({ max: 600_000 }), { maxLength: 260 });
    fc.assert(
      fc.property(anyEvents, (sizes) => {
        const bytes = new Uint8Array(600_000);
        const events = sizes.map((size, index) =>
          wireEvent(index + 1, {
            kind: 'http-chunk',
            httpId: 'h1',
            offset: 0,
            data: { bytes: bytes.subarray(0, size) },
          }),
        );
        const blocks = packBlocks(events);
        expect(blocks.flatMap((block) => block.events)).toEqual(events);
        for (const block of blocks) {
          expect(block.events.length).toBeLessThanOrEqual(100);
          expect(block.events.length === 1 || block.sizeBytes <= 1024 * 1024).toBe(true);
          expect(block.sizeBytes).toBe(sizeOf(block.events));
          expect(block.firstSequence).toBe(block.events[0]!.sequence);
          expect(block.lastSequence).toBe(block.events.at(-1)!.sequence);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('are filled, not one an event', () => {
    expect(packBlocks(wireEvents(1, 250)).map((block) => block.events.length)).toEqual([
      100, 100, 50,
    ]);
    expect(packBlocks([])).toEqual([]);
  });

  test('belong to one capture each', () => {
    const events = [wireEvent(1), wireEvent(2, undefined, { captureId: 'other' }), wireEvent(3)];
    expect(packBlocks(events).map((block) => block.captureId)).toEqual([
      'capture',
      'other',
      'capture',
    ]);
  });
});
