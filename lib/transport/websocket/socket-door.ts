import type { OriginPolicy } from '../../capture/store/stored-profile.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import type { EventOrigin } from '../../capture/wire-event.ts';

/** One WebSocket as we ask for it. */
export interface SocketCall {
  /** Names the socket on every fact about it. */
  socketId: string;
  /** Absolute, ws or wss, without fragment. */
  url: string;
  subprotocols: readonly string[];
  /** Request headers of the handshake. */
  headers: readonly Header[];
  originPolicy: OriginPolicy;
  /** With the browser's cookies. */
  cookies?: true;
}

export type Opcode = 'text' | 'binary';

/** The end of a socket as the platform reports it: 1005 and 1006 never came over the wire (RFC 6455, 7.4.1). */
export interface SocketClose {
  code: number;
  reason: string;
  clean: boolean;
}

/**
 * What the platform tells about a socket: `open` at most once, `close` exactly once and last, and nothing in
 * the turn in which it was asked for.
 */
export interface SocketObserver {
  open(subprotocol: string): void;
  /** The payload of one whole message, whatever its fragments were. */
  frame(opcode: Opcode, bytes: Uint8Array<ArrayBuffer>): void;
  /** `origin` says who ended it, if neither the server nor the network. */
  close(close: SocketClose, origin?: EventOrigin): void;
  /** More came than could be handed over, and the socket is being closed for it. */
  overrun(waitingBytes: number): void;
  /** Something about the handshake could not be done as asked; the socket is opened all the same. */
  limited(what: string): void;
}

export interface SocketLink {
  /** Only while the socket is open. */
  send(data: string | Uint8Array<ArrayBuffer>): void;
  /** Platforms let a client give 1000 and 3000 to 4999 only, and a reason of at most 123 bytes. */
  close(code: number, reason: string): void;
  /** Bytes that were given to `send` and have not left this machine. */
  readonly bufferedBytes: number;
  /** Lets go of a socket whose end does not come; nothing is reported any more. */
  drop(): void;
}

/** The way to WebSockets. Never throws: a socket that cannot be opened is one that closes. */
export interface SocketDoor {
  open(call: SocketCall, observer: SocketObserver): SocketLink;
}

/** The http form of a ws or wss URL: what its handshake asks for, and what host permissions name. */
export function httpForm(url: string): string {
  return url.replace(/^ws(s?):/i, 'http$1:');
}
