import type { OpenSearchWorker, SearchAnswer } from '../../lib/state/search/search-regex.ts';

/** Starts the thread for expressions. */
export const openSearchWorker: OpenSearchWorker = (answered, failed) => {
  const worker = new Worker(new URL('./search-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<SearchAnswer>) => answered(data));
  worker.addEventListener('error', ({ message }) =>
    failed(message || 'the browser did not start its thread'),
  );
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has one end only
  return { post: (job) => worker.postMessage(job), end: () => worker.terminate() };
};
