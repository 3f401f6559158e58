import { AppError, isAboutAccess, toProblem, type Problem } from '../../errors.ts';
import type { OriginPolicy } from '../../capture/store/stored-profile.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import { diagnoseSocketOpen, mayReopen, type GetFacts } from '../../protocol/diagnose-socket.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { decodeUtf8 } from '../../text.ts';
import { ExchangeAbort, type ExchangeContext } from '../exchange/exchange.ts';
import { openAuthorized } from '../exchange/authorized.ts';
import { headerOf } from '../header-of.ts';
import { hasOwnCredentials } from '../exchange/open-exchange.ts';
import { readExcerpt } from '../exchange/reply-body.ts';
import { httpForm, type SocketDoor } from './socket-door.ts';
import type { OutgoingMessage, Transport, TransportEvents } from '../transport.ts';
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

  /**
   * Opens a new socket; one that closes before it is open is explained by a plain GET. Where that leads to a token,
   * one more handshake presents it.
   */
  async open(
    signal: AbortSignal,
    started?: (socketId: string) => void,
    held?: (isHeld: boolean) => void,
  ): Promise<void> {
    const given = this.#headers();
    // Nothing comes between the wish for a socket and the socket where nothing has to.
    const headers = given instanceof Promise ? await given : given;
    const code = await this.#connect(headers, signal, started);
    if (code === undefined) return;
    const why = await this.#explain(code, signal, held);
    const authorized = await this.#headers();
    const isNew = authorizationIn(authorized) !== authorizationIn(headers);
    if (!isNew || isAboutAccess(why)) throw new AppError(why);
    const again = await this.#connect(authorized, signal, started);
    if (again !== undefined) throw new AppError(diagnoseSocketOpen(this.#options.url, again));
  }

  /** Those of the profile, and those that authorize, which a handshake has a place for. */
  #headers(): Header[] | Promise<Header[]> {
    const { url, authorizer } = this.#options;
    const headers = this.#options.headers();
    if (authorizer === undefined || hasOwnCredentials(headers)) return headers;
    const own = authorizer.headers({ method: 'GET', url: httpForm(url) });
    return own instanceof Promise
      ? own.then((found) => [...headers, ...found])
      : [...headers, ...own];
  }

  /** Resolves when the socket is open, or with the code of its end where that comes first. */
  async #connect(
    headers: Header[],
    signal: AbortSignal,
    started?: (socketId: string) => void,
  ): Promise<number | undefined> {
    signal.throwIfAborted();
    const { url, originPolicy, newHttpId, events } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    let isOpen = false;
    const socketId = newHttpId();
    started?.(socketId);
    const subprotocols = [SUBPROTOCOL];
    const call = { socketId, url, subprotocols, headers, originPolicy };
    const channel = openChannel(this.#options, call, {
      opened() {
        isOpen = true;
        resolve(undefined);
      },
      frame: (bytes) => this.#deliver(bytes, socketId),
      closed: (end, problem) => {
        const isOurs = this.#channel === channel;
        if (isOurs) this.#channel = undefined;
        if (!isOpen) resolve(end.code);
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
      return await promise;
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
    await channel.send(message.bytes ?? message.text, message.signal);
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
  async #explain(
    code: number,
    signal: AbortSignal,
    held?: (isHeld: boolean) => void,
  ): Promise<Problem> {
    const { url } = this.#options;
    if (signal.aborted) return diagnoseSocketOpen(url, code);
    const facts = await this.#probe(signal, held);
    const problem = 'problem' in facts ? facts.problem : undefined;
    return problem !== undefined && isAboutAccess(problem)
      ? problem
      : diagnoseSocketOpen(url, code, facts);
  }

  async #probe(signal: AbortSignal, held?: (isHeld: boolean) => void): Promise<GetFacts> {
    const { url, headers } = this.#options;
    const late = new AbortController();
    const start = () => setTimeout(() => late.abort(new ExchangeAbort('deadline', LATE)), PROBE_MS);
    let timer = start();
    try {
      const exchange = await openAuthorized(this.#options, {
        purpose: 'probe',
        method: 'GET',
        url: httpForm(url),
        headers: headers(),
        signal: AbortSignal.any([signal, late.signal]),
        // A handshake follows no redirect; where it was sent is the answer.
        staysPut: true,
        held(isHeld) {
          held?.(isHeld);
          clearTimeout(timer);
          if (!isHeld) timer = start();
        },
      });
      const { status, statusText, headers: received } = exchange.head;
      // Nobody waits for the body, which the exchange records.
      void readExcerpt(exchange);
      const challenge = headerOf(received, 'www-authenticate');
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

function authorizationIn(headers: readonly Header[]): string | undefined {
  return headerOf(headers, 'authorization');
}

const NOT_OPEN: Problem = {
  code: 'not-connected',
  message: 'The WebSocket is not open, so there is no way to the server.',
  advice: 'Connect again.',
};

const LATE: Problem = { code: 'deadline', message: 'The GET was not answered in time.' };
