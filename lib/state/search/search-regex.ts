import { matchText } from './search-pattern.ts';
import type { SearchPattern, TextMatch } from './search-pattern.ts';

/** Texts for a worker, in one message. */
export interface SearchJob {
  id: number;
  pattern: SearchPattern;
  texts: string[];
}

export interface SearchAnswer {
  id: number;
  /** One list for each text; absent where the thread only says that it has begun. */
  matches?: TextMatch[][];
}

/** A thread of its own, which can be ended while an expression runs in it. */
export interface SearchWorker {
  post(job: SearchJob): void;
  end(): void;
}

/** Starts a thread. `failed` is called where the browser refuses. */
export type OpenSearchWorker = (
  answered: (answer: SearchAnswer) => void,
  failed: (reason: string) => void,
) => SearchWorker;

/** Texts in, matches out; `undefined` for a text in which the expression takes too long. */
export interface RegexMatcher {
  match(texts: string[]): Promise<(TextMatch[] | undefined)[]>;
  end(): void;
}

/** What a thread has been asked. */
interface Job {
  id: number;
  begun(): void;
  end(outcome: TextMatch[][] | Error | undefined): void;
}

/** How long is waited, in ms. */
export interface SearchPatience {
  /** Until a thread begins with a job: where the machine is busy, it may start late. */
  startMs: number;
  /** An expression that needs longer for a few hundred kilobytes will need longer for ever. */
  jobMs: number;
  /** For one text alone, which is no longer than a window. */
  textMs: number;
}

const PATIENCE: SearchPatience = { startMs: 15_000, jobMs: 2000, textMs: 1000 };

/** What the thread does with a job. */
export function answerJob({ id, pattern, texts }: SearchJob, answer: (say: SearchAnswer) => void) {
  answer({ id });
  answer({ id, matches: texts.map((text) => matchText(text, pattern)) });
}

/** Runs an expression where it blocks nobody: a thread that does not answer in time is ended, and replaced. */
export function createRegexMatcher(
  pattern: SearchPattern,
  openWorker: OpenSearchWorker,
  patience = PATIENCE,
): RegexMatcher {
  let worker: SearchWorker | undefined;
  let job: Job | undefined;
  let jobs = 0;
  let isOver = false;

  function endWorker(): void {
    worker?.end();
    worker = undefined;
  }

  function heed({ id, matches }: SearchAnswer): void {
    if (id !== job?.id) return;
    if (matches === undefined) job.begun();
    else job.end(matches);
  }

  /** Undefined where the time was over first. */
  async function ask(texts: string[], patienceMs: number): Promise<TextMatch[][] | undefined> {
    const asked = Promise.withResolvers<TextMatch[][] | Error | undefined>();
    const { resolve } = asked;
    const wait = (ms: number, outcome?: Error) => setTimeout(() => resolve(outcome), ms);
    let timer = wait(patience.startMs, new Error('the browser gives it no time'));
    jobs += 1;
    const id = jobs;
    job = {
      id,
      begun() {
        clearTimeout(timer);
        timer = wait(patienceMs);
      },
      end: resolve,
    };
    worker ??= openWorker(heed, (reason) => job?.end(new Error(reason)));
    worker.post({ id, pattern, texts });
    const outcome = await asked.promise;
    clearTimeout(timer);
    if (!Array.isArray(outcome)) endWorker();
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  return {
    async match(texts) {
      const all = await ask(texts, patience.jobMs);
      if (all !== undefined || texts.length === 0) return all ?? [];
      // One of them is to blame, which the others must not suffer for.
      const found: (TextMatch[] | undefined)[] = [];
      for (const text of texts) {
        if (isOver) break;
        const alone = await ask([text], patience.textMs);
        found.push(alone?.[0]);
      }
      return found;
    },
    end() {
      isOver = true;
      endWorker();
      job?.end([]);
    },
  };
}
