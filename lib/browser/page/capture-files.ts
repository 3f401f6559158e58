import { browser } from 'wxt/browser';
import type { CaptureRecord } from '../../capture/store/capture-record.ts';
import { captureDatabase } from '../../capture/store/database.ts';
import { AppError } from '../../errors.ts';
import type { ExportChoice, ExportReport, ExportSource } from '../../har/write/export-work.ts';
import type { FileAnswer, FileJob } from '../../har/file-jobs.ts';

/** How long the browser may take to begin with a download. */
const DOWNLOAD_MS = 60_000;

/** Starts a thread for files, and says what it answers. */
export type OpenFileThread = (answered: (answer: FileAnswer) => void) => {
  post(job: FileJob): void;
  end(): void;
};

export interface FileWork {
  signal: AbortSignal;
  /** Told how much is done, from 0 to 1. */
  progress(share: number): void;
}

/** A capture that is about to be written. */
export interface CaptureExport {
  report: ExportReport;
  /** Writes the file and has the browser save it; resolves with its size in bytes. */
  write(choice: ExportChoice, work: FileWork): Promise<number>;
  /** It will not be written any more. */
  close(): void;
}

type AnswerOf<Kind extends FileAnswer['kind']> = Extract<FileAnswer, { kind: Kind }>;

/** Files in a thread of their own: it can be ended at any time, and no page waits for it. */
export function createCaptureFiles(openThread: OpenFileThread) {
  function startThread() {
    let told: (answer: FileAnswer) => void = () => undefined;
    const thread = openThread((answer) => told(answer));
    return {
      end: () => thread.end(),
      run<Kind extends FileAnswer['kind']>(job: FileJob, kind: Kind, work: FileWork) {
        const { promise, resolve, reject } = Promise.withResolvers<AnswerOf<Kind>>();
        const stop = () => {
          thread.end();
          reject(work.signal.reason as Error);
        };
        work.signal.addEventListener('abort', stop);
        told = (answer) => {
          if (answer.kind === 'progress') return work.progress(answer.share);
          if (answer.kind === 'failed') reject(new AppError(answer.problem));
          else if (answer.kind === kind) resolve(answer as AnswerOf<Kind>);
        };
        thread.post(job);
        return promise.finally(() => work.signal.removeEventListener('abort', stop));
      },
    };
  }

  return {
    /** Reads a stored capture to be written, and looks for its secrets. */
    async openExport(
      capture: CaptureRecord,
      rules: ExportSource['rules'],
      work: FileWork,
    ): Promise<CaptureExport> {
      const thread = startThread();
      const { name, version } = browser.runtime.getManifest();
      const creator = { name: name.split(':')[0] ?? name, version };
      const job: FileJob = { kind: 'open-export', capture, rules, creator, browser: browserName() };
      try {
        const { report } = await thread.run(job, 'opened', work);
        return {
          report,
          async write(choice, writing) {
            try {
              const { file } = await thread.run({ kind: 'write', choice }, 'written', writing);
              const ending = choice.format === 'html' ? 'html' : 'mcp.har';
              save(file, `${fileName(capture.name)}.${ending}`);
              return file.size;
            } finally {
              thread.end();
            }
          },
          close: thread.end,
        };
      } catch (error) {
        thread.end();
        throw error;
      }
    },

    /** Reads a HAR file of any tool into a capture of its own; resolves with its record. */
    async importCaptureFile(file: File, work: FileWork): Promise<CaptureRecord> {
      const captureId = crypto.randomUUID();
      const thread = startThread();
      try {
        const job: FileJob = { kind: 'import', file, captureId };
        return (await thread.run(job, 'imported', work)).capture;
      } catch (error) {
        // What it had stored when it was ended goes with it.
        thread.end();
        const database = captureDatabase();
        await database.deleteCapture(captureId).finally(() => database.close());
        throw error;
      } finally {
        thread.end();
      }
    },
  };
}

function browserName(): { name: string; version: string } {
  const [, name = '', version = ''] = /(Firefox|Chrome)\/([\d.]+)/.exec(navigator.userAgent) ?? [];
  return { name, version };
}

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
