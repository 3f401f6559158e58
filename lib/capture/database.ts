import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import {
  decodeBlock,
  encodeBlocks,
  isBlockRecord,
  letGoOf,
  type BlockRecord,
  type StoredBlock,
} from './block-codec.ts';
import { grownCapture, type CaptureRecord } from './capture-record.ts';
import { countOfNext, FIRST_READ } from './read-size.ts';
import type { BlockStore } from './recorder.ts';
import type { MaskedText } from './secrets.ts';
import { blockedError, silentError } from './storage-trouble.ts';
import { reasonOf, unreadableBlock } from './unreadable.ts';
import type { Block, WireEvent } from './wire-event.ts';

const DATABASE_NAME = 'wirescope';
const DATABASE_VERSION = 2;
/** So many blocks go in one transaction: writing waits for each, and should not wait long. */
const BLOCKS_PER_DELETION = 100;
/** A database that says nothing for this long counts as broken; what waits for it is shown meanwhile. */
const PATIENCE_MS = 10_000;

interface Schema extends DBSchema {
  /** Keyed by capture and first sequence, so a range of one capture is one key range. */
  blocks: { key: [string, number]; value: BlockRecord };
  captures: { key: string; value: CaptureRecord };
  /** One record: what the worker needs to go on after it was stopped. Since version 2. */
  checkpoints: { key: string; value: MaskedText };
}

type Database = IDBPDatabase<Schema>;

const CHECKPOINT_KEY = 'worker';

export interface CaptureDatabase extends BlockStore {
  captures(): Promise<CaptureRecord[]>;
  /** What was stored with the newest batch that had any. */
  checkpoint(): Promise<MaskedText | undefined>;
  /** Makes the record of a capture unless it exists. */
  ensureCapture(capture: CaptureRecord): Promise<void>;
  /** A pinned capture is kept whatever the limit says. */
  pinCapture(captureId: string, isPinned: boolean): Promise<void>;
  /** Deletes a capture with all its events, some at a time. */
  deleteCapture(captureId: string): Promise<void>;
  /**
   * Blocks that hold any event of `from` to `to` (both included), in order, a few at a time. A block that cannot
   * be read is replaced by one with a `gap` that names it.
   */
  readBlocks(captureId: string, from: number, to: number): AsyncGenerator<Block[]>;
  close(): void;
}

/**
 * The log. Opens the database with the first call, and anew when it was closed, refused or blocked; a call
 * rejects with the browser's own error, or a `Problem` where it has none.
 */
export function captureDatabase(name = DATABASE_NAME): CaptureDatabase {
  let current: Promise<Database> | undefined;

  function connect(): Promise<Database> {
    const refusal = Promise.withResolvers<never>();
    const timer = setTimeout(() => refusal.reject(silentError(PATIENCE_MS)), PATIENCE_MS);
    const opening = openDB<Schema>(name, DATABASE_VERSION, {
      upgrade(upgraded, oldVersion) {
        if (oldVersion < 1) {
          upgraded.createObjectStore('blocks');
          upgraded.createObjectStore('captures', { keyPath: 'captureId' });
        }
        if (oldVersion < 2) upgraded.createObjectStore('checkpoints');
      },
      blocked: () => refusal.reject(blockedError()),
      // The browser may close a database under us: its data was cleared, or another page deletes it.
      blocking(_current, _blocked, event) {
        forget();
        (event.target as IDBDatabase | null)?.close();
      },
      terminated: forget,
    });
    // An opening that is blocked goes on, and may succeed later: until then, every call is refused at once.
    const answer = Promise.race([opening, refusal.promise]);
    let latest = answer;
    current = answer;
    /** The next call opens it again. */
    function forget(): void {
      if (current === latest) current = undefined;
    }
    opening
      .then(() => {
        if (current === answer) current = latest = opening;
      }, forget)
      .finally(() => clearTimeout(timer));
    return answer;
  }

  const connected = () => current ?? connect();
  return {
    append: async (blocks, checkpoint) => append(await connected(), blocks, checkpoint),
    checkpoint: async () => (await connected()).get('checkpoints', CHECKPOINT_KEY),
    captures: async () => (await connected()).getAll('captures'),
    ensureCapture: async (capture) => ensureCapture(await connected(), capture),
    pinCapture: async (captureId, isPinned) => pinCapture(await connected(), captureId, isPinned),
    deleteCapture: async (captureId) => deleteCapture(await connected(), captureId),
    async *readBlocks(captureId, from, to) {
      yield* readBlocks(await connected(), captureId, from, to);
    },
    // A failed opening has been reported to whoever asked for it.
    close: () => void current?.then((database) => database.close()).catch(() => undefined),
  };
}

async function append(
  database: Database,
  blocks: Block[],
  checkpoint: MaskedText | undefined,
): Promise<void> {
  const encoded = await encodeBlocks(blocks);
  // Relaxed: the events survive a crash of the browser's process; only a power cut may lose the last ones.
  const transaction = database.transaction(['blocks', 'captures', 'checkpoints'], 'readwrite', {
    durability: 'relaxed',
  });
  const { done } = transaction;
  const writes: Promise<unknown>[] = [done];
  let isLate = false;
  // Only an end is certain: what may still be stored must not be stored a second time.
  const timer = setTimeout(() => {
    isLate = true;
    transaction.abort();
  }, PATIENCE_MS);
  try {
    const store = transaction.objectStore('blocks');
    for (const block of encoded) {
      writes.push(store.put(block, [block.captureId, block.firstSequence]));
    }
    if (checkpoint !== undefined) {
      writes.push(transaction.objectStore('checkpoints').put(checkpoint, CHECKPOINT_KEY));
    }
    const captures = transaction.objectStore('captures');
    for (const [captureId, added] of Map.groupBy(blocks, (block) => block.captureId)) {
      const bytes = storedBytes(encoded, captureId);
      writes.push(
        captures
          .get(captureId)
          .then((known) => captures.put(grownCapture(known, captureId, added, bytes))),
      );
    }
    letGoOf(encoded);
    await Promise.all(writes);
  } catch (error) {
    // All or nothing: a request that was refused does not end the others by itself.
    await Promise.allSettled([abort(transaction), ...writes]);
    if (isLate) throw silentError(PATIENCE_MS);
    // The reason of the whole: a request may only know that it was given up.
    throw transaction.error ?? error;
  } finally {
    clearTimeout(timer);
  }
}

async function abort(transaction: { abort(): void }): Promise<void> {
  transaction.abort();
}

/** What the blocks of a capture take, roughly, in bytes. */
function storedBytes(encoded: readonly StoredBlock[], captureId: string): number {
  return encoded
    .filter((block) => block.captureId === captureId)
    .reduce((sum, { json, bytes }) => sum + json.length + bytes.length, 0);
}

async function ensureCapture(database: Database, capture: CaptureRecord): Promise<void> {
  const transaction = database.transaction('captures', 'readwrite');
  if ((await transaction.store.get(capture.captureId)) === undefined) {
    await transaction.store.put(capture);
  }
  await transaction.done;
}

async function pinCapture(database: Database, captureId: string, isPinned: boolean): Promise<void> {
  const transaction = database.transaction('captures', 'readwrite');
  const capture = await transaction.store.get(captureId);
  if (capture !== undefined) {
    const { isPinned: _was, ...rest } = capture;
    await transaction.store.put(isPinned ? { ...rest, isPinned } : rest);
  }
  await transaction.done;
}

async function deleteCapture(database: Database, captureId: string): Promise<void> {
  const all = IDBKeyRange.bound([captureId, 0], [captureId, Infinity]);
  for (;;) {
    const keys = await database.getAllKeys('blocks', all, BLOCKS_PER_DELETION);
    const last = keys.at(-1);
    if (last === undefined) break;
    await database.delete('blocks', IDBKeyRange.bound([captureId, 0], last));
  }
  await database.delete('captures', captureId);
}

async function* readBlocks(
  database: Database,
  captureId: string,
  from: number,
  to: number,
): AsyncGenerator<Block[]> {
  if (from > to) return;
  let next = await firstKeyAt(database, captureId, from);
  let near: WireEvent | undefined;
  let count = FIRST_READ;
  while (next <= to) {
    const range = IDBKeyRange.bound([captureId, next], [captureId, to]);
    const found = await readPage(database, range, count);
    const last = found.at(-1);
    if (last === undefined) return;
    const blocks: Block[] = [];
    for (const [index, { first, read }] of found.entries()) {
      try {
        const block = read();
        near = block.events.at(-1) ?? near;
        // The nearest block before the range may end before it.
        if (block.lastSequence >= from) blocks.push(block);
      } catch (error) {
        // Where it ends nobody knows, but the next one begins after it.
        const end = found[index + 1]?.first ?? (await firstKeyAfter(database, captureId, first));
        const lost = { captureId, from: Math.max(first, from), to: Math.min(to, end - 1) };
        if (lost.from > lost.to) continue;
        blocks.push(unreadableBlock({ ...lost, reason: reasonOf(error) }, near));
      }
    }
    count = countOfNext(blocks);
    if (blocks.length > 0) yield blocks;
    next = last.first + 1;
  }
}

/** A block as it was found; `read` throws where it cannot be read. */
interface FoundBlock {
  first: number;
  read(): Block;
}

async function readPage(
  database: Database,
  range: IDBKeyRange,
  count: number,
): Promise<FoundBlock[]> {
  try {
    const blocks = await database.getAll('blocks', range, count);
    if (blocks.every(isBlockRecord)) {
      return blocks.map((block) => ({
        first: block.firstSequence,
        read: () => decodeBlock(block),
      }));
    }
  } catch {
    // One record that the browser cannot read spoils a reading of many: each is read apart, below.
  }
  const keys = await database.getAllKeys('blocks', range, count);
  return Promise.all(keys.map((key) => readOne(database, key)));
}

async function readOne(database: Database, key: [string, number]): Promise<FoundBlock> {
  const [, first] = key;
  try {
    const block = await database.get('blocks', key);
    if (isBlockRecord(block)) return { first, read: () => decodeBlock(block) };
    throw new TypeError('The record is no block.');
  } catch (error) {
    return {
      first,
      read() {
        throw error;
      },
    };
  }
}

/** Key of the last block that begins at or before `sequence`, which may hold it. */
async function firstKeyAt(
  database: Database,
  captureId: string,
  sequence: number,
): Promise<number> {
  const upTo = IDBKeyRange.bound([captureId, 0], [captureId, sequence]);
  const store = database.transaction('blocks').store;
  const cursor = await store.openKeyCursor(upTo, 'prev');
  return cursor === null ? sequence : cursor.key[1];
}

/** First sequence of the block behind the one at `first`; infinite where there is none. */
async function firstKeyAfter(
  database: Database,
  captureId: string,
  first: number,
): Promise<number> {
  const behind = IDBKeyRange.bound([captureId, first], [captureId, Infinity], true);
  const [key] = await database.getAllKeys('blocks', behind, 1);
  return key === undefined ? Infinity : key[1];
}
