import { once } from 'node:events';
import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { SOCKET_FAULTS, type SocketFault } from './websocket-faults.ts';
import { answerWell, type SocketMessage, type SocketPeer } from './websocket-peer.ts';

/** How a socket ended, as the server saw it. */
export interface SeenClose {
  path: string;
  code: number;
  reason: string;
}

export interface MisbehavingSockets {
  /** URL of a behaviour, with or without a query: `ok`, `close?code=1008`. */
  url(name: string): string;
  /** Every request, handshakes and plain ones. */
  requests: { path: string; method: string; headers: IncomingMessage['headers'] }[];
  /** Every message that came, in order. */
  received: (SocketMessage & { path: string; text: string })[];
  /** Every binary frame that came, in order. */
  binary: { path: string; bytes: Buffer }[];
  closes: SeenClose[];
  close(): Promise<void>;
}

/** Starts the WebSocket server with all behaviours on 127.0.0.1, each at `/NAME`. */
export async function startMisbehavingSockets(): Promise<MisbehavingSockets> {
  const requests: MisbehavingSockets['requests'] = [];
  const received: MisbehavingSockets['received'] = [];
  const binary: MisbehavingSockets['binary'] = [];
  const closes: SeenClose[] = [];
  const visits = new Map<string, number>();
  const memories = new Map<string, Map<string, unknown>>();
  const raw = new Set<Duplex>();

  const options = { noServer: true, maxPayload: 256 * 1024 * 1024 };
  const selecting = { ...options, handleProtocols: selectMcp };
  const servers = {
    plain: new WebSocketServer(selecting),
    compressing: new WebSocketServer({ ...selecting, perMessageDeflate: { threshold: 0 } }),
    silent: new WebSocketServer({ ...options, handleProtocols: () => false }),
  };

  const http = createServer((request, response) => {
    note(request);
    refuse(findFault(request), response);
  });
  http.on('connection', (socket) => {
    raw.add(socket);
    socket.once('close', () => raw.delete(socket));
  });
  http.on('upgrade', (request, socket, head) => {
    note(request);
    const fault = findFault(request);
    if (fault?.hangs) return;
    if (fault === undefined || fault.refuses !== undefined) {
      socket.end(rawAnswer(fault?.refuses ?? { status: 404 }));
      return;
    }
    const server = fault.selectsNothing
      ? servers.silent
      : fault.compresses
        ? servers.compressing
        : servers.plain;
    server.handleUpgrade(request, socket, head, (opened) => serve(opened, request, fault));
  });

  function note({ url = '', method = '', headers }: IncomingMessage): void {
    requests.push({ path: url, method, headers });
  }

  function serve(socket: WebSocket, request: IncomingMessage, fault: SocketFault): void {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'ws://h');
    const visit = (visits.get(request.url ?? '') ?? 0) + 1;
    visits.set(request.url ?? '', visit);
    const memory = memories.get(request.url ?? '') ?? new Map<string, unknown>();
    memories.set(request.url ?? '', memory);
    const peer: SocketPeer = {
      socket,
      query,
      visit,
      memory,
      received: [],
      sendResult: (id, result) => socket.send(JSON.stringify({ jsonrpc: '2.0', id, result })),
      sendError: (id, code, message, data) =>
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })),
    };
    // What breaks off here is what was asked for.
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => closes.push({ path, code, reason: reason.toString() }));
    socket.on('message', (data: Buffer, isBinary) => {
      // Whatever it is: it goes back as it came.
      if (isBinary) {
        binary.push({ path, bytes: Buffer.from(data) });
        socket.send(data, { binary: true });
        return;
      }
      const text = data.toString();
      const message = JSON.parse(text) as SocketMessage;
      received.push({ ...message, path, text });
      peer.received.push(message);
      void Promise.resolve((fault.answer ?? answerWell)(peer, message)).catch(console.error);
    });
    void fault.opened?.(peer);
  }

  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');

  return {
    url: (name) => `ws://127.0.0.1:${address.port}/${name}`,
    requests,
    received,
    binary,
    closes,
    async close() {
      const closed = once(http, 'close');
      http.close();
      for (const socket of raw) socket.destroy();
      await closed;
    },
  };
}

function selectMcp(offered: Set<string>): string | false {
  return offered.has('mcp') ? 'mcp' : false;
}

function findFault({ url = '' }: IncomingMessage): SocketFault | undefined {
  return SOCKET_FAULTS[new URL(url, 'http://h').pathname.slice(1)];
}

/** To a plain request: what the handshake is told, or that an upgrade is wanted here. */
function refuse(fault: SocketFault | undefined, response: ServerResponse): void {
  const { status, headers = {} } = fault?.refuses ?? { status: fault === undefined ? 404 : 426 };
  response.writeHead(status, headers).end();
}

function rawAnswer({ status, headers = {} }: NonNullable<SocketFault['refuses']>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}Content-Length: 0\r\nConnection: close\r\n\r\n`;
}
