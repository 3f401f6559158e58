import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import {
  moveHandle,
  rangeBetween,
  shareAt,
  shareForKey,
  shiftRange,
} from '../../../../lib/state/time/overview-brush.ts';
import { BIN_LIMIT, createOverview } from '../../../../lib/state/time/overview.ts';
import type { Density } from '../../../../lib/state/time/overview.ts';
import { createTimeScale } from '../../../../lib/state/time/waterfall-time.ts';
import { LogBuilder } from '../log-builder.ts';

const START = Date.UTC(2026, 10, 30, 9, 0, 0);
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const NOTE = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}';
const FAILURE = '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"No"}}';

function overviewOf(log: LogBuilder) {
  const correlation = createCorrelation();
  const overview = createOverview(correlation, createTimeScale());
  const take = (hidden = 0): Density | undefined => {
    const events = log.take();
    overview.apply(events, correlation.apply(events));
    overview.refresh(hidden);
    return overview.density.value;
  };
  return { correlation, take };
}

function totals(density: Density | undefined) {
  const sum = { outgoing: 0, incoming: 0, errors: 0 };
  for (const bin of density?.bins ?? []) {
    sum.outgoing += bin.outgoing;
    sum.incoming += bin.incoming;
    sum.errors += bin.errors;
  }
  return sum;
}

describe('the density of a capture', () => {
  test('is nothing while nothing is recorded', () => {
    expect(overviewOf(new LogBuilder()).take()).toBeUndefined();
  });

  test('counts rows by direction, from the first one to the last event', () => {
    const log = new LogBuilder();
    const stream = log.stream();
    log.head(stream, 200, 'text/event-stream');
    const offset = log.wait(100).sseEvent(stream, 0, NOTE);
    log.wait(100).sseEvent(stream, offset, NOTE);
    log.wait(800).add({ kind: 'sse-comment', httpId: stream, line: { offset: 0, length: 0 } });
    const density = overviewOf(log).take();
    expect(totals(density)).toEqual({ outgoing: 1, incoming: 2, errors: 0 });
    expect(density?.extent).toEqual({ from: START, to: START + 1000 });
  });

  test('marks a row that fails when it does, and takes that back where it goes on after all', () => {
    const log = new LogBuilder();
    const { take } = overviewOf(log);
    const httpId = log.request(PING);
    const problem = { code: 'network-refused', message: 'No' } as const;
    log.wait(100).add({ kind: 'http-end', httpId, end: { outcome: 'failed', problem } });
    expect(totals(take()).errors).toBe(1);
    log.wait(1000).add({
      kind: 'retry-scheduled',
      carrierId: httpId,
      delayMs: 10,
      askedBy: 'backoff',
    });
    expect(totals(take()).errors).toBe(0);
  });

  test('marks the time at which a row failed, and once', () => {
    const log = new LogBuilder();
    const { take } = overviewOf(log);
    const httpId = log.request(PING);
    expect(totals(take()).errors).toBe(0);
    log.wait(500).answer(httpId, FAILURE);
    const failed = take();
    expect(totals(failed).errors).toBe(1);
    const at = failed?.bins.findIndex(({ errors }) => errors > 0) ?? -1;
    expect(at * (failed?.binMs ?? 0)).toBeGreaterThan(490);
    // The same again counts once.
    log.wait(10).request(PING.replace('1}', '2}'));
    expect(totals(take()).errors).toBe(1);
  });

  test('begins anew after Clear, and has everything again when it is shown', () => {
    const log = new LogBuilder();
    const { take, correlation } = overviewOf(log);
    log.answer(log.request(PING), FAILURE);
    log.wait(5000).request(PING);
    take();
    expect(totals(take(1))).toEqual({ outgoing: 1, incoming: 0, errors: 0 });
    expect(take(1)?.extent.from).toBe(START + 5000);
    expect(take(correlation.items.length)).toBeUndefined();
    expect(totals(take(0))).toEqual({ outgoing: 2, incoming: 0, errors: 1 });
  });

  test('counts every row once, in bins that are few, whatever comes in which batches', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 30 }), {
          maxLength: 20,
        }),
        (batches) => {
          const log = new LogBuilder();
          const { take, correlation } = overviewOf(log);
          let density: Density | undefined;
          for (const batch of batches) {
            for (const pause of batch) log.wait(pause).request(PING);
            density = take();
          }
          expect(totals(density).outgoing).toBe(correlation.items.length);
          expect(density?.bins.length ?? 0).toBeLessThanOrEqual(BIN_LIMIT);
          if (density === undefined) return;
          const { bins, binMs, extent } = density;
          for (const [index, bin] of bins.entries()) {
            const from = extent.from + index * binMs;
            const inside = correlation.items.filter(
              ({ started }) => started.wallTime >= from && started.wallTime < from + binMs,
            );
            expect(bin.outgoing).toBe(inside.length);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  test('touches few bins and items for a batch of a large capture', () => {
    const log = new LogBuilder();
    const { take } = overviewOf(log);
    for (let index = 0; index < 2000; index += 1) log.wait(7).request(PING);
    const before = take();
    log.wait(1).request(PING);
    const after = take();
    expect(after?.bins).toBe(before?.bins);
    expect(totals(after).outgoing).toBe(2001);
  });
});

describe('the brush', () => {
  const extent = { from: 1000, to: 2000 };

  test('makes a range of two places, in either order, and none of a click', () => {
    expect(rangeBetween(extent, 0.75, 0.25)).toEqual({ from: 1250, to: 1750 });
    expect(rangeBetween(extent, -1, 2)).toEqual(extent);
    expect(rangeBetween(extent, 0.5, 0.5005)).toBeUndefined();
  });

  test('moves one end, never past the other one, and is gone where it holds everything', () => {
    expect(moveHandle(extent, undefined, 'from', 0.5)).toEqual({ from: 1500, to: 2000 });
    expect(moveHandle(extent, { from: 1500, to: 1600 }, 'from', 0.9)).toEqual({
      from: 1600,
      to: 1600,
    });
    expect(moveHandle(extent, { from: 1500, to: 1600 }, 'to', 0)).toEqual({ from: 1500, to: 1500 });
    expect(moveHandle(extent, { from: 1500, to: 2000 }, 'from', 0)).toBeUndefined();
  });

  test('moves as a whole within the strip', () => {
    const range = { from: 1200, to: 1400 };
    expect(shiftRange(extent, range, 0.1)).toEqual({ from: 1300, to: 1500 });
    expect(shiftRange(extent, range, 5)).toEqual({ from: 1800, to: 2000 });
    expect(shiftRange(extent, range, -5)).toEqual({ from: 1000, to: 1200 });
  });

  test('follows the keys of a slider', () => {
    expect(shareForKey('ArrowRight', 0.5)).toBeCloseTo(0.51);
    expect(shareForKey('PageDown', 0.5)).toBeCloseTo(0.4);
    expect(shareForKey('End', 0.5)).toBe(1);
    expect(shareForKey('a', 0.5)).toBeUndefined();
    expect(shareAt(extent, 1250)).toBe(0.25);
    expect(shareAt({ from: 5, to: 5 }, 5)).toBe(0);
  });
});
