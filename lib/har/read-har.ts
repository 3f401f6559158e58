import type { WireEvent } from '../capture/wire-event.ts';
import { reasonOf } from '../capture/unreadable.ts';
import { AppError } from '../errors.ts';
import { SCHEMA, type HarEntry, type LogMcp } from './har-format.ts';
import { looseObject, looseText } from './foreign-json.ts';
import { readForeign } from './read-foreign.ts';
import type { HarFile } from './open-har-file.ts';
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
  { bytes, attached }: HarFile,
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
  const { _mcp: mcp, creator } = log;
  // A newer major version may mean other things by the same words.
  const isOurs = mcp?.schema === SCHEMA.name && mcp.schemaVersion.startsWith('1.');
  if (!isOurs) {
    const { name = '' } = creator ?? {};
    const source = { attached, mayBeMisread: name !== 'Firefox' };
    const foreign = readForeign(entryTexts, source, captureId, repairs);
    return { name: name === '' ? 'Imported file' : `From ${name}`, events: foreign, repairs };
  }
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

interface Shell {
  version?: string;
  creator?: { name?: string };
  _mcp?: LogMcp;
}

function readShell(shell: string): Shell {
  const log = looseObject(parsed(shell)['log']);
  const version = looseText(log['version']) ?? '1.2';
  if (Object.keys(log).length === 0) {
    throw new AppError({ code: 'file-invalid', message: 'This is no HAR file: it has no `log`.' });
  }
  if (!version.startsWith('1.')) {
    const message = `This is HAR ${version}. Wirescope reads HAR 1.x.`;
    throw new AppError({ code: 'file-invalid', message });
  }
  return log;
}

function parsed(shell: string): Record<string, unknown> {
  try {
    // Some tools write a call around it.
    return looseObject(JSON.parse(shell.replace(/\)\s*;?\s*$/, '')));
  } catch (error) {
    const message = 'This file cannot be read as JSON. A HAR file is UTF-8 text.';
    throw new AppError({ code: 'file-invalid', message, detail: reasonOf(error) });
  }
}
