import { createBlockRoots } from './block-roots.ts';
import { grownCapture, type CaptureRecord } from './capture-record.ts';
import { reader, type CaptureReader } from './capture-reader.ts';
import { encodeBlocks, letGoOf } from './encode-block.ts';
import { DATABASE_NAME, openedOnDemand, PATIENCE_MS, type Database } from './open-database.ts';
import type { BlockStore } from '../recorder.ts';
import type { MaskedText } from '../secrets.ts';
import { silentError } from './storage-trouble.ts';
import type { StoredBlock } from './stored-block.ts';
import type { Block } from '../wire-event.ts';

/** So many blocks go in one transaction: writing waits for each, and should not wait long. */
const BLOCKS_PER_DELETION = 100;

const CHECKPOINT_KEY = 'worker';

/** The log as the worker needs it, which writes events and reads none. */
export interface LogDatabase extends BlockStore, Pick<CaptureReader, 'captures'> {
  /** What was stored with the newest batch that had any. */
  checkpoint(): Promise<MaskedText | undefined>;
  /** Makes the record of a capture unless it exists. */
  ensureCapture(capture: CaptureRecord): Promise<void>;
  /** A pinned capture is kept whatever the limit says. */
  pinCapture(captureId: string, isPinned: boolean): Promise<void>;
  /** Deletes a capture with all its events, some at a time. */
  deleteCapture(captureId: string): Promise<void>;
  close(): void;
}

export interface CaptureDatabase extends LogDatabase, CaptureReader {}

/**
 * The log. Opens the database with the first call, and anew when it was closed, refused or blocked; a call
 * rejects with the browser's own error, or a `Problem` where it has none.
 */
export function captureDatabase(name = DATABASE_NAME): CaptureDatabase {
  const opened = openedOnDemand(name);
  return { ...over(opened), ...reader(opened.connected) };
}

/** The same without what reads events: the worker has to load all that it may ever use. */
export function logDatabase(name = DATABASE_NAME): LogDatabase {
  return over(openedOnDemand(name));
}

function over({ connected, close }: ReturnType<typeof openedOnDemand>): LogDatabase {
  const roots = createBlockRoots();
  return {
    captures: async () => (await connected()).getAll('captures'),
    async append(blocks, checkpoint) {
      roots.name(blocks);
      await append(await connected(), blocks, checkpoint);
    },
    checkpoint: async () => (await connected()).get('checkpoints', CHECKPOINT_KEY),
    ensureCapture: async (capture) => ensureCapture(await connected(), capture),
    pinCapture: async (captureId, isPinned) => pinCapture(await connected(), captureId, isPinned),
    deleteCapture: async (captureId) => deleteCapture(await connected(), captureId),
    close,
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
  await database.delete('descriptions', captureId);
  await database.delete('captures', captureId);
}
