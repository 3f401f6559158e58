import type { Header } from '../../capture/store/stored-text.ts';
import type { HttpEnd, WireFact } from '../../capture/wire-event.ts';
import { AppError, toProblem } from '../../errors.ts';
import {
  ExchangeAbort,
  OpenedExchange,
  type Exchange,
  type ExchangeContext,
  type ExchangeRequest,
} from './exchange.ts';
import type { HttpCall, HttpObserver, HttpReply } from './http-door.ts';
import { mayFollow } from './redirects.ts';
import type { Slot } from './slots.ts';
import { takeSlot } from './take-slot.ts';

/** Same-origin 307 and 308 are followed this often (design: redirects). */
const REDIRECT_HOPS = 5;

/**
 * Sends one request, with everything about it recorded, and resolves when the head of its answer is there.
 * Rejects with an `AppError` when there is no answer; the end is recorded then.
 */
export function openExchange(
  context: ExchangeContext,
  request: ExchangeRequest,
): Promise<Exchange> {
  return sendOnce(context, request, 0);
}

/** What is rare is done elsewhere: an asynchronous function takes room for all of its variables with every call. */
async function sendOnce(
  context: ExchangeContext,
  request: ExchangeRequest,
  hop: number,
): Promise<Exchange> {
  const credentials = credentialsFor(context, request);
  const added = credentials instanceof Promise ? await credentials : credentials;
  const call = recordRequest(context, request, added);
  let slot: Slot | undefined;
  let reply: HttpReply;
  try {
    request.signal.throwIfAborted();
    if (context.slots !== undefined) slot = await takeSlot(context, call.httpId, request);
    reply = await context.door.send(call, new ExchangeObserver(context, call));
  } catch (error) {
    slot?.release();
    throw recordFailure(context, call, error);
  }
  const exchange = recordReply(context, request, call, slot, reply);
  return isFollowed(exchange, request, hop)
    ? followRedirect(context, request, exchange, hop)
    : exchange;
}

function recordRequest(
  context: ExchangeContext,
  request: ExchangeRequest,
  added: readonly Header[],
): HttpCall {
  const { purpose, method, url, body, signal, links = {} } = request;
  const headers = added.length === 0 ? request.headers : [...request.headers, ...added];
  const httpId = context.newHttpId();
  request.started?.(httpId);
  const asked: WireFact & { kind: 'http-request' } = {
    kind: 'http-request',
    httpId,
    purpose,
    method,
    url: { text: url },
    headers,
    links,
  };
  const call: HttpCall = { httpId, method, url, headers, signal };
  if (body !== undefined) {
    asked.body = { bytes: body };
    call.body = body;
  }
  context.recorder.record(asked, context.connectionId);
  return call;
}

function recordFailure(context: ExchangeContext, { httpId }: HttpCall, error: unknown): AppError {
  const end = endWithoutHead(error);
  context.recorder.record({ kind: 'http-end', httpId, end }, context.connectionId);
  return error instanceof AppError ? error : new AppError(toProblem(error), { cause: error });
}

function recordReply(
  context: ExchangeContext,
  request: ExchangeRequest,
  call: HttpCall,
  slot: Slot | undefined,
  reply: HttpReply,
): Exchange {
  const { recorder, connectionId } = context;
  const { httpId } = call;
  const { redirect, origin } = reply;
  const { status, statusText, headers } = reply.head;
  if (redirect !== undefined) {
    recorder.record({ kind: 'http-redirect', httpId, status, ...redirect }, connectionId);
  }
  recorder.record(
    { kind: 'http-response', httpId, status, statusText, headers },
    connectionId,
    origin,
  );
  const exchange = new OpenedExchange(context, call, request.sieve, slot, reply);
  if (exchange.mediaType === 'text/event-stream') slot?.becomeStream();
  return exchange;
}

function isFollowed({ head, redirect }: Exchange, request: ExchangeRequest, hop: number): boolean {
  return (
    redirect !== undefined &&
    request.staysPut !== true &&
    hop < REDIRECT_HOPS &&
    mayFollow(head.status, request.method, request.url, redirect.target)
  );
}

async function followRedirect(
  context: ExchangeContext,
  request: ExchangeRequest,
  exchange: Exchange,
  hop: number,
): Promise<Exchange> {
  await exchange.read(() => undefined);
  const url = exchange.redirect?.target ?? request.url;
  const links = { ...request.links, causedBy: exchange.httpId, reason: 'redirect' };
  return sendOnce(context, { ...request, url, links }, hop + 1);
}

/** Read for each request. What the user has given as a header goes before. */
function credentialsFor({ authorizer }: ExchangeContext, request: ExchangeRequest) {
  if (authorizer === undefined || hasOwnCredentials(request.headers)) return [];
  return authorizer.headers(request);
}

/** Whether a request brings an `Authorization` header of its own. */
export function hasOwnCredentials(headers: readonly Header[]): boolean {
  return headers.some(({ name }) => name.toLowerCase() === 'authorization');
}

class ExchangeObserver implements HttpObserver {
  readonly #context: ExchangeContext;
  readonly #call: HttpCall;

  constructor(context: ExchangeContext, call: HttpCall) {
    this.#context = context;
    this.#call = call;
  }

  sent(headers: Header[], added: Header[]): void {
    this.#record({ kind: 'http-sent', httpId: this.#call.httpId, headers, added });
  }

  received(statusLine: string, headers: Header[]): void {
    this.#record({ kind: 'http-received', httpId: this.#call.httpId, statusLine, headers });
  }

  connection(details: Parameters<HttpObserver['connection']>[0]): void {
    this.#record({ kind: 'http-connection', httpId: this.#call.httpId, ...details });
    const { protocol } = details;
    if (protocol !== undefined) this.#context.slots?.learn(this.#call.url, protocol);
  }

  #record(fact: WireFact): void {
    this.#context.recorder.record(fact, this.#context.connectionId);
  }
}

function endWithoutHead(error: unknown): HttpEnd {
  if (error instanceof ExchangeAbort) {
    return {
      outcome: 'aborted',
      cause: error.abortCause,
      sizeBytes: 0,
      note: error.problem.message,
    };
  }
  return { outcome: 'failed', problem: toProblem(error) };
}
