import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { MessageRef } from '../../../../lib/capture/correlate/items.ts';
import { recordedText } from '../../../../lib/capture/correlate/socket-record.ts';
import { scanOutline } from '../../../../lib/json/outline-scan.ts';
import { GROUP_SIZE } from '../../../../lib/json/outline.ts';
import { flattenTree } from '../../../../lib/json/tree.ts';
import { keysAbove, nodeAt } from '../../../../lib/json/tree-expansion.ts';
import { workInTurns, workOneTurn, type LongWork } from '../../../../lib/state/detail/long-work.ts';
import { cutRawLines, cutsWithin } from '../../../../lib/state/detail/raw-lines.ts';
import { readText } from '../../../../lib/state/detail/read-text.ts';
import { LogBuilder } from '../log-builder.ts';

function finish<Work extends LongWork>(work: Work): Work {
  while (!work.isDone) work.step();
  return work;
}

test('rows of a raw text are its lines, cut to the width, and hold every character once', () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', '😀', 'ü') });
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 9 }), (text, columns) => {
      const lines = finish(cutRawLines(text, columns));
      const rows = Array.from({ length: lines.count }, (_, index) => lines.rowAt(index)!);
      let position = 0;
      for (const [index, { start, end }] of rows.entries()) {
        expect(start).toBe(position);
        const row = text.slice(start, end);
        expect(row).not.toContain('\n');
        expect(row.length).toBeLessThanOrEqual(Math.max(columns, 2));
        expect(row.isWellFormed()).toBe(true);
        for (let offset = start; offset < end; offset += 1) {
          expect(lines.indexAt(offset)).toBe(index);
        }
        position = text.charAt(end) === '\n' ? end + 1 : end;
      }
      expect(position).toBe(text.length);
    }),
  );
});

test('the rows of a long text come in steps', () => {
  const lines = cutRawLines('x\n'.repeat(50_000), 80);
  let steps = 0;
  for (let before = 1; !lines.isDone; before = lines.count) {
    lines.step();
    steps += 1;
    expect(lines.count - before).toBeLessThanOrEqual(2000);
  }
  expect(steps).toBeGreaterThan(20);
  expect(lines.count).toBe(50_001);
});

test('cuts of a stretch keep their place and their part of the secret', () => {
  const cuts = [{ offset: 5, length: 10, secret: 'aaaa', from: 2 }];
  expect(cutsWithin(cuts, 0, 8)).toEqual([{ offset: 5, length: 3, secret: 'aaaa', from: 2 }]);
  expect(cutsWithin(cuts, 8, 20)).toEqual([{ offset: 0, length: 7, secret: 'aaaa', from: 5 }]);
  expect(cutsWithin(cuts, 15, 20)).toEqual([]);
});

test('a text that is decoded piece by piece is the text, wherever it is cut', () => {
  const log = new LogBuilder();
  const unit = '{"a":"😀 ü→"},';
  const big = `{"list":[${unit.repeat(60_000)}1]}`;
  const call = log.request(big);
  const bytes = new TextEncoder().encode(big);
  log.head(call, 200, 'application/json');
  // In the middle of characters.
  for (let offset = 0; offset < bytes.length; offset += 99_991) {
    const data = { bytes: bytes.slice(offset, offset + 99_991) };
    log.add({ kind: 'http-chunk', httpId: call, offset, data });
  }
  log.end(call, bytes.length);
  const stream = log.stream();
  log.head(stream, 200, 'text/event-stream');
  const block = 'data: one\ndata: two\n\n';
  log.chunk(stream, 0, block).add({
    kind: 'sse-event',
    httpId: stream,
    block: { offset: 0, length: block.length },
    data: [
      { offset: 6, length: 3 },
      { offset: 16, length: 3 },
    ],
  });
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const event = log.events.at(-1)!.sequence;
  const places: MessageRef[] = [
    { in: 'request', httpId: call },
    { in: 'body', httpId: call },
    { in: 'event', httpId: stream, sequence: event },
  ];
  for (const ref of places) {
    const reading = readText(correlation, ref);
    let steps = 0;
    while (!reading.isDone) {
      const before = reading.readBytes;
      reading.step();
      expect(reading.readBytes - before).toBeLessThanOrEqual(256 * 1024);
      steps += 1;
    }
    expect(steps).toBeGreaterThan(ref.in === 'event' ? 1 : 3);
    expect(reading.text).toBe(recordedText(correlation, ref));
    expect(new TextEncoder().encode(reading.text).length).toBe(reading.sizeBytes);
  }
});

test('a place in a text is found in the tree, through groups, and can be brought into view', () => {
  const items = Array.from({ length: GROUP_SIZE * 2 + 5 }, (_, index) => ({ name: `n${index}` }));
  const text = JSON.stringify({ list: items, last: true });
  const scan = finish(scanOutline(text));
  for (const wanted of ['n0"', 'n999"', 'n1000"', 'n2004"', 'true']) {
    const node = nodeAt(scan.outline, text.indexOf(wanted)) ?? -1;
    expect(text.slice(scan.outline.startOf(node), scan.outline.endOf(node))).toContain(wanted);
    const rows = flattenTree(scan, new Set(keysAbove(scan.outline, node)));
    expect(rows.at(rows.indexOf(node))?.text).toContain(wanted);
  }
  // A name belongs to its value, white space and brackets to the container.
  expect(nodeAt(scan.outline, text.indexOf('"list"'))).toBe(1);
  expect(nodeAt(scan.outline, text.length - 1)).toBe(0);
});

test('long work stops when it is given up, and tells now and then how far it is', async () => {
  let steps = 0;
  const endless: LongWork = {
    isDone: false,
    step() {
      steps += 1;
    },
  };
  workOneTurn(endless);
  expect(steps).toBeGreaterThan(0);
  await new Promise<void>((resolve) => {
    const stop = workInTurns(endless, () => {
      stop();
      resolve();
    });
  });
  const stopped = steps;
  await new Promise((resolve) => setImmediate(resolve));
  expect(steps).toBe(stopped);
});
