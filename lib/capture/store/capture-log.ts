import { createTurns } from '../../turns.ts';
import { createCorrelation, type Correlation } from '../correlate/correlate.ts';
import { createHeldBytes, type HeldBytes } from '../correlate/held-bytes.ts';
import type { Block } from '../wire-event.ts';

/** A stored capture as its views need it: what it means, and bytes that are not in memory. */
export interface CaptureLog {
  captureId: string;
  name: string;
  correlation: Correlation;
  peek: HeldBytes['peek'];
}

export interface LogReading {
  capture: { captureId: string; name: string; lastSequence: number };
  /** Stored blocks that hold events of `from` to `to`, in order. */
  readBlocks(captureId: string, from: number, to: number): AsyncIterable<Block[]>;
  signal?: AbortSignal;
  /** How much of it was read, from 0 to 1. */
  progress?(share: number): void;
}

/**
 * Reads all of a capture in short turns, with no more of its bytes in memory than a page keeps. Rejects where the
 * database cannot be read, or with the signal's reason.
 */
export async function readCaptureLog(reading: LogReading): Promise<CaptureLog> {
  const { capture, readBlocks, signal, progress } = reading;
  const { captureId, name, lastSequence } = capture;
  const correlation = createCorrelation();
  const held = createHeldBytes({ readBlocks });
  const turns = createTurns();
  let first: number | undefined;
  for await (const blocks of readBlocks(captureId, 0, lastSequence)) {
    for (const block of blocks) {
      signal?.throwIfAborted();
      correlation.apply(block.events);
      held.keep(block.events, true);
      first ??= block.firstSequence;
      progress?.((block.lastSequence - first + 1) / (lastSequence - first + 1));
      if (turns.isOver) await turns.next();
    }
  }
  return { captureId, name, correlation, peek: held.peek };
}
