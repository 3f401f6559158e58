import { AppError, type Problem } from '../../errors.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import type { Expectation } from '../../protocol/diagnose.ts';
import { judgeEndpoint } from '../../protocol/endpoint.ts';
import { sessionInEndpoint } from '../../protocol/endpoint-session.ts';
import { classifyPayload, holdsMessage } from '../../protocol/jsonrpc.ts';
import { newCursor, readEventStream, type StreamReading } from '../sse/event-stream.ts';
import { carrying, openAuthorized } from '../exchange/authorized.ts';
import { ExchangeAbort, type Exchange } from '../exchange/exchange.ts';
import { mergeHeaders, overrideHeaders } from './merge-headers.ts';
import { createCollector } from '../exchange/reply-body.ts';
import { createSessionSieve } from '../sieve/session-sieve.ts';
import type { SseEvent } from '../sse/sse-reader.ts';
import type { HttpTransportOptions } from './http-options.ts';
import type { OutgoingMessage, Transport } from '../transport.ts';
import { createVerdicts, type Verdicts } from './verdicts.ts';

/** The same context as for Streamable HTTP; a stream that is lost is never opened again by the transport. */
export type HttpSseOptions = HttpTransportOptions;

/**
 * HTTP+SSE of revision 2024-11-05: one GET stream for all that the server says, and a POST for each of our
 * messages to the `endpoint` that the stream announces. That URL must be of the origin that the user chose.
 */
export class HttpSse implements Transport {
  readonly kind = 'http-sse';
  readonly #options: HttpSseOptions;
  readonly #verdicts: Verdicts;
  sessionId: string | undefined;
  protocolVersion: string | undefined;
  /** Over all streams: a delay holds until another one is named. No stream is resumed. */
  readonly #cursor = newCursor();
  #endpoint: string | undefined;
  #stream: AbortController | undefined;

  constructor(options: HttpSseOptions) {
    this.#options = options;
    this.#verdicts = createVerdicts(
      options,
      ({ request }) => sessionInEndpoint(request.url) !== undefined,
    );
  }

  get retryMs(): number | undefined {
    return this.#cursor.retryMs;
  }

  /** Opens the stream and waits for its `endpoint` event. Nothing is posted before it. */
  async open(
    signal: AbortSignal,
    started?: (httpId: string) => void,
    held?: (isHeld: boolean) => void,
  ): Promise<void> {
    if (this.#stream !== undefined) this.#stop(this.#stream, new AppError(NO_STREAM));
    this.#endpoint = undefined;
    this.sessionId = undefined;
    const stream = new AbortController();
    this.#stream = stream;
    const { promise: announced, resolve, reject } = Promise.withResolvers<void>();
    const exchange = await openAuthorized(this.#options, {
      purpose: 'stream',
      method: 'GET',
      url: this.#options.url,
      headers: this.#headers([['Accept', 'text/event-stream']]),
      signal: AbortSignal.any([signal, stream.signal]),
      sieve: createSessionSieve,
      ...(held === undefined ? {} : { held }),
      ...(started === undefined ? {} : { started }),
    });
    const problem = await this.#judge(exchange, 'stream');
    if (problem !== undefined) throw new AppError(problem);
    const reading = readEventStream(exchange, this.#options, this.#cursor, (event) => {
      const refusal = this.#take(event, exchange.httpId);
      if (refusal !== undefined) reject(new AppError(refusal));
      else if (this.#endpoint !== undefined) resolve();
      return undefined;
    });
    const waiting = signal.aborted ? undefined : () => reject(signal.reason as Error);
    if (waiting !== undefined) signal.addEventListener('abort', waiting, { once: true });
    reading.then(
      (read) => this.#ended(read, stream, reject),
      (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))),
    );
    try {
      await announced;
    } catch (error) {
      this.#stop(stream, error);
      throw error;
    } finally {
      if (waiting !== undefined) signal.removeEventListener('abort', waiting);
    }
  }

  /** Posts one message. Any 2xx accepts it; the answer comes on the stream. */
  async send(message: OutgoingMessage): Promise<void> {
    const endpoint = this.#endpoint;
    if (endpoint === undefined) throw new AppError(NO_STREAM);
    const exchange = await openAuthorized(
      this.#options,
      carrying(
        {
          purpose: 'message',
          method: 'POST',
          url: endpoint,
          headers: overrideHeaders(
            this.#headers([['Content-Type', 'application/json']], true),
            message.ownHeaders,
          ),
          body: new TextEncoder().encode(message.text),
          signal: message.signal,
        },
        message,
      ),
    );
    const problem = await this.#judge(exchange, 'acceptance', message.method);
    if (problem !== undefined) throw new AppError(problem);
    const mayAnswer = message.kind === 'request' && exchange.mediaType === 'application/json';
    if (mayAnswer) await this.#takeBody(exchange);
    else this.#verdicts.dispose(exchange);
  }

  /** Some servers answer here, where 2024-11-05 has no answer. It counts, once. */
  async #takeBody(exchange: Exchange): Promise<void> {
    const collector = createCollector(this.#options.limitBytes);
    await exchange.read((chunk) => (collector.add(chunk) ? undefined : 'limit'));
    const payload = classifyPayload(collector.text());
    if (payload.kind === 'message' || payload.kind === 'batch') {
      this.#options.events.received(payload, { carrierId: exchange.httpId });
    }
  }

  /** The stream is there from the start. */
  listen(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** This transport has no way to end a session but to close its stream. */
  terminate(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  close(reason: Problem): void {
    this.#verdicts.close();
    if (this.#stream !== undefined) this.#stop(this.#stream, new AppError(reason));
  }

  #take(event: SseEvent, httpId: string): Problem | undefined {
    const { text } = event;
    if (event.event === 'endpoint') return this.#announce(text ?? '', httpId);
    if (!holdsMessage(event.event, text)) return undefined;
    this.#options.events.received(classifyPayload(text), { carrierId: httpId });
    return undefined;
  }

  #announce(announced: string, httpId: string): Problem | undefined {
    const { recorder, connectionId, url, events } = this.#options;
    const verdict = judgeEndpoint(announced, url);
    const previous = this.#endpoint;
    const fact = {
      kind: 'endpoint-announced',
      httpId,
      announced,
      ...(verdict.url === undefined ? {} : { url: { text: verdict.url } }),
    } as const;
    if (verdict.kind === 'refused') {
      const { problem } = verdict;
      recorder.record({ ...fact, verdict: 'refused', problem }, connectionId);
      this.#endpoint = undefined;
      if (previous !== undefined) {
        this.close(problem);
        events.lost(problem, false);
      }
      return problem;
    }
    const kind =
      previous === undefined ? 'accepted' : previous === verdict.url ? 'unchanged' : 'replaced';
    recorder.record({ ...fact, verdict: kind }, connectionId);
    this.#endpoint = verdict.url;
    this.#takeSession(verdict.url, previous !== undefined);
    return undefined;
  }

  #takeSession(endpoint: string, isSecond: boolean): void {
    const session = sessionInEndpoint(endpoint);
    if (session === undefined || session === this.sessionId) return;
    this.sessionId = session;
    this.#options.recorder.record(
      {
        kind: isSecond ? 'session-replaced' : 'session-assigned',
        session,
        cuts: [],
        by: 'endpoint',
      },
      this.#options.connectionId,
    );
  }

  #ended(reading: StreamReading, stream: AbortController, reject: (error: Error) => void): void {
    const wasOpen = this.#endpoint !== undefined;
    const isOurs = stream.signal.aborted;
    if (this.#stream === stream) this.#endpoint = undefined;
    const problem = wasOpen ? streamLost(reading) : noEndpoint(reading);
    reject(new AppError(problem));
    if (wasOpen && !isOurs) this.#options.events.lost(problem);
  }

  #stop(stream: AbortController, error: unknown): void {
    const problem = error instanceof AppError ? error.problem : NO_STREAM;
    this.#endpoint = undefined;
    stream.abort(error instanceof ExchangeAbort ? error : new ExchangeAbort('close', problem));
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

  #headers(fixed: [string, string][], withVersion = false): Header[] {
    const own: Header[] = fixed.map(([name, value]) => ({ name, value }));
    if (withVersion && this.protocolVersion !== undefined) {
      own.push({ name: 'MCP-Protocol-Version', value: this.protocolVersion });
    }
    return mergeHeaders(own, this.#options.headers());
  }
}

const NO_STREAM: Problem = {
  code: 'not-connected',
  message: 'The event stream is not open, so there is no place to send messages to.',
  advice: 'Connect again.',
};

function streamLost({ end }: StreamReading): Problem {
  return {
    code: 'stream-cut',
    message:
      end.outcome === 'cut'
        ? 'The event stream broke off, and the session with it.'
        : 'The server closed the event stream, and the session with it.',
    advice: 'Open requests get no answer. A new connection starts a new session.',
    ...(end.outcome === 'cut' ? { detail: end.errorName } : {}),
  };
}

function noEndpoint({ eventCount }: StreamReading): Problem {
  return {
    code: 'endpoint-missing',
    message: `The event stream ended after ${eventCount} events without naming an endpoint for messages.`,
    advice:
      'An HTTP+SSE server must begin with an `endpoint` event. Is this a Streamable HTTP server?',
  };
}
