import { browser } from 'wxt/browser';
import type { CaptureRecord } from '../capture/capture-record.ts';
import { captureDatabase } from '../capture/database.ts';
import { importCapture } from '../capture/import-capture.ts';
import { storageProblem } from '../capture/storage-trouble.ts';
import { AppError } from '../errors.ts';
import { openCaptureLog } from '../har/capture-log.ts';
import { openHarFile } from '../har/open-har-file.ts';
import { readHar } from '../har/read-har.ts';
import { redactLog } from '../har/redact-log.ts';
import { writeHar, type HarLog } from '../har/write-har.ts';

/** How long the browser may take to begin with a download. */
const DOWNLOAD_MS = 60_000;
/** Repairs that are kept with an imported capture; the count of all is told at once. */
const KEPT_REPAIRS = 200;

const database = captureDatabase();

export interface FileWork {
  signal: AbortSignal;
  /** Told how much is done, from 0 to 1. */
  progress(share: number): void;
}

/** A capture that is about to be written. */
export interface CaptureExport {
  /** How many values of each class are hidden unless they are wanted. */
  counts: ReadonlyMap<string, number>;
  /** Writes the HAR file and has the browser save it; resolves with its size in bytes. */
  write(holdsSecrets: boolean, work: FileWork): Promise<number>;
}

/** Reads a stored capture to be written as a HAR file, and looks for its secrets. */
export async function openExport(
  capture: CaptureRecord,
  { signal }: FileWork,
): Promise<CaptureExport> {
  const log = await openCaptureLog({
    capture,
    readBlocks: (...range) => database.readBlocks(...range),
    signal,
  });
  const redacted = await redactLog(log);
  return {
    counts: redacted.counts,
    write: (holdsSecrets, work) =>
      holdsSecrets ? write(log, () => undefined, work) : write(redacted, redacted.check, work),
  };
}

async function write(
  log: HarLog,
  check: (piece: string) => void,
  { signal, progress }: FileWork,
): Promise<number> {
  const creator = { name: 'Wirescope', version: browser.runtime.getManifest().version };
  const pieces: string[] = [];
  const parts: Blob[] = [];
  let pending = 0;
  const pieceProgress = (written: number, of: number) => progress(written / of);
  for await (const piece of writeHar(log, { creator, signal, progress: pieceProgress })) {
    check(piece);
    pieces.push(piece);
    pending += piece.length;
    if (pending < PART_CHARS) continue;
    // Handed to the browser, which may keep it on disk.
    parts.push(new Blob(pieces.splice(0)));
    pending = 0;
  }
  const file = new Blob([...parts, ...pieces], { type: 'application/json' });
  save(file, `${fileName(log.name)}.mcp.har`);
  return file.size;
}

const PART_CHARS = 4 * 1024 * 1024;

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), DOWNLOAD_MS);
}

/** What every file system takes. */
function fileName(name: string): string {
  const safe = name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '-').trim();
  return safe === '' ? 'capture' : safe.slice(0, 80);
}

/** Reads a HAR file of any tool into a capture of its own; resolves with its record. */
export async function importCaptureFile(
  file: File,
  { signal, progress }: FileWork,
): Promise<CaptureRecord> {
  const captureId = crypto.randomUUID();
  const read = await readHar(await openHarFile(file), {
    captureId,
    signal,
    progress: (bytes) => progress(bytes / Math.max(file.size, 1) / 2),
  });
  const [first] = read.events;
  if (first === undefined) {
    throw new AppError({
      code: 'file-invalid',
      message: `There is nothing to show in ${file.name}: it holds no entry.`,
    });
  }
  const capture: CaptureRecord = {
    captureId,
    name: read.name,
    startedAt: first.wallTime,
    lastSequence: 0,
    eventCount: 0,
    sizeBytes: 0,
    // It is here because somebody wanted it.
    isPinned: true,
    imported: {
      file: file.name,
      repairCount: read.repairs.length,
      repairs: read.repairs.slice(0, KEPT_REPAIRS),
    },
  };
  try {
    await importCapture(database, capture, read.events, {
      signal,
      progress: (stored) => progress(0.5 + stored / read.events.length / 2),
    });
  } catch (error) {
    throw signal.aborted ? error : new AppError(storageProblem(error));
  }
  return capture;
}
