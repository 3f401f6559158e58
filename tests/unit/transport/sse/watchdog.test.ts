import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWatchdog } from '../../../../lib/transport/sse/watchdog.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A stream that had a comment every 20 s. */
function watched() {
  const silences: number[] = [];
  const watchdog = createWatchdog((silentMs) => silences.push(silentMs));
  for (let nth = 0; nth < 3; nth += 1) {
    vi.advanceTimersByTime(20_000);
    watchdog.heard();
    watchdog.keptAlive();
  }
  return { silences, watchdog };
}

test('a stream that says nothing for three times as long as usual is silent', () => {
  const { silences, watchdog } = watched();
  vi.advanceTimersByTime(59_000);
  expect(silences).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect(silences).toHaveLength(1);
  watchdog.stop();
});

test('an hour asleep is no silence of the server, also where monotonic time counts it', () => {
  const { silences, watchdog } = watched();
  const real = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => real() + 3_600_000);
  // The timer that was due in the hour runs now, long before what came meanwhile is read.
  vi.advanceTimersByTime(60_000);
  expect(silences).toEqual([]);
  watchdog.heard();
  vi.advanceTimersByTime(59_000);
  expect(silences).toEqual([]);
  vi.advanceTimersByTime(62_000);
  expect(silences).toHaveLength(1);
  watchdog.stop();
  expect(vi.getTimerCount()).toBe(0);
});
