import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTimeWatch, type TimeSource } from '../../../lib/browser/worker/time.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A machine whose clocks are ours; timers run by the fake ones, which are monotonic. */
function machine() {
  const clocks = { wall: 1_000_000, monotonic: 0, isOnline: true };
  const events = new EventTarget();
  const source: TimeSource = {
    wall: () => clocks.wall,
    monotonic: () => clocks.monotonic,
    isOnline: () => clocks.isOnline,
    events,
  };
  const reports: [string, ...unknown[]][] = [];
  const watch = createTimeWatch(
    {
      networkChanged: (isOnline) => void reports.push([isOnline ? 'online' : 'offline']),
      woke: (aheadMs) => void reports.push(['woke', aheadMs]),
      clockSetBack: (byMs) => void reports.push(['set back', byMs]),
    },
    source,
  );
  /** Time passes, as every clock sees it. */
  function pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += 1000) {
      clocks.wall += 1000;
      clocks.monotonic += 1000;
      vi.advanceTimersByTime(1000);
    }
  }
  return { clocks, events, reports, watch, pass };
}

test('time that passes is no news', () => {
  const { watch, pass, reports } = machine();
  watch(true);
  pass(120_000);
  expect(reports).toEqual([]);
});

test.each([
  ['where monotonic time stands still in sleep', 0],
  ['where monotonic time counts sleep', 3_600_000],
])('an hour asleep is reported once, %s', (_name, counted) => {
  const { watch, pass, reports, clocks } = machine();
  watch(true);
  pass(7000);
  clocks.wall += 3_600_000;
  clocks.monotonic += counted;
  pass(60_000);
  expect(reports).toEqual([['woke', 3_600_000]]);
});

test('a clock that is set back is reported as that, and a small correction not at all', () => {
  const { watch, pass, reports, clocks } = machine();
  watch(true);
  pass(12_000);
  clocks.wall -= 500;
  pass(12_000);
  expect(reports).toEqual([]);
  clocks.wall -= 60_000;
  pass(12_000);
  expect(reports).toEqual([['set back', 60_000]]);
});

test('what passes while nothing is watched is no sleep', () => {
  const { watch, pass, reports, clocks } = machine();
  watch(true);
  pass(12_000);
  watch(false);
  clocks.wall += 3_600_000;
  expect(vi.getTimerCount()).toBe(0);
  watch(true);
  pass(12_000);
  expect(reports).toEqual([]);
});

test('the network is reported by its events, and where there are none, by looking', () => {
  const { watch, pass, reports, clocks, events } = machine();
  watch(true);
  clocks.isOnline = false;
  events.dispatchEvent(new Event('offline'));
  events.dispatchEvent(new Event('offline'));
  expect(reports).toEqual([['offline']]);
  clocks.isOnline = true;
  pass(5000);
  expect(reports).toEqual([['offline'], ['online']]);
  watch(false);
  clocks.isOnline = false;
  events.dispatchEvent(new Event('offline'));
  expect(reports).toHaveLength(2);
  // What changed meanwhile is reported at the start of the next watch.
  watch(true);
  expect(reports.at(-1)).toEqual(['offline']);
});

test('after a sleep, the network is looked at first', () => {
  const { watch, pass, reports, clocks } = machine();
  watch(true);
  clocks.wall += 600_000;
  clocks.isOnline = false;
  pass(5000);
  expect(reports).toEqual([['offline'], ['woke', 600_000]]);
});
