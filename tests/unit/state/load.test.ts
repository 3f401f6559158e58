import { expect, test } from 'vitest';
import type { WireFact } from '../../../lib/capture/wire-event.ts';
import { createLoadMeter } from '../../../lib/state/load.ts';
import { wireEvent } from '../../support/builders.ts';

const MIB = 1024 * 1024;

function start() {
  const ticks = new Set<() => void>();
  const clock = {
    time: 1_000_000,
    now: () => clock.time,
    every(tick: () => void) {
      ticks.add(tick);
      return () => void ticks.delete(tick);
    },
  };
  const meter = createLoadMeter(clock);
  let sequence = 0;
  function add(fact: WireFact, count = 1, wallTime = clock.time): void {
    const events = Array.from({ length: count }, () =>
      wireEvent((sequence += 1), fact, { wallTime }),
    );
    meter.apply(events);
  }
  return { meter, clock, ticks, add, load: () => meter.load.value };
}

const WAKE: WireFact = { kind: 'wake' };

test('few events are nobody’s business, and cost no timer', () => {
  const { add, load, ticks } = start();
  add(WAKE, 500);
  expect(load()).toEqual({});
  expect(ticks.size).toBe(0);
});

test('many events are counted over the last second, and the count falls by itself', () => {
  const { add, load, ticks, clock } = start();
  add(WAKE, 400);
  clock.time += 500;
  add(WAKE, 400);
  expect(load()).toEqual({ eventsPerSecond: 800 });
  expect(ticks.size).toBe(1);
  clock.time += 800;
  for (const tick of ticks) tick();
  expect(load()).toEqual({});
  expect(ticks.size).toBe(0);
});

test('a capture that is being read is no load', () => {
  const { add, load, clock } = start();
  add(WAKE, 100_000, clock.time - 60_000);
  expect(load()).toEqual({});
});

test('a queue counts from a megabyte on, summed over the connections', () => {
  const { meter, load } = start();
  meter.queued('c1', MIB - 1);
  expect(load()).toEqual({});
  meter.queued('c1', 3 * MIB);
  meter.queued('c2', 2 * MIB);
  expect(load()).toEqual({ queuedBytes: 5 * MIB });
  meter.queued('c1', 0);
  meter.queued('c2', MIB - 1);
  expect(load()).toEqual({});
});

test.each([
  [{ kind: 'reading-resumed', carrierId: 'h1', uncommittedBytes: 0 }],
  [{ kind: 'http-end', httpId: 'h1', end: { outcome: 'cut', sizeBytes: 1, errorName: 'x' } }],
  [{ kind: 'socket-close', socketId: 'h1', code: 1009, reason: '', clean: true, by: 'us' }],
  [{ kind: 'worker-started', cause: 'wake' }],
] satisfies [WireFact][])('reading is paused until %o', (end) => {
  const { add, load } = start();
  add({ kind: 'reading-paused', carrierId: 'h1', uncommittedBytes: 33 * MIB });
  expect(load()).toEqual({ queuedBytes: 0, isPaused: true });
  add({ kind: 'reading-resumed', carrierId: 'other', uncommittedBytes: 0 });
  expect(load().isPaused).toBe(true);
  add(end);
  expect(load()).toEqual({});
});
