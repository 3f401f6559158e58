import type { Header } from '../capture/stored-text.ts';
import type { HttpEnd, WireFact } from '../capture/wire-event.ts';
import { AppError, toProblem } from '../errors.ts';
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

async function sendOnce(
  context: ExchangeContext,
  request: ExchangeRequest,
  hop: number,
): Promise<Exchange> {
  const { recorder, connectionId } = context;
  const { purpose, method, url, body, signal, links = {} } = request;
  const credentials = credentialsFor(context, request);
  const added = credentials instanceof Promise ? await credentials : credentials;
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
  if (body !== undefined) asked.body = { bytes: body };
  recorder.record(asked, connectionId);
  let reply: HttpReply;
  let slot: Slot | undefined;
  try {
    signal.throwIfAborted();
    if (context.slots !== undefined) slot = await takeSlot(context, httpId, request);
    const call: HttpCall = { httpId, method, url, headers, signal };
    if (body !== undefined) call.body = body;
    reply = await context.door.send(call, new ExchangeObserver(context, httpId, url));
  } catch (error) {
    slot?.release();
    recorder.record({ kind: 'http-end', httpId, end: endWithoutHead(error) }, connectionId);
    throw error instanceof AppError ? error : new AppError(toProblem(error), { cause: error });
  }
  const { redirect } = reply;
  const { status, statusText, headers: answered } = reply.head;
  if (redirect !== undefined) {
    recorder.record({ kind: 'http-redirect', httpId, status, ...redirect }, connectionId);
  }
  recorder.record(
    { kind: 'http-response', httpId, status, statusText, headers: answered },
    connectionId,
    reply.origin,
  );
  const exchange = new OpenedExchange(context, request, { httpId, headers, slot }, reply);
  if (exchange.mediaType === 'text/event-stream') slot?.becomeStream();
  const isFollowed =
    redirect !== undefined &&
    request.staysPut !== true &&
    hop < REDIRECT_HOPS &&
    mayFollow(status, url, redirect.target);
  if (!isFollowed) return exchange;
  await exchange.read(() => undefined);
  const next = { ...links, causedBy: httpId, reason: 'redirect' };
  return sendOnce(context, { ...request, url: redirect.target, links: next }, hop + 1);
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
  readonly #httpId: string;
  readonly #url: string;

  constructor(context: ExchangeContext, httpId: string, url: string) {
    this.#context = context;
    this.#httpId = httpId;
    this.#url = url;
  }

  sent(headers: Header[], added: Header[]): void {
    this.#record({ kind: 'http-sent', httpId: this.#httpId, headers, added });
  }

  received(statusLine: string, headers: Header[]): void {
    this.#record({ kind: 'http-received', httpId: this.#httpId, statusLine, headers });
  }

  connection(details: Parameters<HttpObserver['connection']>[0]): void {
    this.#record({ kind: 'http-connection', httpId: this.#httpId, ...details });
    const { protocol } = details;
    if (protocol !== undefined) this.#context.slots?.learn(this.#url, protocol);
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
