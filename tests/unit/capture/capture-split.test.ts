import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBlockRoots } from '../../../lib/capture/store/block-roots.ts';
import { packBlocks } from '../../../lib/capture/store/blocks.ts';
import { readOpen } from '../../../lib/capture/store/capture-split.ts';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../lib/capture/correlate/items.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { LogBuilder, wireEvent } from '../../support/builders.ts';
import { BusyLog } from '../state/view-log-builder.ts';

/** The log with a split behind its first `count` events, as it is recorded, and the second half as it is read. */
async function split(events: readonly WireEvent[], count: number) {
  const before = events.slice(0, count).map((event) => ({ ...event, captureId: 'first' }));
  const start = wireEvent(
    count + 1,
    { kind: 'capture-started', name: 'Second', continues: 'first' },
    { captureId: 'second' },
  );
  const after = events
    .slice(count)
    .map((event) => ({ ...event, sequence: event.sequence + 1, captureId: 'second' }));
  const blocks = packBlocks([...before, start, ...after]);
  createBlockRoots().name(blocks);
  const begin = blocks.find(({ captureId }) => captureId === 'second');
  const open = await readOpen(
    async function* (captureId, from, to) {
      yield blocks.filter(
        (block) =>
          block.captureId === captureId && block.lastSequence >= from && block.firstSequence <= to,
      );
    },
    'first',
    begin?.roots ?? [],
  );
  const whole = createCorrelation();
  whole.apply([...before, start, ...after]);
  const second = createCorrelation();
  second.apply([...open, start, ...after]);
  return { open, whole, second, splitAt: start.sequence };
}

const said = (item: Item) => ({
  kind: item.kind,
  sequence: item.sequence,
  connectionId: item.connectionId,
  ...('method' in item ? { method: item.method } : {}),
  ...('target' in item ? { target: item.target } : {}),
});

test('what is open goes on: connections and streams by how they began, calls with all that came', async () => {
  const log = new LogBuilder();
  log.opened();
  log.answer(log.call('1'), { jsonrpc: '2.0', id: 1, result: {} });
  const stream = log.stream();
  log.message(stream, { jsonrpc: '2.0', method: 'notifications/message', params: {} });
  const call = log.call('2', 'tools/call', { name: 'slow' });
  log.head(call);
  log.chunk(call, '{"jsonrpc":"2.0",');
  log.chunk(call, '"id":2,"result":');
  const count = log.events.length;
  log.chunk(call, '{"ok":true}}');
  log.end(call);
  log.message(stream, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' });

  const { open, second } = await split(log.events, count);
  const kinds = open.map(({ kind }) => kind);
  expect(kinds).toEqual([
    'connection-opened',
    'http-request',
    'http-response',
    'http-chunk',
    'http-request',
    'http-response',
    'http-chunk',
    'http-chunk',
  ]);
  const answered = second.items.find((item) => item.kind === 'request');
  expect(answered).toMatchObject({ target: 'slow', outcome: 'result' });
  expect(second.items.filter(({ kind }) => kind === 'notification')).toHaveLength(1);
  expect(second.connections.get('c1')?.url).toContain('/mcp');
});

test('the second half says of what is in it what the whole log says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(14), fc.nat(40)), { minLength: 10, maxLength: 80 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (acts, share) => {
        const busy = new BusyLog();
        for (const [choice, at] of acts) busy.act(choice, at);
        const { events } = busy.log;
        const { whole, second, splitAt } = await split(events, Math.floor(events.length * share));
        const after = (items: readonly Item[]) =>
          items.filter(({ sequence }) => sequence >= splitAt).map(said);
        expect(after(second.items)).toEqual(after(whole.items));
        const byKey = new Map(whole.items.map((item) => [item.key, item]));
        for (const item of second.items) {
          const same = byKey.get(item.key);
          if (same === undefined) throw new Error(`Only the half has ${JSON.stringify(item)}`);
          expect(said(item)).toEqual(said(same));
        }
        // A call that is under way at the split, or begins after it, comes to the same end.
        const ends = (items: readonly Item[]) =>
          items
            .filter((item) => item.kind === 'request' && item.sequence >= splitAt)
            .map((item) => 'outcome' in item && item.outcome);
        expect(ends(second.items)).toEqual(ends(whole.items));
      },
    ),
    { numRuns: 60 },
  );
});
