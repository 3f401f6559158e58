import type { Header } from '../../capture/store/stored-text.ts';
import type { EventOrigin } from '../../capture/wire-event.ts';

/** One HTTP request as we ask for it. */
export interface HttpCall {
  /** Names the call on every fact that the door reports. */
  httpId: string;
  method: string;
  /** Absolute, http or https, without fragment. */
  url: string;
  headers: readonly Header[];
  body?: Uint8Array<ArrayBuffer>;
  /** With the browser's cookies; those that the server sets are kept. */
  cookies?: true;
  signal: AbortSignal;
}

export interface HttpHead {
  status: number;
  statusText: string;
  headers: Header[];
}

export type BodyReader = Pick<
  ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  'read' | 'cancel'
>;

export interface HttpReply {
  head: HttpHead;
  /** Where the reply comes from, if not from the server. */
  origin?: EventOrigin;
  /** Where a redirect leads: `Location` as sent, resolved against the URL. No redirect is ever followed here. */
  redirect?: { location: string; target: string };
  body: BodyReader | undefined;
}

/** What the platform tells about a call besides its reply; may arrive late, or never. */
export interface HttpObserver {
  sent(headers: Header[], added: Header[]): void;
  received(statusLine: string, headers: Header[]): void;
  connection(details: { address?: string; fromCache?: boolean; protocol?: string }): void;
}

/**
 * The way to the network. Every platform has one: the browser's fetch with what webRequest tells beside it,
 * Node's fetch in tests.
 */
export interface HttpDoor {
  /** Whether not reading makes the server stop sending. In Firefox it does not. */
  readonly canBrake: boolean;
  /**
   * Sends and resolves with the reply's head; rejects with an `AppError` of code `network-*` that names the
   * real cause, or with the signal's reason.
   */
  send(call: HttpCall, observer: HttpObserver): Promise<HttpReply>;
  /** The platform's own name for what broke a body in mid-stream. */
  bodyError(httpId: string, error: unknown): Promise<string>;
}
