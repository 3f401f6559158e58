import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { BlockStore } from './recorder.ts';
import type { Block } from './wire-event.ts';

const DATABASE_NAME = 'wirescope';
const DATABASE_VERSION = 1;
/** One `getAll` of this many blocks takes a few milliseconds of script. */
const BLOCKS_PER_READ = 20;

/** A recording, as the list of captures shows it. */
export interface CaptureRecord {
  captureId: string;
  name: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  lastSequence: number;
  eventCount: number;
  sizeBytes: number;
}

interface Schema extends DBSchema {
  /** Keyed by capture and first sequence, so a range of one capture is one key range. */
  blocks: { key: [string, number]; value: Block };
  captures: { key: string; value: CaptureRecord };
}

export interface CaptureDatabase extends BlockStore {
  captures(): Promise<CaptureRecord[]>;
  /** Makes the record of a capture unless it exists. */
  ensureCapture(capture: CaptureRecord): Promise<void>;
  /** Blocks that hold any event of `from` to `to` (both included), in order, a few at a time. */
  readBlocks(captureId: string, from: number, to: number): AsyncGenerator<Block[]>;
  close(): void;
}

/** Opens the log. Rejects with the browser's own error where IndexedDB is refused, blocked or broken. */
export async function openCaptureDatabase(name = DATABASE_NAME): Promise<CaptureDatabase> {
  const database = await openDB<Schema>(name, DATABASE_VERSION, {
    upgrade(upgraded) {
      upgraded.createObjectStore('blocks');
      upgraded.createObjectStore('captures', { keyPath: 'captureId' });
    },
    // Another page upgrades: let it. The next call here reopens.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase | null)?.close(),
  });
  return {
    append: (blocks) => append(database, blocks),
    captures: () => database.getAll('captures'),
    ensureCapture: (capture) => ensureCapture(database, capture),
    readBlocks: (captureId, from, to) => readBlocks(database, captureId, from, to),
    close: () => database.close(),
  };
}

async function append(database: IDBPDatabase<Schema>, blocks: Block[]): Promise<void> {
  // Relaxed: the events survive a crash of the browser's process; only a power cut may lose the last ones.
  const transaction = database.transaction(['blocks', 'captures'], 'readwrite', {
    durability: 'relaxed',
  });
  const writes: Promise<unknown>[] = [];
  const store = transaction.objectStore('blocks');
  const grown = new Map<string, Block[]>();
  for (const block of blocks) {
    writes.push(store.put(block, [block.captureId, block.firstSequence]));
    grown.set(block.captureId, [...(grown.get(block.captureId) ?? []), block]);
  }
  const captures = transaction.objectStore('captures');
  for (const [captureId, added] of grown) {
    writes.push(
      captures.get(captureId).then((record) => {
        if (record === undefined) return undefined;
        for (const block of added) {
          record.eventCount += block.events.length;
          record.sizeBytes += block.sizeBytes;
          record.lastSequence = Math.max(record.lastSequence, block.lastSequence);
        }
        return captures.put(record);
      }),
    );
  }
  await Promise.all([...writes, transaction.done]);
}

async function ensureCapture(
  database: IDBPDatabase<Schema>,
  capture: CaptureRecord,
): Promise<void> {
  const transaction = database.transaction('captures', 'readwrite');
  if ((await transaction.store.get(capture.captureId)) === undefined) {
    await transaction.store.put(capture);
  }
  await transaction.done;
}

async function* readBlocks(
  database: IDBPDatabase<Schema>,
  captureId: string,
  from: number,
  to: number,
): AsyncGenerator<Block[]> {
  let next = await firstKeyAt(database, captureId, from);
  while (next <= to) {
    const range = IDBKeyRange.bound([captureId, next], [captureId, to]);
    const blocks = await database.getAll('blocks', range, BLOCKS_PER_READ);
    const last = blocks.at(-1);
    if (last === undefined) return;
    yield blocks;
    next = last.firstSequence + 1;
  }
}

/** Key of the block that holds `sequence`: it may begin before it. */
async function firstKeyAt(
  database: IDBPDatabase<Schema>,
  captureId: string,
  sequence: number,
): Promise<number> {
  const upTo = IDBKeyRange.bound([captureId, 0], [captureId, sequence]);
  const store = database.transaction('blocks').store;
  const cursor = await store.openKeyCursor(upTo, 'prev');
  return cursor === null ? sequence : cursor.key[1];
}
