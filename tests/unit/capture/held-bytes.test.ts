import { beforeEach, expect, test } from 'vitest';
import { createHeldBytes, type HeldBytes } from '../../../lib/capture/correlate/held-bytes.ts';
import {
  isHeld,
  lengthOf,
  newHttpRecord,
  spanBytes,
} from '../../../lib/capture/correlate/http-record.ts';
import type { HttpRecord } from '../../../lib/capture/correlate/items.ts';
import { packBlocks } from '../../../lib/capture/store/blocks.ts';
import type { Block, EventOf, WireEvent, WireFact } from '../../../lib/capture/wire-event.ts';
import { chunkFact, ENDPOINT, wireEvent } from '../../support/builders.ts';

const SIZE = 100;

let sequence: number;
let stored: WireEvent[];
let reads: [number, number][];
let held: HeldBytes;
let restored: PromiseWithResolvers<void>;

beforeEach(() => {
  sequence = 0;
  stored = [];
  reads = [];
  restored = Promise.withResolvers();
  held = createHeldBytes({
    limitBytes: 3 * SIZE,
    beginningBytes: 0,
    async *readBlocks(_captureId, from, to): AsyncGenerator<Block[]> {
      reads.push([from, to]);
      yield packBlocks(
        structuredClone(stored.filter((event) => event.sequence >= from && event.sequence <= to)),
      );
    },
  });
  held.onRestored(() => restored.resolve());
});

function happen(fact: WireFact, isDiskFine = true): WireEvent {
  const event = wireEvent((sequence += 1), fact);
  stored.push(structuredClone(event));
  held.keep([event], isDiskFine);
  return event;
}

/** A stream whose every chunk is an event. */
function stream(count: number): HttpRecord {
  const request = happen({
    kind: 'http-request',
    httpId: 'h1',
    purpose: 'stream',
    method: 'GET',
    url: { text: ENDPOINT },
    headers: [],
    links: {},
  });
  const record = newHttpRecord(request as EventOf<'http-request'>);
  for (let index = 0; index < count; index += 1) {
    const offset = index * SIZE;
    const chunk = happen(chunkFact(SIZE, 'h1', offset));
    record.chunks.push(chunk as EventOf<'http-chunk'>);
    record.sizeBytes = offset + SIZE;
    happen({ kind: 'sse-event', httpId: 'h1', block: { offset, length: SIZE } });
  }
  return record;
}

function heldSize(event: WireEvent): number {
  return event.kind === 'http-chunk' || event.kind === 'socket-frame' ? event.data.bytes.length : 0;
}

const at = (index: number) => ({ offset: index * SIZE, length: SIZE });

function heldChunks(record: HttpRecord): boolean[] {
  return record.chunks.map((_chunk, index) => isHeld(record, at(index)));
}

test('the oldest bytes go, but never how an open stream began', () => {
  const record = stream(6);
  expect(heldChunks(record)).toEqual([true, false, false, false, true, true]);
  expect(record.chunks.map(({ data }) => lengthOf(data))).toEqual(Array(6).fill(SIZE));
});

test('looking at them reads as none, and brings them back', async () => {
  const record = stream(6);
  expect(spanBytes(record, { offset: SIZE, length: 2 * SIZE })).toHaveLength(0);
  await restored.promise;
  expect(spanBytes(record, at(1))).toEqual(new Uint8Array(SIZE).fill(46));
  expect(heldChunks(record)).toEqual([true, true, true, false, true, true]);
  // What is looked at goes last.
  happen(chunkFact(SIZE, 'h2'));
  happen({ kind: 'http-end', httpId: 'h2', end: { outcome: 'complete', sizeBytes: SIZE } });
  expect(heldChunks(record)).toEqual([true, false, true, false, false, false]);
});

test('what is not read yet stays: an event that is not complete, a body that has not ended', () => {
  const first = happen(chunkFact(SIZE, 'body'));
  const second = happen(chunkFact(SIZE, 'body', SIZE));
  stream(8);
  const sizes = () => [first, second].map(heldSize);
  expect(sizes()).toEqual([SIZE, SIZE]);
  happen({ kind: 'http-end', httpId: 'body', end: { outcome: 'complete', sizeBytes: 2 * SIZE } });
  happen(chunkFact(3 * SIZE, 'next'));
  expect(sizes()).toEqual([0, 0]);
});

test('nothing goes while it is nowhere else', () => {
  const frames = Array.from({ length: 5 }, () => {
    const data = { bytes: new Uint8Array(SIZE) };
    const fact = { kind: 'socket-frame', socketId: 's', direction: 'incoming' } as const;
    return happen({ ...fact, opcode: 'text', data }, false);
  });
  const sizes = () => frames.map(heldSize);
  expect(sizes()).toEqual(Array(5).fill(SIZE));
  held.keep([], true);
  expect(sizes()).toEqual([0, 0, SIZE, SIZE, SIZE]);
});

test('what is missed while others are read comes back too', async () => {
  const record = stream(6);
  spanBytes(record, at(1));
  // One turn later the first reading is under way.
  await Promise.resolve();
  spanBytes(record, at(3));
  await restored.promise;
  await expect.poll(() => heldChunks(record)).toEqual([true, true, false, true, true, true]);
});

test('what is not on disk any more reads as none, and is asked for once', async () => {
  const record = stream(6);
  stored = [];
  spanBytes(record, at(1));
  await restored.promise;
  expect(record.chunks[1]?.data.bytes).toHaveLength(0);
  expect(reads).toHaveLength(1);
});

test('how a connection began stays, whatever comes', () => {
  const small = createHeldBytes({
    limitBytes: SIZE,
    beginningBytes: SIZE,
    async *readBlocks(): AsyncGenerator<Block[]> {},
  });
  const frames = ['c1', 'c1', 'c1', 'c2', 'c2'].map((connectionId, index) => {
    const data = { bytes: new Uint8Array(SIZE / 2) };
    const fact = { kind: 'socket-frame', socketId: 's', direction: 'incoming' } as const;
    return wireEvent(index + 1, { ...fact, opcode: 'text', data }, { connectionId });
  });
  small.keep(frames, true);
  small.keep([wireEvent(6, chunkFact(SIZE)), wireEvent(7, chunkFact(SIZE, 'h1', SIZE))], true);
  expect(frames.map(heldSize)).toEqual([SIZE / 2, SIZE / 2, 0, SIZE / 2, SIZE / 2]);
});

test('a look that keeps nothing reads a block once, and holds no more than before', async () => {
  const record = stream(8);
  const before = heldChunks(record);
  const away = record.chunks.filter(({ data }) => data.awayBytes !== undefined);
  expect(away.length).toBeGreaterThan(2);
  const found = await held.peek(away);
  expect(away.map(({ sequence }) => found.get(sequence)?.bytes.length)).toEqual(
    away.map(() => SIZE),
  );
  const readBefore = reads.length;
  await held.peek(away.slice(-1));
  expect(reads).toHaveLength(readBefore);
  expect(heldChunks(record)).toEqual(before);
  stored = [];
  expect((await held.peek([{ ...away[0]!, sequence: 999 }])).size).toBe(0);
});

test('more chunks than a call takes arguments are let go at once, by an event or by the end', () => {
  const chunks = (httpId: string, count: number) => {
    for (let offset = 0; offset < count; offset += 1) {
      held.keep([wireEvent((sequence += 1), chunkFact(1, httpId, offset))], true);
    }
  };
  /** What an event costs that covers so many chunks, in milliseconds of the processor. */
  const costOf = (httpId: string, length: number) => {
    chunks(httpId, length);
    const block = { offset: 0, length };
    const started = process.cpuUsage();
    held.keep([wireEvent((sequence += 1), { kind: 'sse-event', httpId, block })], true);
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };
  const count = 150_000;
  const less = costOf('short', count / 10);
  expect(costOf('long', count)).toBeLessThan(40 * less + 200);
  chunks('body', count);
  const end = { outcome: 'complete', sizeBytes: count } as const;
  held.keep([wireEvent((sequence += 1), { kind: 'http-end', httpId: 'body', end })], true);
});
