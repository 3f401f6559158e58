import type { Header } from '../../capture/store/stored-text.ts';
import type { RequestLinks } from '../../capture/wire-event.ts';
import type { ServerQuestion } from '../../port/contract.ts';
import { targetOf } from '../../capture/correlate/message-details.ts';
import {
  nextRoundParams,
  readInputRequired,
  type InputRequired,
} from '../../protocol/input-required.ts';
import { delay } from '../../delay.ts';
import type { Response } from '../requests/own-request.ts';

/** A server that asks for ever is not answered for ever. */
const MAX_ROUNDS = 10;
/** A server that asks nothing, only for another try, is given this long, in milliseconds. */
const PAUSE_MS = 250;

/** A request as the user sent it. */
export interface Call {
  method: string;
  paramsText: string | undefined;
  /** The user's own, for this request only. */
  headers?: Header[];
  /** In the place of the connection's, in milliseconds. */
  idleTimeoutMs?: number;
  /** It may become a task: in the modern era it says that it can. */
  asTask?: boolean;
}

/** One round of it. */
export interface Round {
  response: Response;
  carrierId: string;
}

export interface RoundsContext {
  /** Ends with the connection. */
  signal: AbortSignal;
  /** Gets the answers, as JSON texts of results; `undefined` where there are to be none. */
  ask(
    asked: InputRequired,
    askedBy: NonNullable<ServerQuestion['askedBy']>,
    carrierId: string,
    /** Ends when no answer is wanted any more. */
    signal?: AbortSignal,
  ): Promise<Map<string, string> | undefined>;
  send(call: Call, links: RequestLinks): Promise<Round>;
  /** The last result still asks, and nothing more is sent. */
  givenUp(carrierId: string): void;
}

/**
 * Goes on with a request until its result is the last word (2026-07-28, "Multi Round-Trip Requests"): each
 * round is a request of its own, with a new id. Resolves with the last response, which still asks where nobody
 * answered, or where the server never had enough.
 */
export async function completeRounds(
  call: Call,
  first: Round,
  context: RoundsContext,
): Promise<Response> {
  let { response, carrierId } = first;
  for (let number = 2; number <= MAX_ROUNDS; number += 1) {
    const asked = response.kind === 'result' ? readInputRequired(response.result) : undefined;
    if (asked === undefined) return response;
    let answers: Map<string, string> | undefined = new Map<string, string>();
    if (asked.requests.length > 0) answers = await context.ask(asked, askedBy(call), carrierId);
    else await delay(PAUSE_MS, context.signal);
    if (answers === undefined) return response;
    const paramsText = nextRoundParams(call.paramsText, asked, answers);
    const links = { retryOf: carrierId, attempt: number, reason: 'input-required' };
    ({ response, carrierId } = await context.send({ ...call, paramsText }, links));
  }
  if (response.kind === 'result' && readInputRequired(response.result) !== undefined) {
    context.givenUp(carrierId);
  }
  return response;
}

/** What is called, for the user who is asked on its behalf: its method, and the tool or prompt. */
export function askedBy({ method, paramsText = '{}' }: Call): { method: string; target?: string } {
  const target = targetOf(parsed(paramsText));
  return target === undefined ? { method } : { method, target };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
