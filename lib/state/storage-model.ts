import { batch, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { CaptureRecord } from '../capture/capture-record.ts';
import { planRemoval } from '../capture/retention-plan.ts';
import type { StorageReport } from '../capture/retention.ts';
import { toProblem, type Problem } from '../errors.ts';
import type { BackgroundFunctions, StorageFunctions } from '../port/contract.ts';
import { createFileModel, type FileDesk, type FileModel } from './file-model.ts';

/** What the view of the storage works with. */
export interface StorageDesk {
  background: Pick<BackgroundFunctions, keyof StorageFunctions>;
  /** Shows a stored capture in a tab. */
  openCapture(captureId: string): void;
  loadFiles(): Promise<FileDesk>;
  /** Files that were dropped on the panel. */
  dropped: Signal<readonly File[]>;
}

/** A question that is asked once before anything is deleted. */
export type StorageQuestion =
  | { kind: 'capture'; capture: CaptureRecord }
  | { kind: 'limit'; limitBytes: number; removed: CaptureRecord[] };

export interface StorageModel {
  /** Absent until it was read. */
  report: ReadonlySignal<StorageReport | undefined>;
  question: ReadonlySignal<StorageQuestion | undefined>;
  problem: ReadonlySignal<Problem | undefined>;
  refresh(): Promise<void>;
  pin(captureId: string, isPinned: boolean): Promise<void>;
  askToDelete(capture: CaptureRecord): void;
  /** Sets the limit; asks first where captures go for it. */
  setLimit(limitBytes: number): Promise<void>;
  confirm(): Promise<void>;
  cancel(): void;
  open(captureId: string): void;
  files: FileModel;
}

/** The stored captures, and what may be done with them. */
export function createStorageModel({
  background,
  openCapture,
  loadFiles,
}: Omit<StorageDesk, 'dropped'>): StorageModel {
  const report = signal<StorageReport>();
  const question = signal<StorageQuestion>();
  const problem = signal<Problem>();

  async function doing(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      const read = await background.storage();
      batch(() => {
        report.value = read;
        problem.value = undefined;
      });
    } catch (error) {
      problem.value = toProblem(error);
    }
  }

  function carryOut(asked: StorageQuestion): Promise<void> {
    return doing(() =>
      asked.kind === 'capture'
        ? background.deleteCapture(asked.capture.captureId)
        : background.setStorageLimit(asked.limitBytes),
    );
  }

  return {
    report,
    question,
    problem,
    refresh: () => doing(() => Promise.resolve()),
    pin: (captureId, isPinned) => doing(() => background.pinCapture(captureId, isPinned)),
    askToDelete(capture) {
      question.value = { kind: 'capture', capture };
    },
    async setLimit(limitBytes) {
      const { captures = [], currentId = '' } = report.value ?? {};
      const removed = planRemoval(captures, currentId, limitBytes);
      const asked: StorageQuestion = { kind: 'limit', limitBytes, removed };
      if (removed.length > 0) question.value = asked;
      else await carryOut(asked);
    },
    async confirm() {
      const asked = question.value;
      question.value = undefined;
      if (asked !== undefined) await carryOut(asked);
    },
    cancel() {
      question.value = undefined;
    },
    open: openCapture,
    files: createFileModel(loadFiles, () => doing(() => Promise.resolve())),
  };
}
