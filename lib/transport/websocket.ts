import { AppError, toProblem, type Problem } from '../errors.ts';
import type { OriginPolicy } from '../capture/stored-profile.ts';
import type { Header } from '../capture/stored-text.ts';
import { diagnoseSocketOpen, mayReopen, type GetFacts } from '../protocol/diagnose-socket.ts';
import { classifyPayload } from '../protocol/jsonrpc.ts';
import { decodeUtf8 } from '../text.ts';
import { ExchangeAbort, type ExchangeContext } from './exchange.ts';
import { openExchange } from './open-exchange.ts';
import { readExcerpt } from './reply-body.ts';
import { httpForm, type SocketDoor } from './socket-door.ts';
import type { OutgoingMessage, Transport, TransportEvents } from './transport.ts';
import { openChannel, type Channel } from './websocket-channel.ts';

/** What every MCP server over WebSocket selects. */
const SUBPROTOCOL = 'mcp';
/** How long the GET that explains a failed handshake may take. */
const PROBE_MS = 5000;

export interface WebSocketOptions extends ExchangeContext {
  socketDoor: SocketDoor;
  url: string;
  /** Headers of the profile, computed for each handshake. */
  headers(): Header[];
  originPolicy: OriginPolicy;
  /** Limit on one frame, in bytes. */
  limitBytes: number;
  events: TransportEvents;
}

/**
 * WebSocket, a custom transport that the Python SDK's first line and others serve: one JSON-RPC message a
 * frame, both ways over one socket. When that ends, all that was open on it is lost.
 */
export class WebSocketTransport implements Transport {
  readonly kind = 'websocket';
  readonly #options: WebSocketOptions;
  sessionId: string | undefined;
  /** No frame has a place for it. */
  protocolVersion: string | undefined;
  #channel: Channel | undefined;

  constructor(options: WebSocketOptions) {
    this.#options = options;
  }

  /** Opens a new socket; one that closes before it is open is explained by a plain GET. */
  async open(signal: AbortSignal, started?: (socketId: string) => void): Promise<void> {
    signal.throwIfAborted();
    const { url, headers, originPolicy, newHttpId, events } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let isOpen = false;
    const socketId = newHttpId();
    started?.(socketId);
    const subprotocols = [SUBPROTOCOL];
    const call = { socketId, url, subprotocols, headers: headers(), originPolicy };
    const channel = openChannel(this.#options, call, {
      opened() {
        isOpen = true;
        resolve();
      },
      frame: (bytes) => this.#deliver(bytes, socketId),
      closed: (end, problem) => {
        const isOurs = this.#channel === channel;
        if (isOurs) this.#channel = undefined;
        if (!isOpen) void this.#explain(end.code, signal).then((why) => reject(new AppError(why)));
        else if (isOurs) events.lost(problem, mayReopen(end));
      },
    });
    this.#channel = channel;
    const stop = () => {
      reject(signal.reason as Error);
      void this.close();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Resolves when the frame was written; the answer to a request comes as a frame of its own. */
  async send(message: OutgoingMessage): Promise<void> {
    message.signal.throwIfAborted();
    const channel = this.#channel;
    if (channel === undefined) throw new AppError(NOT_OPEN);
    message.started?.(channel.socketId);
    const of = message.links?.replayOf;
    // A frame has no place for it.
    if (of !== undefined) {
      this.#options.recorder.record({ kind: 'replay-started', of }, this.#options.connectionId);
    }
    await channel.send(message.text, message.signal);
  }

  /** The server's own messages come over the same socket. */
  listen(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** There is no session but the socket itself. */
  terminate(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Ends the socket in order; resolves when the server has confirmed that, or has not in time. */
  async close(): Promise<void> {
    const channel = this.#channel;
    this.#channel = undefined;
    await channel?.close('');
  }

  /** Text frames are UTF-8 by definition; what of a binary one is not has its row, and no message in it. */
  #deliver(bytes: Uint8Array, carrierId: string): void {
    const text = decodeUtf8(bytes);
    if (text === undefined || text === '') return;
    this.#options.events.received(classifyPayload(text), { carrierId });
  }

  /** Never rejects: without a GET that went through, the usual causes are all that can be said. */
  async #explain(code: number, signal: AbortSignal): Promise<Problem> {
    const { url } = this.#options;
    if (signal.aborted) return diagnoseSocketOpen(url, code);
    return diagnoseSocketOpen(url, code, await this.#probe(signal));
  }

  async #probe(signal: AbortSignal): Promise<GetFacts> {
    const { url, headers } = this.#options;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new ExchangeAbort('deadline', LATE)), PROBE_MS);
    try {
      const exchange = await openExchange(this.#options, {
        purpose: 'probe',
        method: 'GET',
        url: httpForm(url),
        headers: headers(),
        signal: AbortSignal.any([signal, late.signal]),
      });
      const { status, statusText, headers: received } = exchange.head;
      // Nobody waits for the body, which the exchange records.
      void readExcerpt(exchange);
      const challenge = headerValue(received, 'www-authenticate');
      const location = exchange.redirect?.target;
      return {
        status,
        statusText,
        ...(challenge === undefined ? {} : { challenge }),
        ...(location === undefined ? {} : { location }),
      };
    } catch (error) {
      return { problem: toProblem(error) };
    } finally {
      clearTimeout(timer);
    }
  }
}

function headerValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value;
}

const NOT_OPEN: Problem = {
  code: 'not-connected',
  message: 'The WebSocket is not open, so there is no way to the server.',
  advice: 'Connect again.',
};

const LATE: Problem = { code: 'deadline', message: 'The GET was not answered in time.' };
