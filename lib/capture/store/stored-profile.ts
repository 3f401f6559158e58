import type { Header, StoredUrl } from './stored-text.ts';

/** How messages travel. */
export type TransportKind = 'streamable-http' | 'http-sse' | 'websocket';

/**
 * What the user wants: one transport, or the choice left to what the server answers. `streamable-http` means
 * its legacy revisions, `modern` means revision 2026-07-28 of it.
 */
export type TransportChoice = TransportKind | 'auto' | 'modern';

/** The transport that a wish begins with. */
export function transportOf(choice: TransportChoice): TransportKind {
  return choice === 'auto' || choice === 'modern' ? 'streamable-http' : choice;
}

/** Connection settings as stored: no secret values. */
export interface StoredProfile {
  url: StoredUrl;
  transport: TransportChoice;
  /** What `initialize` offers, where that is not the newest legacy revision. */
  offerRevision?: string;
  headers: Header[];
  originPolicy: OriginPolicy;
  /** With the browser's cookies. */
  cookies?: true;
  messageLimitBytes: number;
  reconnection: Reconnection;
}

/** How a stream that ended is opened again. A server's `retry` always goes before these. */
export interface Reconnection {
  initialDelayMs: number;
  maxDelayMs: number;
  factor: number;
  /** Attempts in a row that may fail; 0 means that no stream is opened again. */
  retries: number;
}

/** What `Origin` our own requests to the MCP endpoint carry. */
export type OriginPolicy =
  | { kind: 'none' }
  | { kind: 'extension' }
  | { kind: 'value'; value: string };
