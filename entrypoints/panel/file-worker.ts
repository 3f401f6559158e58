import { captureDatabase } from '../../lib/capture/store/database.ts';
import { toProblem } from '../../lib/errors.ts';
import { openExport, type ExportWork } from '../../lib/har/write/export-work.ts';
import type { FileAnswer, FileJob } from '../../lib/har/file-jobs.ts';
import { importHarFile } from '../../lib/har/read/import-work.ts';

// The thread in which files are read and written: a page that did it could not be used meanwhile. What is to be
// stopped is ended with its thread.
const database = captureDatabase();
let work: ExportWork | undefined;

function tell(answer: FileAnswer): void {
  postMessage(answer);
}

const progress = (share: number) => tell({ kind: 'progress', share });

async function run(job: FileJob): Promise<FileAnswer> {
  switch (job.kind) {
    case 'open-export': {
      const readBlocks = (...range: [string, number, number]) => database.readBlocks(...range);
      work = await openExport({ ...job, readBlocks }, progress);
      return { kind: 'opened', report: work.report };
    }
    case 'write': {
      if (work === undefined) throw new TypeError('Nothing has been opened to be written.');
      return { kind: 'written', file: await work.write(job.choice, progress) };
    }
    case 'import': {
      const capture = await importHarFile(job.file, job.captureId, database, progress);
      return { kind: 'imported', capture };
    }
  }
}

addEventListener('message', ({ data }: MessageEvent<FileJob>) => {
  run(data).then(tell, (error: unknown) => tell({ kind: 'failed', problem: toProblem(error) }));
});
