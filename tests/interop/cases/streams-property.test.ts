import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../lib/capture/correlate/items.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { LogBuilder } from '../../support/builders.ts';
import { createReportingReader } from '../../support/sse-facts.ts';

const steps = ['progress', 'log', 'ask', 'answer', 'wrong', 'cut'] as const;
type Step = (typeof steps)[number];
const script: fc.Arbitrary<Step[]> = fc.array(fc.constantFrom(...steps), { maxLength: 12 });
const picks = fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 40 });

/** A call with an id and a token of its own, whose stream is cut and resumed as its script says. */
function playCall(name: string, id: number, script: readonly Step[]): WireEvent[] {
  const log = new LogBuilder(name);
  const messages: [text: string, eventId: string][] = [];
  let httpId = log.call(String(id), 'tools/call', { _meta: { progressToken: name } });
  log.head(httpId, 200, 'text/event-stream');
  const say = (message: object) => {
    const eventId = `${name}-e${messages.length}`;
    messages.push([JSON.stringify({ jsonrpc: '2.0', ...message }), eventId]);
    log.message(httpId, messages.at(-1)![0], eventId);
  };
  for (const step of script) {
    switch (step) {
      case 'progress':
        say({ method: 'notifications/progress', params: { progressToken: name, progress: 1 } });
        break;
      case 'log':
        say({ method: 'notifications/message', params: { level: 'info', data: name } });
        break;
      case 'ask':
        say({ id: `${name}-q${messages.length}`, method: 'roots/list' });
        break;
      case 'answer':
        say({ id, result: { name } });
        break;
      case 'wrong':
        say({ id, result: {}, error: {} });
        break;
      case 'cut': {
        log.end(httpId, { outcome: 'cut', errorName: 'ECONNRESET' });
        log.add({ kind: 'retry-scheduled', carrierId: httpId, delayMs: 5, askedBy: 'backoff' });
        const lastEventId = messages.at(-1)?.[1] ?? '';
        const links = { causedBy: httpId, attempt: 1, reason: 'resume', lastEventId };
        httpId = log.request(undefined, { purpose: 'stream', method: 'GET', links });
        log.head(httpId, 200, 'text/event-stream');
        // Some servers send again what was there before.
        const [again] = messages;
        if (again !== undefined) log.message(httpId, again[0], again[1]);
      }
    }
  }
  log.end(httpId);
  return log.events;
}

/** One connection's log of several calls, in an order of events that `order` decides. */
function interleave(logs: WireEvent[][], order: number[]): WireEvent[] {
  const queues = logs.map((events) => [...events]);
  const opened = new LogBuilder('c1');
  opened.opened();
  const merged: WireEvent[] = [...opened.events];
  for (let turn = 0; queues.some((queue) => queue.length > 0); turn += 1) {
    const waiting = queues.filter((queue) => queue.length > 0);
    const event = waiting[(order[turn % order.length] ?? 0) % waiting.length]!.shift()!;
    merged.push({ ...event, connectionId: 'c1', sequence: merged.length + 1 });
  }
  return merged;
}

/** What the log says of one call: its items, without what depends on their neighbours. */
function picture(events: WireEvent[], isOwn: (item: Item) => boolean): unknown {
  const correlation = createCorrelation();
  correlation.apply(events);
  const own = correlation.items.filter(isOwn);
  const places = new Map(own.map((item, index) => [item.key, index]));
  return JSON.parse(
    JSON.stringify(own, (name, value: unknown) => {
      if (['sequence', 'key', 'revision', 'event'].includes(name)) return undefined;
      return name === 'parent' ? (places.get(value as string) ?? value) : value;
    }),
  );
}

describe('the correlation of independent streams', () => {
  test('is the same in any interleaving, also where they are cut and resumed', () => {
    fc.assert(
      fc.property(fc.tuple(script, script, script), picks, (scripts, order) => {
        const logs = scripts.map((each, index) => playCall(`k${index}`, index, each));
        const merged = interleave(logs, order);
        for (const [index, log] of logs.entries()) {
          const isOwn = ({ httpId }: Item) => httpId?.startsWith(`k${index}-`) === true;
          expect(picture(merged, isOwn)).toEqual(picture(interleave([log], [0]), isOwn));
        }
      }),
      { numRuns: 150 },
    );
  });

  test('is the same in any interleaving of calls that share one stream', () => {
    const shared = ['accept', 'progress', 'answer'] as const;
    const order = fc.shuffledSubarray(
      [0, 1, 2].flatMap((call) => shared.map((what) => ({ call, what }))),
      { minLength: 9 },
    );
    fc.assert(
      fc.property(order, (turns) => {
        const run = (calls: readonly number[]) => {
          const log = new LogBuilder('c1');
          log.opened();
          const stream = log.stream();
          log.add({
            kind: 'endpoint-announced',
            httpId: stream,
            announced: '/m',
            verdict: 'accepted',
          });
          const posts = new Map(
            calls.map((id) => [
              id,
              log.call(String(id), 'tools/call', { _meta: { progressToken: id } }),
            ]),
          );
          for (const { call, what } of turns) {
            const post = posts.get(call);
            if (post === undefined) continue;
            if (what === 'accept') log.answer(post, 'Accepted', 202, 'text/plain');
            else if (what === 'answer')
              log.message(stream, { jsonrpc: '2.0', id: call, result: { call } });
            else {
              const params = { progressToken: call, progress: 1 };
              log.message(stream, { jsonrpc: '2.0', method: 'notifications/progress', params });
            }
          }
          return { log, posts };
        };
        const all = run([0, 1, 2]);
        const correlation = createCorrelation();
        correlation.apply(all.log.events);
        for (const [call, post] of all.posts) {
          const item = correlation.items.find((each) => each.httpId === post)!;
          expect(item).toMatchObject({
            kind: 'request',
            rpcId: String(call),
            outcome: 'result',
            related: 1,
          });
          expect(item.ended).toBeDefined();
        }
        expect(correlation.items.filter(({ kind }) => kind === 'stray')).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

/** Processor time of reading a body in chunks, in milliseconds: the better of two runs. */
function costOf(body: Uint8Array, chunkBytes: number): number {
  const runs = [0, 1].map(() => {
    const reader = createReportingReader(Number.MAX_SAFE_INTEGER);
    const before = process.cpuUsage();
    for (let at = 0; at < body.length; at += chunkBytes) {
      reader.push(body.subarray(at, at + chunkBytes));
    }
    reader.end();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

describe('the cost of reading a stream grows with its size only', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const BASE = 8000;

  test.each<[string, (n: number) => string, number]>([
    ['many tiny lines in one event', (n) => `${'data:\n'.repeat(n)}\n`, 4096],
    ['many tiny lines that end in CR', (n) => `${'data:\r'.repeat(n)}\r`, 4096],
    ['many tiny events', (n) => 'data:\n\n'.repeat(n), 4096],
    ['many comments', (n) => ':\n'.repeat(n), 4096],
    ['many comments inside an event', (n) => `data: x\n${': c\n'.repeat(n)}\n`, 4096],
    ['many ids', (n) => `${'id: 1\n'.repeat(n)}data: x\n\n`, 4096],
    ['many lines that mean nothing', (n) => 'nothing: x\n'.repeat(n), 4096],
    ['many blank lines', (n) => '\n\r\n\r'.repeat(n), 4096],
    ['one line without an end', (n) => `data: ${'x'.repeat(n * 50)}`, 512],
    ['one event without an end', (n) => 'data: x\n'.repeat(n), 64],
  ])('%s', (_name, build, chunkBytes) => {
    const small = costOf(bytes(build(BASE)), chunkBytes);
    const large = costOf(bytes(build(BASE * 8)), chunkBytes);
    // Eight times as much is 64 times the cost where it is quadratic.
    expect(large).toBeLessThan(24 * Math.max(small, 5));
  });
});
