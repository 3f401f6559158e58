import { reasonOf } from '../../capture/store/unreadable.ts';
import { AppError } from '../../errors.ts';
import { looseList, looseObject, looseText, parseLoose, type Loose } from '../loose-json.ts';

/** What a file holds besides the entries that were cut out of it. */
export interface Shell {
  log: Loose;
  /** Entries that stand where HAR does not have them. */
  entries: Loose[];
  /** How many logs there are: some tools write one for each page, or one in each line. */
  logCount: number;
}

/** Reads what is left of a file without its entries; throws an `AppError` where it is no HAR. */
export function readShell(text: string): Shell {
  if (text.trim() === '') {
    throw new AppError({ code: 'file-invalid', message: 'This file is empty.' });
  }
  const parts = documentsIn(text).flatMap((each): unknown[] =>
    Array.isArray(each) ? each : [each],
  );
  const objects = looseList(parts);
  const logs = objects.flatMap(logsIn);
  const bare = objects.filter(({ request, response }) => isObject(request) && isObject(response));
  const [log = {}] = logs;
  if (Object.keys(log).length === 0 && bare.length === 0) throw noHar(objects);
  const version = (looseText(log['version']) ?? '').trim();
  if (version !== '' && !version.startsWith('1.')) {
    const message = `This is HAR ${version}. Wirescope reads HAR 1.x.`;
    throw new AppError({ code: 'file-invalid', message });
  }
  const entries = [...logs.flatMap((each) => looseList(each['entries'])), ...bare];
  return { log, entries, logCount: logs.length };
}

/** A log as HAR has it, several in its place, or one without what belongs around it. */
function logsIn(object: Loose): Loose[] {
  const { log, entries, creator, version } = object;
  if (log !== undefined) return Array.isArray(log) ? looseList(log) : [looseObject(log)];
  const isBare = Array.isArray(entries) && (creator !== undefined || version !== undefined);
  return isBare ? [object] : [];
}

/** One document, or one in each line. */
function documentsIn(text: string): unknown[] {
  try {
    // Some tools write a call around it.
    return [parseLoose(text.replace(/\)?\s*;?\s*$/, ''))];
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    try {
      if (lines.length > 1) return lines.map((line) => JSON.parse(line) as unknown);
    } catch {
      // What is wrong with the whole says more than what is wrong with a line.
    }
    const message = 'This file cannot be read as JSON. A HAR file is UTF-8 text.';
    throw new AppError({ code: 'file-invalid', message, detail: reasonOf(error) });
  }
}

function noHar(objects: readonly Loose[]): AppError {
  const isList = objects.some(
    (each) => 'mcpServers' in each || each['format'] === 'wirescope-servers',
  );
  const advice = isList
    ? 'It is a list of servers: import it under Settings, Servers.'
    : 'Export the traffic as HAR from the tool that recorded it.';
  const message = 'This is no HAR file: it has no `log`.';
  return new AppError({ code: 'file-invalid', message, advice });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
