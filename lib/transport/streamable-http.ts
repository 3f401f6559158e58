import { AppError, type Problem } from '../errors.ts';
import type { RpcId } from '../capture/items.ts';
import type { Header, HttpEnd } from '../capture/wire-event.ts';
import { diagnoseBody, diagnoseHead, essence, type Expectation } from '../protocol/diagnose.ts';
import {
  diagnoseAbort,
  diagnoseCut,
  diagnoseSilence,
  diagnoseStreamEnd,
} from '../protocol/diagnose-end.ts';
import { classifyPayload, type Message, type Payload } from '../protocol/jsonrpc.ts';
import { ExchangeAbort, openExchange, type Exchange, type ExchangeContext } from './exchange.ts';
import { mergeHeaders } from './merge-headers.ts';
import { createCollector, readExcerpt, replyFacts } from './reply-body.ts';
import { createSseReader } from './sse-reader.ts';
import type { OutgoingMessage, Transport, TransportEvents } from './transport.ts';

export interface StreamableHttpOptions extends ExchangeContext {
  url: string;
  /** Headers of the profile, computed for each request. */
  headers(): Header[];
  /** `Origin` that our requests carry, for the wording of a refusal. */
  sentOrigin?: string;
  /** Limit on one SSE event and one JSON body, in bytes. */
  limitBytes: number;
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
  /** `Mcp-Session-Id`, once the server assigned one. Sent on all but `initialize`. */
  sessionId: string | undefined;
  /** Negotiated revision; sent as `MCP-Protocol-Version` from then on. */
  protocolVersion: string | undefined;

  constructor(options: StreamableHttpOptions) {
    this.#options = options;
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
    await this.#readResponse(exchange, message, isInitialize);
  }

  /** Nothing has to be open before the first POST. */
  open(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    // Every exchange has the signal of its own message, which the connection ends.
  }

  /** Opens the standalone GET stream and reads it to its end ("Listening for Messages from the Server"). */
  async listen(signal: AbortSignal): Promise<void> {
    const exchange = await openExchange(this.#options, {
      purpose: 'stream',
      method: 'GET',
      url: this.#options.url,
      headers: this.#headers([['Accept', 'text/event-stream']], true),
      signal,
    });
    const problem = await this.#judge(exchange, 'stream');
    if (problem === undefined) await this.#readStream(exchange, undefined);
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
    await readExcerpt(exchange);
    return exchange.head.status;
  }

  #headers(fixed: [string, string][], withSession: boolean): Header[] {
    const own: Header[] = fixed.map(([name, value]) => ({ name, value }));
    if (withSession && this.protocolVersion !== undefined) {
      own.push({ name: 'MCP-Protocol-Version', value: this.protocolVersion });
    }
    if (withSession && this.sessionId !== undefined) {
      own.push({ name: 'Mcp-Session-Id', value: this.sessionId });
    }
    return mergeHeaders(own, this.#options.headers());
  }

  /** Only the 2xx answer to `initialize` assigns a session ("Session Management" 1). */
  #takeSession(headers: readonly Header[]): void {
    const session = headers.find((header) => header.name.toLowerCase() === 'mcp-session-id')?.value;
    this.sessionId = session === '' ? undefined : session;
    if (this.sessionId === undefined) return;
    this.#options.recorder.record(
      { kind: 'session-assigned', session: this.sessionId, cuts: [], by: 'header' },
      this.#options.connectionId,
    );
  }

  /** Any 2xx accepts a notification or response; its body is of no interest and must not hold anything up. */
  async #settleByStatus(exchange: Exchange, method: string): Promise<void> {
    const problem = await this.#judge(exchange, 'acceptance', method);
    if (problem !== undefined) throw new AppError(problem);
    this.#dispose(exchange);
  }

  async #readResponse(
    exchange: Exchange,
    message: OutgoingMessage,
    isInitialize: boolean,
  ): Promise<void> {
    const problem = await this.#judge(exchange, 'response', message.method, !isInitialize);
    if (problem !== undefined) throw new AppError(problem);
    const type = exchange.head.headers.find(
      (header) => header.name.toLowerCase() === 'content-type',
    );
    if (essence(type?.value) === 'text/event-stream') {
      const { end, ...stream } = await this.#readStream(exchange, message.rpcId);
      if (stream.answered) return;
      if (end.outcome === 'aborted') throw abortError(end, exchange, message);
      const cut = end.outcome === 'cut' ? { errorName: end.errorName } : {};
      throw new AppError(diagnoseStreamEnd({ ...stream, ...cut, rpcMethod: message.method }));
    }
    await this.#readJson(exchange, message);
  }

  async #readJson(exchange: Exchange, message: OutgoingMessage): Promise<void> {
    const collector = createCollector(this.#options.limitBytes);
    const end = await exchange.read((chunk) => (collector.add(chunk) ? undefined : 'limit'));
    const text = collector.text();
    if (end.outcome === 'aborted') throw abortError(end, exchange, message);
    const payload = classifyPayload(text);
    this.#deliver(payload, exchange.httpId, message.rpcId);
    if (hasResponse(payload)) return;
    if (end.outcome === 'cut') throw new AppError(diagnoseCut(message.method, end));
    throw new AppError(
      payload.kind === 'not-json' || payload.kind === 'not-rpc'
        ? diagnoseBody(payload, message.method, text)
        : diagnoseBody({ kind: 'not-rpc', reason: 'it holds no response' }, message.method, text),
    );
  }

  async #readStream(exchange: Exchange, rpcId: RpcId | undefined) {
    const { recorder, connectionId, limitBytes } = this.#options;
    const { httpId } = exchange;
    const seen = {
      answered: false,
      eventCount: 0,
      resumable: false,
      tailText: '',
      overLimit: false,
    };
    const tail = createCollector(64 * 1024);
    const record = recorder.record;
    const reader = createSseReader(
      {
        event: ({ text, ...event }) => {
          record({ kind: 'sse-event', httpId, ...event }, connectionId);
          seen.eventCount += 1;
          if (event.id !== undefined && event.id !== '') seen.resumable = true;
          const isMessage =
            event.event === undefined || event.event === 'message' || event.event === '';
          if (text === undefined || text === '' || !isMessage) return;
          const payload = classifyPayload(text);
          if (hasResponse(payload)) seen.answered = true;
          this.#deliver(payload, httpId, rpcId);
        },
        comment: (line) => void record({ kind: 'sse-comment', httpId, line }, connectionId),
        retry: (line, retryMs) =>
          void record({ kind: 'sse-retry', httpId, line, retryMs }, connectionId),
        ignored: (line, reason) =>
          void record({ kind: 'sse-ignored', httpId, line, reason }, connectionId),
        discarded: (span) =>
          void record({ kind: 'sse-discarded', httpId, tail: span }, connectionId),
      },
      { limitBytes, onLimit: () => void (seen.overLimit = true) },
    );
    const end = await exchange.read((chunk) => {
      if (seen.eventCount === 0) tail.add(chunk);
      reader.push(chunk);
      return seen.overLimit ? 'limit' : undefined;
    });
    reader.end();
    if (seen.eventCount === 0) seen.tailText = tail.text();
    return { end, ...seen };
  }

  #deliver(payload: Payload, httpId: string, replyTo: RpcId | undefined): void {
    this.#options.events.received(payload, {
      carrierId: httpId,
      ...(replyTo === undefined ? {} : { replyTo }),
    });
  }

  /** Judges the head, and reads as much of an unwanted body as the verdict needs. */
  async #judge(
    exchange: Exchange,
    expects: Expectation,
    rpcMethod?: string,
    mayHaveSession = true,
  ): Promise<Problem | undefined> {
    const { url, sentOrigin } = this.#options;
    const sent = {
      expects,
      url,
      sentSession: mayHaveSession && this.sessionId !== undefined,
      ...(rpcMethod === undefined ? {} : { rpcMethod }),
      ...(sentOrigin === undefined ? {} : { sentOrigin }),
    };
    if (diagnoseHead(replyFacts(exchange, sent)) === undefined) return undefined;
    return diagnoseHead(replyFacts(exchange, sent, await readExcerpt(exchange)));
  }

  #dispose(exchange: Exchange): void {
    // Nobody waits for this: a body that never ends must not hold up anything. A failure is recorded.
    void readExcerpt(exchange);
  }
}

/** Why we ended the exchange, for whoever waits for the response. */
function abortError(
  end: HttpEnd & { outcome: 'aborted' },
  exchange: Exchange,
  message: OutgoingMessage,
): AppError {
  const reason: unknown = message.signal.reason;
  if (!(reason instanceof ExchangeAbort) || end.cause !== reason.abortCause) {
    return new AppError(diagnoseAbort(end, message.method));
  }
  if (reason.waitedMs === undefined) return reason;
  return new AppError(
    diagnoseSilence({
      rpcMethod: message.method,
      waitedMs: reason.waitedMs,
      headStatus: exchange.head.status,
      receivedBytes: end.sizeBytes,
    }),
  );
}

/** Whether a payload holds a response: what settles the request on whose exchange it came. */
function hasResponse(payload: Payload): boolean {
  if (payload.kind === 'batch') return payload.items.some(hasResponse);
  return payload.kind === 'message' && isResponse(payload.message);
}

function isResponse(message: Message): boolean {
  return message.kind === 'result' || message.kind === 'error';
}
