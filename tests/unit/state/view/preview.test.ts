import { effect } from '@preact/signals-core';
import { expect, test } from 'vitest';
import { correlateTail } from '../../../../lib/capture/correlate/correlate-tail.ts';
import { LogBuilder } from '../../../support/builders.ts';
import { settled } from '../fakes.ts';
import { startAppModel } from '../start-app-model.ts';

const COUNT = 300;
const FROM = 501;

function startModel() {
  const { model, calls, feed, draw } = startAppModel();
  const { preview, events, status } = feed;
  if (preview === undefined) throw new Error('The model takes no preview.');
  return { model, calls, preview, events, status, draw };
}

/** A call, and its notifications; every other event is one. */
function longLog(): LogBuilder {
  const log = new LogBuilder();
  log.opened();
  const call = log.call('1', 'tools/call', { name: 'flood' });
  log.head(call, 200, 'text/event-stream');
  for (let number = 0; number < COUNT; number += 1) {
    const params = { level: 'info', data: `number ${number}` };
    log.message(call, { jsonrpc: '2.0', method: 'notifications/message', params });
  }
  return log;
}

/** The end of the log, with the request and the head that it needs. */
function tailOf({ events }: LogBuilder) {
  const tail = { from: FROM, events: [...events.slice(0, 3), ...events.slice(FROM - 1)] };
  return correlateTail(tail);
}

const names = ({ traffic }: ReturnType<typeof startModel>['model']) =>
  Array.from({ length: traffic.count.value }, (_, index) => traffic.rowAt(index)?.target);

test('the newest rows are there before the others, and all of them when they have been read', () => {
  const { model, preview, events, status, draw } = startModel();
  const log = longLog();
  const { traffic } = model;
  const counts: number[] = [];
  const stop = effect(() => void counts.push(traffic.count.value));

  preview(tailOf(log));
  const before = names(model);
  expect(before.slice(1, 3)).toEqual(['flood', 'info: number 249']);
  expect(before.at(-1)).toBe('info: number 299');
  expect(model.correlation).not.toBe(model.recorded);

  for (let from = 0; from < log.events.length; from += 50) {
    events(log.events.slice(from, from + 50));
    draw();
    status({ kind: 'loading', loadedEvents: from + 50 });
  }
  expect(names(model)).toEqual(before);
  status({ kind: 'live' });
  expect(model.correlation).toBe(model.recorded);
  const all = names(model);
  expect(all).toHaveLength(COUNT + 2);
  expect(all.slice(-before.length + 2)).toEqual(before.slice(2));
  // No state between the two was ever shown.
  expect(counts).toEqual([0, before.length, all.length]);
  expect(model.rowsAbove.value).toBe(all.length - before.length);
  stop();

  log.answer(log.call('2'), { jsonrpc: '2.0', id: 2, result: {} });
  events(log.events.slice(-4));
  draw();
  expect(traffic.count.value).toBe(COUNT + 3);
});

test('what is selected, filtered and sorted stays so when all rows take their place', async () => {
  const { model, preview, events, status, draw } = startModel();
  const log = longLog();
  preview(tailOf(log));
  const { traffic, selection } = model;
  traffic.filter.text.value = '"number 29"';
  await settled();
  await import('../../../../lib/state/filter/filter-language.ts');
  await settled();
  expect(names(model)).toHaveLength(10);
  traffic.sort.value = { column: 'name', direction: 'descending' };
  selection.open(traffic.itemAt(2));
  const key = selection.item.value?.key;
  expect(traffic.rowAt(2)?.target).toBe('info: number 297');

  events(log.events);
  status({ kind: 'live' });
  // Number 29, and 290 to 299.
  expect(names(model)).toHaveLength(11);
  expect(names(model)[0]).toBe('info: number 299');
  expect(selection.item.value?.key).toBe(key);
  expect(selection.isOpen.value).toBe(true);
  expect(traffic.indexOf(selection.item.value ?? model.recorded.items[0]!)).toBe(2);
  draw();
});

test('what is found in the whole log is shown in it, also while that is being read', () => {
  const { model, preview, events, draw } = startModel();
  const log = longLog();
  preview(tailOf(log));
  events(log.events.slice(0, 200));
  draw();
  const found = model.recorded.items[10];
  if (found === undefined) throw new Error('Nothing has been read.');
  expect(model.traffic.reveal(found)).toBe(true);
  expect(model.correlation).toBe(model.recorded);
  expect(model.traffic.indexOf(found)).toBe(10);
});

test('rows that are cleared before all are there do not come back with the others', () => {
  const { model, preview, events, status } = startModel();
  const log = longLog();
  preview(tailOf(log));
  // The clock of this model stands before all events.
  model.traffic.clear();
  expect(model.traffic.count.value).toBe(0);
  model.traffic.showAll();
  expect(model.traffic.count.value).toBeGreaterThan(50);
  events(log.events);
  status({ kind: 'live' });
  expect(model.traffic.count.value).toBe(COUNT + 2);
});

test('a view that is paused meanwhile keeps the rows that it has', () => {
  const { model, preview, events, status } = startModel();
  const log = longLog();
  preview(tailOf(log));
  const before = names(model);
  model.traffic.isPaused.value = true;
  events(log.events);
  status({ kind: 'live' });
  expect(names(model)).toEqual(before);
  model.traffic.isPaused.value = false;
  expect(model.traffic.count.value).toBe(COUNT + 2);
});
