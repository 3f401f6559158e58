import type { CaptureRecord } from '../../capture/store/capture-record.ts';
import type { CaptureDatabase } from '../../capture/store/database.ts';
import { importCapture } from '../../capture/store/import-capture.ts';
import { storageProblem } from '../../capture/store/storage-trouble.ts';
import { AppError } from '../../errors.ts';
import { openHarFile } from './open-har-file.ts';
import { readHar } from './read-har.ts';

/** Repairs that are kept with an imported capture; the count of all is told at once. */
const KEPT_REPAIRS = 1000;

/** Reads a HAR file of any tool into a capture of its own; resolves with its record. `progress` goes from 0 to 1. */
export async function importHarFile(
  file: File,
  captureId: string,
  database: Pick<CaptureDatabase, 'append' | 'ensureCapture' | 'deleteCapture'>,
  progress: (share: number) => void,
): Promise<CaptureRecord> {
  const read = await readHar(await openHarFile(file), {
    captureId,
    progress: (bytes) => progress(Math.min(bytes / Math.max(file.size, 1), 1) / 2),
  });
  const [first] = read.events;
  const [fault] = read.repairs;
  if (first === undefined) {
    throw new AppError({
      code: 'file-invalid',
      message: `There is nothing to show in ${file.name}: it holds no entry that can be read.`,
      ...(fault === undefined ? {} : { detail: `${fault.where}: ${fault.what}` }),
    });
  }
  const { head, repairs } = read;
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
      repairCount: repairs.length,
      repairs: repairs.slice(0, KEPT_REPAIRS),
      events: read.events.length,
      ...(head === undefined ? {} : { head: JSON.stringify(head) }),
      ...(head?.redaction === undefined ? {} : { isRedacted: true }),
    },
  };
  const count = read.events.length;
  try {
    await importCapture(database, capture, read.events, {
      progress: (stored) => progress(0.5 + stored / count / 2),
    });
  } catch (error) {
    throw new AppError(storageProblem(error));
  }
  return capture;
}
