import type { WireEvent } from '../capture/wire-event.ts';
import { reasonOf } from '../capture/unreadable.ts';
import { AppError } from '../errors.ts';
import { SCHEMA, type HarEntry, type LogMcp } from './har-format.ts';
import { inOrder, readOwnEntry, readOwnEvents, type Repair } from './read-own.ts';
import { createHarSplitter } from './split-har.ts';

export interface ReadOptions {
  /** The capture that the events will be in. */
  captureId: string;
  /** Told of the bytes read so far. */
  progress?(readBytes: number): void;
  /** Ends the reading by throwing its reason. */
  signal?: AbortSignal;
}

/** What a file held. */
export interface ReadHar {
  name: string;
  /** In order, counted from where the file begins to count. */
  events: WireEvent[];
  /** Everything that was not as it should be, and what was done about it. */
  repairs: Repair[];
}

/**
 * Reads a HAR file as it comes. One entry that cannot be read costs itself only. Rejects with an `AppError` where
 * the file is no HAR, and with the reason of the signal.
 */
export async function readHar(
  bytes: AsyncIterable<Uint8Array>,
  { captureId, progress, signal }: ReadOptions,
): Promise<ReadHar> {
  const entryTexts: string[] = [];
  const eventTexts: string[] = [];
  const splitter = createHarSplitter({
    entry: (text) => void entryTexts.push(text),
    event: (text) => void eventTexts.push(text),
  });
  let readBytes = 0;
  for await (const chunk of bytes) {
    signal?.throwIfAborted();
    splitter.push(chunk);
    readBytes += chunk.length;
    progress?.(readBytes);
  }
  const { shell, isCut } = splitter.end();
  const log = readShell(shell);
  const repairs: Repair[] = [];
  if (isCut) {
    const kept = `${entryTexts.length} entries were read`;
    repairs.push({ where: 'the end', what: `The file is cut off: ${kept}.` });
  }
  const mcp = log._mcp;
  if (mcp?.schema !== SCHEMA.name) throw notOurs();
  const events = readOwnEvents(eventTexts, mcp, captureId, repairs);
  for (const [index, text] of entryTexts.entries()) {
    try {
      events.push(...readOwnEntry(JSON.parse(text) as HarEntry, captureId));
    } catch (error) {
      repairs.push({ where: `entry ${index + 1}`, what: `left out: ${reasonOf(error)}` });
    }
  }
  return { name: mcp.capture.name, events: inOrder(events, repairs), repairs };
}

function readShell(shell: string): { _mcp?: LogMcp } {
  try {
    const { log } = JSON.parse(shell) as { log?: { _mcp?: LogMcp } };
    if (log !== undefined) return log;
  } catch {
    // Said below, in the same words.
  }
  throw notOurs();
}

function notOurs(): AppError {
  return new AppError({ code: 'file-invalid', message: 'This is no HAR file.' });
}
