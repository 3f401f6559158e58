import type { Header, StoredUrl } from './stored-text.ts';

/** How messages travel. */
export type TransportKind = 'streamable-http' | 'http-sse' | 'websocket';

/** Connection settings as stored: no secret values. */
export interface StoredProfile {
  url: StoredUrl;
  transport: TransportKind;
  headers: Header[];
  originPolicy: OriginPolicy;
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
