import type { FileAnswer, FileJob } from '../../lib/har/file-jobs.ts';

/** Starts the thread for files. */
export function openFileWorker(answered: (answer: FileAnswer) => void) {
  const worker = new Worker(new URL('./file-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<FileAnswer>) => answered(data));
  worker.addEventListener('error', ({ message }) =>
    answered({
      kind: 'failed',
      problem: {
        code: 'internal',
        message: 'The thread that reads and writes files has ended.',
        advice: 'The file may need more memory than the browser gives a page. Nothing is lost.',
        detail: message,
      },
    }),
  );
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has one end only
    post: (job: FileJob) => worker.postMessage(job),
    end: () => worker.terminate(),
  };
}
