import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { decodeBlock, encodeBlock, type StoredBlock } from './block-codec.ts';
import type { BlockStore } from './recorder.ts';
import type { MaskedText } from './secrets.ts';
import type { Block } from './wire-event.ts';

const DATABASE_NAME = 'wirescope';
const DATABASE_VERSION = 2;
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
  blocks: { key: [string, number]; value: StoredBlock };
  captures: { key: string; value: CaptureRecord };
  /** One record: what the worker needs to go on after it was stopped. Since version 2. */
  checkpoints: { key: string; value: MaskedText };
}

const CHECKPOINT_KEY = 'worker';

export interface CaptureDatabase extends BlockStore {
  captures(): Promise<CaptureRecord[]>;
  /** What was stored with the newest batch that had any. */
  checkpoint(): Promise<MaskedText | undefined>;
  /** Makes the record of a capture unless it exists. */
  ensureCapture(capture: CaptureRecord): Promise<void>;
  /** Blocks that hold any event of `from` to `to` (both included), in order, a few at a time. */
  readBlocks(captureId: string, from: number, to: number): AsyncGenerator<Block[]>;
  close(): void;
}

/** Opens the log. Rejects with the browser's own error where IndexedDB is refused, blocked or broken. */
export async function openCaptureDatabase(name = DATABASE_NAME): Promise<CaptureDatabase> {
  let current: Promise<IDBPDatabase<Schema>> | undefined;

  /** The browser may close a database under us: its data was cleared, or another page deletes it. */
  function connect(): Promise<IDBPDatabase<Schema>> {
    const opening = openDB<Schema>(name, DATABASE_VERSION, {
      upgrade(upgraded, oldVersion) {
        if (oldVersion < 1) {
          upgraded.createObjectStore('blocks');
          upgraded.createObjectStore('captures', { keyPath: 'captureId' });
        }
        if (oldVersion < 2) upgraded.createObjectStore('checkpoints');
      },
      blocking(_current, _blocked, event) {
        forget(opening);
        (event.target as IDBDatabase | null)?.close();
      },
      terminated: () => forget(opening),
    });
    opening.catch(() => forget(opening));
    current = opening;
    return opening;
  }

  /** The next call opens it again. */
  function forget(closed: Promise<IDBPDatabase<Schema>>): void {
    if (current === closed) current = undefined;
  }

  const connected = () => current ?? connect();
  await connected();
  return {
    append: async (blocks, checkpoint) => append(await connected(), blocks, checkpoint),
    checkpoint: async () => (await connected()).get('checkpoints', CHECKPOINT_KEY),
    captures: async () => (await connected()).getAll('captures'),
    ensureCapture: async (capture) => ensureCapture(await connected(), capture),
    async *readBlocks(captureId, from, to) {
      yield* readBlocks(await connected(), captureId, from, to);
    },
    // A failed opening has been reported to whoever asked for it.
    close: () => void current?.then((database) => database.close()).catch(() => undefined),
  };
}

async function append(
  database: IDBPDatabase<Schema>,
  blocks: Block[],
  checkpoint: MaskedText | undefined,
): Promise<void> {
  // What cannot be encoded throws here, before anything of the batch is written.
  const encoded = blocks.map(encodeBlock);
  // Relaxed: the events survive a crash of the browser's process; only a power cut may lose the last ones.
  const transaction = database.transaction(['blocks', 'captures', 'checkpoints'], 'readwrite', {
    durability: 'relaxed',
  });
  const store = transaction.objectStore('blocks');
  const writes: Promise<unknown>[] = encoded.map((block) =>
    store.put(block, [block.captureId, block.firstSequence]),
  );
  if (checkpoint !== undefined) {
    writes.push(transaction.objectStore('checkpoints').put(checkpoint, CHECKPOINT_KEY));
  }
  const captures = transaction.objectStore('captures');
  for (const [captureId, added] of Map.groupBy(blocks, (block) => block.captureId)) {
    writes.push(
      captures.get(captureId).then((known) => captures.put(grownCapture(known, captureId, added))),
    );
  }
  await Promise.all([...writes, transaction.done]);
}

/** A capture that has no record any more gets one: its sequences are in use all the same. */
function grownCapture(
  known: CaptureRecord | undefined,
  captureId: string,
  added: Block[],
): CaptureRecord {
  const startedAt = added[0]?.events[0]?.wallTime ?? 0;
  const capture = known ?? {
    captureId,
    name: `Capture of ${new Date(startedAt).toLocaleString()}`,
    startedAt,
    lastSequence: 0,
    eventCount: 0,
    sizeBytes: 0,
  };
  for (const block of added) {
    capture.eventCount += block.events.length;
    capture.sizeBytes += block.sizeBytes;
    capture.lastSequence = Math.max(capture.lastSequence, block.lastSequence);
  }
  return capture;
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
  if (from > to) return;
  let next = await firstKeyAt(database, captureId, from);
  while (next <= to) {
    const range = IDBKeyRange.bound([captureId, next], [captureId, to]);
    const blocks = await database.getAll('blocks', range, BLOCKS_PER_READ);
    const last = blocks.at(-1);
    if (last === undefined) return;
    // The nearest block before the range may end before it.
    const wanted = blocks.filter((block) => block.lastSequence >= from);
    if (wanted.length > 0) yield wanted.map(decodeBlock);
    next = last.firstSequence + 1;
  }
}

/** Key of the last block that begins at or before `sequence`, which may hold it. */
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
