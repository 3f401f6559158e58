import { readFileSync } from 'node:fs';
import * as fakeIndexedDb from 'fake-indexeddb';
import { deleteDB, openDB } from 'idb';
import { afterEach, expect, test } from 'vitest';
import type { CaptureRecord } from '../../../lib/capture/store/capture-record.ts';
import { captureShelf } from '../../../lib/capture/store/capture-shelf.ts';
import { captureDatabase, type CaptureDatabase } from '../../../lib/capture/store/database.ts';
import { packBlocks } from '../../../lib/capture/store/blocks.ts';
import { storageProblem } from '../../../lib/capture/store/storage-trouble.ts';
import type { Block, WireEvent } from '../../../lib/capture/wire-event.ts';
import { wireEvents } from '../../support/builders.ts';

Object.assign(globalThis, fakeIndexedDb);

const NAME = 'migrated-log';
let database: CaptureDatabase | undefined;

afterEach(async () => {
  database?.close();
  await deleteDB(NAME);
});

/** All records of a database of version 1, in each form that blocks had in it, and the events that went in. */
interface StoredVersion1 {
  captures: CaptureRecord[];
  blocks: Pick<Block, 'captureId' | 'firstSequence'>[];
  events: WireEvent[];
}

function readFixture(): StoredVersion1 {
  const text = readFileSync(new URL('../../fixtures/database-v1.json', import.meta.url), 'utf8');
  return JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'base64' in value
      ? Uint8Array.from(Buffer.from(String(value.base64), 'base64'))
      : value,
  ) as StoredVersion1;
}

async function storeVersion1({ captures, blocks }: StoredVersion1): Promise<void> {
  const stored = await openDB(NAME, 1, {
    upgrade(upgraded) {
      upgraded.createObjectStore('blocks');
      upgraded.createObjectStore('captures', { keyPath: 'captureId' });
    },
  });
  for (const capture of captures) await stored.put('captures', capture);
  for (const block of blocks) {
    await stored.put('blocks', block, [block.captureId, block.firstSequence]);
  }
  stored.close();
}

async function readAll(from: CaptureDatabase): Promise<WireEvent[]> {
  const events: WireEvent[] = [];
  for (const { captureId, lastSequence } of await from.captures()) {
    for await (const blocks of from.readBlocks(captureId, 1, lastSequence)) {
      events.push(...blocks.flatMap((block) => block.events));
    }
  }
  return events.toSorted((a, b) => a.sequence - b.sequence);
}

test('a database of the first version is opened with every event, and recorded on', async () => {
  const fixture = readFixture();
  expect(fixture.blocks).toHaveLength(6);
  await storeVersion1(fixture);
  database = captureDatabase(NAME);
  expect(await readAll(database)).toEqual(fixture.events);
  expect(await database.checkpoint()).toBeUndefined();
  expect((await database.captures()).map(({ captureId }) => captureId).toSorted()).toEqual(
    fixture.captures.map(({ captureId }) => captureId).toSorted(),
  );
  const shelf = captureShelf(NAME);
  expect(await shelf.descriptions()).toEqual([]);
  await shelf.edit('rows', { name: 'Renamed', note: 'Kept', tags: ['old'] });
  expect(await shelf.descriptions()).toEqual([{ captureId: 'rows', note: 'Kept', tags: ['old'] }]);
  shelf.close();
  const next = fixture.events.length + 1;
  const added = wireEvents(next, next + 2).map((event) => ({ ...event, captureId: 'rows' }));
  await database.append(packBlocks(added), { text: 'where it stands' });
  expect(await readAll(database)).toEqual([...fixture.events, ...added]);
  expect(await database.checkpoint()).toEqual({ text: 'where it stands' });
  expect((await database.captures()).map(({ name }) => name).toSorted()).toEqual([
    'Capture json',
    'Capture plain',
    'Renamed',
  ]);
});

test('a page of the first version that stays open is named, and the log opens once it is gone', async () => {
  await storeVersion1(readFixture());
  // That version closed its connections when asked to; this one does not.
  const request = indexedDB.open(NAME, 1);
  const old = await new Promise<IDBDatabase>((resolve) => {
    request.addEventListener('success', () => resolve(request.result));
  });
  database = captureDatabase(NAME);
  await expect(database.captures()).rejects.toMatchObject({
    problem: { code: 'storage-failed', message: expect.stringContaining('older version') },
  });
  await expect(database.append(packBlocks(wireEvents(1, 2)))).rejects.toMatchObject({
    problem: { advice: expect.stringContaining('Close all other pages') },
  });
  old.close();
  await expect.poll(() => database!.captures().catch(() => [])).toHaveLength(3);
});

test('a database of a newer version is refused with a clear message, and left as it is', async () => {
  const newer = await openDB(NAME, 99, {
    upgrade: (upgraded) => void upgraded.createObjectStore('future'),
  });
  newer.close();
  database = captureDatabase(NAME);
  const error: unknown = await database.captures().catch((reason: unknown) => reason);
  expect(storageProblem(error)).toMatchObject({
    message: 'The recordings on disk were made by a newer version of Wirescope.',
    advice: expect.stringContaining('Update Wirescope'),
  });
  const after = await openDB(NAME);
  expect([...after.objectStoreNames]).toEqual(['future']);
  after.close();
});
