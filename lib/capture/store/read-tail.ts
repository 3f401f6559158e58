import type { CaptureReader } from './capture-reader.ts';
import type { Block, WireEvent } from '../wire-event.ts';

/** Enough to fill any screen, however many events a row takes; in a burst, that is so many blocks. */
const TAIL_SIZE = { events: 800, blocks: 8 };
/** A capture that is not so many times as long is read about as quickly as its tail. */
const LONG = 4;
/** What hangs together with more of the past than this is not worth the wait. */
const ROOT_BLOCKS = 24;

/** The newest events of a long capture, and what of the older ones they need to be understood. */
export interface Tail {
  /** In order. */
  events: WireEvent[];
  /** Events before this `sequence` are those that the others need; most are left out. */
  from: number;
}

type Database = Pick<CaptureReader, 'readBlocks' | 'tailStart'>;

/**
 * Reads the end of a long capture without the rest; undefined where it is not long. Rejects where the database
 * cannot be read.
 */
export async function readTail(
  database: Database,
  captureId: string,
  to: number,
  size = TAIL_SIZE,
): Promise<Tail | undefined> {
  for (let { blocks } = size; ; blocks *= LONG) {
    const isLong = (await database.tailStart(captureId, blocks * LONG)) !== undefined;
    const from = isLong ? await database.tailStart(captureId, blocks) : undefined;
    if (from === undefined || from > to) return undefined;
    const tail: Block[] = [];
    for await (const read of database.readBlocks(captureId, from, to)) tail.push(...read);
    const events = tail.flatMap((block) => block.events);
    if (events.length < size.events) continue;
    const roots = new Set(tail.flatMap((block) => block.roots ?? []).filter((root) => root < from));
    return { events: [...(await readRoots(database, captureId, roots)), ...events], from };
  }
}

async function readRoots(
  database: Database,
  captureId: string,
  roots: ReadonlySet<number>,
): Promise<WireEvent[]> {
  const events: WireEvent[] = [];
  let readTo = 0;
  let reads = 0;
  for (const root of [...roots].toSorted((a, b) => a - b)) {
    if (root <= readTo) continue;
    if ((reads += 1) > ROOT_BLOCKS) break;
    for await (const blocks of database.readBlocks(captureId, root, root)) {
      for (const block of blocks) {
        readTo = block.lastSequence;
        events.push(...block.events.filter(({ sequence }) => roots.has(sequence)));
      }
    }
  }
  return events;
}
