import { AppError, toProblem, type Problem } from '../errors.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { Header } from '../capture/stored-text.ts';
import type { AbortCause, HttpEnd, Purpose, RequestLinks } from '../capture/wire-event.ts';
import { createTurns } from '../turns.ts';
import type { HttpCall, HttpDoor, HttpHead, HttpObserver, HttpReply } from './http-door.ts';
import { INJECTED, InjectedCut } from './injected.ts';
import type { Network } from './network.ts';
import { brake, isBehind, notePause, roomFor } from './brake.ts';
import { readAhead } from './read-ahead.ts';
import { mayFollow } from './redirects.ts';
import type { Authorizer } from './authorizer.ts';
import type { SieveFactory } from './sieve.ts';
import type { Slot, Slots } from './slots.ts';
import { isStream, takeSlot } from './take-slot.ts';

/** Same-origin 307 and 308 are followed this often (design: redirects). */
const REDIRECT_HOPS = 5;
/** Larger chunks are recorded in parts, with time between them for the pages that share a process with us. */
const CHUNK_BYTES = 256 * 1024;

/** What every exchange of one connection shares. */
export interface ExchangeContext {
  door: HttpDoor;
  recorder: Pick<Recorder, 'record' | 'uncommittedBytes' | 'flushed'>;
  /** Makes a value secret from now on. */
  keepSecret?(value: string): void;
  connectionId: string;
  newHttpId(): string;
  /** The connections that a browser has to each host; absent where there is no such limit. */
  slots?: Slots;
  /** Faults that were put in on purpose may change where a stream is resumed from; `undefined`: not at all. */
  faults?: { resumeFrom(httpId: string, lastEventId: string): string | undefined };
  /** Absent where there is always one. */
  network?: Network;
  /** What authorizes the requests to the server; absent where nothing does. */
  authorizer?: Authorizer;
}

export interface ExchangeRequest {
  purpose: Purpose;
  method: HttpCall['method'];
  url: string;
  headers: Header[];
  body?: Uint8Array<ArrayBuffer>;
  links?: RequestLinks;
  /** Its reason should be an `ExchangeAbort`. */
  signal: AbortSignal;
  /** Whether its answer stays open as a stream does, so that it must not take the last connections. */
  staysOpen?: boolean;
  /** Finds secrets in the body before anything of it is recorded. */
  sieve?: SieveFactory;
  /** Whether no redirect at all is followed. */
  staysPut?: boolean;
  /** Called with the id of the exchange, again for every hop of a redirect, before it is sent. */
  started?(httpId: string): void;
  /** Its limits of time do not run while somebody has to be asked. */
  held?(isHeld: boolean): void;
}

/** Reason with which a signal ends an exchange: why, and what to tell whoever waits for it. */
export class ExchangeAbort extends AppError {
  readonly abortCause: AbortCause;
  /** For a deadline: how long the exchange was waited for. */
  readonly waitedMs: number | undefined;

  constructor(abortCause: AbortCause, problem: Problem, waitedMs?: number) {
    super(problem);
    this.name = 'ExchangeAbort';
    this.abortCause = abortCause;
    this.waitedMs = waitedMs;
  }
}

/** An exchange whose response head has arrived. */
export interface Exchange {
  httpId: string;
  /** What was asked, after redirects. */
  request: Pick<ExchangeRequest, 'url' | 'headers'>;
  head: HttpHead;
  /** Where the answer comes from, if not from the server. */
  origin: HttpReply['origin'];
  /** A redirect that was not followed. */
  redirect?: { location: string; target: string };
  /**
   * Reads and records the body. `take` sees each chunk after it was recorded, and may end the exchange by
   * returning a cause; `beforeEnd` runs when the last one has come. Resolves with the end, which is recorded.
   */
  read(take: Take, beforeEnd?: () => void): Promise<HttpEnd>;
  /** Ends reading from outside. */
  stop(cause: AbortCause, note?: string): void;
}

/**
 * Sends one request, with everything about it recorded, and resolves when the head of its answer is there.
 * Rejects with an `AppError` when there is no answer; the end is recorded then.
 */
export async function openExchange(
  context: ExchangeContext,
  request: ExchangeRequest,
): Promise<Exchange> {
  let url = request.url;
  let links = request.links ?? {};
  for (let hop = 0; ; hop += 1) {
    const exchange = await sendOnce(context, { ...request, url, links });
    const { redirect, head } = exchange;
    if (
      redirect === undefined ||
      request.staysPut === true ||
      hop >= REDIRECT_HOPS ||
      !mayFollow(head.status, url, redirect.target)
    ) {
      return exchange;
    }
    await exchange.read(() => undefined);
    url = redirect.target;
    links = { ...links, causedBy: exchange.httpId, reason: 'redirect' };
  }
}

async function sendOnce(context: ExchangeContext, request: ExchangeRequest): Promise<Exchange> {
  const { recorder, connectionId } = context;
  const { purpose, method, url, body, signal } = request;
  const credentials = credentialsFor(context, request);
  const headers = [
    ...request.headers,
    ...(credentials instanceof Promise ? await credentials : credentials),
  ];
  const httpId = context.newHttpId();
  request.started?.(httpId);
  recorder.record(
    {
      kind: 'http-request',
      httpId,
      purpose,
      method,
      url: { text: url },
      headers,
      ...(body === undefined ? {} : { body: { bytes: body } }),
      links: request.links ?? {},
    },
    connectionId,
  );
  let reply: HttpReply;
  let slot: Slot | undefined;
  try {
    signal.throwIfAborted();
    slot = await takeSlot(context, httpId, request);
    const call: HttpCall = { httpId, method, url, headers, signal };
    if (body !== undefined) call.body = body;
    reply = await context.door.send(call, observerOf(context, httpId, url));
  } catch (error) {
    slot?.release();
    recorder.record({ kind: 'http-end', httpId, end: endWithoutHead(error) }, connectionId);
    throw error instanceof AppError ? error : new AppError(toProblem(error), { cause: error });
  }
  const { head, redirect, origin } = reply;
  if (redirect !== undefined) {
    recorder.record(
      { kind: 'http-redirect', httpId, status: head.status, ...redirect },
      connectionId,
    );
  }
  recorder.record({ kind: 'http-response', httpId, ...head }, connectionId, origin);
  if (isStream(head)) slot?.becomeStream();
  return {
    httpId,
    request: { url, headers },
    head,
    origin,
    ...(redirect === undefined ? {} : { redirect }),
    ...bodyReader(context, httpId, reply, request, slot),
  };
}

/** Read for each request. What the user has given as a header goes before. */
function credentialsFor({ authorizer }: ExchangeContext, request: ExchangeRequest) {
  return hasOwnCredentials(request.headers) ? [] : (authorizer?.headers(request) ?? []);
}

/** Whether a request brings an `Authorization` header of its own. */
export function hasOwnCredentials(headers: readonly Header[]): boolean {
  return headers.some(({ name }) => name.toLowerCase() === 'authorization');
}

function observerOf(context: ExchangeContext, httpId: string, url: string): HttpObserver {
  const { recorder, connectionId } = context;
  return {
    sent: (headers, added) =>
      void recorder.record({ kind: 'http-sent', httpId, headers, added }, connectionId),
    received: (statusLine, headers) =>
      void recorder.record({ kind: 'http-received', httpId, statusLine, headers }, connectionId),
    connection(details) {
      recorder.record({ kind: 'http-connection', httpId, ...details }, connectionId);
      if (details.protocol !== undefined) context.slots?.learn(url, details.protocol);
    },
  };
}

/** The reading half of an exchange: every chunk is recorded before anybody looks at it. */
function bodyReader(
  context: ExchangeContext,
  httpId: string,
  { body: reply, origin }: HttpReply,
  { signal, sieve: createSieve }: ExchangeRequest,
  slot: Slot | undefined,
): Pick<Exchange, 'read' | 'stop'> {
  const { recorder, connectionId } = context;
  const sieve = createSieve?.(context.keepSecret);
  let sizeBytes = 0;
  let endOrigin = origin;
  let stopped: AbortCause | undefined;
  let note: string | undefined;
  const ahead =
    context.door.canBrake || reply === undefined
      ? undefined
      : readAhead(
          reply,
          () => roomFor(context),
          (waitingBytes) => notePause(context, httpId, waitingBytes),
        );
  const body = ahead ?? reply;

  function stop(cause: AbortCause, why?: string): void {
    if (stopped === undefined) note = why;
    stopped ??= cause;
    // The connection goes with the reader; what it still rejects with is of no interest.
    body?.cancel().catch(() => undefined);
  }

  function record(piece: Uint8Array, take: Take): void {
    const offset = sizeBytes;
    sizeBytes += piece.length;
    recorder.record({ kind: 'http-chunk', httpId, offset, data: { bytes: piece } }, connectionId);
    const cause = take(piece, offset);
    if (cause !== undefined) stop(cause);
  }

  async function recordInTurns(chunk: Uint8Array, take: Take): Promise<void> {
    const turns = createTurns();
    for (let start = 0; start < chunk.length && stopped === undefined; start += CHUNK_BYTES) {
      record(chunk.subarray(start, start + CHUNK_BYTES), take);
      if (turns.isOver) await turns.next();
    }
  }

  async function readToEnd(take: Take): Promise<HttpEnd> {
    if (body === undefined) return { outcome: 'complete', sizeBytes };
    try {
      while (stopped === undefined) {
        if (isBehind(context) && context.door.canBrake) await brake(context, httpId);
        const { done, value } = await body.read();
        const ready = sieve === undefined ? value : sieve.admit(done ? undefined : value);
        if (ready !== undefined && ready.length > CHUNK_BYTES) await recordInTurns(ready, take);
        else if (ready !== undefined) record(ready, take);
        if (done && ahead?.isCut === true) stop('too-fast');
        if (done) break;
      }
    } catch (error) {
      if (signal.aborted) stopped ??= abortCauseOf(signal.reason);
      if (stopped === undefined) {
        if (error instanceof InjectedCut) endOrigin = INJECTED;
        const errorName = await context.door.bodyError(httpId, error);
        return { outcome: 'cut', sizeBytes, errorName };
      }
    }
    return stopped === undefined
      ? { outcome: 'complete', sizeBytes }
      : { outcome: 'aborted', cause: stopped, sizeBytes, ...(note === undefined ? {} : { note }) };
  }

  return {
    stop,
    async read(take, beforeEnd) {
      const end = await readToEnd(take);
      slot?.release();
      beforeEnd?.();
      recorder.record({ kind: 'http-end', httpId, end }, connectionId, endOrigin);
      return end;
    },
  };
}

type Take = (chunk: Uint8Array, offset: number) => AbortCause | undefined;

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

function abortCauseOf(reason: unknown): AbortCause {
  return reason instanceof ExchangeAbort ? reason.abortCause : 'user';
}
