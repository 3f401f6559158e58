import { signal } from '@preact/signals-core';
import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import { createFilterBox } from '../../../../lib/state/filter/filter-box.ts';
import { completeFilter } from '../../../../lib/state/filter/filter-completion.ts';
import { FILTER_KEYS } from '../../../../lib/state/filter/filter-keys.ts';
import { LogBuilder } from '../../../support/builders.ts';

function createSource() {
  const log = new LogBuilder();
  for (const name of ['echo', 'add', 'echo', 'with space']) log.call('1', 'tools/call', { name });
  log.call('"x"', 'tools/list');
  const correlation = createCorrelation();
  correlation.apply(log.events);
  return correlation;
}

const SOURCE = createSource();

function labels(text: string, caret = text.length): string[] {
  return completeFilter(text, caret, SOURCE).map(({ label }) => label);
}

test('an empty filter could begin with any key', () => {
  expect(labels('')).toEqual(FILTER_KEYS.map(({ name }) => `${name}:`));
  expect(labels('echo ')).toHaveLength(FILTER_KEYS.length);
  expect(labels('-')).toHaveLength(FILTER_KEYS.length);
});

test('the beginning of a key is completed, also after a minus and before other terms', () => {
  expect(labels('sta')).toEqual(['status-code:', 'status:']);
  expect(labels('-ToO')).toEqual(['tool:']);
  const [option] = completeFilter('x -me y', 5, SOURCE);
  expect(option).toMatchObject({ text: 'x -method: y', caret: 10 });
  expect(labels('echo')).toEqual([]);
  expect(labels('"sta')).toEqual([]);
});

test('values are those that were seen, the frequent ones first', () => {
  expect(labels('tool:')).toEqual(['echo', 'with space', 'add']);
  expect(labels('method:')).toEqual(['tools/call', 'tools/list']);
  expect(labels('method:LIST')).toEqual(['tools/list']);
  expect(labels('tool:echo')).toEqual([]);
  expect(completeFilter('method:', 7, SOURCE)[0]).toMatchObject({ label: 'tools/call', hint: '4' });
});

test('values of words are offered although none was seen', () => {
  expect(labels('is:r')).toEqual(['running', 'replay', 'retry', 'error', 'warning']);
  expect(labels('dir:')).toEqual(['in', 'out']);
});

test('a value that would mean something else is put in quotation marks', () => {
  expect(completeFilter('tool:wi', 7, SOURCE)[0]).toMatchObject({
    text: 'tool:"with space" ',
    caret: 18,
  });
  expect(completeFilter('id:x', 4, SOURCE)[0]).toMatchObject({ text: 'id:"x" ' });
});

test('a value in the middle keeps what follows it', () => {
  expect(completeFilter('tool:a is:error', 6, SOURCE)[0]).toMatchObject({
    label: 'add',
    text: 'tool:add is:error',
    caret: 9,
  });
});

function createBox() {
  const text = signal('');
  const box = createFilterBox({
    text,
    complete: (caret) => completeFilter(text.value, caret, SOURCE),
  });
  const shown = () => box.options.value.map(({ label }) => label);
  return { text, box, shown };
}

test('the list opens with typing, is closed over an empty field, and opens there by an arrow', () => {
  const { box, shown } = createBox();
  expect(shown()).toEqual([]);
  box.type('sta', 3);
  expect([shown(), box.active.value]).toEqual([['status-code:', 'status:'], -1]);
  box.type('', 0);
  expect(shown()).toEqual([]);
  box.move(1, 0);
  expect([shown().length, box.active.value]).toEqual([FILTER_KEYS.length, 0]);
  box.move(-1, 0);
  expect(box.active.value).toBe(FILTER_KEYS.length - 1);
  box.move(1, 0);
  expect(box.active.value).toBe(0);
  box.close();
  expect([shown(), box.active.value]).toEqual([[], -1]);
});

test('a key is followed by its values, a value by nothing', () => {
  const { text, box, shown } = createBox();
  box.type('too', 3);
  expect(box.accept()).toBeUndefined();
  expect(box.accept(box.offered())).toBe(5);
  expect([text.value, shown()]).toEqual(['tool:', ['echo', 'with space', 'add']]);
  // Nothing of a value has been typed: the Tab key is for moving on.
  expect(box.offered()).toBe(-1);
  box.move(-1, 5);
  expect(box.offered()).toBe(2);
  expect(box.accept()).toBe(9);
  expect([text.value, shown()]).toEqual(['tool:add ', []]);
});
