import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { everyWhileShown, whenShown } from '../../../lib/browser/page/visibility.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function page(hidden: boolean) {
  const target = Object.assign(new EventTarget(), { hidden });
  return {
    document: target,
    set(isHidden: boolean) {
      target.hidden = isHidden;
      target.dispatchEvent(new Event('visibilitychange'));
    },
  };
}

test('what is done in a page that is shown is done at once', () => {
  let count = 0;
  whenShown(() => (count += 1), page(false).document);
  expect(count).toBe(1);
});

test('in a hidden page it waits until that is shown, and is done once', () => {
  const { document, set } = page(true);
  let count = 0;
  whenShown(() => (count += 1), document);
  set(true);
  expect(count).toBe(0);
  set(false);
  set(true);
  set(false);
  expect(count).toBe(1);
});

test('a clock has no timer while the page is hidden, and catches up at once', () => {
  const { document, set } = page(false);
  let ticks = 0;
  const stop = everyWhileShown(100, () => (ticks += 1), document);
  vi.advanceTimersByTime(1000);
  expect(ticks).toBe(10);
  set(true);
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(ticks).toBe(10);
  set(false);
  expect(ticks).toBe(11);
  vi.advanceTimersByTime(1000);
  expect(ticks).toBe(21);
  stop();
  set(true);
  set(false);
  expect(vi.getTimerCount()).toBe(0);
  expect(ticks).toBe(21);
});

test('a clock that is started in a hidden page begins when it is shown', () => {
  const { document, set } = page(true);
  let ticks = 0;
  const stop = everyWhileShown(100, () => (ticks += 1), document);
  vi.advanceTimersByTime(1000);
  expect(ticks).toBe(0);
  set(false);
  vi.advanceTimersByTime(200);
  expect(ticks).toBe(3);
  stop();
});
