import { effect } from '@preact/signals-core';
import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import { createClock } from '../../../../lib/state/time/clock.ts';
import { filterLanguage } from '../../../../lib/state/filter/filter-language.ts';
import { createTimeModel } from '../../../../lib/state/time/time-model.ts';
import { createTrafficView } from '../../../../lib/state/view/traffic-view.ts';
import { settled } from '../fakes.ts';
import { LogBuilder } from '../log-builder.ts';

const START = Date.UTC(2026, 10, 30, 9, 0, 0);
const call = (id: number, method = 'ping') => `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`;
const result = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{}}`;

/** A time model over a log, with a clock that the test sets. */
function setUp(log = new LogBuilder()) {
  const correlation = createCorrelation();
  let now = START;
  let tick: (() => void) | undefined;
  const clock = createClock({
    now: () => now,
    every: (next) => {
      tick = next;
      return () => (tick = undefined);
    },
  });
  const traffic = createTrafficView(correlation, {
    now: () => now,
    loadLanguage: async () => filterLanguage,
    hasIssue: () => false,
  });
  const first = log.take();
  correlation.apply(first);
  traffic.refresh();
  const model = createTimeModel(correlation, traffic, clock);
  const seen: (typeof model.window.value)[] = [];
  const stop = effect(() => void seen.push(model.window.value));
  return {
    model,
    traffic,
    correlation,
    seen,
    stop,
    isTicking: () => tick !== undefined,
    draw() {
      const events = log.take();
      const touched = correlation.apply(events);
      model.apply(events, touched);
      traffic.refresh(touched);
      model.refresh();
    },
    pass(ms: number) {
      now = START + ms;
      tick?.();
    },
  };
}

describe('the window of the waterfalls', () => {
  test('is there for what was recorded before, and grows in steps', () => {
    const log = new LogBuilder();
    log.answer(log.request(call(1)), result(1));
    log.wait(1000).answer(log.request(call(2)), result(2));
    const { model, seen, draw } = setUp(log);
    const window = model.window.value;
    expect(window?.from).toBe(START);
    expect(window?.to).toBeGreaterThanOrEqual(START + 1000);
    expect(window?.to).toBeLessThan(START + 1100);
    const before = seen.length;
    for (let id = 3; id < 60; id += 1) {
      log.wait(1).answer(log.request(call(id)), result(id));
      draw();
    }
    // 57 batches, but the window has not changed with each.
    expect(seen.length - before).toBeLessThan(5);
    expect(model.window.value?.to).toBeGreaterThanOrEqual(START + 1057);
  });

  test('grows with the clock while a call is pending, and not for an open stream', () => {
    const log = new LogBuilder();
    const stream = log.stream();
    log.head(stream, 200, 'text/event-stream');
    const { model, draw, pass, isTicking } = setUp(log);
    expect(isTicking()).toBe(false);
    pass(60_000);
    expect(model.window.value?.to).toBeLessThan(START + 1000);

    const httpId = log.request(call(1));
    draw();
    expect(isTicking()).toBe(true);
    pass(61_000);
    expect(model.window.value?.to).toBeGreaterThanOrEqual(START + 61_000);
    log.wait(61_000).answer(httpId, result(1));
    draw();
    expect(isTicking()).toBe(false);
    expect(model.window.value?.to).toBeGreaterThanOrEqual(START + 61_000);
  });

  test('is what is brushed, else what the filter leaves', async () => {
    const log = new LogBuilder();
    for (let id = 1; id <= 5; id += 1) {
      log.answer(log.request(call(id, id === 3 ? 'tools/list' : 'ping')), result(id));
      log.wait(10_000);
    }
    const { model, traffic } = setUp(log);
    expect(model.window.value?.to).toBeGreaterThanOrEqual(START + 40_000);
    traffic.range.value = { from: START + 5000, to: START + 15_000 };
    expect(model.window.value).toEqual(traffic.range.value);
    traffic.range.value = undefined;
    traffic.filter.text.value = 'tools/list';
    await settled();
    expect(traffic.count.value).toBe(1);
    expect(model.window.value?.from).toBe(START + 20_000);
    expect(model.window.value?.to).toBeLessThan(START + 21_000);
  });
});

test('the overview follows Clear at once, and stands still while the view is paused', () => {
  const log = new LogBuilder();
  log.answer(log.request(call(1)), result(1));
  const { model, traffic, draw } = setUp(log);
  const extent = () => model.overview.density.value?.extent;
  expect(extent()?.from).toBe(START);
  traffic.isPaused.value = true;
  log.wait(5000).answer(log.request(call(2)), result(2));
  draw();
  expect(extent()?.to).toBe(START);
  traffic.isPaused.value = false;
  expect(extent()?.to).toBe(START + 5000);
  traffic.clear();
  expect(extent()).toBeUndefined();
  traffic.showAll();
  expect(extent()).toEqual({ from: START, to: START + 5000 });
});
