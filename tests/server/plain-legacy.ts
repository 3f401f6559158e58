import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocketServer, type WebSocket } from 'ws';
import type { RpcMessage } from './exchange.ts';

/** One line of the server's log; `at` is wall time in milliseconds. */
export interface ServerNote {
  at: number;
  what:
    | 'stream opened'
    | 'stream closed'
    | 'socket opened'
    | 'socket closed'
    | 'posted'
    | 'deleted';
  /** Method of what was posted. */
  method?: string;
  /** `Last-Event-ID` of a stream. */
  lastEventId?: string;
}

export interface PlainLegacyOptions {
  /** A GET stream is open, its head sent; without it the stream stays silent. */
  stream?(response: ServerResponse, lastEventId: string | undefined): void;
  /** A tool is called over HTTP; the response is untouched. */
  call?(message: RpcMessage, response: ServerResponse): void;
  /** A tool is called over a WebSocket. */
  socketCall?(message: RpcMessage, socket: WebSocket): void;
}

export interface PlainLegacy extends AsyncDisposable {
  url: string;
  socketUrl: string;
  log: ServerNote[];
}

const TOOLS = ['storm', 'flood'].map((name) => ({ name, inputSchema: { type: 'object' } }));

/**
 * A legacy server of one session over Streamable HTTP and over a WebSocket, for tests of load and life: it
 * answers everything well, notes what comes and goes, and leaves streams and calls to the test.
 */
export async function startPlainLegacy(options: PlainLegacyOptions = {}): Promise<PlainLegacy> {
  const log: ServerNote[] = [];
  const session = randomUUID();
  const note = (what: ServerNote['what'], more: Partial<ServerNote> = {}) =>
    void log.push({ at: Date.now(), what, ...more });

  const http = createServer((request, response) => {
    // A client that leaves is what is tested.
    response.on('error', () => undefined);
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return openGetStream(request, response);
    if (request.method === 'DELETE') {
      note('deleted');
      response.writeHead(200).end();
      return;
    }
    const message = JSON.parse(await text(request)) as RpcMessage;
    note('posted', { method: typeof message.method === 'string' ? message.method : '' });
    if (message.method === 'tools/call' && options.call !== undefined) {
      options.call(message, response);
      return;
    }
    const reply = replyTo(message);
    if (reply === undefined) {
      response.writeHead(202).end();
      return;
    }
    if (message.method === 'initialize') response.setHeader('Mcp-Session-Id', session);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(reply);
  }

  function openGetStream({ headers }: IncomingMessage, response: ServerResponse): void {
    if (headers['mcp-session-id'] !== session) {
      response.writeHead(404).end();
      return;
    }
    const id = headers['last-event-id'];
    const lastEventId = typeof id === 'string' ? id : undefined;
    const more = lastEventId === undefined ? {} : { lastEventId };
    note('stream opened', more);
    response.once('close', () => note('stream closed', more));
    openEventStream(response);
    // One byte of body: Firefox hands out the head of a response only then.
    response.write(': open\n\n');
    options.stream?.(response, lastEventId);
  }

  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'mcp' });
  http.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (opened) => {
      note('socket opened');
      opened.on('error', () => undefined);
      opened.on('close', () => note('socket closed'));
      opened.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as RpcMessage;
        if (message.method === 'tools/call') options.socketCall?.(message, opened);
        const reply = replyTo(message);
        if (reply !== undefined) opened.send(reply);
      });
    });
  });

  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    socketUrl: `ws://127.0.0.1:${address.port}/mcp`,
    log,
    async [Symbol.asyncDispose]() {
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      for (const socket of sockets.clients) socket.terminate();
      await closed;
    },
  };
}

/** Sends the head of an event stream. */
export function openEventStream(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  response.flushHeaders();
}

/** A JSON-RPC result as text. */
export function resultText(id: unknown, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

/** Nothing for what wants no answer, and for tool calls, which the test answers. */
function replyTo({ id, method, params }: RpcMessage): string | undefined {
  if (id === undefined || typeof method !== 'string' || method === 'tools/call') return undefined;
  switch (method) {
    case 'initialize':
      return resultText(id, {
        protocolVersion: params?.['protocolVersion'],
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name: 'plain-legacy', version: '1.0.0' },
      });
    case 'ping':
      return resultText(id, {});
    case 'tools/list':
      return resultText(id, { tools: TOOLS });
    default: {
      const error = { code: -32601, message: `Method not found: ${method}` };
      return JSON.stringify({ jsonrpc: '2.0', id, error });
    }
  }
}
