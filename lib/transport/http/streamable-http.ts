import { delay } from '../../delay.ts';
import { AppError } from '../../errors.ts';
import type { RpcId } from '../../capture/correlate/items.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import type { Payload } from '../../protocol/jsonrpc.ts';
import { answerProblem } from './answer.ts';
import { carrying, openAuthorized } from '../exchange/authorized.ts';
import type { StreamReading } from '../sse/event-stream.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { HttpTransportOptions } from './http-options.ts';
import { readJsonReply } from './json-reply.ts';
import { mergeHeaders, overrideHeaders, POST_HEADERS } from './merge-headers.ts';
import { readMessages } from './message-stream.ts';
import {
  dropResumable,
  newOpenStream,
  newStreamSet,
  openingOf,
  positionsOf,
  whileOpen,
  type OpenStream,
} from './open-streams.ts';
import { openExchange } from '../exchange/open-exchange.ts';
import { readReconnecting } from './reconnect.ts';
import { createSeenEvents } from './seen-events.ts';
import { sessionHeaders, sessionIdIn } from './session-header.ts';
import type {
  OpenStreams,
  OutgoingMessage,
  ResumedMessage,
  StreamPosition,
  Transport,
} from '../transport.ts';
import { createVerdicts, type Verdicts } from './verdicts.ts';

/** How long a request that was only accepted waits for its response on the GET stream, in milliseconds. */
const ELSEWHERE_MS = 2000;

const utf8 = new TextEncoder();

/**
 * Streamable HTTP of the legacy revisions (2025-03-26 to 2025-11-25): one POST per message, answered by JSON or by an
 * SSE stream, and an optional standalone GET stream. Moves messages; what they mean is the connection's business.
 */
export class StreamableHttp implements Transport {
  readonly kind = 'streamable-http';
  readonly #options: HttpTransportOptions;
  readonly #verdicts: Verdicts;
  /** `Mcp-Session-Id`, once the server assigned one. Sent on all but `initialize`. */
  sessionId: string | undefined;
  /** Negotiated revision; sent as `MCP-Protocol-Version` from then on. */
  protocolVersion: string | undefined;
  readonly #seen = createSeenEvents();
  #hadSession = false;
  /** The streams that are open or about to be again. */
  readonly #open = newStreamSet();
  #isListening = false;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    this.#verdicts = createVerdicts(
      options,
      ({ request }) => sessionIdIn(request.headers) !== undefined,
    );
  }

  /**
   * Sends one message. For a request it resolves when the exchange that answers it is over, and rejects with
   * an `AppError` when it is over without a response; for all else it resolves on acceptance.
   */
  async send(message: OutgoingMessage): Promise<void> {
    const isInitialize = message.method === 'initialize' && message.kind === 'request';
    const exchange = await openAuthorized(
      this.#options,
      carrying(
        {
          purpose: 'message',
          method: 'POST',
          url: this.#options.url,
          headers: overrideHeaders(this.#headers(POST_HEADERS, !isInitialize), message.ownHeaders),
          body: utf8.encode(message.text),
          signal: message.signal,
        },
        message,
      ),
    );
    if (message.kind !== 'request') return this.#settleByStatus(exchange, message.method);
    const { status, headers } = exchange.head;
    if (isInitialize && status >= 200 && status < 300) this.#takeSession(headers);
    if (!this.#verdicts.accepts(exchange, 'response')) await this.#refuse(exchange, message);
    if (exchange.mediaType === 'text/event-stream') {
      await this.#readAnswer(exchange, message);
    } else {
      const deliver = (payload: Payload) => this.#deliver(payload, exchange.httpId, message.rpcId);
      await readJsonReply(exchange, message, this.#options.limitBytes, deliver);
    }
  }

  /** Nearly always the exchange that begins an answer also ends it. */
  async #readAnswer(exchange: Exchange, message: OutgoingMessage): Promise<void> {
    const stream = newOpenStream(message.rpcId, { httpId: exchange.httpId });
    this.#open.set(stream, stream);
    try {
      const reading = await this.#readMessages(exchange, stream);
      // Goes on over GETs where the server gives its events ids.
      if (!reading.isDone) await this.#followAnswer(stream, message, { exchange, reading });
    } finally {
      this.#open.delete(stream);
    }
  }

  /** Nothing has to be open before the first POST. */
  async open(): Promise<void> {}

  /** Every other exchange has the signal of its own message, which the connection ends. */
  close(): void {
    this.#verdicts.close();
  }

  get streams(): OpenStreams {
    return positionsOf(this.#open.values(), this.#seen.asking);
  }

  skip(eventIds: readonly string[]): void {
    for (const id of eventIds) this.#seen.asked(id);
  }

  drop(why: string): void {
    dropResumable(this.#open.values(), why);
  }

  /** The standalone GET stream ("Listening for Messages from the Server"), opened again when it ends. */
  async listen(
    signal: AbortSignal,
    from: Partial<StreamPosition> = {},
  ): Promise<number | 'given-up' | undefined> {
    const stream = newOpenStream(undefined, from);
    const { cursor } = stream;
    const outcome = await whileOpen(this.#open, stream, () =>
      readReconnecting(this.#options, {
        cursor,
        reconnection: this.#options.reconnection,
        signal,
        needsCursor: false,
        open: (_previous, attempt) => this.#openStream(stream, signal, attempt, 'reopen'),
        judge: (exchange) => this.#verdicts.judge(exchange, { expects: 'stream' }),
        read: async (exchange) => {
          this.#isListening = true;
          const reading = await this.#readMessages(exchange, stream);
          this.#isListening = false;
          return reading;
        },
      }),
    );
    const isGivenUp = outcome.kind === 'ended' && outcome.isLeft !== true;
    if (isGivenUp && this.#options.reconnection.retries > 0) return this.#giveUp();
    return outcome.kind === 'refused' ? outcome.status : undefined;
  }

  #giveUp(): 'given-up' {
    const { recorder, connectionId, reconnection } = this.#options;
    const cause = `The GET stream could not be kept open: ${reconnection.retries + 1} attempts in a row brought nothing. It is opened again when the machine wakes up or goes online; requests work without it.`;
    recorder.record({ kind: 'connection-state', state: 'degraded', cause }, connectionId);
    return 'given-up';
  }

  #openStream(
    stream: OpenStream,
    signal: AbortSignal,
    attempt: number,
    reason: 'reopen' | 'resume',
    started?: (httpId: string) => void,
  ): Promise<Exchange> {
    const { headers, links } = openingOf(stream, attempt, reason);
    const waiting = new AbortController();
    stream.drop = (why) => waiting.abort(new AppError({ code: 'stream-cut', message: why }));
    return openAuthorized(this.#options, {
      purpose: 'stream',
      method: 'GET',
      url: this.#options.url,
      headers: this.#headers(headers, true),
      links,
      signal: AbortSignal.any([signal, waiting.signal]),
      started(httpId) {
        stream.httpId = httpId;
        started?.(httpId);
      },
    });
  }

  /** Ends the session by DELETE ("Session Management" 5). Resolves with the status, whatever it is. */
  async terminate(signal: AbortSignal): Promise<number> {
    const exchange = await openExchange(this.#options, {
      purpose: 'terminate',
      method: 'DELETE',
      url: this.#options.url,
      headers: this.#headers([], true),
      signal,
    });
    this.sessionId = undefined;
    this.#verdicts.dispose(exchange);
    return exchange.head.status;
  }

  #headers(fixed: readonly Header[], withSession: boolean): Header[] {
    const session = withSession ? sessionHeaders(this.sessionId, this.protocolVersion) : [];
    return mergeHeaders([...fixed, ...session], this.#options.headers());
  }

  /** Only the 2xx answer to `initialize` assigns a session ("Session Management" 1). */
  #takeSession(headers: readonly Header[]): void {
    this.sessionId = sessionIdIn(headers);
    if (this.sessionId === undefined) return;
    const kind = this.#hadSession ? 'session-replaced' : 'session-assigned';
    this.#hadSession = true;
    this.#options.recorder.record(
      { kind, session: this.sessionId, cuts: [], by: 'header' },
      this.#options.connectionId,
    );
  }

  /** Any 2xx accepts a notification or response; its body is of no interest and must not hold anything up. */
  async #settleByStatus(exchange: Exchange, rpcMethod: string): Promise<void> {
    const problem = await this.#verdicts.judge(exchange, { expects: 'acceptance', rpcMethod });
    if (problem !== undefined) throw new AppError(problem);
    this.#verdicts.dispose(exchange);
  }

  async #refuse(exchange: Exchange, message: OutgoingMessage): Promise<void> {
    const rpcMethod = message.method;
    const problem = await this.#verdicts.judge(exchange, { expects: 'response', rpcMethod });
    if (problem?.code === 'accepted-request' && this.#isListening) {
      // Some servers answer on the GET stream then. A response settles the request before this is over.
      await delay(ELSEWHERE_MS, message.signal);
    }
    if (problem !== undefined) throw new AppError(problem);
  }

  /** Goes on with the stream that answers a request of an earlier life ("Resumability and Redelivery" 2). */
  async resume(message: ResumedMessage, from: StreamPosition, waitMs: number): Promise<void> {
    const stream = newOpenStream(message.rpcId, from);
    await whileOpen(this.#open, stream, async () => {
      await delay(waitMs, message.signal);
      await this.#followAnswer(stream, message);
    });
  }

  /** Reads an answer to its end; `begun` is the exchange that began it, as far as that went. */
  async #followAnswer(
    stream: OpenStream,
    message: ResumedMessage,
    begun?: { exchange: Exchange; reading: StreamReading },
  ): Promise<void> {
    const { cursor } = stream;
    const { signal, started } = message;
    const first = begun?.exchange;
    const outcome = await readReconnecting(this.#options, {
      cursor,
      reconnection: this.#options.reconnection,
      signal,
      ...(first === undefined ? {} : { first }),
      needsCursor: true,
      open: (_previous, attempt) =>
        this.#openStream(stream, signal, attempt, 'resume', first ? undefined : started),
      judge: (exchange) => this.#verdicts.judge(exchange, { expects: 'stream' }),
      read: (exchange) =>
        begun !== undefined && exchange === first
          ? Promise.resolve(begun.reading)
          : this.#readMessages(exchange, stream, true),
    });
    const problem = answerProblem(outcome, message, cursor);
    if (problem !== undefined) throw problem;
  }

  #readMessages(exchange: Exchange, stream: OpenStream, isResumed = false): Promise<StreamReading> {
    const { cursor, rpcId } = stream;
    const replyTo = isResumed ? undefined : rpcId;
    stream.drop = (why) => exchange.stop('deadline', why);
    this.#options.events.reached?.();
    return readMessages(exchange, this.#options, {
      cursor,
      rpcId,
      isResumed,
      seen: this.#seen,
      deliver: (payload) => this.#deliver(payload, exchange.httpId, replyTo),
    });
  }

  #deliver(payload: Payload, httpId: string, replyTo: RpcId | undefined): void {
    const carrierId = httpId;
    this.#options.events.received(
      payload,
      replyTo === undefined ? { carrierId } : { carrierId, replyTo },
    );
  }
}
