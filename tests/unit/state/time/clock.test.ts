import { effect } from '@preact/signals-core';
import { expect, test } from 'vitest';
import { createClock, createStoredTime } from '../../../../lib/state/time/clock.ts';

function fakeSource() {
  const ticks = new Set<() => void>();
  const source = {
    time: 1000,
    now: () => source.time,
    every(tick: () => void) {
      ticks.add(tick);
      return () => ticks.delete(tick);
    },
  };
  return { source, ticks };
}

test('the clock ticks only while something reads it', () => {
  const { source, ticks } = fakeSource();
  const clock = createClock(source);
  expect(ticks.size).toBe(0);
  const seen: number[] = [];
  const stop = effect(() => {
    seen.push(clock.now.value);
  });
  expect(ticks.size).toBe(1);
  source.time = 1100;
  for (const tick of ticks) tick();
  expect(seen.at(-1)).toBe(1100);
  stop();
  expect(ticks.size).toBe(0);
});

test('a clock that rested shows the present as soon as it is read again', () => {
  const { source } = fakeSource();
  const clock = createClock(source);
  source.time = 9000;
  let seen = 0;
  const stop = effect(() => {
    seen = clock.now.value;
  });
  stop();
  expect(seen).toBe(9000);
});

test('in a stored capture time stands at what was read last', () => {
  const time = createStoredTime();
  const { now } = createClock(time);
  const seen: number[] = [];
  const stop = effect(() => void seen.push(now.value));
  time.reach(5000);
  time.reach(5200);
  time.show();
  expect(seen).toEqual([0, 5200]);
  stop();
  time.reach(6000);
  time.show();
  expect(seen).toHaveLength(2);
  expect(time.now()).toBe(6000);
});
