import type { CaptureRecord } from './capture-record.ts';
import { DATABASE_NAME, openedOnDemand, type Database } from './open-database.ts';
import { readBlocks, tailStart } from './read-blocks.ts';
import type { Block } from '../wire-event.ts';

/** What a page may do with the log. */
export interface CaptureReader {
  captures(): Promise<CaptureRecord[]>;
  /**
   * Blocks that hold any event of `from` to `to` (both included), in order, a few at a time. A block that cannot
   * be read is replaced by one with a `gap` that names it.
   */
  readBlocks(captureId: string, from: number, to: number): AsyncGenerator<Block[]>;
  /** First sequence of the last but so many blocks; undefined where there are no more than that. */
  tailStart(captureId: string, blocks: number): Promise<number | undefined>;
}

/**
 * The log as a page reads it. A call rejects with the browser's own error, or a `Problem` where it has none.
 */
export function captureReader(name = DATABASE_NAME): CaptureReader {
  return reader(openedOnDemand(name).connected);
}

/** The same over a database that is open already. */
export function reader(connected: () => Promise<Database>): CaptureReader {
  return {
    captures: async () => (await connected()).getAll('captures'),
    async *readBlocks(captureId, from, to) {
      yield* readBlocks(await connected(), captureId, from, to);
    },
    tailStart: async (captureId, blocks) => tailStart(await connected(), captureId, blocks),
  };
}
