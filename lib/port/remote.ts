import { AppError, toProblem, type Problem } from '../errors.ts';

/** A call of a function at the other end; one without an id wants no answer. */
export interface RemoteCall {
  name: string;
  args: unknown[];
  id?: number;
}

/** What came of a call. Ports carry JSON, in which an `Error` would be `{}`: errors travel as problems. */
export interface RemoteAnswer {
  id: number;
  result?: unknown;
  problem?: Problem;
}

type Post = (message: RemoteCall | RemoteAnswer) => void;

/** Calls one of `functions`, and posts what comes of it where that is wanted. */
export async function answerCall(
  { name, args, id }: RemoteCall,
  functions: object,
  post: Post,
): Promise<void> {
  let answer: Omit<RemoteAnswer, 'id'>;
  try {
    // What is missing among the arguments arrives as `null`, which no call of ours ever means.
    const given = args.map((argument) => argument ?? undefined);
    const called = Reflect.get(functions, name) as (...given: unknown[]) => unknown;
    answer = { result: await Reflect.apply(called, functions, given) };
  } catch (error) {
    answer = { problem: toProblem(error) };
  }
  if (id === undefined) return;
  try {
    post({ id, ...answer });
  } catch {
    // An answer that cannot be posted has nobody to hear it: the page closed while it waited.
  }
}

interface Waiting {
  settle(answer: RemoteAnswer): void;
  reject(error: unknown): void;
  timer: ReturnType<typeof setTimeout>;
}

/** How long an answer is waited for, in milliseconds. */
const PATIENCE_MS = 30_000;

const LATE: Problem = {
  code: 'deadline',
  message: 'The background worker did not answer in time.',
  advice: 'Try once more.',
};

/** Calls that wait for their answers. */
export interface RemoteCalls {
  /** Posts before it returns; resolves with the answer, rejects with an `AppError`, or with what `post` throws. */
  call(name: string, args: unknown[]): Promise<unknown>;
  settle(answer: RemoteAnswer): void;
  /** Nobody answers the calls under way any more. */
  rejectAll(problem: Problem): void;
}

/** Makes calls; `post` hands a message to the port, or throws. */
export function createRemoteCalls(post: Post): RemoteCalls {
  const waiting = new Map<number, Waiting>();
  let count = 0;

  function take(id: number): Waiting | undefined {
    const entry = waiting.get(id);
    waiting.delete(id);
    clearTimeout(entry?.timer);
    return entry;
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
        take(id)?.reject(error);
      }
      return promise;
    },
    settle: (answer) => take(answer.id)?.settle(answer),
    rejectAll(problem) {
      for (const id of [...waiting.keys()]) take(id)?.reject(new AppError(problem));
    },
  };
}
