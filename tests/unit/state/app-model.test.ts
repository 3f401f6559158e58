import { effect } from '@preact/signals-core';
import { expect, test } from 'vitest';
import { LogBuilder } from './log-builder.ts';
import { startAppModel } from './start-app-model.ts';

function notifications(count: number): LogBuilder {
  const log = new LogBuilder();
  for (let index = 0; index < count; index += 1) {
    log.request(`{"jsonrpc":"2.0","method":"notifications/test","params":{"n":${index}}}`);
  }
  return log;
}

test('a burst of batches is drawn once, with every row', () => {
  const { model, feed, draws } = startAppModel();
  const log = notifications(30);
  for (let from = 0; from < 30; from += 10) feed.events(log.events.slice(from, from + 10));
  expect(model.traffic.count.value).toBe(0);
  expect(draws).toHaveLength(1);
  let redrawn = -1;
  const stop = effect(() => {
    model.traffic.rowAt(0);
    redrawn += 1;
  });
  draws[0]?.();
  stop();
  expect(model.traffic.count.value).toBe(30);
  expect(redrawn).toBe(1);
});

test('a row is the same object until its item changes', () => {
  const { model, feed, draws } = startAppModel();
  const log = new LogBuilder();
  const first = log.request('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  log.request('{"jsonrpc":"2.0","id":2,"method":"ping"}');
  feed.events(log.take());
  draws.shift()?.();
  const [pending, other] = [model.traffic.rowAt(0), model.traffic.rowAt(1)];
  log.answer(first, '{"jsonrpc":"2.0","id":1,"result":{}}');
  feed.events(log.take());
  draws.shift()?.();
  expect(model.traffic.rowAt(0)).not.toBe(pending);
  expect(model.traffic.rowAt(0)?.status).toBe('200');
  expect(model.traffic.rowAt(1)).toBe(other);
});

test('Clear hides the rows so far, and they can be shown again', () => {
  const { model, feed, draws } = startAppModel();
  const log = notifications(3);
  feed.events(log.take());
  draws.shift()?.();
  model.traffic.clear();
  expect([model.traffic.count.value, model.traffic.hidden.value]).toEqual([0, 3]);
  log.request('{"jsonrpc":"2.0","id":9,"method":"ping"}');
  feed.events(log.take());
  draws.shift()?.();
  expect(model.traffic.count.value).toBe(1);
  expect(model.traffic.rowAt(0)?.name).toBe('ping');
  model.traffic.showAll();
  expect([model.traffic.count.value, model.traffic.hidden.value]).toEqual([4, 0]);
});

test('the selection is told only of changes to its own item', () => {
  const { model, feed, draws } = startAppModel();
  const log = new LogBuilder();
  const [first, second] = [1, 2].map((id) =>
    log.request(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`),
  );
  feed.events(log.take());
  draws.shift()?.();
  model.selection.moveTo(0);
  log.answer(second ?? '', '{"jsonrpc":"2.0","id":2,"result":{}}');
  feed.events(log.take());
  draws.shift()?.();
  expect(model.selection.revision.value).toBe(0);
  log.answer(first ?? '', '{"jsonrpc":"2.0","id":1,"result":{}}');
  feed.events(log.take());
  draws.shift()?.();
  expect(model.selection.revision.value).toBe(1);
});

test('the selection moves by rows and stays within the table', () => {
  const { model, feed, draws } = startAppModel();
  model.selection.move(1);
  expect(model.selection.item.value).toBeUndefined();
  feed.events(notifications(5).take());
  draws.shift()?.();
  const at = () => model.selection.item.value && model.traffic.indexOf(model.selection.item.value);
  model.selection.move(1);
  expect(at()).toBe(0);
  model.selection.move(10);
  expect(at()).toBe(4);
  model.selection.move(-2);
  expect(at()).toBe(2);
  model.selection.moveTo(-7);
  expect(at()).toBe(0);
});

test('without a selection, moving up starts at the end', () => {
  const { model, feed, draws } = startAppModel();
  feed.events(notifications(5).take());
  draws.shift()?.();
  model.selection.move(-1);
  expect(model.selection.item.value).toBe(model.traffic.itemAt(4));
});

test('details open only on a selected item', () => {
  const { model, feed, draws } = startAppModel();
  feed.events(notifications(1).take());
  draws.shift()?.();
  model.selection.open();
  expect(model.selection.isOpen.value).toBe(false);
  model.selection.open(model.traffic.itemAt(0));
  expect(model.selection.isOpen.value).toBe(true);
  model.selection.close();
  expect(model.selection.isOpen.value).toBe(false);
});

test('bytes and the state of the storage are counted from the log', () => {
  const { model, feed } = startAppModel();
  const log = new LogBuilder();
  const httpId = log.request('12345');
  log.answer(httpId, '1234567');
  log.add({ kind: 'storage-state', state: 'memory', reason: 'the disk is full' });
  feed.events(log.take());
  expect(model.totals.sizeBytes.value).toBe(12);
  expect(model.totals.storage.value).toEqual({
    state: 'memory',
    reason: 'the disk is full',
    since: expect.any(Number),
  });
});

test('Clear also hides the rows that are still being loaded', () => {
  let now = 0;
  const { model, feed, draws } = startAppModel({
    clock: { now: () => now, every: () => () => undefined },
  });
  const log = notifications(4);
  feed.events(log.events.slice(0, 2));
  draws.shift()?.();
  now = log.events[3]?.wallTime ?? 0;
  model.traffic.clear();
  feed.events(log.events.slice(2));
  draws.shift()?.();
  expect(model.traffic.count.value).toBe(0);
  expect(model.traffic.hidden.value).toBe(4);
});

test('a replay can be compared with its origin before it is in the log', async () => {
  const { model, feed, draw } = startAppModel();
  const log = new LogBuilder();
  log.request('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  const carrierId = log.request('{"jsonrpc":"2.0","id":2,"method":"ping"}', [], 1);
  const [first, ...later] = log.take();
  feed.events(first === undefined ? [] : [first]);
  draw();
  model.replay.watch(Promise.resolve({ carrierId, replayOf: 1 }));
  await expect.poll(() => model.desk.said.value?.action?.title).toBe('Compare with its origin');
  model.desk.said.value?.action?.run();
  expect(model.selection.isOpen.value).toBe(false);
  feed.events(later);
  draw();
  expect(model.selection.item.value?.httpId).toBe(carrierId);
  expect(model.selection.tab.value).toBe('replay');
  // Once, and not again with what comes later.
  model.selection.close();
  log.request('{"jsonrpc":"2.0","id":3,"method":"ping"}');
  feed.events(log.take());
  draw();
  expect(model.selection.isOpen.value).toBe(false);
});
