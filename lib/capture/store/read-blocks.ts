import { decodeBlock, isBlockRecord } from './decode-block.ts';
import type { Database } from './open-database.ts';
import { countOfNext, FIRST_READ } from './read-size.ts';
import { reasonOf, unreadableBlock } from './unreadable.ts';
import type { Block, WireEvent } from '../wire-event.ts';

/**
 * Blocks that hold any event of `from` to `to`, in order, a few at a time; one that cannot be read is replaced by
 * one with a `gap` that names it.
 */
export async function* readBlocks(
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

/** First sequence of the last but so many blocks; undefined where there are no more than that. */
export async function tailStart(
  database: Database,
  captureId: string,
  blocks: number,
): Promise<number | undefined> {
  const all = IDBKeyRange.bound([captureId, 0], [captureId, Infinity]);
  const store = database.transaction('blocks').store;
  const last = await store.openKeyCursor(all, 'prev');
  const cursor = await last?.advance(blocks);
  return cursor?.key[1];
}
