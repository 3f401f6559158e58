import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { Direction, Item } from '../../../lib/capture/correlate/items.ts';
import type { TransportChoice } from '../../../lib/capture/store/stored-profile.ts';
import type { Header } from '../../../lib/capture/store/stored-text.ts';
import type { WireEvent, WireFact } from '../../../lib/capture/wire-event.ts';
import type { Issue } from '../../../lib/lint/issue.ts';
import { startLint } from '../../support/rules.ts';
import { LogBuilder, type ExchangeOptions } from '../../support/builders.ts';

const SESSION = '5f0c2f0e-7f7e-4b9b-9a54-0c8a5f2f1d11';

interface Handshake {
  revision?: unknown;
  /** Null for a server without sessions. */
  session?: string | null;
  client?: unknown;
  server?: unknown;
  result?: Record<string, unknown>;
  /** False where the client leaves the notification out. */
  isFinished?: boolean;
}

/** The log of a client that does everything right, and of a server that does what the test says. */
export class LintLog extends LogBuilder {
  transport: TransportChoice = 'streamable-http';
  /** The transport report that the connection is opened for. */
  report: { reportId: string; candidate: string } | undefined;
  #revision: string | undefined;
  #session: string | undefined;
  #laterMs = 0;
  #nextId = 0;

  override add(fact: WireFact): WireEvent {
    const event = super.add(fact);
    event.monotonicTime += this.#laterMs;
    event.wallTime += this.#laterMs;
    return event;
  }

  wait(ms: number): this {
    this.#laterMs += ms;
    return this;
  }

  override request(body?: unknown, options: ExchangeOptions = {}): string {
    return super.request(body, { ...options, headers: options.headers ?? this.headers(options) });
  }

  /** The headers that a good client sends; undefined in `change` takes one out. */
  headers(
    options: ExchangeOptions = {},
    change: Record<string, string | undefined> = {},
  ): Header[] {
    const isGet = options.method === 'GET';
    const isDelete = options.method === 'DELETE';
    const all: Record<string, string | undefined> = {
      accept: isGet ? 'text/event-stream' : 'application/json, text/event-stream',
      'content-type': isGet || isDelete ? undefined : 'application/json',
      'mcp-protocol-version': this.#revision,
      'mcp-session-id': this.#session,
      'last-event-id': options.links?.lastEventId,
      ...change,
    };
    return Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value }],
    );
  }

  /** The next free id, as JSON text. */
  nextId(): string {
    this.#nextId += 1;
    return String(this.#nextId);
  }

  respond(httpId: string, status: number, headers: Record<string, string> = {}): void {
    const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
    this.add({ kind: 'http-response', httpId, status, statusText: '', headers: list });
  }

  override opened(url?: string): void {
    super.opened(url);
    const [event] = this.events.slice(-1);
    if (event?.kind !== 'connection-opened') return;
    event.profile.transport = this.transport;
    if (this.report !== undefined) event.report = this.report;
  }

  /** Sends `initialize` without its answer; returns the exchange. */
  initialize(offered = '2025-11-25', client: unknown = {}, headers?: Header[]): string {
    const params = {
      protocolVersion: offered,
      capabilities: client,
      clientInfo: { name: 'test', version: '1' },
    };
    return this.call('0', 'initialize', params, headers === undefined ? {} : { headers });
  }

  /** A whole handshake, from the opening of the connection on. */
  connect(options: Handshake = {}): this {
    this.opened();
    return this.handshake(options);
  }

  handshake(options: Handshake = {}): this {
    const {
      revision = '2025-11-25',
      session = SESSION,
      server = { tools: {}, logging: {} },
    } = options;
    const httpId = this.initialize('2025-11-25', options.client);
    this.respond(httpId, 200, {
      'content-type': 'application/json',
      ...(session === null ? {} : { 'mcp-session-id': session }),
    });
    this.chunk(
      httpId,
      JSON.stringify({
        jsonrpc: '2.0',
        id: 0,
        result: {
          protocolVersion: revision,
          capabilities: server,
          serverInfo: { name: 'test', version: '1' },
          ...options.result,
        },
      }),
    );
    this.end(httpId);
    if (typeof revision === 'string') this.#revision = revision;
    this.#session = session ?? undefined;
    if (options.isFinished !== false) this.notify('notifications/initialized');
    return this;
  }

  notify(method: string, params?: unknown): string {
    const httpId = this.request({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });
    this.respond(httpId, 202);
    this.end(httpId);
    return httpId;
  }

  /** A request of ours with a fresh id that is answered by a stream, left open. */
  streamed(
    method = 'tools/call',
    params: unknown = { name: 'echo' },
  ): { httpId: string; id: number } {
    const id = this.nextId();
    const httpId = this.call(id, method, params);
    this.head(httpId, 200, 'text/event-stream');
    return { httpId, id: Number(id) };
  }

  /** A request of ours with a fresh id and its JSON answer. */
  asked(answer: (id: number) => unknown, method = 'tools/list', params?: unknown): string {
    const id = this.nextId();
    const httpId = this.call(id, method, params);
    this.answer(httpId, answer(Number(id)));
    return httpId;
  }

  /** Opens a WebSocket with a whole handshake on it; returns a way to send frames. */
  socket(): (direction: Direction, message: unknown) => void {
    this.transport = 'websocket';
    this.opened();
    const socketId = `${this.connectionId}-s1`;
    const url = { text: 'ws://127.0.0.1:3001/' };
    this.add({
      kind: 'socket-opening',
      socketId,
      url,
      subprotocols: ['mcp'],
    });
    this.add({ kind: 'socket-open', socketId, subprotocol: 'mcp' });
    const send = (direction: Direction, message: unknown): void => {
      const bytes = new TextEncoder().encode(JSON.stringify(message));
      this.add({ kind: 'socket-frame', socketId, direction, opcode: 'text', data: { bytes } });
    };
    const params = { protocolVersion: '2025-11-25', capabilities: {} };
    send('outgoing', { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    send('incoming', {
      jsonrpc: '2.0',
      id: 0,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name: 'test', version: '1' },
      },
    });
    send('outgoing', { jsonrpc: '2.0', method: 'notifications/initialized' });
    return send;
  }

  terminate(status = 200): void {
    const httpId = this.request(undefined, { purpose: 'terminate', method: 'DELETE' });
    this.respond(httpId, status);
    this.end(httpId);
  }

  closed(): void {
    this.add({ kind: 'connection-closed', cause: 'user' });
  }
}

export function result(id: unknown, value: unknown = {}): unknown {
  return { jsonrpc: '2.0', id, result: value };
}

export function notification(method: string, params: unknown = {}): unknown {
  return { jsonrpc: '2.0', method, params };
}

/** Issues of a log, applied batch by batch as it is cut. */
export function lintBatches(batches: readonly (readonly WireEvent[])[]): {
  issues: readonly Issue[];
  items: readonly Item[];
  issuesOf(key: string): readonly Issue[];
} {
  const correlation = createCorrelation();
  const lint = startLint(correlation);
  for (const batch of batches) lint.apply(correlation.apply(batch));
  return { issues: lint.all, items: correlation.items, issuesOf: lint.issuesOf };
}

/** Issues of a log. */
export function issuesIn(log: LogBuilder): readonly Issue[] {
  return lintBatches([log.events]).issues;
}
