import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import {
  filterStream,
  positionOf,
  type StreamFilter,
} from '../../../../lib/state/detail/stream-filter.ts';
import { streamLineText, toStreamRow } from '../../../../lib/state/detail/stream-rows.ts';
import { LogBuilder } from '../log-builder.ts';

function finish(filter: StreamFilter): StreamFilter {
  while (!filter.isDone) filter.step();
  return filter;
}

function linesOf(texts: (string | undefined)[]) {
  return {
    get count() {
      return texts.length;
    },
    textAt: (index: number) => texts[index],
  };
}

const TEXTS = ['message {"progress":1}', 'Message {"progress":12}', '(comment) : ping', 'a/b c'];

test.each([
  ['', [0, 1, 2, 3]],
  ['message', [0, 1]],
  ['message -12', [0]],
  ['"s":1}', [0]],
  ['-"progress"', [2, 3]],
  ['/progress":\\d\\d/', [1]],
  ['-/P(RO|ING)/', [3]],
  ['/a\\/b/', [3]],
  ['a/b', [3]],
  ['"b c', [3]],
  ['nothing', []],
])('the filter %j lets through %j', (filter, expected) => {
  expect(finish(filterStream(linesOf(TEXTS), filter)).matches).toEqual(expected);
});

test('an expression that is broken is named, and hides nothing behind it', () => {
  expect(filterStream(linesOf(TEXTS), '/(/').problem).toContain('/(/');
  expect(filterStream(linesOf(TEXTS), '(').problem).toBeUndefined();
});

test('lines that come later are looked through as well, and those on disk only are counted', () => {
  const texts: (string | undefined)[] = ['one', undefined];
  const filter = finish(filterStream(linesOf(texts), 'o'));
  expect(filter).toMatchObject({ matches: [0], unread: 1 });
  texts.push('two', 'three');
  expect(filter.isDone).toBe(false);
  expect(finish(filter).matches).toEqual([0, 2]);
});

test('a filter over a growing list finds what one from the start finds', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '-', '"', '/') });
  fc.assert(
    fc.property(fc.array(fc.array(line, { maxLength: 90 })), line, (batches, text) => {
      const texts: string[] = [];
      const growing = filterStream(linesOf(texts), text);
      for (const batch of batches) {
        texts.push(...batch);
        growing.step();
      }
      const { matches } = finish(filterStream(linesOf(texts), text));
      expect(finish(growing).matches).toEqual(matches);
      for (const index of texts.keys()) {
        expect(positionOf(matches, index)).toBe(matches.indexOf(index));
      }
    }),
    { numRuns: 50 },
  );
});

test('each line says which chunks brought it, and where one begins', () => {
  const log = new LogBuilder();
  const httpId = log.stream();
  log.head(httpId, 200, 'text/event-stream');
  const block = 'data: 1\n\n';
  log.chunk(httpId, 0, block + block + block.slice(0, 4));
  const event = (offset: number) =>
    log.add({
      kind: 'sse-event',
      httpId,
      block: { offset, length: block.length },
      data: [{ offset: offset + 6, length: 1 }],
    });
  event(0);
  event(9);
  log.chunk(httpId, 22, block.slice(4) + block);
  event(18);
  event(27);
  log.chunk(httpId, 36, block);
  event(36);
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const record = correlation.https.get(httpId)!;
  const rows = record.stream.map((_, index) => toStreamRow(record, index)!);
  expect(rows.map(({ chunk, startsChunk }) => `${chunk}${startsChunk ? ' starts' : ''}`)).toEqual([
    '1 starts',
    '1',
    '1–2',
    '2',
    '3 starts',
  ]);
  expect(streamLineText(record, 2)).toBe('message (default)\ndata: 1\n\n');
  record.chunks[1]!.data = { bytes: new Uint8Array(), awayBytes: 14 };
  expect(streamLineText(record, 1)).toBeDefined();
  expect(streamLineText(record, 2)).toBeUndefined();
});
