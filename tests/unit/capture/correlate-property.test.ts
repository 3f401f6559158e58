import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import { bodyBytes, messageText } from '../../../lib/capture/correlate/http-record.ts';
import type { Item, RequestItem } from '../../../lib/capture/correlate/items.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { LogBuilder } from '../../support/builders.ts';

/** What one connection can go through; each step writes a few events. */
const answers = [
  'json',
  'sse',
  'batch',
  'refuse',
  'accept',
  'redirect',
  'round',
  'subscribe',
  'progress',
  'ask',
  'late',
  'junk',
  'end',
  'cut',
] as const;
type Step =
  | { do: 'call'; token: number | null; isListen: boolean }
  | { do: 'stream' }
  | { do: 'notify' }
  | { do: 'answer'; how: (typeof answers)[number]; which: number; isWrongId: boolean };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('call'),
      token: fc.option(fc.nat(3)),
      isListen: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ do: 'stream' }, { do: 'notify' }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('answer'),
      how: fc.constantFrom(...answers),
      which: fc.nat(5),
      isWrongId: fc.boolean(),
    }),
  },
);

interface Open {
  httpId: string;
  id: number;
  hasHead: boolean;
}

/** Plays a script as one connection. */
function play(connectionId: string, script: Step[]): WireEvent[] {
  const log = new LogBuilder(connectionId);
  const open: Open[] = [];
  let stream: string | undefined;
  let nextId = 0;
  log.opened();
  for (const action of script) {
    if (action.do === 'call') {
      const meta = action.token === null ? {} : { _meta: { progressToken: action.token } };
      open.push({
        httpId: log.call(
          String(nextId),
          action.isListen ? 'subscriptions/listen' : 'tools/call',
          meta,
        ),
        id: nextId,
        hasHead: false,
      });
      nextId += 1;
    } else if (action.do === 'stream') {
      stream ??= log.stream();
    } else if (action.do === 'notify') {
      const httpId = log.request({ jsonrpc: '2.0', method: 'notifications/initialized' });
      log.head(httpId, 202, null);
      log.end(httpId);
    } else {
      const target = open[action.which % Math.max(1, open.length)];
      if (target !== undefined) touchExchange(log, open, target, stream, action);
    }
  }
  return log.events;
}

function touchExchange(
  log: LogBuilder,
  open: Open[],
  target: Open,
  stream: string | undefined,
  { how, isWrongId }: Step & { do: 'answer' },
): void {
  const { httpId } = target;
  const id = isWrongId ? target.id + 1 : target.id;
  const result = { jsonrpc: '2.0', id, result: { isError: isWrongId } };
  const close = () => void open.splice(open.indexOf(target), 1);
  const asStream = () => {
    if (!target.hasHead) log.head(httpId, 200, 'text/event-stream');
    target.hasHead = true;
  };
  switch (how) {
    case 'json':
      if (target.hasHead) return;
      log.answer(httpId, result);
      return close();
    case 'batch':
      if (target.hasHead) return;
      log.answer(httpId, [{ jsonrpc: '2.0', method: 'x' }, result, 7]);
      return close();
    case 'refuse':
      if (target.hasHead) return;
      log.answer(httpId, { jsonrpc: '2.0', id: null, error: { code: -1, message: 'no' } }, 400);
      return close();
    case 'accept':
      if (target.hasHead) return;
      log.head(httpId, 202, null);
      log.end(httpId);
      return close();
    case 'redirect': {
      if (target.hasHead) return;
      log.add({ kind: 'http-redirect', httpId, status: 307, location: '/x', target: 'http://h/x' });
      log.head(httpId, 307, null);
      log.end(httpId);
      const links = { causedBy: httpId, reason: 'redirect' };
      target.httpId = log.call(String(target.id), 'tools/call', {}, { links });
      return;
    }
    case 'round': {
      if (target.hasHead) return;
      log.answer(httpId, { ...result, id: target.id, result: { resultType: 'input_required' } });
      const links = {
        retryOf: httpId,
        attempt: 2,
        reason: isWrongId ? 'headers' : 'input-required',
      };
      target.httpId = log.call(String(target.id), 'tools/call', {}, { links });
      return;
    }
    case 'subscribe': {
      asStream();
      const params = { _meta: { 'io.modelcontextprotocol/subscriptionId': id }, requestId: id };
      const method = isWrongId ? 'cancelled' : 'subscriptions/acknowledged';
      return log.message(httpId, { jsonrpc: '2.0', method: `notifications/${method}`, params });
    }
    case 'sse':
      asStream();
      return log.message(httpId, result, isWrongId ? undefined : 'e1');
    case 'progress':
      asStream();
      return log.message(stream ?? httpId, {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: id % 4, progress: 1 },
      });
    case 'ask':
      asStream();
      log.message(httpId, { jsonrpc: '2.0', id, method: 'ping' });
      log.answer(log.request({ jsonrpc: '2.0', id, result: {} }), '', isWrongId ? 400 : 202, null);
      return;
    case 'late':
      if (stream !== undefined) log.message(stream, result);
      return;
    case 'junk':
      asStream();
      return log.sse(httpId, isWrongId ? 'nonsense\ndata: {"a":\n\n' : ': comment\nretry: 5\n\n');
    case 'end':
      asStream();
      log.end(httpId);
      return close();
    case 'cut':
      asStream();
      log.sse(httpId, 'data: {"unfinis');
      log.end(httpId, { outcome: 'cut', errorName: 'ECONNRESET' });
      return close();
  }
}

const script = fc.array(step, { maxLength: 25 });

/** Merges logs as `picks` says, and stamps them anew. */
function interleave(logs: WireEvent[][], picks: number[]): WireEvent[] {
  const queues = logs.map((events) => [...events]);
  const merged: WireEvent[] = [];
  const renumbered = new Map<string, number>();
  for (let turn = 0; queues.some((queue) => queue.length > 0); turn += 1) {
    const waiting = queues.filter((queue) => queue.length > 0);
    const event = waiting[(picks[turn % picks.length] ?? 0) % waiting.length]!.shift()!;
    const sequence = merged.length + 1;
    renumbered.set(`${event.connectionId} ${event.sequence}`, sequence);
    merged.push({ ...event, sequence });
  }
  return merged;
}

/** An item without what depends on its neighbours: places in the log, and how often it changed. */
function shape(item: Item, items: readonly Item[]): unknown {
  const at = (key: string) => items.findIndex((other) => other.key === key);
  return JSON.parse(
    JSON.stringify(item, (name, value: unknown) => {
      if (name === 'sequence' || name === 'key' || name === 'revision') return undefined;
      if (name === 'parent' || name === 'first') return at(value as string);
      return value;
    }),
  ) as unknown;
}

function shapesOf(events: WireEvent[], connectionId: string): unknown[] {
  const correlation = createCorrelation();
  correlation.apply(events);
  const own = correlation.items.filter((item) => item.connectionId === connectionId);
  return own.map((item) => shape(item, own));
}

/** Everything that a correlation says, but for how often it changed its mind. */
function picture(correlation: ReturnType<typeof createCorrelation>): unknown {
  return {
    items: JSON.stringify(correlation.items, (key, value: unknown) =>
      key === 'revision' ? undefined : value,
    ),
    https: [...correlation.https],
    connections: [...correlation.connections],
    chains: [...correlation.chains.values()].map(({ first, later, isWaiting }) => ({
      keys: [first, ...later].map(({ key }) => key),
      isWaiting,
    })),
    subscriptions: [...correlation.subscriptions],
  };
}

describe('correlation', () => {
  test('says the same however the events are batched', () => {
    fc.assert(
      fc.property(
        fc.tuple(script, script),
        fc.array(fc.nat({ max: 9 }), { minLength: 1 }),
        fc.array(fc.nat({ max: 12 }), { minLength: 1 }),
        ([first, second], picks, sizes) => {
          const events = interleave([play('a', first), play('b', second)], picks);
          const whole = createCorrelation();
          whole.apply(events);
          const parts = createCorrelation();
          const revisions = new Map<Item, number>();
          for (let at = 0, turn = 0; at < events.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            const touched = parts.apply(events.slice(at, at + Math.max(1, size)));
            at += Math.max(1, size);
            // What is not reported has not changed.
            for (const item of parts.items) {
              const isReported = touched.has(item) || item.revision === revisions.get(item);
              expect(isReported).toBe(true);
              revisions.set(item, item.revision);
            }
          }
          expect(picture(parts)).toEqual(picture(whole));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('keeps connections apart, however their events interleave', () => {
    fc.assert(
      fc.property(
        fc.tuple(script, script, script),
        fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 30 }),
        (scripts, picks) => {
          const logs = scripts.map((steps, index) => play(`c${index}`, steps));
          const merged = interleave(logs, picks);
          for (const [index, log] of logs.entries()) {
            expect(shapesOf(merged, `c${index}`)).toEqual(shapesOf(log, `c${index}`));
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  test('never throws, whatever is missing or in the wrong order', () => {
    fc.assert(
      fc.property(
        script.chain((steps) => {
          const events = play('a', steps);
          return fc.shuffledSubarray(events);
        }),
        (events) => {
          const correlation = createCorrelation();
          correlation.apply(events);
          for (const item of correlation.items) {
            if ('message' in item) messageText(correlation.https, item.message);
            if (item.kind === 'request' && item.response !== undefined) {
              messageText(correlation.https, item.response);
            }
          }
          for (const record of correlation.https.values()) bodyBytes(record);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('never throws on a body of any bytes, and reads it back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }),
        fc.constantFrom('application/json', 'text/event-stream', null),
        fc.integer({ min: 100, max: 599 }),
        (chunks, type, status) => {
          const log = new LogBuilder();
          const h = log.call('1');
          log.head(h, status, type);
          for (const chunk of chunks) log.chunk(h, chunk);
          log.end(h);
          const correlation = createCorrelation();
          correlation.apply(log.events);
          expect(Buffer.from(bodyBytes(correlation.https.get(h)!))).toEqual(Buffer.concat(chunks));
          expect(correlation.items[0]).toMatchObject({ kind: 'request' });
          expect(correlation.items[0]).not.toMatchObject({ outcome: 'pending' });
        },
      ),
      { numRuns: 200 },
    );
  });

  test('settles every request whose exchange has ended', () => {
    fc.assert(
      fc.property(script, (steps) => {
        const events = play('a', steps);
        const correlation = createCorrelation();
        correlation.apply(events);
        const ended = correlation.items.filter(
          (item) =>
            item.kind === 'request' &&
            item.direction === 'outgoing' &&
            correlation.https.get(item.httpId!)!.end !== undefined,
        ) as RequestItem[];
        for (const item of ended) {
          expect(item.outcome).not.toBe('pending');
          expect(item.ended).toBeDefined();
          expect(item.outcome !== 'failed' || item.problem !== undefined).toBe(true);
        }
      }),
      {
        numRuns: 200,
        // A response on another exchange, before its own is redirected.
        examples: [
          [
            [
              { do: 'call', token: null, isListen: false },
              { do: 'call', token: null, isListen: false },
              { do: 'answer', how: 'json', which: 0, isWrongId: true },
              { do: 'answer', how: 'redirect', which: 0, isWrongId: false },
              { do: 'answer', how: 'json', which: 0, isWrongId: false },
            ],
          ],
        ],
      },
    );
  });
});
