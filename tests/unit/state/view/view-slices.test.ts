import { expect, test } from 'vitest';
import { runInSlices } from '../../../../lib/state/view/view-slices.ts';
import type { Slices } from '../../../../lib/state/view/view-slices.ts';

/** A clock on which each look takes `lookMs`, and tasks that run when the test says so. */
function testSlices(lookMs: number) {
  let now = 0;
  const waiting: (() => void)[] = [];
  const slices: Slices = { now: () => (now += lookMs), later: (run) => void waiting.push(run) };
  return { slices, waiting };
}

function countTo(end: number) {
  let count = 0;
  return {
    step: () => (count += 1) <= end,
    get count() {
      return Math.min(count, end);
    },
  };
}

test('little work is done at once', () => {
  const { slices, waiting } = testSlices(0.1);
  const work = countTo(100);
  let isDone = false;
  runInSlices(
    slices,
    work.step,
    () => undefined,
    () => (isDone = true),
  );
  expect([work.count, isDone, waiting.length]).toEqual([100, true, 0]);
});

test('much work goes on in tasks of its own, and says after each how long it has taken', () => {
  const { slices, waiting } = testSlices(1);
  const work = countTo(1000);
  const pauses: number[] = [];
  let isDone = false;
  runInSlices(
    slices,
    work.step,
    (ms) => void pauses.push(ms),
    () => (isDone = true),
  );
  const counts = [work.count];
  for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
    run();
    counts.push(work.count);
  }
  expect(isDone).toBe(true);
  expect(work.count).toBe(1000);
  expect(counts.length).toBeGreaterThan(5);
  expect(pauses).toHaveLength(counts.length - 1);
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
});

test('work that is cancelled does not go on', () => {
  const { slices, waiting } = testSlices(1);
  const work = countTo(1000);
  const running = runInSlices(
    slices,
    work.step,
    () => undefined,
    () => expect.unreachable(),
  );
  const before = work.count;
  running.cancel();
  waiting.shift()?.();
  expect([work.count, waiting.length]).toEqual([before, 0]);
});
