import { AppError, type Problem } from '../errors.ts';
import type { RpcId } from '../capture/items.ts';
import type { Reconnection } from '../capture/stored-profile.ts';
import type { Header } from '../capture/stored-text.ts';
import type { RequestLinks } from '../capture/wire-event.ts';
import { diagnoseBody, essence, type Expectation } from '../protocol/diagnose.ts';
import { diagnoseCut, diagnoseHttpSse, diagnoseRefusedResume } from '../protocol/diagnose-end.ts';
import { classifyPayload, holdsMessage, type Payload } from '../protocol/jsonrpc.ts';
import { abortError, answers, isBadAnswer, streamEndProblem } from './answer.ts';
import { newCursor, readEventStream, type StreamCursor } from './event-stream.ts';
import { openExchange, type Exchange, type ExchangeContext } from './exchange.ts';
import { mergeHeaders } from './merge-headers.ts';
import { createCollector } from './reply-body.ts';
import { delay, readReconnecting } from './reconnect.ts';
import type { OutgoingMessage, Transport, TransportEvents } from './transport.ts';
import { createVerdicts, type Verdicts } from './verdicts.ts';

const SESSION_HEADER = 'Mcp-Session-Id';
/** How long a request that was only accepted waits for its response on the GET stream, in milliseconds. */
const ELSEWHERE_MS = 2000;

export interface StreamableHttpOptions extends ExchangeContext {
  url: string;
  /** Headers of the profile, computed for each request. */
  headers(): Header[];
  /** `Origin` that our requests carry, for the wording of a refusal. */
  sentOrigin?: string;
  /** Limit on one SSE event and one JSON body, in bytes. */
  limitBytes: number;
  reconnection: Reconnection;
  events: TransportEvents;
}

/**
 * Streamable HTTP of the legacy revisions (2025-03-26 to 2025-11-25): one POST per message, answered by JSON
 * or by an SSE stream, and an optional standalone GET stream. Moves messages; what they mean is the
 * connection's business.
 */
export class StreamableHttp implements Transport {
  readonly kind = 'streamable-http';
  readonly #options: StreamableHttpOptions;
  readonly #verdicts: Verdicts;
  /** `Mcp-Session-Id`, once the server assigned one. Sent on all but `initialize`. */
  sessionId: string | undefined;
  /** Negotiated revision; sent as `MCP-Protocol-Version` from then on. */
  protocolVersion: string | undefined;
  /** Ids are unique within a session; an event that comes again is recorded, but not acted on. */
  readonly #seenIds = new Set<string>();
  #hadSession = false;
  #isListening = false;

  constructor(options: StreamableHttpOptions) {
    this.#options = options;
    this.#verdicts = createVerdicts(options, ({ request }) =>
      request.headers.some(({ name }) => name.toLowerCase() === SESSION_HEADER.toLowerCase()),
    );
  }

  /**
   * Sends one message. For a request it resolves when the exchange that answers it is over, and rejects with
   * an `AppError` when it is over without a response; for all else it resolves on acceptance.
   */
  async send(message: OutgoingMessage): Promise<void> {
    const isInitialize = message.method === 'initialize' && message.kind === 'request';
    const exchange = await openExchange(this.#options, {
      purpose: 'message',
      method: 'POST',
      url: this.#options.url,
      headers: this.#headers(
        [
          ['Content-Type', 'application/json'],
          ['Accept', 'application/json, text/event-stream'],
        ],
        !isInitialize,
      ),
      body: new TextEncoder().encode(message.text),
      signal: message.signal,
      ...(message.links === undefined ? {} : { links: message.links }),
      ...(message.started === undefined ? {} : { started: message.started }),
    });
    if (message.kind !== 'request') return this.#settleByStatus(exchange, message.method);
    const { status, headers } = exchange.head;
    if (isInitialize && status >= 200 && status < 300) this.#takeSession(headers);
    await this.#readResponse(exchange, message);
  }

  /** Nothing has to be open before the first POST. */
  open(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    // Every other exchange has the signal of its own message, which the connection ends.
    this.#verdicts.close();
  }

  /** The standalone GET stream ("Listening for Messages from the Server"), opened again when it ends. */
  async listen(signal: AbortSignal, lastEventId?: string): Promise<number | undefined> {
    const cursor = newCursor(lastEventId);
    const outcome = await readReconnecting(this.#options, {
      cursor,
      reconnection: this.#options.reconnection,
      signal,
      needsCursor: false,
      open: (previous, attempt) => this.#openStream(cursor, signal, previous, attempt, 'reopen'),
      judge: (exchange) => this.#judge(exchange, 'stream'),
      read: async (exchange) => {
        this.#isListening = true;
        const reading = await this.#readMessages(exchange, cursor, undefined);
        this.#isListening = false;
        return reading;
      },
    });
    if (outcome.kind === 'ended' && this.#options.reconnection.retries > 0) this.#giveUp();
    return outcome.kind === 'refused' ? outcome.status : undefined;
  }

  #giveUp(): void {
    const { recorder, connectionId, reconnection } = this.#options;
    const cause = `The GET stream could not be kept open: ${reconnection.retries + 1} attempts in a row brought nothing. It is not opened again; requests work without it.`;
    recorder.record({ kind: 'connection-state', state: 'degraded', cause }, connectionId);
  }

  #openStream(
    cursor: StreamCursor,
    signal: AbortSignal,
    previous: Exchange | undefined,
    attempt: number,
    reason: 'reopen' | 'resume',
  ): Promise<Exchange> {
    const { lastEventId } = cursor;
    const fixed: [string, string][] = [['Accept', 'text/event-stream']];
    if (lastEventId !== '') fixed.push(['Last-Event-ID', lastEventId]);
    const links: RequestLinks = {
      ...(lastEventId === '' ? {} : { lastEventId }),
      ...(previous === undefined ? {} : { causedBy: previous.httpId, attempt, reason }),
    };
    return openExchange(this.#options, {
      purpose: 'stream',
      method: 'GET',
      url: this.#options.url,
      headers: this.#headers(fixed, true),
      links,
      signal,
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

  #headers(fixed: [string, string][], withSession: boolean): Header[] {
    const own: Header[] = fixed.map(([name, value]) => ({ name, value }));
    if (withSession && this.protocolVersion !== undefined) {
      own.push({ name: 'MCP-Protocol-Version', value: this.protocolVersion });
    }
    if (withSession && this.sessionId !== undefined) {
      own.push({ name: SESSION_HEADER, value: this.sessionId });
    }
    return mergeHeaders(own, this.#options.headers());
  }

  /** Only the 2xx answer to `initialize` assigns a session ("Session Management" 1). */
  #takeSession(headers: readonly Header[]): void {
    const session = headers.find(
      (header) => header.name.toLowerCase() === SESSION_HEADER.toLowerCase(),
    )?.value;
    this.sessionId = session === '' ? undefined : session;
    if (this.sessionId === undefined) return;
    const kind = this.#hadSession ? 'session-replaced' : 'session-assigned';
    this.#hadSession = true;
    this.#options.recorder.record(
      { kind, session: this.sessionId, cuts: [], by: 'header' },
      this.#options.connectionId,
    );
  }

  /** Any 2xx accepts a notification or response; its body is of no interest and must not hold anything up. */
  async #settleByStatus(exchange: Exchange, method: string): Promise<void> {
    const problem = await this.#judge(exchange, 'acceptance', method);
    if (problem !== undefined) throw new AppError(problem);
    this.#verdicts.dispose(exchange);
  }

  async #readResponse(exchange: Exchange, message: OutgoingMessage): Promise<void> {
    const problem = await this.#judge(exchange, 'response', message.method);
    if (problem?.code === 'accepted-request' && this.#isListening) {
      // Some servers answer on the GET stream then. A response settles the request before this is over.
      await delay(ELSEWHERE_MS, message.signal);
    }
    if (problem !== undefined) throw new AppError(problem);
    const type = exchange.head.headers.find(
      (header) => header.name.toLowerCase() === 'content-type',
    );
    if (essence(type?.value) !== 'text/event-stream') return this.#readJson(exchange, message);
    await this.#readAnswerStream(exchange, message);
  }

  /** The stream that answers a request; goes on over GETs where the server gives its events ids. */
  async #readAnswerStream(first: Exchange, message: OutgoingMessage): Promise<void> {
    const cursor = newCursor();
    const outcome = await readReconnecting(this.#options, {
      cursor,
      reconnection: this.#options.reconnection,
      signal: message.signal,
      first,
      needsCursor: true,
      open: (previous, attempt) =>
        this.#openStream(cursor, message.signal, previous, attempt, 'resume'),
      judge: (exchange) => this.#judge(exchange, 'stream'),
      read: (exchange) => this.#readMessages(exchange, cursor, message.rpcId, exchange !== first),
    });
    if (outcome.kind === 'done') return;
    if (outcome.kind === 'aborted') {
      const { end } = outcome.reading;
      const isHttpSse = end.outcome === 'aborted' && end.cause === 'not-needed';
      if (isHttpSse) throw new AppError(diagnoseHttpSse(message.method));
      throw abortError(end, outcome.exchange, message);
    }
    if (outcome.kind === 'refused')
      throw new AppError(diagnoseRefusedResume(message.method, outcome));
    throw new AppError(streamEndProblem(message.method, cursor, outcome));
  }

  async #readJson(exchange: Exchange, message: OutgoingMessage): Promise<void> {
    const collector = createCollector(this.#options.limitBytes);
    const end = await exchange.read((chunk) => (collector.add(chunk) ? undefined : 'limit'));
    const text = collector.text();
    if (end.outcome === 'aborted') throw abortError(end, exchange, message);
    const payload = classifyPayload(text);
    this.#deliver(payload, exchange.httpId, message.rpcId);
    if (answers(payload)) return;
    if (end.outcome === 'cut') throw new AppError(diagnoseCut(message.method, end));
    throw new AppError(
      payload.kind === 'not-json' || payload.kind === 'not-rpc'
        ? diagnoseBody(payload, message.method, text)
        : diagnoseBody({ kind: 'not-rpc', reason: 'it holds no response' }, message.method, text),
    );
  }

  /** Reads one exchange of a stream. `rpcId` is the request that it answers, where it answers one. */
  async #readMessages(
    exchange: Exchange,
    cursor: StreamCursor,
    rpcId: RpcId | undefined,
    isResumed = false,
  ) {
    let isDone = false;
    let eventCount = 0;
    const replaysMessages = cursor.lastEventId !== '';
    const reading = await readEventStream(
      exchange,
      this.#options,
      cursor,
      ({ event, id, text }) => {
        eventCount += 1;
        if (event === 'endpoint' && eventCount === 1 && rpcId !== undefined) {
          exchange.stop('not-needed');
        }
        if (replaysMessages && id !== undefined && this.#seenIds.has(id)) return;
        if (id !== undefined && id !== '') this.#seenIds.add(id);
        if (!holdsMessage(event, text)) return;
        const payload = classifyPayload(text);
        // A resumed stream may carry what belongs to others, so there only the id counts.
        if (rpcId !== undefined && answers(payload, isResumed ? rpcId : undefined)) isDone = true;
        if (rpcId !== undefined && isBadAnswer(payload, rpcId)) isDone = true;
        this.#deliver(payload, exchange.httpId, isResumed ? undefined : rpcId);
      },
    );
    return { ...reading, isDone };
  }

  #deliver(payload: Payload, httpId: string, replyTo: RpcId | undefined): void {
    this.#options.events.received(payload, {
      carrierId: httpId,
      ...(replyTo === undefined ? {} : { replyTo }),
    });
  }

  #judge(
    exchange: Exchange,
    expects: Expectation,
    rpcMethod?: string,
  ): Promise<Problem | undefined> {
    return this.#verdicts.judge(exchange, {
      expects,
      ...(rpcMethod === undefined ? {} : { rpcMethod }),
    });
  }
}
