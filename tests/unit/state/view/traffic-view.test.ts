import { effect } from '@preact/signals-core';
import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import { filterLanguage } from '../../../../lib/state/filter/filter-language.ts';
import { toHidingWords, toShownWords } from '../../../../lib/state/filter/filter-words.ts';
import { createTrafficView } from '../../../../lib/state/view/traffic-view.ts';
import { rememberView } from '../../../../lib/state/view/view-memory.ts';
import type { Slices } from '../../../../lib/state/view/view-slices.ts';
import { LogBuilder } from '../../../support/builders.ts';
import { settled } from '../fakes.ts';

function startView(log = new LogBuilder(), slices?: Slices) {
  const correlation = createCorrelation();
  let loads = 0;
  const view = createTrafficView(correlation, {
    now: () => Infinity,
    slices,
    hasIssue: () => false,
    loadLanguage: async () => {
      loads += 1;
      return filterLanguage;
    },
  });
  let taken = 0;
  const feed = () => {
    view.refresh(correlation.apply(log.events.slice(taken)));
    taken = log.events.length;
  };
  const names = () =>
    Array.from({ length: view.count.value }, (_, index) => {
      const item = view.itemAt(index);
      return item?.kind === 'request' ? `${item.method} ${item.rpcId}` : (item?.kind ?? '');
    });
  feed();
  return { log, view, correlation, feed, names, loads: () => loads };
}

function calls(...methods: string[]): LogBuilder {
  const log = new LogBuilder();
  for (const [index, method] of methods.entries()) log.call(`${index}`, method);
  return log;
}

test('the filter language is loaded once, and only for a text', async () => {
  const { view, names, loads } = startView(calls('ping', 'tools/list'));
  view.filter.types.value = new Set(['requests']);
  expect(loads()).toBe(0);
  view.filter.text.value = 'ping';
  view.filter.text.value = 'pin';
  await settled();
  expect([names(), loads()]).toEqual([['ping 0'], 1]);
  expect([view.total.value, view.filteredOut.value, toShownWords(view)]).toEqual([2, 1, '1 of 2']);
});

test('what is new is looked at as it comes, and nothing else', async () => {
  const { log, view, correlation, feed, names } = startView(calls('ping', 'tools/list'));
  view.filter.text.value = '-ping is:running';
  await settled();
  expect(names()).toEqual(['tools/list 1']);
  log.call('7', 'tools/list');
  feed();
  expect(names()).toEqual(['tools/list 1', 'tools/list 7']);
  const first = log.events.find((event) => event.kind === 'http-request' && event.sequence === 2);
  log.answer(first?.kind === 'http-request' ? first.httpId : '', {
    jsonrpc: '2.0',
    id: 1,
    result: {},
  });
  feed();
  expect(names()).toEqual(['tools/list 7']);
  expect(correlation.items).toHaveLength(3);
});

test('inverting turns the text around, and nothing where there is none', async () => {
  const { view, names } = startView(calls('ping', 'tools/list'));
  view.filter.isInverted.value = true;
  expect([names().length, view.filter.isActive.value]).toEqual([2, false]);
  view.filter.text.value = 'ping';
  await settled();
  expect(names()).toEqual(['tools/list 1']);
  view.filter.text.value = 'nokey:x';
  expect(names()).toHaveLength(2);
  expect(view.filter.problem.value).toContain('There is no key');
});

test('clearing the filter clears text, types, inversion and range', async () => {
  const { view, names } = startView(calls('ping', 'tools/list'));
  view.filter.text.value = 'x';
  view.filter.isInverted.value = true;
  view.filter.types.value = new Set(['http', 'auth']);
  view.range.value = { from: 0, to: 1 };
  await settled();
  expect(names()).toEqual([]);
  expect(toHidingWords(view)).toBe(
    'the inverted filter x and the types HTTP, Auth and the time range',
  );
  view.filter.clear();
  expect(names()).toHaveLength(2);
  expect(view.filter.isActive.value).toBe(false);
});

test('a time range shows what was active within it', () => {
  const { log, view, feed, names } = startView();
  const first = log.call('1', 'ping');
  log.answer(first, { jsonrpc: '2.0', id: 1, result: {} });
  log.call('2', 'tools/list');
  log.call('3', 'tools/list');
  feed();
  const at = (index: number) => log.events[index]?.wallTime ?? 0;
  // The first call ended with the last part of its answer.
  view.range.value = { from: at(3), to: at(3) };
  expect(names()).toEqual(['ping 1']);
  view.range.value = { from: at(4), to: at(4) };
  expect(names()).toEqual(['tools/list 2']);
  view.range.value = { from: at(5), to: at(5) };
  expect(names()).toEqual(['tools/list 2', 'tools/list 3']);
});

test('a paused view keeps its rows as they are and counts what waits', () => {
  const { log, view, feed, names } = startView();
  const httpId = log.call('1', 'ping');
  feed();
  const row = view.rowAt(0);
  view.isPaused.value = true;
  log.answer(httpId, { jsonrpc: '2.0', id: 1, result: {} });
  log.call('2', 'ping');
  log.call('3', 'ping');
  feed();
  expect(view.rowAt(0)).toBe(row);
  expect([names(), view.total.value, view.waiting.value]).toEqual([['ping 1'], 1, 2]);
  view.isPaused.value = false;
  expect([names().length, view.waiting.value]).toEqual([3, 0]);
  expect(view.rowAt(0)?.status).toBe('200');
});

test('revealing an item that waits ends the pause', () => {
  const { log, view, correlation, feed } = startView();
  view.isPaused.value = true;
  log.call('1', 'ping');
  feed();
  const [item] = correlation.items;
  expect(item && view.reveal(item)).toBe(true);
  expect([view.isPaused.value, item && view.indexOf(item)]).toEqual([false, 0]);
});

test('a group is sorted by its first row, and stays together', () => {
  const log = new LogBuilder();
  const [one, two] = ['1', '2'].map((id) =>
    log.call(id, 'tools/call', { name: `t${id}`, _meta: { progressToken: Number(id) } }),
  );
  for (const [index, httpId = ''] of [one, two].entries()) {
    const params = { progressToken: index + 1, progress: 1 };
    log.head(httpId, 200, 'text/event-stream');
    log.message(httpId, { jsonrpc: '2.0', method: 'notifications/progress', params });
  }
  const { view, names } = startView(log);
  view.sort.value = { column: 'name', direction: 'descending' };
  expect(names()).toEqual(['tools/call 2', 'notification', 'tools/call 1', 'notification']);
  view.sort.value = undefined;
  expect(names()[0]).toBe('tools/call 1');
});

test('what is learned of a connection later counts for its first rows too', async () => {
  const { log, view, feed, names } = startView();
  log.opened();
  log.call('1', 'ping');
  view.filter.text.value = 'conn:late kind:request';
  await settled();
  feed();
  expect(names()).toEqual([]);
  log.add({
    kind: 'connection-chosen',
    transport: 'streamable-http',
    era: 'modern',
    revision: '2026-07-28',
    serverName: 'Late',
    evidence: [],
  });
  feed();
  expect(names()).toEqual(['ping 1']);
});

/** A clock that every look moves on, and tasks that run when the test says so. */
function testSlices() {
  let now = 0;
  const waiting: (() => void)[] = [];
  return { now: () => (now += 10), later: (run: () => void) => void waiting.push(run), waiting };
}

test('rows of the old filter stay until there are some of the new one, the newest first', async () => {
  const slices = testSlices();
  const log = calls(...Array.from({ length: 64 }, () => 'ping'));
  const { view, names } = startView(log, slices);
  view.filter.text.value = 'ping';
  await settled();
  expect([names().length, view.isSettled.value]).toEqual([64, false]);
  // Enough for a first result, far from all.
  for (let turn = 0; turn < 3; turn += 1) slices.waiting.shift()?.();
  const some = names();
  expect(some.length).toBeLessThan(64);
  expect([some.at(-1), view.isSettled.value]).toEqual(['ping 63', false]);
  while (slices.waiting.length > 0) slices.waiting.shift()?.();
  expect([names().length, view.isSettled.value]).toEqual([64, true]);
});

test('a burst is one change for who looks at the count', () => {
  const log = calls('ping', 'ping', 'ping');
  const { view, feed } = startView(log);
  let changes = -1;
  const stop = effect(() => {
    void [view.count.value, view.total.value, view.filteredOut.value];
    changes += 1;
  });
  log.call('8', 'ping');
  log.call('9', 'ping');
  feed();
  stop();
  expect(changes).toBe(1);
});

test('filter and order outlive the page, and nonsense that is found there does not', () => {
  let saved: string | undefined;
  const memory = { load: () => saved, save: (text: string) => void (saved = text) };
  const before = startView().view;
  rememberView(before, memory);
  expect(saved).toBeUndefined();
  before.filter.text.value = 'method:ping';
  before.filter.types.value = new Set(['auth']);
  before.sort.value = { column: 'size', direction: 'descending' };
  const after = startView().view;
  rememberView(after, memory);
  expect([after.filter.text.value, [...after.filter.types.value], after.sort.value]).toEqual([
    'method:ping',
    ['auth'],
    { column: 'size', direction: 'descending' },
  ]);
  for (const nonsense of ['', '7', '{', 'null', '{"text":7,"types":["x"],"sort":{"column":"x"}}']) {
    const view = startView().view;
    rememberView(view, { load: () => nonsense, save: () => undefined });
    expect([view.filter.isActive.value, view.sort.value]).toEqual([false, undefined]);
  }
});
