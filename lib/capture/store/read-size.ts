import type { Block } from '../wire-event.ts';

/** One `getAll` of this many blocks takes a few milliseconds of script. */
const BLOCKS_PER_READ = 20;
/** So many blocks are read first, when nobody knows yet how large they are. */
export const FIRST_READ = 4;
/** About as much is read at once where blocks are large, in bytes: a browser holds every reading twice. */
const READ_BYTES = 4 * 1024 * 1024;
/** How many blocks are to be read next, by the size of those that were read last. */
export function countOfNext(blocks: readonly Block[]): number {
  const sizeBytes = blocks.reduce((sum, block) => sum + block.sizeBytes, 0);
  const fitting = Math.floor((READ_BYTES * blocks.length) / Math.max(sizeBytes, 1));
  return Math.min(Math.max(fitting, 1), BLOCKS_PER_READ);
}
