import { isRecord, result } from './exchange.ts';
import type { Exchange } from './exchange.ts';

const SERVER_INFO = { name: 'tiny-modern', version: '1.0.0' };

/** A complete result, or one that says itself what it is, with the identity of the server. */
export function modernResult(exchange: Exchange, value: Record<string, unknown>): string {
  const own = isRecord(value['_meta']) ? value['_meta'] : {};
  const _meta = { 'io.modelcontextprotocol/serverInfo': SERVER_INFO, ...own };
  return result(exchange, { resultType: 'complete', ...value, _meta });
}

/** A result that may be kept for a minute. */
export function cacheable(exchange: Exchange, value: Record<string, unknown>): string {
  return modernResult(exchange, { ttlMs: 60_000, cacheScope: 'public', ...value });
}

/** The result of a tool that answers with a text. */
export function modernText(exchange: Exchange, text: string): string {
  return modernResult(exchange, { content: [{ type: 'text', text }] });
}
