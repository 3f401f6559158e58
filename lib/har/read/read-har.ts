import type { WireEvent } from '../../capture/wire-event.ts';
import { reasonOf } from '../../capture/store/unreadable.ts';
import { AppError } from '../../errors.ts';
import { formatCount } from '../../text.ts';
import { createTurns } from '../../turns.ts';
import { SCHEMA, type HarEntry, type HarHead } from '../har-format.ts';
import { looseObject, looseText, type Loose } from '../foreign/foreign-json.ts';
import { createForeignReader } from '../foreign/read-foreign.ts';
import type { HarFile } from './open-har-file.ts';
import { readHead } from './read-head.ts';
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
  { bytes, attached }: HarFile,
  { captureId, progress, signal }: ReadOptions,
): Promise<ReadHar> {
  const repairs: Repair[] = [];
  const spoilt: Repair[] = [];
  const own: WireEvent[] = [];
  const foreignRepairs: Repair[] = [];
  const foreign = createForeignReader({ attached }, captureId, foreignRepairs);
  const eventTexts: string[] = [];
  let entryCount = 0;
  const splitter = createHarSplitter({
    entry(text) {
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
    },
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
  const log = readShell(shell);
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

function readShell(shell: string): Loose {
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
