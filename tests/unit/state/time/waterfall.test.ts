import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Item, Moment } from '../../../../lib/capture/correlate/items.ts';
import { drawWaterfall } from '../../../../lib/state/time/waterfall-draw.ts';
import { createTimeScale } from '../../../../lib/state/time/waterfall-time.ts';
import { toWaterfall } from '../../../../lib/state/time/waterfall.ts';
import type { Waterfall } from '../../../../lib/state/time/waterfall.ts';
import { wordWaterfall } from '../../../../lib/state/time/waterfall-words.ts';
import { LogBuilder } from '../log-builder.ts';

const START = Date.UTC(2026, 10, 30, 9, 0, 0);
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';
const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}';

/** The waterfall of the first item of a kind, its times from the start of the log. */
function waterfallOf(log: LogBuilder, kind: Item['kind'] = 'request', nowMs = 0) {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const scale = createTimeScale();
  const item = correlation.items.find((candidate) => candidate.kind === kind);
  if (item === undefined) throw new Error(`no ${kind}`);
  const waterfall = toWaterfall(item, correlation, scale, START + nowMs);
  return {
    ...waterfall,
    scale,
    spans: waterfall.stretches.map(({ kind: what, from, to }) => [what, from - START, to - START]),
    marks: waterfall.ticks.flat().map((moment) => scale.at(moment) - START),
    words: wordWaterfall(waterfall, scale),
  };
}

function sent(log: LogBuilder, httpId: string): LogBuilder {
  return log.add({ kind: 'http-sent', httpId, headers: [], added: [] });
}

describe('the waterfall', () => {
  test('of an answered request is queued, waiting, receiving and its end', () => {
    const log = new LogBuilder();
    const httpId = log.wait(10).request(CALL);
    sent(log.wait(3), httpId).wait(20).head(httpId, 200, 'application/json');
    log.wait(5).chunk(httpId, 0, RESULT).wait(2).end(httpId, RESULT.length);
    const { spans, marks, from, to, isRunning } = waterfallOf(log);
    expect(spans).toEqual([
      ['queued', 10, 13],
      ['waiting', 13, 33],
      ['open', 33, 40],
    ]);
    expect(marks).toEqual([33, 38, 40, 40]);
    expect([from - START, to - START, isRunning]).toEqual([10, 40, false]);
  });

  test('of a request that had to be authorized has the time of its user between two attempts', () => {
    const log = new LogBuilder();
    const first = log.wait(10).request(CALL);
    log.wait(5).head(first, 401, 'text/plain').end(first, 0);
    const url = { text: 'https://a.example/mcp' };
    log.add({ kind: 'auth-started', chain: 'a', reason: 'authorization', url });
    log.wait(5).add({ kind: 'auth-consent', chain: 'a', step: 1, state: 'opened' });
    log.wait(100).add({ kind: 'auth-consent', chain: 'a', step: 1, state: 'received' });
    log.wait(5).add({ kind: 'auth-ended', chain: 'a', outcome: 'authorized' });
    const again = log.wait(1).request(CALL);
    const repeat = log.events.at(-1)!;
    if (repeat.kind !== 'http-request') throw new Error('no request');
    repeat.links = { retryOf: first, attempt: 2, reason: 'authorization', authChain: 'a' };
    log.wait(4).head(again, 200, 'application/json').wait(2).end(again, 0);
    expect(waterfallOf(log).spans).toEqual([
      ['waiting', 10, 15],
      ['waiting', 15, 126],
      ['user', 20, 120],
      ['waiting', 126, 130],
      ['open', 130, 132],
    ]);
    expect(waterfallOf(log, 'auth').spans).toEqual([
      ['waiting', 15, 125],
      ['user', 20, 120],
    ]);
  });

  test('of a request that waits for a connection is queued until now', () => {
    const log = new LogBuilder();
    const httpId = log.request(CALL);
    log.add({ kind: 'http-queued', httpId, reason: 'All are in use.' });
    const { spans, isRunning } = waterfallOf(log, 'request', 700);
    expect(spans[0]).toEqual(['queued', 0, 700]);
    expect(isRunning).toBe(true);
  });

  test('grows with the clock while the request is pending, and has each event of its stream', () => {
    const log = new LogBuilder();
    const httpId = log.request(CALL);
    sent(log, httpId).wait(30).head(httpId, 200, 'text/event-stream');
    let offset = 0;
    for (let index = 0; index < 3; index += 1) {
      offset = log.wait(100).sseEvent(httpId, offset, PROGRESS);
    }
    const early = waterfallOf(log, 'request', 500);
    expect(early.spans).toEqual([
      ['waiting', 0, 30],
      ['open', 30, 500],
    ]);
    expect(early.marks).toEqual([30, 130, 230, 330]);
    const late = waterfallOf(log, 'request', 900);
    expect([late.to - early.to, late.isRunning]).toEqual([400, true]);
    expect(late.words).toContain('Longest silence: 570 ms');
    expect(late.words).toContain('Total: 900 ms so far');
  });

  test('shows the time of the user between two rounds apart', () => {
    const log = new LogBuilder();
    const ask =
      '{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}}';
    const first = log.request(CALL);
    log.wait(20).answer(first, ask);
    log.wait(5000).add({
      kind: 'http-request',
      httpId: 'second',
      purpose: 'message',
      method: 'POST',
      url: { text: 'http://127.0.0.1:3001/mcp' },
      headers: [],
      body: { bytes: new TextEncoder().encode(CALL.replace('"id":1', '"id":2')) },
      links: { retryOf: first, reason: 'input-required' },
    });
    log.wait(30).answer('second', RESULT.replace('"id":1', '"id":2'));
    const { spans, to, words } = waterfallOf(log);
    expect(spans).toContainEqual(['user', 20, 5020]);
    expect(to - START).toBe(5050);
    expect(words).toContain('Waiting for you: 5.00 s');
  });

  test('goes on after the exchange where the answer comes another way', () => {
    const log = new LogBuilder();
    const stream = log.stream();
    log.head(stream, 200, 'text/event-stream');
    const httpId = log.wait(10).request(CALL);
    log.wait(5).head(httpId, 202, 'text/plain').end(httpId, 0);
    log.wait(100).sseEvent(stream, 0, RESULT);
    const { spans, isRunning } = waterfallOf(log);
    expect(spans).toContainEqual(['waiting', 15, 115]);
    expect(isRunning).toBe(false);
  });

  test('takes durations from the monotonic clock within a boot, and wall time between boots', () => {
    const log = new LogBuilder();
    const httpId = log.request(CALL);
    log.wait(40).answer(httpId, RESULT);
    // The clock was set forward by an hour meanwhile.
    for (const event of log.events.slice(1)) event.wallTime += 3_600_000;
    expect(waterfallOf(log).to - START).toBe(40);
    for (const event of log.events.slice(1)) event.bootId = 'boot-2';
    expect(waterfallOf(log).to - START).toBe(3_600_040);
  });

  test.each(['lifecycle', 'notification'] as const)('of a %s is one mark', (kind) => {
    const log = new LogBuilder();
    log.opened();
    const stream = log.stream();
    log.head(stream, 200, 'text/event-stream').sseEvent(stream, 0, PROGRESS);
    const { spans, marks, isRunning } = waterfallOf(log, kind);
    expect([spans, marks, isRunning]).toEqual([[], [0], false]);
  });
});

describe('drawing', () => {
  const scale = createTimeScale();
  const at = (time: number): Moment => ({ wallTime: time, monotonicTime: time, bootId: 'b' });
  const waterfall = (parts: Partial<Waterfall>): Waterfall => ({
    stretches: [],
    ticks: [],
    from: 0,
    to: 0,
    isRunning: false,
    ...parts,
  });

  test('puts stretches and ticks where they are in the window', () => {
    const drawn = drawWaterfall(
      waterfall({
        stretches: [
          { kind: 'waiting', from: 0, to: 100 },
          { kind: 'open', from: 100, to: 1000 },
        ],
        ticks: [[at(100), at(500)]],
      }),
      scale,
      { from: 0, to: 1000 },
      100,
    );
    expect(drawn).toEqual([
      { kind: 'waiting', from: 0, to: 10 },
      { kind: 'open', from: 10, to: 100 },
      { kind: 'tick', from: 10, to: 12 },
      { kind: 'tick', from: 50, to: 52 },
    ]);
  });

  test('cuts off what is outside of the window, and keeps what is too short to see', () => {
    const stretches = [
      { kind: 'waiting', from: -500, to: -100 },
      { kind: 'open', from: -10, to: 0.001 },
      { kind: 'user', from: 900, to: 5000 },
    ] as const;
    const drawn = drawWaterfall(waterfall({ stretches }), scale, { from: 0, to: 1000 }, 100);
    expect(drawn).toEqual([
      { kind: 'open', from: 0, to: 1 },
      { kind: 'user', from: 90, to: 100 },
    ]);
  });

  test('looks at few of very many events', () => {
    const ticks = Array.from({ length: 100_000 }, (_, index) => at(index));
    let looks = 0;
    const counting = { at: (moment: Moment) => ((looks += 1), moment.wallTime) };
    const drawn = drawWaterfall(
      waterfall({ ticks: [ticks] }),
      counting,
      { from: 0, to: 100_000 },
      200,
    );
    expect(drawn).toEqual([{ kind: 'tick', from: 0, to: 200 }]);
    expect(looks).toBeLessThan(200 * 20);
  });

  test('marks exactly the px at which something happened, whatever the events', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -50, max: 1050 }), { maxLength: 300 }),
        fc.integer({ min: 3, max: 400 }),
        (times, width) => {
          const list = times.toSorted((one, other) => one - other);
          const drawn = drawWaterfall(
            waterfall({ ticks: [list.map(at)] }),
            scale,
            { from: 0, to: 1000 },
            width,
          );
          const marked = new Set<number>();
          for (const { from, to } of drawn) for (let px = from; px < to; px += 1) marked.add(px);
          const expected = new Set<number>();
          for (const time of list) {
            const px = Math.floor((time / 1000) * width);
            if (px < 0 || px > width) continue;
            const from = Math.min(px, width - 2);
            expected.add(from).add(from + 1);
          }
          expect(marked).toEqual(expected);
          // In order, with something between them.
          for (const [index, segment] of drawn.entries()) {
            expect(segment.from).toBeGreaterThan(drawn[index - 1]?.to ?? -1);
          }
        },
      ),
    );
  });
});
