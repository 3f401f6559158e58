import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  importWords,
  isEmpty,
  nameServer,
  nextSort,
  readSort,
  readTags,
  sortCaptures,
  type CaptureColumn,
  type CaptureRow,
} from '../../../../lib/state/captures/capture-list.ts';
import { readPlace } from '../../../../lib/state/captures/capture-place.ts';

function row(name: string, startedAt: number, errors?: number): CaptureRow {
  const captureId = `${name} ${startedAt}`;
  return {
    capture: { captureId, name, startedAt, lastSequence: 1, eventCount: 1, sizeBytes: startedAt },
    description: {
      captureId,
      ...(errors === undefined
        ? {}
        : { facts: { upTo: 1, exchanges: errors * 2, errors, servers: [] } }),
    },
    isCurrent: false,
  };
}

const COLUMNS: CaptureColumn[] = ['name', 'time', 'exchanges', 'errors', 'events', 'size'];

describe('sorting', () => {
  test('names go as people count, and what is not counted yet is below all that is', () => {
    const rows = [row('Run 10', 1, 3), row('run 9', 2), row('Run 2', 3, 0)];
    const order = (column: CaptureColumn, isDescending: boolean) =>
      sortCaptures(rows, { column, isDescending }).map(({ capture }) => capture.name);
    expect(order('name', false)).toEqual(['Run 2', 'run 9', 'Run 10']);
    expect(order('time', true)).toEqual(['Run 2', 'run 9', 'Run 10']);
    expect(order('errors', true)).toEqual(['Run 10', 'Run 2', 'run 9']);
    expect(order('exchanges', false)).toEqual(['run 9', 'Run 2', 'Run 10']);
  });

  test('keeps every capture, and turns around with the direction where none are equal', () => {
    const rows = fc.uniqueArray(fc.nat({ max: 1000 }), { maxLength: 20 }).map((starts) =>
      // Every value is different in every column but the count of events.
      starts.map((start) => row(`n${start}`, start, start)),
    );
    fc.assert(
      fc.property(rows, fc.constantFrom(...COLUMNS), (all, column) => {
        const up = sortCaptures(all, { column, isDescending: false });
        const down = sortCaptures(all, { column, isDescending: true });
        expect(new Set(up)).toEqual(new Set(all));
        expect(down).toEqual(up.toReversed());
      }),
    );
  });

  test('is kept as text, and anything else means the newest first', () => {
    const sort = { column: 'errors', isDescending: false } as const;
    expect(readSort(JSON.stringify(sort))).toEqual(sort);
    const first = { column: 'time', isDescending: true };
    for (const text of [
      undefined,
      '',
      '1',
      'null',
      '[]',
      '{"column":"toString"}',
      '{"column":7}',
    ]) {
      expect(readSort(text)).toEqual(first);
    }
  });

  test('a click turns the direction, or begins with another column', () => {
    const sort = { column: 'time', isDescending: true } as const;
    expect(nextSort(sort, 'time')).toEqual({ column: 'time', isDescending: false });
    expect(nextSort(sort, 'name')).toEqual({ column: 'name', isDescending: false });
    expect(nextSort(sort, 'size')).toEqual({ column: 'size', isDescending: true });
  });
});

test('a capture is empty where nobody would miss it', () => {
  const nothing = { upTo: 1, exchanges: 0, errors: 0, servers: [] };
  const empty = row('a', 1);
  empty.description.facts = nothing;
  const change = (
    description: Partial<CaptureRow['description']>,
    capture: Partial<CaptureRow['capture']> = {},
    isCurrent = false,
  ): CaptureRow => ({
    capture: { ...empty.capture, ...capture },
    description: { ...empty.description, ...description },
    isCurrent,
  });
  expect(isEmpty(empty)).toBe(true);
  // Not counted, or not up to its end.
  expect(isEmpty(row('a', 1))).toBe(false);
  expect(isEmpty(change({}, { lastSequence: 2 }))).toBe(false);
  expect(isEmpty(change({ facts: { ...nothing, exchanges: 1 } }))).toBe(false);
  expect(isEmpty(change({ facts: { ...nothing, servers: [{ url: 'http://a' }] } }))).toBe(false);
  expect(isEmpty(change({ note: 'Mine' }))).toBe(false);
  expect(isEmpty(change({ tags: ['mine'] }))).toBe(false);
  expect(isEmpty(change({}, { isPinned: true }))).toBe(false);
  expect(isEmpty(change({}, { imported: { file: 'a', repairCount: 0, repairs: [] } }))).toBe(false);
  expect(isEmpty(change({}, {}, true))).toBe(false);
});

test('tags are parted by commas, each once', () => {
  expect(readTags(' bug, staging,bug , ,two words')).toEqual(['bug', 'staging', 'two words']);
  expect(readTags('')).toEqual([]);
});

test('a server is called as it calls itself, else by its host', () => {
  expect(nameServer({ url: 'http://127.0.0.1:3001/mcp', name: 'everything' })).toBe('everything');
  expect(nameServer({ url: 'http://127.0.0.1:3001/mcp' })).toBe('127.0.0.1:3001');
  expect(nameServer({ url: 'no url', name: '' })).toBe('no url');
});

describe('a place in an address', () => {
  test('is read as it was written', () => {
    const place = {
      row: 'h1',
      tab: 'message',
      text: { section: 'Response', start: 3, end: 5 },
    };
    expect(readPlace(JSON.stringify(place))).toEqual(place);
  });

  test.each([
    '',
    'no json',
    '1',
    'null',
    '{}',
    '{"row":1,"tab":"message"}',
    '{"row":"a","tab":"x"}',
  ])('is none where it is %j', (text) => expect(readPlace(text)).toBeUndefined());
});

test('a capture that was imported in part says so', () => {
  const { capture } = row('From X', 1);
  const imported = { file: 'x.har', repairCount: 1, repairs: [], events: 3 };
  expect(importWords(capture)).toBeUndefined();
  expect(importWords({ ...capture, imported })).toMatchObject({
    word: 'imported in part',
    sentence: expect.stringContaining('1 of 3 events'),
  });
  expect(importWords({ ...capture, eventCount: 3, imported })).toEqual({
    word: 'imported',
    sentence: 'x.har, 1 thing put right',
  });
  // Those that were imported before that was counted.
  const { events: _, ...older } = imported;
  expect(importWords({ ...capture, imported: { ...older, isRedacted: true } })?.word).toBe(
    'imported, secrets replaced',
  );
});
