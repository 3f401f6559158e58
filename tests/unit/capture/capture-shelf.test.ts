import * as fakeIndexedDb from 'fake-indexeddb';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packBlocks } from '../../../lib/capture/store/blocks.ts';
import type { CaptureRecord } from '../../../lib/capture/store/capture-record.ts';
import { captureShelf, type CaptureShelf } from '../../../lib/capture/store/capture-shelf.ts';
import { captureDatabase, type CaptureDatabase } from '../../../lib/capture/store/database.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { chunkFact, LogBuilder, wireEvent, wireEvents } from '../../support/builders.ts';

Object.assign(globalThis, fakeIndexedDb);

const NAME = 'test-shelf';
let database: CaptureDatabase;
let shelf: CaptureShelf;

beforeEach(() => {
  database = captureDatabase(NAME);
  shelf = captureShelf(NAME);
});

afterEach(async () => {
  database.close();
  shelf.close();
  await deleteDB(NAME);
});

async function recordOf(captureId: string): Promise<CaptureRecord> {
  const found = (await database.captures()).find((each) => each.captureId === captureId);
  if (found === undefined) throw new Error(`There is no ${captureId}.`);
  return found;
}

async function eventsOf(captureId: string): Promise<WireEvent[]> {
  const events: WireEvent[] = [];
  for await (const blocks of database.readBlocks(captureId, 0, Infinity)) {
    events.push(...blocks.flatMap((block) => block.events));
  }
  return events;
}

function called(): LogBuilder {
  const log = new LogBuilder();
  log.opened();
  log.add({
    kind: 'connection-chosen',
    transport: 'streamable-http',
    era: 'legacy',
    revision: '2025-11-25',
    serverName: 'everything',
    evidence: [],
  });
  log.answer(log.call('1'), { jsonrpc: '2.0', id: 1, result: {} });
  log.answer(log.call('2'), { jsonrpc: '2.0', id: 2, error: { code: -1, message: 'No' } });
  log.answer(log.call('3', 'tools/call', { name: 'echo' }), {
    jsonrpc: '2.0',
    id: 3,
    result: { content: [], isError: true },
  });
  return log;
}

test('what is said of a capture is kept beside its record, and empty words leave nothing', async () => {
  await database.append(packBlocks(wireEvents(1, 3)));
  await shelf.edit('capture', { name: 'Mine', note: 'See 3', tags: ['bug', 'staging'] });
  // The worker records on, and knows nothing of it.
  await database.append(packBlocks(wireEvents(4, 5)));
  expect(await recordOf('capture')).toMatchObject({ name: 'Mine', eventCount: 5 });
  expect(await shelf.descriptions()).toEqual([
    { captureId: 'capture', note: 'See 3', tags: ['bug', 'staging'] },
  ]);
  await shelf.edit('capture', { name: 'Mine', note: '', tags: [] });
  expect(await shelf.descriptions()).toEqual([{ captureId: 'capture' }]);
});

test('a capture that was deleted meanwhile is not made again by talking about it', async () => {
  await database.append(packBlocks(wireEvents(1, 3)));
  const { captureId } = await recordOf('capture');
  await shelf.edit('capture', { name: 'Mine', note: 'A secret', tags: [] });
  await database.deleteCapture('capture');
  expect(await shelf.descriptions()).toEqual([]);
  await expect(shelf.edit('capture', { name: 'x', note: '', tags: [] })).rejects.toMatchObject({
    problem: { message: expect.stringContaining('not in the database any more') },
  });
  await shelf.keepFacts(captureId, { upTo: 1, exchanges: 0, errors: 0, servers: [] });
  expect(await shelf.descriptions()).toEqual([]);
});

test('what was counted is kept with what is said, and a capture is read to its end', async () => {
  const { events } = called();
  await database.append(packBlocks(events));
  const shares: number[] = [];
  const work = { progress: (share: number) => shares.push(share) };
  const { correlation, name } = await shelf.read(await recordOf('capture'), work);
  expect(name).toMatch(/^Capture of /);
  expect(correlation.items.filter(({ kind }) => kind === 'request')).toHaveLength(3);
  expect(shares.at(-1)).toBe(1);
  const facts = { upTo: events.length, exchanges: 3, errors: 2, servers: [] };
  await shelf.edit('capture', { name: 'Mine', note: 'See 3', tags: [] });
  await shelf.keepFacts('capture', facts);
  expect(await shelf.descriptions()).toEqual([{ captureId: 'capture', note: 'See 3', facts }]);
});

test('reading ends with the reason of its signal', async () => {
  await database.append(packBlocks(wireEvents(1, 300)));
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(shelf.read(await recordOf('capture'), { signal })).rejects.toThrow('enough');
});

test('a copy has the same events and words, lives by itself, and is pinned', async () => {
  const { events } = called();
  events.push(wireEvent(events.length + 1, chunkFact(300_000)));
  await database.append(packBlocks(events));
  await shelf.edit('capture', { name: 'Mine', note: 'See 3', tags: ['bug'] });
  await shelf.duplicate(await recordOf('capture'), 'Copy of Mine', {});
  const copy = (await database.captures()).find(({ name }) => name === 'Copy of Mine');
  expect(copy).toMatchObject({ isPinned: true, eventCount: events.length });
  const captureId = copy?.captureId ?? '';
  expect(captureId).not.toBe('capture');
  await database.deleteCapture('capture');
  expect(await eventsOf(captureId)).toEqual(events.map((event) => ({ ...event, captureId })));
  expect(await shelf.descriptions()).toEqual([{ captureId, note: 'See 3', tags: ['bug'] }]);
});

test('a copy that is stopped leaves nothing', async () => {
  await database.append(packBlocks(wireEvents(1, 3000)));
  const ending = new AbortController();
  const work = { signal: ending.signal, progress: () => ending.abort(new Error('enough')) };
  await expect(shelf.duplicate(await recordOf('capture'), 'Copy', work)).rejects.toThrow('enough');
  expect((await database.captures()).map(({ captureId }) => captureId)).toEqual(['capture']);
});

test('the second half of a split capture gets what was open, once, and outlives the first', async () => {
  const log = new LogBuilder();
  log.opened();
  const stream = log.stream();
  log.message(stream, { jsonrpc: '2.0', method: 'notifications/message', params: {} });
  await database.append(packBlocks(log.events));
  const at = log.events.length + 1;
  expect(await shelf.carryOver('second')).toBe(false);
  const second = { captureId: 'second' };
  await database.append(
    packBlocks([
      wireEvent(at, { kind: 'capture-started', name: 'Second', continues: 'capture' }, second),
      wireEvent(at + 1, { kind: 'online' }, second),
    ]),
  );
  expect(await shelf.carryOver('second')).toBe(true);
  expect(await shelf.carryOver('second')).toBe(true);
  await database.deleteCapture('capture');
  expect((await eventsOf('second')).map(({ kind }) => kind)).toEqual([
    'connection-opened',
    'http-request',
    'http-response',
    'http-chunk',
    'capture-started',
    'online',
  ]);
  expect(await recordOf('second')).toMatchObject({ eventCount: 6, lastSequence: at + 1 });
  expect((await recordOf('second')).endedAt).toBe(wireEvent(at + 1).wallTime);
  expect(await shelf.descriptions()).toEqual([
    { captureId: 'second', continues: 'capture', unfinished: [] },
  ]);
});

test('a call that a split cuts through is whole in both halves once it has ended', async () => {
  const log = new LogBuilder();
  log.opened();
  const call = log.call('1', 'tools/call', { name: 'slow' });
  log.head(call);
  log.chunk(call, '{"jsonrpc":"2.0","id":1,');
  const count = log.events.length;
  log.chunk(call, '"result":{}}');
  log.end(call);
  const start = { kind: 'capture-started', name: 'Second', continues: 'capture' } as const;
  const [chunk, end] = log.events
    .slice(count)
    .map((event) => ({ ...event, sequence: event.sequence + 1, captureId: 'second' }));
  const begin = wireEvent(count + 1, start, { captureId: 'second' });
  await database.append(packBlocks(log.events.slice(0, count)));
  await database.append(packBlocks([begin, chunk!]));
  await shelf.carryOver('second');
  const described = async () => (await shelf.descriptions())[0]!;
  expect(await described()).toMatchObject({ unfinished: [call] });

  // It is still under way.
  await shelf.carryBack(await described(), false);
  expect(await eventsOf('capture')).toHaveLength(count);
  await database.append(packBlocks([end!]));
  await shelf.carryBack(await described(), false);
  await shelf.carryBack(await described(), false);
  const first = await eventsOf('capture');
  expect(first.map(({ kind }) => kind).slice(count)).toEqual(['http-chunk', 'http-end']);
  expect(await recordOf('capture')).toMatchObject({ eventCount: count + 2 });
  for (const captureId of ['capture', 'second']) {
    const { correlation } = await shelf.read(await recordOf(captureId), {});
    expect(correlation.items.find(({ kind }) => kind === 'request')).toMatchObject({
      outcome: 'result',
    });
  }
});

test('what never ended is carried back as far as it came, and nothing into what is gone', async () => {
  const log = new LogBuilder();
  const call = log.call('1');
  const second = { captureId: 'second' };
  const start = { kind: 'capture-started', name: 'Second', continues: 'capture' } as const;
  const head = { kind: 'http-response', httpId: call, status: 200, statusText: '' } as const;
  await database.append(packBlocks(log.events));
  await database.append(
    packBlocks([wireEvent(2, start, second), wireEvent(3, { ...head, headers: [] }, second)]),
  );
  await shelf.carryOver('second');
  await shelf.carryBack((await shelf.descriptions())[0]!, true);
  expect((await eventsOf('capture')).map(({ kind }) => kind)).toEqual([
    'http-request',
    'http-response',
  ]);
  await database.deleteCapture('capture');
  await shelf.carryBack({ captureId: 'second', continues: 'capture', unfinished: [call] }, true);
  expect((await database.captures()).map(({ captureId }) => captureId)).toEqual(['second']);
});
