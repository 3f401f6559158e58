import { AppError } from '../../errors.ts';
import { packBlocks } from './blocks.ts';
import type { CaptureDescription, CaptureEdit, CaptureFacts } from './capture-description.ts';
import { readCaptureLog, type CaptureLog } from './capture-log.ts';
import type { CaptureRecord } from './capture-record.ts';
import { callsIn, readOpen, readRest } from './capture-split.ts';
import { captureDatabase } from './database.ts';
import { DATABASE_NAME, openedOnDemand, type Database } from './open-database.ts';

/** How a long work is told how far it is, and how it is ended. */
export interface ShelfWork {
  signal?: AbortSignal;
  /** From 0 to 1. */
  progress?(share: number): void;
}

/** What pages do with stored captures by themselves, unknown to the worker. */
export interface CaptureShelf {
  descriptions(): Promise<CaptureDescription[]>;
  /** Changes what a capture is called, and what is said about it. */
  edit(captureId: string, edit: CaptureEdit): Promise<void>;
  /** Makes a capture of its own with the same events; pinned, since somebody wanted it. */
  duplicate(capture: CaptureRecord, name: string, work: ShelfWork): Promise<void>;
  /** Keeps what was counted in a capture. */
  keepFacts(captureId: string, facts: CaptureFacts): Promise<void>;
  /**
   * Copies what was open when a capture was split into its second half, so that it can be read by itself. Where
   * that has been done, or nothing of it is stored yet, nothing happens; resolves with whether it is done.
   */
  carryOver(captureId: string): Promise<boolean>;
  /** Copies the ends of calls that a split has cut through back into the first half, once they have ended. */
  carryBack(second: CaptureDescription, isOver: boolean): Promise<void>;
  read(capture: CaptureRecord, work: ShelfWork): Promise<CaptureLog>;
  close(): void;
}

/** Opens the database with the first call; a call rejects with the browser's own error, or a `Problem`. */
export function captureShelf(name = DATABASE_NAME): CaptureShelf {
  const { connected, close } = openedOnDemand(name);
  const log = captureDatabase(name);

  return {
    descriptions: async () => (await connected()).getAll('descriptions'),
    edit: async (captureId, edit) => editCapture(await connected(), captureId, edit),
    async duplicate(capture, copyName, work) {
      const captureId = crypto.randomUUID();
      await copyBlocks(name, capture, { captureId, name: copyName }, work);
      const database = await connected();
      const {
        continues: _first,
        unfinished: _calls,
        ...known
      } = {
        ...(await database.get('descriptions', capture.captureId)),
      };
      await database.put('descriptions', { ...known, captureId });
    },
    keepFacts: async (captureId, facts) => describe(await connected(), captureId, { facts }),
    async carryOver(captureId) {
      const database = await connected();
      const all = IDBKeyRange.bound([captureId, 0], [captureId, Infinity]);
      const [key] = await database.getAllKeys('blocks', all, 1);
      if (key === undefined) return false;
      const [, first] = key;
      for await (const [block] of log.readBlocks(captureId, first, first)) {
        const start = block?.events[0];
        // What was copied stands before it.
        if (start?.kind !== 'capture-started' || start.continues === undefined) return true;
        const open = await readOpen(log.readBlocks, start.continues, block?.roots ?? []);
        const copies = open.map((event) => ({ ...event, captureId }));
        if (copies.length > 0) await log.append(packBlocks(copies));
        const { continues } = start;
        await describe(database, captureId, { continues, unfinished: callsIn(open) });
      }
      return true;
    },
    async carryBack({ captureId, continues = '', unfinished: calls = [] }, isOver) {
      if (calls.length === 0) return;
      const rest = await readRest(log.readBlocks, captureId, { calls, isOver });
      if (rest === undefined) return;
      const database = await connected();
      const isThere = (await database.getKey('captures', continues)) !== undefined;
      const copies = rest.map((event) => ({ ...event, captureId: continues }));
      if (isThere && copies.length > 0) await log.append(packBlocks(copies));
      await describe(database, captureId, { unfinished: [] });
    },
    read: (capture, work) => readCaptureLog({ capture, readBlocks: log.readBlocks, ...work }),
    close() {
      close();
      log.close();
    },
  };
}

async function editCapture(
  database: Database,
  captureId: string,
  { name, note, tags }: CaptureEdit,
): Promise<void> {
  const transaction = database.transaction(['captures', 'descriptions'], 'readwrite');
  const captures = transaction.objectStore('captures');
  const descriptions = transaction.objectStore('descriptions');
  // The worker may write the record at the same time: only what it does not know is changed.
  const capture = await captures.get(captureId);
  if (capture === undefined) throw goneError();
  const {
    note: _note,
    tags: _tags,
    ...kept
  } = {
    captureId,
    ...(await descriptions.get(captureId)),
  };
  await Promise.all([
    captures.put({ ...capture, name }),
    descriptions.put({
      ...kept,
      ...(note === '' ? {} : { note }),
      ...(tags.length === 0 ? {} : { tags }),
    }),
    transaction.done,
  ]);
}

async function describe(
  database: Database,
  captureId: string,
  part: Partial<CaptureDescription>,
): Promise<void> {
  const transaction = database.transaction(['captures', 'descriptions'], 'readwrite');
  const descriptions = transaction.objectStore('descriptions');
  const known = await descriptions.get(captureId);
  // It may have been deleted meanwhile, and must leave nothing behind.
  const isThere = (await transaction.objectStore('captures').getKey(captureId)) !== undefined;
  if (isThere) await descriptions.put({ ...known, ...part, captureId });
  await transaction.done;
}

async function copyBlocks(
  databaseName: string,
  capture: CaptureRecord,
  copy: Pick<CaptureRecord, 'captureId' | 'name'>,
  { signal, progress }: ShelfWork,
): Promise<void> {
  const { captureId } = copy;
  // One of its own: it keeps in mind what is open in a log, and the same things are in several logs now.
  const database = captureDatabase(databaseName);
  const empty = { lastSequence: 0, eventCount: 0, sizeBytes: 0, isPinned: true } as const;
  let copied = 0;
  try {
    await database.ensureCapture({ ...capture, ...empty, ...copy });
    const read = database.readBlocks(capture.captureId, 0, capture.lastSequence);
    for await (const blocks of read) {
      signal?.throwIfAborted();
      await database.append(
        blocks.map((block) => ({
          ...block,
          captureId,
          events: block.events.map((event) => ({ ...event, captureId })),
        })),
      );
      copied += blocks.reduce((sum, { events }) => sum + events.length, 0);
      progress?.(Math.min(copied / Math.max(capture.eventCount, 1), 1));
    }
    signal?.throwIfAborted();
  } catch (error) {
    await database.deleteCapture(captureId);
    throw error;
  } finally {
    database.close();
  }
}

function goneError(): AppError {
  return new AppError({
    code: 'storage-failed',
    message: 'This capture is not in the database any more.',
    advice: 'Another page, or the limit of all captures, has deleted it.',
  });
}
