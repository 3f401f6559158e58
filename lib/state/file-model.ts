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
  openExport(capture: CaptureRecord, work: FileWork): Promise<CaptureExport>;
  importCaptureFile(file: File, work: FileWork): Promise<CaptureRecord>;
}

/** A capture that is about to be written: `counts` says how many values of each class are hidden. */
export interface CaptureExport {
  counts: ReadonlyMap<string, number>;
  write(holdsSecrets: boolean, work: FileWork): Promise<number>;
}

/** What is asked before a file is written. */
export interface ExportQuestion {
  capture: CaptureRecord;
  prepared: CaptureExport;
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
  /** Present once a capture was looked through for secrets, until its file is written or given up. */
  question: ReadonlySignal<ExportQuestion | undefined>;
  askToExport(capture: CaptureRecord): Promise<void>;
  writeExport(holdsSecrets: boolean): Promise<void>;
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
  const question = signal<ExportQuestion>();
  let ending: AbortController | undefined;

  async function doing(
    title: string,
    work: (desk: FileDesk, how: FileWork) => Promise<FileOutcome | undefined>,
  ): Promise<void> {
    // One at a time: each may need as much memory as its file is long.
    if (running.value !== undefined) return;
    const controller = new AbortController();
    ending = controller;
    running.value = { title, share: 0 };
    outcome.value = undefined;
    problem.value = undefined;
    question.value = undefined;
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
    question,
    askToExport: (capture) =>
      doing(`Looking for secrets in “${capture.name}”`, async (desk, how) => {
        question.value = { capture, prepared: await desk.openExport(capture, how) };
        return undefined;
      }),
    async writeExport(holdsSecrets) {
      const asked = question.value;
      question.value = undefined;
      if (asked === undefined) return;
      const { name } = asked.capture;
      await doing(`Export of “${name}”`, async (_desk, how) => {
        const sizeBytes = await asked.prepared.write(holdsSecrets, how);
        return { text: `“${name}” was written: ${formatBytes(sizeBytes)}.` };
      });
    },
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
    cancel() {
      question.value = undefined;
      ending?.abort();
    },
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
