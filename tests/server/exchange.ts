import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** A parsed JSON-RPC message, as far as a server looks into it. */
export interface RpcMessage {
  id?: unknown;
  method?: unknown;
  params?: Record<string, unknown>;
}

/** One legacy session. */
export interface Session {
  id: string;
  revision: unknown;
  /** Open standalone GET streams. */
  streams: Set<ServerResponse>;
  /** Bodies of the client's responses to our requests, by id. */
  answers: Map<string, string>;
  /** Messages received. */
  requestCount: number;
  /** Requests sent to the client. */
  askedCount: number;
}

/** One HTTP exchange on its way through the server. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: string;
  /** The parsed body of a POST, an empty object where it is no JSON object. */
  message: RpcMessage;
  query: URLSearchParams;
  sessions: Map<string, Session>;
  /** Origin of the second server, which only records. */
  trapOrigin: string;
  /** Fires when the client is gone or the server closes. */
  signal: AbortSignal;
}

/** A number from the query, such as `?n=5`. */
export function queryNumber(exchange: Exchange, name: string, fallback: number): number {
  const text = exchange.query.get(name);
  return text === null ? fallback : Number(text);
}

/** Waits; rejects when the exchange is over. */
export async function pause(exchange: Exchange, durationMs: number): Promise<void> {
  await delay(durationMs, undefined, { signal: exchange.signal });
}

/** Answers with a status, a body and its type; no `Content-Type` without one. */
export function send(exchange: Exchange, status: number, type?: string, body = ''): void {
  const headers: Record<string, string> = { 'Content-Length': String(Buffer.byteLength(body)) };
  if (type !== undefined) headers['Content-Type'] = type;
  exchange.response.writeHead(status, headers).end(body);
}

export function sendJson(exchange: Exchange, text: string, status = 200): void {
  send(exchange, status, 'application/json', text);
}

/** Sends the head of an event stream at once, before any event. */
export function openStream(exchange: Exchange): ServerResponse {
  const { response } = exchange;
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  response.flushHeaders();
  return response;
}

export function sendEvent(response: ServerResponse, text: string, id?: string): void {
  response.write(`event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`);
}

/** Writes, and waits where the client reads slowly. */
export async function write(exchange: Exchange, part: string | Uint8Array): Promise<void> {
  const { response, signal } = exchange;
  if (!response.write(part)) await once(response, 'drain', { signal });
}

export function result(exchange: Exchange, value: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: exchange.message.id, result: value });
}

/** A valid result for the call at hand, whatever its method. */
export function anyResult(exchange: Exchange): string {
  return result(exchange, { content: [{ type: 'text', text: 'ok' }], tools: [] });
}

export function rpcError(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

export function notification(method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** A progress notification for the call at hand; a log message where it asked for no progress. */
export function progress(exchange: Exchange, step: number, total: number): string {
  const meta = exchange.message.params?.['_meta'];
  const token = isRecord(meta) ? meta['progressToken'] : undefined;
  if (token === undefined) {
    return notification('notifications/message', {
      level: 'info',
      data: `step ${step} of ${total}`,
    });
  }
  return notification('notifications/progress', { progressToken: token, progress: step, total });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
