import { AppError, type Problem } from '../../errors.ts';
import type { Recorder } from '../../capture/recorder.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import type {
  AbortCause,
  EventOrigin,
  HttpEnd,
  Purpose,
  RequestLinks,
} from '../../capture/wire-event.ts';
import { createTurns } from '../../turns.ts';
import { essence } from '../../protocol/diagnose.ts';
import { headerOf } from '../header-of.ts';
import type { BodyReader, HttpCall, HttpDoor, HttpHead, HttpReply } from './http-door.ts';
import { INJECTED, InjectedCut } from '../injected.ts';
import type { Network } from '../network.ts';
import { brake, isBehind, notePause, roomFor } from '../brake.ts';
import { readAhead, type ReadAhead } from './read-ahead.ts';
import type { Authorizer } from './authorizer.ts';
import type { Sieve, SieveFactory } from '../sieve/sieve.ts';
import type { Slot, Slots } from './slots.ts';

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
  request: Pick<HttpCall, 'url' | 'headers'>;
  head: HttpHead;
  /** `Content-Type` of the answer without its parameters, in lower case; empty where there is none. */
  mediaType: string;
  /** Where the answer comes from, if not from the server. */
  origin: HttpReply['origin'];
  /** A redirect that was not followed. */
  redirect: HttpReply['redirect'];
  /**
   * Reads and records the body. `take` sees each chunk after it was recorded, and may end the exchange by
   * returning a cause; `beforeEnd` runs when the last one has come. Resolves with the end, which is recorded.
   */
  read(take: Take, beforeEnd?: () => void): Promise<HttpEnd>;
  /** Ends reading from outside. */
  stop(cause: AbortCause, note?: string): void;
}

type Take = (chunk: Uint8Array, offset: number) => AbortCause | undefined;

/** An exchange as it was opened. Every chunk is recorded before anybody looks at it. */
export class OpenedExchange implements Exchange {
  readonly httpId: string;
  readonly request: Exchange['request'];
  readonly head: HttpHead;
  readonly mediaType: string;
  readonly origin: HttpReply['origin'];
  readonly redirect: HttpReply['redirect'];
  readonly #context: ExchangeContext;
  readonly #signal: AbortSignal;
  readonly #slot: Slot | undefined;
  readonly #sieve: Sieve | undefined;
  readonly #body: BodyReader | undefined;
  readonly #ahead: ReadAhead | undefined;
  #sizeBytes = 0;
  #endOrigin: EventOrigin | undefined;
  #stopped: AbortCause | undefined;
  #note: string | undefined;

  constructor(
    context: ExchangeContext,
    call: HttpCall,
    sieve: SieveFactory | undefined,
    slot: Slot | undefined,
    { head, origin, redirect, body }: HttpReply,
  ) {
    this.httpId = call.httpId;
    this.request = call;
    this.head = head;
    this.mediaType = essence(headerOf(head.headers, 'content-type'));
    this.origin = origin;
    this.redirect = redirect;
    this.#context = context;
    this.#signal = call.signal;
    this.#slot = slot;
    this.#sieve = sieve?.(context.keepSecret);
    this.#endOrigin = origin;
    if (body !== undefined && !context.door.canBrake) {
      this.#ahead = readAhead(
        body,
        () => roomFor(context),
        (waitingBytes) => notePause(context, this.httpId, waitingBytes),
      );
    }
    this.#body = this.#ahead ?? body;
  }

  stop(cause: AbortCause, note?: string): void {
    if (this.#stopped === undefined) this.#note = note;
    this.#stopped ??= cause;
    // The connection goes with the reader; what it still rejects with is of no interest.
    this.#body?.cancel().catch(() => undefined);
  }

  async read(take: Take, beforeEnd?: () => void): Promise<HttpEnd> {
    const context = this.#context;
    const body = this.#body;
    let errorName: string | undefined;
    try {
      while (body !== undefined && this.#stopped === undefined) {
        if (context.door.canBrake && isBehind(context)) await brake(context, this.httpId);
        const { done, value } = await body.read();
        const working = this.#admit(done ? undefined : value, take);
        if (working !== undefined) await working;
        if (done) break;
      }
      if (this.#ahead?.isCut === true) this.stop('too-fast');
    } catch (error) {
      errorName = await this.#breakOff(error);
    }
    return this.#recordEnd(errorName, beforeEnd);
  }

  /** Takes a chunk, `undefined` at the end; a promise where that is so much that it takes several turns. */
  #admit(chunk: Uint8Array | undefined, take: Take): Promise<void> | undefined {
    const ready = this.#sieve === undefined ? chunk : this.#sieve.admit(chunk);
    if (ready === undefined) return undefined;
    if (ready.length > CHUNK_BYTES) return this.#recordInTurns(ready, take);
    this.#record(ready, take);
    return undefined;
  }

  /** What broke the body, by the platform's own name; undefined where we did. */
  async #breakOff(error: unknown): Promise<string | undefined> {
    if (this.#signal.aborted) this.#stopped ??= abortCauseOf(this.#signal.reason);
    if (this.#stopped !== undefined) return undefined;
    if (error instanceof InjectedCut) this.#endOrigin = INJECTED;
    return this.#context.door.bodyError(this.httpId, error);
  }

  #recordEnd(errorName: string | undefined, beforeEnd: (() => void) | undefined): HttpEnd {
    const { recorder, connectionId } = this.#context;
    const { httpId } = this;
    const end = this.#end(errorName);
    this.#slot?.release();
    beforeEnd?.();
    recorder.record({ kind: 'http-end', httpId, end }, connectionId, this.#endOrigin);
    return end;
  }

  #record(piece: Uint8Array, take: Take): void {
    const { recorder, connectionId } = this.#context;
    const offset = this.#sizeBytes;
    this.#sizeBytes += piece.length;
    const data = { bytes: piece };
    recorder.record({ kind: 'http-chunk', httpId: this.httpId, offset, data }, connectionId);
    const cause = take(piece, offset);
    if (cause !== undefined) this.stop(cause);
  }

  async #recordInTurns(chunk: Uint8Array, take: Take): Promise<void> {
    const turns = createTurns();
    for (let start = 0; start < chunk.length && this.#stopped === undefined; start += CHUNK_BYTES) {
      this.#record(chunk.subarray(start, start + CHUNK_BYTES), take);
      if (turns.isOver) await turns.next();
    }
  }

  #end(errorName: string | undefined): HttpEnd {
    const sizeBytes = this.#sizeBytes;
    if (errorName !== undefined) return { outcome: 'cut', sizeBytes, errorName };
    const cause = this.#stopped;
    if (cause === undefined) return { outcome: 'complete', sizeBytes };
    const note = this.#note;
    return { outcome: 'aborted', cause, sizeBytes, ...(note === undefined ? {} : { note }) };
  }
}

function abortCauseOf(reason: unknown): AbortCause {
  return reason instanceof ExchangeAbort ? reason.abortCause : 'user';
}
