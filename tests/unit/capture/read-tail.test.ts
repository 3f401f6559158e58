import * as fc from 'fast-check';
import * as fakeIndexedDb from 'fake-indexeddb';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBlockRoots } from '../../../lib/capture/store/block-roots.ts';
import { correlateTail } from '../../../lib/capture/correlate/correlate-tail.ts';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import { captureDatabase, type CaptureDatabase } from '../../../lib/capture/store/database.ts';
import type { Item } from '../../../lib/capture/correlate/items.ts';
import { readTail } from '../../../lib/capture/store/read-tail.ts';
import type { Block, WireEvent } from '../../../lib/capture/wire-event.ts';
import { LogBuilder, wireEvents } from '../../support/builders.ts';
import { BusyLog } from '../state/view-log-builder.ts';

Object.assign(globalThis, fakeIndexedDb);

const NAME = 'test-tail';
/** A small one, as these captures are not long. */
const SIZE = { events: 20, blocks: 2 };
let database: CaptureDatabase;

beforeEach(() => {
  database = captureDatabase(NAME);
});

afterEach(async () => {
  database.close();
  await deleteDB(NAME);
});

function toBlocks(events: WireEvent[], perBlock: number): Block[] {
  const captureId = 'capture';
  const blocks: Block[] = [];
  for (let start = 0; start < events.length; start += perBlock) {
    const part = events.slice(start, start + perBlock).map((event) => ({ ...event, captureId }));
    const [first, last] = [part[0], part.at(-1)];
    if (first === undefined || last === undefined) continue;
    const range = { firstSequence: first.sequence, lastSequence: last.sequence };
    blocks.push({ captureId, ...range, sizeBytes: 1, events: part });
  }
  return blocks;
}

async function tailOf(events: WireEvent[], perBlock: number) {
  await database.append(toBlocks(events, perBlock));
  return readTail(database, 'capture', events.length, SIZE);
}

/** The same without a database, which is quicker. */
function tailInMemory(events: WireEvent[], perBlock: number) {
  const blocks = toBlocks(events, perBlock);
  createBlockRoots().name(blocks);
  return readTail(
    {
      tailStart: async (_captureId, count) => blocks.at(-1 - count)?.firstSequence,
      async *readBlocks(_captureId, from, to) {
        yield blocks.filter((block) => block.lastSequence >= from && block.firstSequence <= to);
      },
    },
    'capture',
    events.length,
    SIZE,
  );
}

const said = (item: Item) => ({
  kind: item.kind,
  sequence: item.sequence,
  ...('direction' in item ? { direction: item.direction } : {}),
  ...('method' in item ? { method: item.method } : {}),
  ...('target' in item ? { target: item.target } : {}),
  ...('summary' in item ? { summary: item.summary } : {}),
});

test('a capture that is not long has no tail apart from the rest', async () => {
  expect(await tailOf(wireEvents(1, 80), 10)).toBeUndefined();
  expect(await readTail(database, 'other', 100)).toBeUndefined();
});

test('the tail of a stream comes with the request, the head and the bytes that it needs', async () => {
  const log = new LogBuilder();
  log.opened();
  const call = log.call('1', 'tools/call', { name: 'flood' });
  log.head(call, 200, 'text/event-stream');
  const other = log.call('2');
  for (let at = 0; at < 500; at += 4) {
    const messages = [0, 1, 2, 3].map((add) => {
      const params = { level: 'info', data: `number ${at + add}` };
      const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params });
      return `data: ${text}\n\n`;
    });
    log.sse(call, messages.join(''));
  }
  log.answer(other, { jsonrpc: '2.0', id: 2, result: { tools: [] } });
  const tail = await tailOf(log.events, 6);
  // Two blocks and the last one hold too little: eight do.
  expect(tail?.from).toBe(log.events.length - ((log.events.length - 1) % 6) - 8 * 6);
  const before = tail?.events.filter(({ sequence }) => sequence < (tail?.from ?? 0));
  expect(before?.map(({ kind }) => kind)).toEqual([
    'connection-opened',
    'http-request',
    'http-response',
    'http-request',
    'http-chunk',
  ]);
  if (tail === undefined) throw new Error('There is no tail.');
  const { items, https } = correlateTail(tail);
  const rows = items.filter(({ sequence }) => sequence >= tail.from);
  const whole = createCorrelation();
  whole.apply(log.events);
  const expected = whole.items.filter(({ sequence }) => sequence >= tail.from);
  expect(rows.map(said)).toEqual(expected.map(said));
  expect(rows.length).toBeGreaterThan(30);
  // They hang under the call, of which there is all that there is.
  const call1 = items.find((item) => item.kind === 'request' && item.rpcId === '1');
  expect(call1).toMatchObject({ method: 'tools/call', outcome: 'pending' });
  expect(rows[0]).toMatchObject({ kind: 'notification', parent: call1?.key });
  expect(https.get(call)?.response?.status).toBe(200);
});

test('what the tail says, the whole says too', async () => {
  await fc.assert(
    fc.asyncProperty(
      // Without responses that have another id than that of their call: the first one counts, seen or not.
      fc.array(fc.tuple(fc.nat(14), fc.nat(40)), { minLength: 60, maxLength: 160 }),
      fc.integer({ min: 1, max: 9 }),
      async (acts, perBlock) => {
        const busy = new BusyLog();
        for (const [choice, at] of acts) busy.act(choice, at);
        const { events } = busy.log;
        const tail = await tailInMemory(events, perBlock);
        fc.pre(tail !== undefined);
        const whole = createCorrelation();
        whole.apply(events);
        const byKey = new Map(whole.items.map((item) => [item.key, item]));
        for (const item of correlateTail(tail).items) {
          const same = byKey.get(item.key);
          if (same === undefined) throw new Error(`Only the tail has ${JSON.stringify(item)}`);
          expect(said(item)).toEqual(said(same));
          if (!('outcome' in item) || !('outcome' in same)) continue;
          // It may not know yet how something ended, but says nothing else about it.
          const isOpen = item.outcome === 'pending' || item.outcome === 'open';
          if (isOpen) continue;
          expect([item.key, item.outcome, item.problem?.code]).toEqual([
            same.key,
            same.outcome,
            same.problem?.code,
          ]);
        }
      },
    ),
    { numRuns: 100 },
  );
}, 60_000);
