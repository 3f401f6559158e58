import { answerJob } from '../../lib/state/search/search-regex.ts';
import type { SearchJob } from '../../lib/state/search/search-regex.ts';

// The thread in which expressions run: it may hang, and is ended then.
addEventListener('message', ({ data }: MessageEvent<SearchJob>) =>
  answerJob(data, (answer) => postMessage(answer)),
);
