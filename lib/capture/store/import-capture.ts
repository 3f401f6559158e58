import { packBlocks } from './blocks.ts';
import type { CaptureRecord } from './capture-record.ts';
import type { CaptureDatabase } from './database.ts';
import type { WireEvent } from '../wire-event.ts';

/** A transaction of this many blocks is soon over: the worker's own must not wait for long. */
const BLOCKS_AT_ONCE = 16;

/**
 * Stores a capture that was not recorded here. Its sequences are its own: it is only ever read by itself. Where a
 * part is refused, or by the signal's reason, all of it goes, and the promise rejects.
 */
export async function importCapture(
  database: Pick<CaptureDatabase, 'append' | 'ensureCapture' | 'deleteCapture'>,
  capture: CaptureRecord,
  events: readonly WireEvent[],
  options: { signal?: AbortSignal; progress?(storedEvents: number): void } = {},
): Promise<void> {
  const { signal, progress } = options;
  const blocks = packBlocks(events);
  let storedEvents = 0;
  try {
    await database.ensureCapture(capture);
    for (let at = 0; at < blocks.length; at += BLOCKS_AT_ONCE) {
      signal?.throwIfAborted();
      const some = blocks.slice(at, at + BLOCKS_AT_ONCE);
      await database.append(some);
      storedEvents += some.reduce((sum, block) => sum + block.events.length, 0);
      progress?.(storedEvents);
    }
    signal?.throwIfAborted();
  } catch (error) {
    await database.deleteCapture(capture.captureId);
    throw error;
  }
}
