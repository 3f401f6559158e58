import type { WireEvent } from '../../capture/wire-event.ts';
import { reasonOf } from '../../capture/store/unreadable.ts';
import { formatCount } from '../../text.ts';
import { createTurns } from '../../turns.ts';
import { SCHEMA, type HarEntry, type HarHead } from '../har-format.ts';
import { looseObject, looseText } from '../loose-json.ts';
import { createForeignReader } from '../foreign/read-foreign.ts';
import type { HarFile } from './open-har-file.ts';
import { readHead } from './read-head.ts';
import { readShell } from './read-shell.ts';
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
  /** What a file of ours says of itself. */
  head?: HarHead;
}

/**
 * Reads a HAR file as it comes. One entry that cannot be read costs itself only. Rejects with an `AppError` where
 * the file is no HAR, and with the reason of the signal.
 */
export async function readHar(
  { bytes, attached, others = [] }: HarFile,
  { captureId, progress, signal }: ReadOptions,
): Promise<ReadHar> {
  const repairs: Repair[] = [];
  const spoilt: Repair[] = [];
  const own: WireEvent[] = [];
  const foreignRepairs: Repair[] = [];
  const foreign = createForeignReader({ attached }, captureId, foreignRepairs);
  const eventTexts: string[] = [];
  let entryCount = 0;
  function addEntry(text: string): void {
    entryCount += 1;
    // One of ours is taken at once: the text of all would be as large again as the log.
    if (!text.includes(OWN_ENTRY)) return foreign.add(text);
    try {
      // No call takes as many arguments as a stream may have events.
      for (const event of readOwnEntry(JSON.parse(text) as HarEntry, captureId)) own.push(event);
    } catch (error) {
      // It may be of another tool all the same.
      foreign.add(text);
      spoilt.push({ where: `entry ${entryCount}`, what: `left out: ${reasonOf(error)}` });
    }
  }
  const splitter = createHarSplitter({
    entry: addEntry,
    event: (text) => void eventTexts.push(text),
  });
  let readBytes = 0;
  const turns = createTurns();
  for await (const chunk of bytes) {
    signal?.throwIfAborted();
    splitter.push(chunk);
    readBytes += chunk.length;
    progress?.(readBytes);
    if (turns.isOver) await turns.next();
  }
  const { shell, isCut } = splitter.end();
  const { log, entries, logCount } = readShell(shell);
  for (const entry of entries) addEntry(JSON.stringify(entry));
  for (const name of others) {
    const what = 'left out: an archive is read as one capture. Unpack it to import this file too.';
    repairs.push({ where: name, what });
  }
  if (logCount > 1) {
    repairs.push({ where: 'the file', what: `it holds ${logCount} logs, which are read as one` });
  }
  if (isCut) {
    const what = `The file is cut off: ${formatCount(entryCount, 'entry was', 'entries were')} read.`;
    repairs.push({ where: 'the end', what });
  }
  const mcp = looseObject(log['_mcp']);
  // A newer major version may mean other things by the same words.
  if (mcp['schema'] === SCHEMA.name && looseText(mcp['schemaVersion'])?.startsWith('1.') === true) {
    for (const each of spoilt) repairs.push(each);
    const others = readOwnEvents(eventTexts, looseText(mcp['boot']) ?? '', captureId, repairs);
    const events = inOrder([...own, ...others], repairs);
    const name = looseText(looseObject(mcp['capture'])['name']) ?? 'Imported file';
    return { name, events, repairs, head: readHead(log) };
  }
  const name = looseText(looseObject(log['creator'])['name']) ?? '';
  const events = await foreign.finish(name);
  const all = [...foreignRepairs, ...repairs];
  return { name: name === '' ? 'Imported file' : `From ${name}`, events, repairs: all };
}

/** Every entry that we write holds this, and no other tool's does outside of a string. */
const OWN_ENTRY = '"_mcp":{"id":"';
