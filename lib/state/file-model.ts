import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { CaptureRecord } from '../capture/capture-record.ts';
import { toProblem, type Problem } from '../errors.ts';
import { formatBytes, formatCount } from '../text.ts';

/** How a work is told how far it is, and how it is ended. */
export interface FileWork {
  signal: AbortSignal;
  progress(share: number): void;
}

/** Writes and reads files; it is loaded when it is first used. */
export interface FileDesk {
  exportCapture(capture: CaptureRecord, work: FileWork): Promise<number>;
  importCaptureFile(file: File, work: FileWork): Promise<CaptureRecord>;
}

/** What is being written or read. */
export interface RunningFileWork {
  title: string;
  /** From 0 to 1. */
  share: number;
}

/** What came of the last file. */
export interface FileOutcome {
  text: string;
  /** The capture that was imported. */
  imported?: CaptureRecord;
}

export interface FileModel {
  running: ReadonlySignal<RunningFileWork | undefined>;
  outcome: ReadonlySignal<FileOutcome | undefined>;
  problem: ReadonlySignal<Problem | undefined>;
  exportCapture(capture: CaptureRecord): Promise<void>;
  importFiles(files: readonly File[]): Promise<void>;
  cancel(): void;
}

/** Export and import of captures, one file at a time; `changed` is called when there is a new capture. */
export function createFileModel(
  load: () => Promise<FileDesk>,
  changed: () => Promise<void>,
): FileModel {
  const running = signal<RunningFileWork>();
  const outcome = signal<FileOutcome>();
  const problem = signal<Problem>();
  let ending: AbortController | undefined;

  async function doing(
    title: string,
    work: (desk: FileDesk, how: FileWork) => Promise<FileOutcome>,
  ): Promise<void> {
    // One at a time: each may need as much memory as its file is long.
    if (running.value !== undefined) return;
    const controller = new AbortController();
    ending = controller;
    running.value = { title, share: 0 };
    outcome.value = undefined;
    problem.value = undefined;
    let shown = 0;
    try {
      outcome.value = await work(await load(), {
        signal: controller.signal,
        progress(share) {
          // A hundredth is the least that anybody sees.
          if (share - shown < 0.01) return;
          shown = share;
          running.value = { title, share };
        },
      });
    } catch (error) {
      if (controller.signal.aborted) outcome.value = { text: `${title} was cancelled.` };
      else problem.value = toProblem(error);
    } finally {
      running.value = undefined;
    }
  }

  return {
    running,
    outcome,
    problem,
    exportCapture: (capture) =>
      doing(`Export of “${capture.name}”`, async (desk, how) => {
        const sizeBytes = await desk.exportCapture(capture, how);
        return { text: `“${capture.name}” was written: ${formatBytes(sizeBytes)}.` };
      }),
    async importFiles(files) {
      for (const file of files) {
        await doing(`Import of ${file.name}`, async (desk, how) => {
          const imported = await desk.importCaptureFile(file, how);
          await changed();
          return { text: wordImport(imported), imported };
        });
        if (problem.value !== undefined || ending?.signal.aborted === true) return;
      }
    },
    cancel: () => ending?.abort(),
  };
}

function wordImport({ imported }: CaptureRecord): string {
  const { file = '', repairCount = 0 } = imported ?? {};
  const repairs =
    repairCount === 0
      ? 'Nothing had to be put right.'
      : `${formatCount(repairCount, 'thing')} had to be put right.`;
  return `${file} was imported. ${repairs}`;
}
