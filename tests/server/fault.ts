import type { Exchange } from './exchange.ts';
import type { TinySettings } from './tiny-mcp.ts';

/**
 * Where a fault strikes: every HTTP request; JSON-RPC requests other than `initialize` and `ping`; an HTTP
 * method; or a JSON-RPC method. `?at=` in the URL moves it.
 */
export type Place = 'all' | 'calls' | 'GET' | 'POST' | 'DELETE' | (string & {});

/** One way to misbehave. Where it does not strike, the server behaves well. */
export interface Fault {
  /** One line for the list of paths. */
  about: string;
  at: Place;
  answer?: (exchange: Exchange) => void | Promise<void>;
  settings?: TinySettings;
  /** Where it does not strike, it is a server of 2026-07-28. */
  isModern?: boolean;
}

export type Faults = Record<string, Fault>;

export function strikes(place: Place, exchange: Exchange): boolean {
  const { message, request } = exchange;
  if (place === 'all' || place === request.method || place === message.method) return true;
  return (
    place === 'calls' &&
    request.method === 'POST' &&
    typeof message.method === 'string' &&
    message.id !== undefined &&
    message.method !== 'initialize' &&
    message.method !== 'ping'
  );
}
