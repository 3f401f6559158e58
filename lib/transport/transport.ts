import type { Problem } from '../errors.ts';
import type { RpcId } from '../capture/correlate/items.ts';
import type { TransportKind } from '../capture/store/stored-profile.ts';
import type { Header } from '../capture/store/stored-text.ts';
import type { RequestLinks } from '../capture/wire-event.ts';
import type { Payload } from '../protocol/jsonrpc.ts';

/** A message to send, with what a transport needs to know about it. */
export interface OutgoingMessage {
  text: string;
  /** Goes as a binary frame in the place of the text; only a WebSocket has such. */
  bytes?: Uint8Array<ArrayBuffer>;
  kind: 'request' | 'notification' | 'response';
  /** JSON-RPC method, or that of the request answered. */
  method: string;
  rpcId?: RpcId;
  links?: RequestLinks;
  /** Headers that mirror the message, where the transport has a place for them (2026-07-28). */
  headers?: Header[];
  /** The user's own for this message, which win over all others. */
  ownHeaders?: Header[] | undefined;
  /** Its reason should be an `ExchangeAbort`. */
  signal: AbortSignal;
  /** Called with the id of what carries the message (exchange or socket), before it is sent. */
  started?(carrierId: string): void;
  /** Its limits of time do not run while somebody has to be asked first. */
  held?(isHeld: boolean): void;
}

/** A request that was sent before, as far as its answer needs it. */
export type ResumedMessage = Pick<
  OutgoingMessage,
  'method' | 'rpcId' | 'signal' | 'started' | 'held'
>;

/** Where a stream is: enough to take it up again, also in a later life of the worker. */
export interface StreamPosition {
  /** The exchange that carried it last. */
  httpId: string;
  /** Empty where the server gave none. */
  lastEventId: string;
  /** The server's own delay for reconnecting, in milliseconds. */
  retryMs?: number;
}

/** What a transport has open that can be taken up again. */
export interface OpenStreams {
  standalone?: StreamPosition;
  /** Streams that answer requests, by id. */
  answers: ReadonlyMap<RpcId, StreamPosition>;
  /** Events that held requests of the server, newest last. */
  askingIds: readonly string[];
}

/** What a transport tells its connection. */
export interface TransportEvents {
  /** Every payload that arrives, in order. `replyTo` is the request on whose own exchange it came. */
  received(payload: Payload, from: { carrierId: string; replyTo?: RpcId }): void;
  /** A stream was opened: the server is there. */
  reached?(): void;
  /**
   * The one channel that everything came through is gone: a new handshake is needed. `mayReconnect` is false
   * where trying again by itself would be wrong, for example after a refusal.
   */
  lost(problem: Problem, mayReconnect?: boolean): void;
}

/** Moves messages between us and one server. What they mean is the connection's business. */
export interface Transport {
  readonly kind: TransportKind;
  /** Whether ending the exchange of a request cancels it, so that no notification has to say so. */
  readonly cancelsByClosing?: boolean;
  /** The server's own delay for reconnecting, in milliseconds; absent where a loss is not for it to time. */
  readonly retryMs?: number | undefined;
  /** The server's session id, once there is one. */
  sessionId: string | undefined;
  /** Negotiated revision, set after the handshake; sent with every message where the transport has a place for it. */
  protocolVersion: string | undefined;
  /**
   * Opens what has to be open before the first message; rejects with an `AppError`. `started` is told the id
   * of what carries it, `held` when its limit of time has to stand still, and to run again.
   */
  open(
    signal: AbortSignal,
    started?: (carrierId: string) => void,
    held?: (isHeld: boolean) => void,
  ): Promise<void>;
  /**
   * Sends one message. Resolves when the server has accepted it; where the answer comes on the same exchange,
   * resolves when that is over and rejects when it is over without a response.
   */
  send(message: OutgoingMessage): Promise<void>;
  /**
   * Keeps the optional channel for the server's own messages open until the signal ends it; `from` takes a
   * stream up where another one left it. Resolves with the status of a server that offers none, or when it
   * could not be kept open.
   */
  listen(
    signal: AbortSignal,
    from?: Partial<StreamPosition>,
  ): Promise<number | 'given-up' | undefined>;
  /** What could be taken up again; absent where a transport resumes nothing. */
  readonly streams?: OpenStreams;
  /**
   * Takes up the stream that answers a request which an earlier life of the worker has sent; settles like
   * `send`. `waitMs` is what is left of the time that the server asked for.
   */
  resume?(message: ResumedMessage, from: StreamPosition, waitMs: number): Promise<void>;
  /** Never acts again on these events, which an earlier life has acted on. */
  skip?(eventIds: readonly string[]): void;
  /**
   * Takes every stream that is open for broken: its reader is stopped, and it is opened again where it can be.
   * Absent where a loss is the loss of the whole connection.
   */
  drop?(why: string): void;
  /** Ends the server's session where the transport has a way to; resolves with the HTTP status. */
  terminate(signal: AbortSignal): Promise<number | undefined>;
  /** Closes every channel of its own; resolves when that is over, where it takes time. */
  close(reason: Problem): void | Promise<void>;
}
