import { AppError } from '../../errors.ts';
import type { RpcId } from '../../capture/correlate/items.ts';
import type { AnswerPolicies, ServerAnswer, ServerQuestion } from '../../port/contract.ts';
import { buildError, buildResult, type Message } from '../../protocol/jsonrpc.ts';
import { answerByPolicy, declaredCapabilities } from './answer-policy.ts';

type ServerRequest = Message & { kind: 'request' };
type By = 'policy' | 'user';

/** What a result of ours asks for before its request can go on (2026-07-28, basic/patterns/mrtr). */
export interface AskedInput {
  requests: { key: string; method: string; params: unknown }[];
  askedBy: NonNullable<ServerQuestion['askedBy']>;
  /** Who gave an answer, or refused to. */
  answered(key: string, by: By, isRefused: boolean): void;
  /** Ends when no answer is wanted any more. */
  until?: AbortSignal;
}

export interface ServerRequestsOptions {
  /** Its policies may change at any time; they hold for the next question. */
  profile: { readonly answers: AnswerPolicies };
  /** Sends an answer; `by` says who gave it. */
  send(text: string, request: { id: RpcId; method: string }, by: By): void;
  changed(): void;
  now(): number;
}

/** The server's requests to us: what a policy answers, and the queue of what waits for the user. */
export interface ServerRequests {
  readonly capabilities: Record<string, object>;
  readonly questions: ServerQuestion[];
  take(request: ServerRequest): void;
  /** Waits on for the answer to a question of an earlier life of the worker. */
  restore(question: ServerQuestion): void;
  /**
   * Gets answers to all that a result asks for, as JSON texts by key. Resolves with `undefined` where one of
   * them was refused, since there is no way to say so but not to go on.
   */
  ask(input: AskedInput): Promise<Map<string, string> | undefined>;
  /** Throws an `AppError` where nothing waits under this id. */
  answer(rpcId: RpcId, answer: ServerAnswer): void;
  /** The server no longer wants an answer (basic/utilities/cancellation). */
  withdraw(rpcId: RpcId): void;
  clear(): void;
}

interface Waiting {
  question: ServerQuestion;
  /** Called once; with nothing where no answer is wanted any more. */
  settle(answer: ServerAnswer | undefined): void;
}

/** Answers by policy, or keeps the question. Ids go back to the letter. */
export function createServerRequests(options: ServerRequestsOptions): ServerRequests {
  const { profile, now } = options;
  const waiting = new Map<RpcId, Waiting>();
  let inputs = 0;

  function wait(question: ServerQuestion, settle: Waiting['settle']): void {
    waiting.set(question.rpcId, { question, settle });
    options.changed();
  }

  function take({ id, method, params }: ServerRequest): void {
    const send = (answer: ServerAnswer, by: By) =>
      options.send(answerText(id, answer), { id, method }, by);
    const answer = answerByPolicy({ method, params }, profile.answers);
    if (answer !== undefined) return send(answer, 'policy');
    restore({ rpcId: id, method, params, since: now() });
  }

  function restore(question: ServerQuestion): void {
    const { rpcId: id, method } = question;
    wait(question, (given) => {
      if (given !== undefined) options.send(answerText(id, given), { id, method }, 'user');
    });
  }

  async function ask({ requests, askedBy, answered, until }: AskedInput) {
    inputs += 1;
    const number = inputs;
    const decided = requests.map((asked) => ({
      asked,
      byPolicy: answerByPolicy(asked, profile.answers),
    }));
    until?.addEventListener('abort', drop, { once: true });
    // What a policy refuses leaves nothing to ask the user.
    const refused = decided.find(({ byPolicy }) => byPolicy !== undefined && 'code' in byPolicy);
    if (refused !== undefined) {
      answered(refused.asked.key, 'policy', true);
      return undefined;
    }
    const given = await Promise.all(
      decided.map(async ({ asked: { key, method, params }, byPolicy }) => {
        const answer = byPolicy ?? (await askUser(`input ${number} ${key}`, method, params));
        const isGiven = answer !== undefined && 'resultText' in answer;
        if (answer !== undefined)
          answered(key, byPolicy === undefined ? 'user' : 'policy', !isGiven);
        if (isGiven) return [key, answer.resultText] as const;
        // One refusal settles it: the other questions need no answer any more.
        drop();
        return undefined;
      }),
    );

    function drop(): void {
      for (const { key } of requests) settle(`input ${number} ${key}`, undefined);
    }

    function askUser(rpcId: string, method: string, params: unknown) {
      return new Promise<ServerAnswer | undefined>((resolve) => {
        wait({ rpcId, askedBy, method, params, since: now() }, resolve);
      });
    }

    return given.every((entry) => entry !== undefined) ? new Map(given) : undefined;
  }

  function settle(rpcId: RpcId, answer: ServerAnswer | undefined): boolean {
    const entry = waiting.get(rpcId);
    if (entry === undefined) return false;
    waiting.delete(rpcId);
    options.changed();
    entry.settle(answer);
    return true;
  }

  return {
    get capabilities() {
      return declaredCapabilities(profile.answers);
    },
    get questions() {
      return [...waiting.values()].map(({ question }) => question);
    },
    take,
    restore,
    ask,
    answer(rpcId, answer) {
      if (settle(rpcId, answer)) return;
      throw new AppError({
        code: 'not-connected',
        message: 'The server no longer waits for this answer.',
      });
    },
    withdraw: (rpcId) => void settle(rpcId, undefined),
    clear() {
      for (const rpcId of waiting.keys()) settle(rpcId, undefined);
    },
  };
}

function answerText(id: RpcId, answer: ServerAnswer): string {
  return 'resultText' in answer
    ? buildResult(id, answer.resultText)
    : buildError(id, answer.code, answer.message);
}
