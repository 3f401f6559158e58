import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { CaptureRecord } from '../../capture/store/capture-record.ts';
import { toProblem, type Problem } from '../../errors.ts';
import type { WrittenRule } from '../../redact/rules.ts';
import { formatBytes, formatCount } from '../../text.ts';
import type { SettingStore } from '../view/column-choice.ts';
import { readRules, writeRules } from '../detail/secret-rules.ts';

/** How a work is told how far it is, and how it is ended. */
export interface FileWork {
  signal: AbortSignal;
  progress(share: number): void;
}

/** Writes and reads files; it is loaded when it is first used. */
export interface FileDesk {
  openExport(
    capture: CaptureRecord,
    rules: readonly WrittenRule[],
    work: FileWork,
  ): Promise<CaptureExport>;
  importCaptureFile(file: File, work: FileWork): Promise<CaptureRecord>;
}

/** A value that would give something away, and the first places that told so. */
export interface FoundSecret {
  value: string;
  secretClass: string;
  places: string[];
  count: number;
}

/** What was found in a capture that is about to be written. */
export interface ExportReport {
  found: FoundSecret[];
  /** How many values were hidden when they were recorded, and are in no file. */
  recorded: number;
  /** Ids of all exchanges and sockets. */
  carriers: string[];
}

/** A capture that is about to be written. */
export interface CaptureExport {
  report: ExportReport;
  write(choice: ExportChoice, work: FileWork): Promise<number>;
  close(): void;
}

/** How it is to be written. */
export interface ExportChoice {
  format: 'har' | 'html';
  secrets: 'hidden' | 'shown';
  profile: 'share-v1' | 'structure-only';
  /** Found values that stay all the same. */
  kept: readonly string[];
  /** Bodies up to this size stay whole; of larger ones, long texts are cut. */
  limitBytes?: number;
  /** Ids of exchanges and sockets; all where absent. */
  selected?: readonly string[];
}

/** What the table shows, where a filter hides some of it: ids of exchanges and sockets. */
export interface ShownPart {
  captureIds: ReadonlySet<string>;
  ids: ReadonlySet<string>;
}

/** What is asked before a file is written. */
export interface ExportQuestion {
  capture: CaptureRecord;
  prepared: CaptureExport;
  /** Ids that the filter leaves, where it leaves some out. */
  shown?: readonly string[];
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
  /** The user's own rules of what is secret. */
  rules: ReadonlySignal<readonly WrittenRule[]>;
  setRules(rules: readonly WrittenRule[]): void;
  askToExport(capture: CaptureRecord): Promise<void>;
  writeExport(choice: ExportChoice): Promise<void>;
  importFiles(files: readonly File[]): Promise<void>;
  cancel(): void;
}

export interface FileModelParts {
  load(): Promise<FileDesk>;
  /** There is a new capture. */
  changed(): Promise<void>;
  /** What the table shows; undefined where it shows everything. */
  shown?: () => ShownPart | undefined;
  settings?: SettingStore;
}

/** Export and import of captures, one file at a time. */
export function createFileModel({ load, changed, shown, settings }: FileModelParts): FileModel {
  const running = signal<RunningFileWork>();
  const outcome = signal<FileOutcome>();
  const problem = signal<Problem>();
  const question = signal<ExportQuestion>();
  const rules = signal<readonly WrittenRule[]>(readRules(settings));
  let ending: AbortController | undefined;

  function letGo(): void {
    question.value?.prepared.close();
    question.value = undefined;
  }

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
    let drawn = 0;
    try {
      outcome.value = await work(await load(), {
        signal: controller.signal,
        progress(share) {
          // A hundredth is the least that anybody sees.
          if (share - drawn < 0.01) return;
          drawn = share;
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
    rules,
    setRules(next) {
      rules.value = next;
      writeRules(settings, next);
    },
    async askToExport(capture) {
      if (running.value !== undefined) return;
      letGo();
      await doing(`Looking for secrets in “${capture.name}”`, async (desk, how) => {
        const prepared = await desk.openExport(capture, rules.value, how);
        const part = shown?.();
        const { carriers } = prepared.report;
        const left = part?.captureIds.has(capture.captureId)
          ? carriers.filter((id) => part.ids.has(id))
          : carriers;
        question.value = {
          capture,
          prepared,
          ...(left.length === carriers.length ? {} : { shown: left }),
        };
        return undefined;
      });
    },
    async writeExport(choice) {
      const asked = question.value;
      question.value = undefined;
      if (asked === undefined) return;
      const { name } = asked.capture;
      await doing(`Export of “${name}”`, async (_desk, how) => {
        const sizeBytes = await asked.prepared.write(choice, how);
        return { text: `“${name}” was written: ${formatBytes(sizeBytes)}.` };
      });
    },
    async importFiles(files) {
      letGo();
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
      letGo();
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
