import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceOf, rowWindow, scrollTopAfter } from '../../../components/ui/row-window.ts';

const rowHeight = 21;

const someRows = fc.record({
  count: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 5_000_000 })),
  rowHeight: fc.constant(rowHeight),
  room: fc.integer({ min: 0, max: 1200 }),
});

describe('rowWindow', () => {
  test('holds the rows in sight, at their places', () => {
    const seen = rowWindow({ count: 1000, rowHeight, room: 210 }, 105);
    expect(seen).toMatchObject({ first: 5, end: 15, bodyPx: 21_000 });
    expect(seen.topOf(5)).toBe(105);
  });

  test('stays on the list when it has become shorter', () => {
    expect(rowWindow({ count: 12, rowHeight, room: 210 }, 9000)).toMatchObject({
      first: 2,
      end: 12,
    });
  });

  test('at both ends of the scroll bar shows both ends of the list', () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        expect(rowWindow(rows, 0).first).toBe(0);
        const end = rowWindow(rows, Infinity);
        // Of a list without room nothing is in sight, but for what the rounding of large numbers leaves.
        const [least, most] =
          rows.room === 0 ? [end.first, end.first + 1] : [rows.count, rows.count];
        expect(end.end).toBeGreaterThanOrEqual(least);
        expect(end.end).toBeLessThanOrEqual(most);
        expect(end.bodyPx).toBeLessThanOrEqual(15_000_000);
      }),
    );
  });

  test('fills what is in sight without a hole, and makes the body no higher', () => {
    fc.assert(
      fc.property(someRows, fc.double({ min: 0, max: 1, noNaN: true }), (rows, share) => {
        fc.pre(rows.count > 0 && rows.room > 0);
        const bodyPx = rowWindow(rows, 0).bodyPx;
        const scrollTop = share * Math.max(bodyPx - rows.room, 0);
        const seen = rowWindow(rows, scrollTop);
        // Half a pixel for the rounding of large numbers.
        expect(seen.topOf(seen.first)).toBeLessThanOrEqual(scrollTop + 0.5);
        const bottom = seen.topOf(seen.end - 1) + rows.rowHeight;
        expect(bottom).toBeGreaterThanOrEqual(Math.min(scrollTop + rows.room, bodyPx) - 0.5);
        expect(seen.topOf(rows.count - 1) + rows.rowHeight).toBeLessThanOrEqual(bodyPx);
      }),
    );
  });
});

describe('distanceOf', () => {
  test('is nothing for a row in sight', () => {
    expect(distanceOf(7, { count: 1000, rowHeight, room: 210 }, 105)).toBe(0);
  });

  test('brings any row into sight', () => {
    fc.assert(
      fc.property(someRows, fc.nat(), fc.nat(), (rows, from, to) => {
        fc.pre(rows.count > 0 && rows.room >= rows.rowHeight);
        const { bodyPx } = rowWindow(rows, 0);
        const start = from % Math.max(bodyPx - rows.room, 1);
        const index = to % rows.count;
        const scrollTop = start + distanceOf(index, rows, start);
        const { first, end } = rowWindow(rows, scrollTop);
        expect(index).toBeGreaterThanOrEqual(first);
        expect(index).toBeLessThan(end);
      }),
    );
  });
});

describe('scrollTopAfter', () => {
  test('keeps the rows in sight where others come in above them', () => {
    fc.assert(
      fc.property(someRows, fc.nat(3_000_000), fc.nat(), (before, added, from) => {
        fc.pre(before.count * rowHeight > before.room);
        const now = { ...before, count: before.count + added };
        const start = from % Math.max(rowWindow(before, 0).bodyPx - before.room, 1);
        const { first } = rowWindow(before, start);
        const after = rowWindow(now, scrollTopAfter(added, { before, now }, start));
        expect(Math.abs(after.first - (first + added))).toBeLessThanOrEqual(1);
      }),
    );
  });
});
