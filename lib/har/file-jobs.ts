import type { CaptureRecord } from '../capture/store/capture-record.ts';
import type { Problem } from '../errors.ts';
import type { WrittenRule } from '../redact/rules.ts';
import type { ExportChoice, ExportReport } from './write/export-work.ts';

/** What the thread for files is asked. One job at a time; a thread that is to stop is ended. */
export type FileJob =
  | {
      kind: 'open-export';
      capture: CaptureRecord;
      rules: readonly WrittenRule[];
      creator: { name: string; version: string };
      browser: { name: string; version: string };
    }
  | { kind: 'write'; choice: ExportChoice }
  | { kind: 'import'; file: File; captureId: string };

/** What it says: any number of times how far it is, then what came of it. */
export type FileAnswer =
  | { kind: 'progress'; share: number }
  | { kind: 'opened'; report: ExportReport }
  | { kind: 'written'; file: Blob }
  | { kind: 'imported'; capture: CaptureRecord }
  | { kind: 'failed'; problem: Problem };
