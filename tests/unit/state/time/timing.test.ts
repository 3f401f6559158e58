import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import { askedDuring, toCallTiming } from '../../../../lib/state/time/timing-call.ts';
import { largestGaps } from '../../../../lib/state/time/timing-gaps.ts';
import { toTiming } from '../../../../lib/state/time/timing.ts';
import { LogBuilder } from '../log-builder.ts';

function correlate(log: LogBuilder) {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  return correlation;
}

const REQUEST = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}';

test('waiting for a connection of the browser is a phase of its own', () => {
  const log = new LogBuilder();
  const httpId = log.request(REQUEST);
  log.add({ kind: 'http-queued', httpId, reason: 'all in use' });
  log.wait(700).add({ kind: 'http-released', httpId });
  log.wait(5).add({ kind: 'http-sent', httpId, headers: [], added: [] });
  const timing = toTiming(correlate(log).https.get(httpId)!);
  expect(timing.phases).toEqual([
    { name: 'Waiting for a connection', kind: 'queued', startMs: 0, durationMs: 700 },
    { name: 'Queued', kind: 'queued', startMs: 700, durationMs: 5 },
    {
      name: 'Waiting for the response',
      kind: 'waiting',
      startMs: 705,
      durationMs: 0,
      isOpen: true,
    },
  ]);
  expect(timing.isRunning).toBe(true);
});

test('the longest pauses are named, and the one that lasts is among them', () => {
  const log = new LogBuilder();
  const httpId = log.stream();
  log.wait(10).head(httpId, 200, 'text/event-stream');
  let offset = 0;
  for (const pause of [100, 20, 3000, 60, 500, 70, 80, 90]) {
    log.wait(pause);
    offset = log.sseEvent(httpId, offset, '{}');
  }
  const open = toTiming(correlate(log).https.get(httpId)!);
  expect(open.gaps.map(({ name, durationMs }) => `${name}: ${durationMs}`)).toEqual([
    'After event 8: 0',
    'Between event 2 and 3: 3000',
    'Between event 4 and 5: 500',
    'Before the first event: 100',
    'Between event 7 and 8: 90',
  ]);
  expect(open.gaps[0]?.isOpen).toBe(true);
  log.wait(400).end(httpId, offset);
  const ended = toTiming(correlate(log).https.get(httpId)!);
  expect(ended.gaps.map(({ durationMs }) => durationMs)).toEqual([3000, 500, 400, 100, 90]);
  expect(ended.gaps.some(({ isOpen }) => isOpen)).toBe(false);
});

test('no pause that is left out is longer than one that is named', () => {
  const moment = (at: number) => ({ wallTime: at, monotonicTime: at, bootId: 'b' });
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { maxLength: 60 }), (pauses) => {
      let at = 0;
      const arrivals = pauses.map((pause) => moment((at += pause)));
      const since = ({ wallTime }: { wallTime: number }) => wallTime;
      const gaps = largestGaps(moment(0), arrivals, moment(at), 'event', since);
      const expected = pauses
        .filter((pause) => pause >= 50)
        .toSorted((left, right) => right - left)
        .slice(0, 5);
      expect(gaps.map(({ durationMs }) => durationMs)).toEqual(expected);
    }),
  );
});

test('a deadline says how often it was put off, and that it fired', () => {
  const log = new LogBuilder();
  const httpId = log.request(REQUEST);
  const idle = { carrierId: httpId, rpcId: '1', deadline: 'idle', durationMs: 100 } as const;
  const hard = { carrierId: httpId, rpcId: '1', deadline: 'hard', durationMs: 900 } as const;
  log.add({ kind: 'deadline-started', ...idle }).add({ kind: 'deadline-started', ...hard });
  log.wait(60).add({ kind: 'deadline-extended', ...idle });
  log.wait(70).add({ kind: 'deadline-extended', ...idle });
  log.wait(100).add({ kind: 'deadline-fired', ...idle });
  const { deadlines, marks } = toTiming(correlate(log).https.get(httpId)!);
  expect(deadlines).toEqual([
    {
      name: 'Without progress',
      startMs: 0,
      durationMs: 100,
      extended: 2,
      lastMs: 130,
      firedMs: 230,
    },
    { name: 'In all', startMs: 0, durationMs: 900, extended: 0, lastMs: 0 },
  ]);
  expect(marks.at(-1)).toEqual({ name: 'Deadline (idle) fired', atMs: 230 });
});

test("the user's time is told apart from the server's, a policy's answer is not the user's", () => {
  const log = new LogBuilder().opened();
  const httpId = log.request(REQUEST);
  log.head(httpId, 200, 'text/event-stream');
  const ask = (id: string, method: string) =>
    `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{}}`;
  const next = log.wait(10).sseEvent(httpId, 0, ask('7', 'elicitation/create'));
  log.wait(5).sseEvent(httpId, next, ask('8', 'roots/list'));
  const answered = (rpcId: string, by: 'user' | 'policy') =>
    log.add({ kind: 'server-request-answered', carrierId: httpId, rpcId, by });
  answered('8', 'policy');
  log.answer(log.request('{"jsonrpc":"2.0","id":8,"result":{}}'), '', 202);
  log.wait(4000);
  answered('7', 'user');
  log.answer(log.request('{"jsonrpc":"2.0","id":7,"result":{}}'), '', 202);
  const correlation = correlate(log);
  const call = correlation.items.find((item) => item.httpId === httpId)!;
  const timing = toTiming(correlation.https.get(httpId)!, askedDuring(call, correlation));
  const asked = timing.phases.filter(({ kind }) => kind === 'user');
  expect(asked).toEqual([
    { name: 'Your answer to elicitation/create', kind: 'user', startMs: 10, durationMs: 4005 },
  ]);
});

test('a call of several rounds is measured as a whole, with the time of the user between them', () => {
  const log = new LogBuilder().opened();
  const first = log.request(REQUEST);
  const asks = { resultType: 'input_required', inputRequests: { a: { method: 'x' } } };
  log.wait(20).answer(first, JSON.stringify({ jsonrpc: '2.0', id: 1, result: asks }));
  log.wait(5000);
  const second = log.request(
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","inputResponses":{"a":{}}}}',
  );
  const waiting = correlate(log);
  const item = waiting.items.find(({ httpId }) => httpId === first)!;
  expect(toCallTiming(item, waiting)).toMatchObject({ isRunning: true, userMs: 5000 });
  log.wait(30).answer(second, '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}');
  const done = correlate(log);
  const later = done.items.find(({ httpId }) => httpId === second)!;
  expect(toCallTiming(later, done)).toEqual({
    phases: [
      { name: 'Round 1', kind: 'waiting', startMs: 0, durationMs: 20 },
      { name: 'Your answer', kind: 'user', startMs: 20, durationMs: 5000 },
      { name: 'Round 2', kind: 'waiting', startMs: 5020, durationMs: 30 },
    ],
    totalMs: 5050,
    userMs: 5000,
    isRunning: false,
    startedAt: item.started.wallTime,
  });
});

test('a stream of many events has no more ticks than an eye can tell apart', () => {
  const log = new LogBuilder();
  const httpId = log.stream();
  log.head(httpId, 200, 'text/event-stream');
  let offset = 0;
  for (let count = 0; count < 5000; count += 1) {
    log.wait(1);
    offset = log.sseEvent(httpId, offset, '{}');
  }
  const { ticks, marks, omittedMarks } = toTiming(correlate(log).https.get(httpId)!);
  expect(ticks.length).toBeLessThanOrEqual(402);
  expect(ticks.length).toBeGreaterThan(300);
  expect(marks.length).toBeLessThan(210);
  expect(omittedMarks).toBe(4800);
});
