import { AppError } from '../errors.ts';
import type { RpcId } from '../capture/items.ts';
import type { AnswerPolicies, ServerAnswer, ServerQuestion } from '../port/contract.ts';
import { formDefaults, isUrlElicitation, unfilledFields } from '../protocol/elicitation.ts';
import { buildError, buildResult, type Message } from '../protocol/jsonrpc.ts';

const METHOD_NOT_FOUND = -32601;
const USER_REJECTED = -1;

type ServerRequest = Message & { kind: 'request' };

export interface ServerRequestsOptions {
  policies: AnswerPolicies;
  /** Sends an answer; `by` says who gave it. */
  send(text: string, request: { id: RpcId; method: string }, by: 'policy' | 'user'): void;
  changed(): void;
  now(): number;
}

/** The server's requests to us: what a policy answers, and the queue of what waits for the user. */
export interface ServerRequests {
  /** What `initialize` declares: only what has a way to be answered (basic/lifecycle, "Capability Negotiation"). */
  readonly capabilities: Record<string, object>;
  readonly questions: ServerQuestion[];
  take(request: ServerRequest): void;
  /** Throws an `AppError` where nothing waits under this id. */
  answer(rpcId: RpcId, answer: ServerAnswer): void;
  /** The server no longer wants an answer (basic/utilities/cancellation). */
  withdraw(rpcId: RpcId): void;
  clear(): void;
}

/** Answers by policy, or keeps the question. Ids go back to the letter. */
export function createServerRequests(options: ServerRequestsOptions): ServerRequests {
  const { policies, send } = options;
  const waiting = new Map<RpcId, ServerQuestion>();

  function take(request: ServerRequest): void {
    const text = byPolicy(request, policies);
    if (text !== undefined) {
      send(text, request, 'policy');
      return;
    }
    const { id, method, params } = request;
    waiting.set(id, { rpcId: id, method, params, since: options.now() });
    options.changed();
  }

  function drop(rpcId: RpcId): ServerQuestion | undefined {
    const question = waiting.get(rpcId);
    if (waiting.delete(rpcId)) options.changed();
    return question;
  }

  return {
    capabilities: declared(policies),
    get questions() {
      return [...waiting.values()];
    },
    take,
    answer(rpcId, answer) {
      const question = drop(rpcId);
      if (question === undefined) {
        throw new AppError({
          code: 'not-connected',
          message: 'The server no longer waits for this answer.',
        });
      }
      const text =
        'resultText' in answer
          ? buildResult(rpcId, answer.resultText)
          : buildError(rpcId, answer.code, answer.message);
      send(text, { id: rpcId, method: question.method }, 'user');
    },
    withdraw: (rpcId) => void drop(rpcId),
    clear() {
      if (waiting.size === 0) return;
      waiting.clear();
      options.changed();
    },
  };
}

function declared({ elicitation, sampling, roots }: AnswerPolicies): Record<string, object> {
  return {
    ...(elicitation === 'undeclared' ? {} : { elicitation: { form: {}, url: {} } }),
    ...(sampling === 'undeclared' ? {} : { sampling: {} }),
    ...(roots === 'undeclared' ? {} : { roots: {} }),
  };
}

/** The answer that a policy gives, or `undefined` where the user is to be asked. */
function byPolicy(request: ServerRequest, policies: AnswerPolicies): string | undefined {
  const { id, method, params } = request;
  switch (method) {
    case 'ping':
      return buildResult(id, '{}');
    case 'roots/list':
      if (policies.roots === 'undeclared') break;
      return policies.roots === 'ask'
        ? undefined
        : buildResult(id, JSON.stringify({ roots: policies.roots }));
    case 'sampling/createMessage':
      if (policies.sampling === 'undeclared') break;
      return policies.sampling === 'ask'
        ? undefined
        : buildError(id, USER_REJECTED, 'User rejected sampling request');
    case 'elicitation/create':
      if (policies.elicitation === 'undeclared') break;
      return elicitationByPolicy(id, params, policies.elicitation);
  }
  return buildError(id, METHOD_NOT_FOUND, `Method not found: ${method}`);
}

function elicitationByPolicy(
  id: RpcId,
  params: unknown,
  policy: 'ask' | 'defaults' | 'decline',
): string | undefined {
  if (policy === 'ask') return undefined;
  if (policy === 'decline') return buildResult(id, '{"action":"decline"}');
  // Nobody but the user can visit a URL, or fill in what has no default.
  const schema = (params as { requestedSchema?: unknown } | null)?.requestedSchema;
  if (isUrlElicitation(params) || unfilledFields(schema).length > 0) return undefined;
  return buildResult(id, JSON.stringify({ action: 'accept', content: formDefaults(schema) }));
}
