import { AppError } from '../../errors.ts';
import type { CaptureRecord } from './capture-record.ts';
import { planRemoval } from './retention-plan.ts';
import { storageProblem } from './storage-trouble.ts';
import type { WireFact } from '../wire-event.ts';

/** Checked again after this much more was stored. */
const CHECK_BYTES = 16 * 1024 * 1024;

/** What is stored, and how much may be. */
export interface StorageReport {
  captures: CaptureRecord[];
  /** The capture that is being recorded. */
  currentId: string;
  limitBytes: number;
  /** Of the browser, for this extension; absent where it does not say. */
  usageBytes?: number | undefined;
  quotaBytes?: number | undefined;
}

export interface RetentionParts {
  database: {
    captures(): Promise<CaptureRecord[]>;
    pinCapture(captureId: string, isPinned: boolean): Promise<void>;
    deleteCapture(captureId: string): Promise<void>;
  };
  recorder: {
    readonly captureId: string;
    record(fact: WireFact): unknown;
    retry(): void;
    flushed(): Promise<void>;
  };
  loadLimit(): Promise<number>;
  saveLimit(limitBytes: number): Promise<void>;
  estimate(): Promise<{ usage?: number; quota?: number }>;
}

export interface Retention {
  report(): Promise<StorageReport>;
  pin(captureId: string, isPinned: boolean): Promise<void>;
  /** By the user's wish; never the capture that is being recorded. */
  remove(captureIds: readonly string[]): Promise<void>;
  setLimit(limitBytes: number): Promise<void>;
  /** More was stored; makes room once in a while. */
  grew(sizeBytes: number): void;
  /** Removes the oldest captures that are not pinned until the limit is kept. */
  keepLimit(): Promise<void>;
}

/** Keeps the recordings below a limit that the user sees and sets, and says what went for it. */
export function createRetention(parts: RetentionParts): Retention {
  const { database, recorder } = parts;
  let sinceCheck = 0;
  /** One removal at a time. */
  let working: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = working.then(() => named(work));
    working = turn.catch(() => undefined);
    return turn;
  }

  async function removeNow(capture: CaptureRecord, by: 'limit' | 'user'): Promise<void> {
    const { lastSequence: _last, isPinned: _isPinned, imported: _imported, ...removed } = capture;
    // Told first: should the worker be stopped half-way, the rest goes the next time, but nothing goes unsaid.
    recorder.record({ kind: 'capture-removed', removed, by });
    await recorder.flushed();
    await database.deleteCapture(capture.captureId);
    recorder.retry();
  }

  async function keepLimit(): Promise<void> {
    sinceCheck = 0;
    const limit = await parts.loadLimit();
    for (const capture of planRemoval(await database.captures(), recorder.captureId, limit)) {
      await removeNow(capture, 'limit');
    }
  }

  return {
    async report() {
      const [all, limitBytes, { usage, quota }] = await named(() =>
        Promise.all([database.captures(), parts.loadLimit(), parts.estimate()]),
      );
      return {
        captures: all,
        currentId: recorder.captureId,
        limitBytes,
        usageBytes: usage,
        quotaBytes: quota,
      };
    },
    pin: (captureId, isPinned) => inTurn(() => database.pinCapture(captureId, isPinned)),
    remove: (captureIds) =>
      inTurn(async () => {
        for (const capture of await database.captures()) {
          const { captureId } = capture;
          const isMeant = captureIds.includes(captureId) && captureId !== recorder.captureId;
          if (isMeant) await removeNow(capture, 'user');
        }
      }),
    setLimit: (limitBytes) =>
      inTurn(async () => {
        await parts.saveLimit(limitBytes);
        await keepLimit();
      }),
    grew(sizeBytes) {
      sinceCheck += sizeBytes;
      if (sinceCheck < CHECK_BYTES) return;
      sinceCheck = 0;
      // A database that does not answer is in the log already; it is checked again.
      inTurn(keepLimit).catch(() => undefined);
    },
    keepLimit: () => inTurn(keepLimit),
  };
}

/** Failures in words that a page can show. */
async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new AppError(storageProblem(error));
  }
}
