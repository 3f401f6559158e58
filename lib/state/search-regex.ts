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
  /** One list for each text. */
  matches: TextMatch[][];
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

/** An expression that needs longer than this for a few hundred kilobytes will need longer for ever, in ms. */
const PATIENCE_MS = 1500;
/** For one text alone, which is no longer than a window. */
const TEXT_PATIENCE_MS = 400;

/** What the thread does with a job. */
export function answerJob({ id, pattern, texts }: SearchJob): SearchAnswer {
  return { id, matches: texts.map((text) => matchText(text, pattern)) };
}

/** Runs an expression where it blocks nobody: a thread that does not answer in time is ended, and replaced. */
export function createRegexMatcher(
  pattern: SearchPattern,
  openWorker: OpenSearchWorker,
  patience = { jobMs: PATIENCE_MS, textMs: TEXT_PATIENCE_MS },
): RegexMatcher {
  let worker: SearchWorker | undefined;
  let settle: ((answer: SearchAnswer | Error | undefined) => void) | undefined;
  let jobs = 0;

  function endWorker(): void {
    worker?.end();
    worker = undefined;
  }

  /** Undefined where the time was over first. */
  async function ask(texts: string[], patienceMs: number): Promise<TextMatch[][] | undefined> {
    jobs += 1;
    const id = jobs;
    const asked = Promise.withResolvers<SearchAnswer | Error | undefined>();
    settle = asked.resolve;
    worker ??= openWorker(
      (answer) => {
        if (answer.id === jobs) settle?.(answer);
      },
      (reason) => settle?.(new Error(reason)),
    );
    worker.post({ id, pattern, texts });
    const timer = setTimeout(() => asked.resolve(undefined), patienceMs);
    const answer = await asked.promise;
    clearTimeout(timer);
    if (answer instanceof Error) throw answer;
    if (answer === undefined) endWorker();
    return answer?.matches;
  }

  return {
    async match(texts) {
      const all = await ask(texts, patience.jobMs);
      if (all !== undefined || texts.length === 0) return all ?? [];
      // One of them is to blame, which the others must not suffer for.
      const found: (TextMatch[] | undefined)[] = [];
      for (const text of texts) {
        const alone = await ask([text], patience.textMs);
        found.push(alone?.[0]);
      }
      return found;
    },
    end() {
      settle?.({ id: 0, matches: [] });
      endWorker();
    },
  };
}
