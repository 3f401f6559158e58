import { AppError } from '../../errors.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import type { Expectation } from '../../protocol/diagnose.ts';
import { diagnoseHttpSse } from '../../protocol/diagnose-end.ts';
import { diagnoseLostCall } from '../../protocol/diagnose-modern.ts';
import { classifyPayload, holdsMessage, type Payload } from '../../protocol/jsonrpc.ts';
import { abortError, answers, isBadAnswer } from './answer.ts';
import { newCursor, readEventStream } from '../sse/event-stream.ts';
import { carrying, openAuthorized } from '../exchange/authorized.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { readJsonReply } from './json-reply.ts';
import { mergeHeaders, overrideHeaders, POST_HEADERS } from './merge-headers.ts';
import type { HttpTransportOptions } from './http-options.ts';
import type { OutgoingMessage, Transport } from '../transport.ts';
import { createVerdicts, type Verdicts } from './verdicts.ts';

export type ModernHttpOptions = Omit<HttpTransportOptions, 'reconnection'>;

/** Says that the user has to authorize first; what its body holds is no answer. */
const ASKS_FOR_AUTHORIZATION = new Set([401, 403]);

/**
 * Streamable HTTP of revision 2026-07-28: one POST for each request, complete in itself, and nothing else. No
 * session, no GET stream, no resumption; closing an exchange cancels its request.
 */
export class ModernHttp implements Transport {
  readonly kind = 'streamable-http';
  readonly cancelsByClosing = true;
  /** There are none any more; a server that names one is not heeded. */
  readonly sessionId = undefined;
  /** Every request says it for itself. */
  protocolVersion: string | undefined;
  readonly #options: ModernHttpOptions;
  readonly #verdicts: Verdicts;

  constructor(options: ModernHttpOptions) {
    this.#options = options;
    this.#verdicts = createVerdicts(options, () => false);
  }

  /** Nothing has to be open before the first POST. */
  open(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Sends one message. For a request it resolves when the exchange that answers it is over, and rejects with
   * an `AppError` when it is over without a response; for all else it resolves on acceptance.
   */
  async send(message: OutgoingMessage): Promise<void> {
    const exchange = await openAuthorized(
      this.#options,
      carrying(
        {
          purpose: 'message',
          method: 'POST',
          url: this.#options.url,
          headers: this.#headers(message),
          body: new TextEncoder().encode(message.text),
          signal: message.signal,
          staysOpen: message.method === 'subscriptions/listen',
        },
        message,
      ),
    );
    if (message.kind !== 'request') return this.#settleByStatus(exchange, message.method);
    const { status } = exchange.head;
    if (status >= 400 && status < 500 && !ASKS_FOR_AUTHORIZATION.has(status)) {
      return this.#readError(exchange, message);
    }
    await this.#accept(exchange, 'response', message.method);
    if (exchange.mediaType === 'text/event-stream') return this.#readStream(exchange, message);
    const { limitBytes } = this.#options;
    await readJsonReply(exchange, message, limitBytes, (payload) =>
      this.#deliver(payload, exchange, message),
    );
  }

  /** The standalone GET stream was removed. */
  listen(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** There is no session to end. */
  terminate(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  close(): void {
    this.#verdicts.close();
  }

  #headers(message: OutgoingMessage): Header[] {
    const headers = mergeHeaders(
      [...POST_HEADERS, ...(message.headers ?? [])],
      this.#options.headers(),
    );
    return overrideHeaders(headers, message.ownHeaders);
  }

  async #settleByStatus(exchange: Exchange, method: string): Promise<void> {
    await this.#accept(exchange, 'acceptance', method);
    this.#verdicts.dispose(exchange);
  }

  async #accept(exchange: Exchange, expects: Expectation, rpcMethod: string): Promise<void> {
    const problem = await this.#verdicts.judge(exchange, { expects, rpcMethod });
    if (problem !== undefined) throw new AppError(problem);
  }

  /** Errors of the protocol come with a 4xx and a JSON-RPC body, which is the response ("Sending Messages"). */
  async #readError(exchange: Exchange, message: OutgoingMessage): Promise<void> {
    let payload: Payload | undefined;
    const problem = await this.#verdicts.judge(
      exchange,
      { expects: 'response', rpcMethod: message.method },
      (text) => (payload = classifyPayload(text)),
    );
    if (payload !== undefined && answers(payload)) return this.#deliver(payload, exchange, message);
    if (problem !== undefined) throw new AppError(problem);
  }

  async #readStream(exchange: Exchange, message: OutgoingMessage): Promise<void> {
    const { rpcId = '' } = message;
    let eventCount = 0;
    let isHttpSse = false;
    const { end, isDone } = await readEventStream(
      exchange,
      this.#options,
      newCursor(),
      ({ event, text }) => {
        eventCount += 1;
        if (event === 'endpoint' && eventCount === 1) {
          isHttpSse = true;
          exchange.stop('not-needed');
        }
        if (!holdsMessage(event, text)) return false;
        const payload = classifyPayload(text);
        const isAnswer = answers(payload) || isBadAnswer(payload, rpcId);
        this.#deliver(payload, exchange, message);
        return isAnswer;
      },
    );
    if (isDone) return;
    if (isHttpSse) throw new AppError(diagnoseHttpSse(message.method));
    if (end.outcome === 'aborted') throw abortError(end, exchange, message);
    const errorName = end.outcome === 'cut' ? end.errorName : undefined;
    throw new AppError(diagnoseLostCall(message.method, errorName));
  }

  #deliver(payload: Payload, { httpId }: Exchange, { rpcId }: OutgoingMessage): void {
    this.#options.events.received(payload, {
      carrierId: httpId,
      ...(rpcId === undefined ? {} : { replyTo: rpcId }),
    });
  }
}
