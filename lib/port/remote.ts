import { AppError, toProblem, type Problem } from '../errors.ts';

/**
 * What goes over a port, which carries JSON: a call, which wants an answer where it has an id, or an answer. An
 * `Error` would arrive as `{}`, so errors travel as problems.
 */
type RemoteMessage = { name: string; args: unknown[]; id?: number } | RemoteAnswer;

interface RemoteAnswer {
  id: number;
  result?: unknown;
  problem?: Problem;
}

interface Waiting {
  settle(answer: RemoteAnswer): void;
  reject(error: Error): void;
  timer: ReturnType<typeof setTimeout>;
}

/** How long an answer is waited for, in milliseconds. */
const PATIENCE_MS = 30_000;

const LATE: Problem = {
  code: 'deadline',
  message: 'The background worker did not answer in time.',
  advice: 'Try once more.',
};

/** Calls of functions at the other end of a port, and answers to its calls. */
export interface Remote {
  /** Posts before it returns; resolves with the answer, rejects with an `AppError`. */
  call(name: string, args: unknown[]): Promise<unknown>;
  /** Wants no answer. Throws where it cannot be posted. */
  tell(name: string, args: unknown[]): void;
  /** Takes what came from the other end. */
  receive(message: unknown): void;
  /** Nobody answers the calls under way any more. */
  rejectAll(problem: Problem): void;
}

/** Two ends that call each other's functions; `post` hands a message to the port, or throws. */
export function createRemote(post: (message: unknown) => void, functions: object): Remote {
  const waiting = new Map<number, Waiting>();
  let count = 0;

  function take(id: number): Waiting | undefined {
    const entry = waiting.get(id);
    waiting.delete(id);
    clearTimeout(entry?.timer);
    return entry;
  }

  async function answer(name: string, args: unknown[], id: number | undefined): Promise<void> {
    let answered: { result?: unknown; problem?: Problem };
    try {
      // What is missing among the arguments arrives as `null`, which no call of ours ever means.
      const given = args.map((argument) => argument ?? undefined);
      const called = Reflect.get(functions, name) as (...given: unknown[]) => unknown;
      answered = { result: await Reflect.apply(called, functions, given) };
    } catch (error) {
      answered = { problem: toProblem(error) };
    }
    if (id === undefined) return;
    try {
      post({ id, ...answered });
    } catch {
      // An answer that cannot be posted has nobody to hear it: the page closed while it waited.
    }
  }

  return {
    call(name, args) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      count += 1;
      const id = count;
      const timer = setTimeout(() => take(id)?.reject(new AppError(LATE)), PATIENCE_MS);
      const settle = ({ result, problem }: RemoteAnswer) =>
        problem === undefined ? resolve(result) : reject(new AppError(problem));
      waiting.set(id, { settle, reject, timer });
      try {
        post({ name, args, id });
      } catch (error) {
        take(id)?.reject(error instanceof Error ? error : new Error(String(error)));
      }
      return promise;
    },
    tell: (name, args) => post({ name, args }),
    receive(message) {
      const came = message as RemoteMessage;
      if ('name' in came) void answer(came.name, came.args, came.id);
      else take(came.id)?.settle(came);
    },
    rejectAll(problem) {
      for (const id of [...waiting.keys()]) take(id)?.reject(new AppError(problem));
    },
  };
}
