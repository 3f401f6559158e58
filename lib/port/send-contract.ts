import type { RpcId } from '../capture/correlate/items.ts';
import type { Purpose } from '../capture/wire-event.ts';

/** Who a client says that it is. */
export interface ClientIdentity {
  name: string;
  title?: string;
  version: string;
}

/** The habits of a client. */
export interface PlayedClient {
  info: ClientIdentity;
  /** Absent: what can be answered here. */
  capabilities?: Record<string, unknown>;
  /** Names of headers that it does not send. */
  omit: string[];
  /** What it accepts, with every request; absent: what each one needs. */
  accept?: string;
  /** It ends no session. */
  leavesSession?: true;
  /** It opens the GET stream only in a session. */
  streamNeedsSession?: true;
}

/** A request that is on its way: its JSON-RPC id, and the exchange or socket that carries it. */
export interface SentRequest {
  rpcId: string;
  carrierId: string;
}

/** What a request of the user's may have besides method and params. */
export interface SendOptions {
  /** `sequence` of the request of which it is a replay. */
  replayOf?: number;
  /** For this request only; they win over all others. */
  headers?: { name: string; value: string }[];
  /** In milliseconds, in the place of the connection's. */
  idleTimeoutMs?: number;
  /** In the modern era: says that the call may become a task. */
  asTask?: boolean;
}

/** What a text is, as far as the connection needs it: a response is waited for, headers mirror the params. */
export interface RawText {
  kind: 'request' | 'notification' | 'response';
  method: string;
  rpcId?: RpcId;
  paramsText?: string;
}

/** What is sent to the letter. Nobody but the log takes its answer. */
export type RawMessage =
  /** In the dress of the connection: its URL, headers and session, or a frame of its socket. */
  | ({ kind: 'text'; connectionId: string; text: string } & { as: RawText })
  /** One binary frame of a WebSocket. */
  | { kind: 'binary'; connectionId: string; base64: string }
  /** A whole request, beside a connection or by itself. Absent `base64` means that it has no body. */
  | {
      kind: 'http';
      connectionId?: string;
      purpose: Purpose;
      method: string;
      url: string;
      headers: { name: string; value: string }[];
      base64?: string;
    };

/** What a page can have sent. */
export interface SendFunctions {
  /**
   * Sends a JSON-RPC request with a fresh id; resolves once it is on its way. `paramsText` is raw JSON, kept
   * to the letter.
   */
  send(
    connectionId: string,
    method: string,
    paramsText: string | undefined,
    options?: SendOptions,
  ): Promise<SentRequest>;
  /**
   * Sends what the user has written; resolves with the exchange or socket once it is on its way. Rejects where
   * the host is not allowed or no such request can be sent: nothing is sent then.
   */
  sendRaw(
    message: RawMessage,
    options?: Pick<SendOptions, 'replayOf' | 'idleTimeoutMs'>,
  ): Promise<{ carrierId: string }>;
  /** Ends an exchange that `sendRaw` has begun. */
  stopRaw(carrierId: string): Promise<void>;
}
