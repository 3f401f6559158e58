import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { startAuthPeer, type AuthPeer } from '../server/auth-peer.ts';
import { answerWell, type SocketMessage } from '../server/websocket-peer.ts';
import { startTestWorker } from '../support/connected.ts';
import type { TestAuth } from '../support/authorized.ts';

/** A server over WebSocket that wants tokens of an authorization server, in the handshake. */
async function startGuarded(peer: AuthPeer) {
  /** `method path token` of every request, handshakes included. */
  const requests: string[] = [];
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'mcp' });
  const isAllowed = (request: IncomingMessage, what: string) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const isGood = peer.tokens.has(token);
    const line = `${what} ${request.url} ${isGood ? 'good' : token === '' ? 'none' : 'bad'}`;
    // Node itself repeats a handshake that was answered 401, which is not for us to count.
    if (isGood || requests.at(-1) !== line) requests.push(line);
    return isGood;
  };
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource') === true) {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ resource: url(), authorization_servers: [peer.origin] }));
    } else if (request.url?.startsWith('/.well-known/') === true) {
      response.writeHead(404).end();
    } else if (isAllowed(request, 'GET')) {
      response.writeHead(426).end();
    } else {
      response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end();
    }
  });
  server.on('upgrade', (request, socket, head) => {
    if (!isAllowed(request, 'handshake')) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on('message', (data: Buffer) => {
        const message: SocketMessage = JSON.parse(data.toString());
        const reply = (body: object) =>
          opened.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body }));
        answerWell(
          {
            socket: opened,
            query: new URLSearchParams(),
            visit: 1,
            received: [],
            memory: new Map(),
            sendResult: (_id, result) => reply({ result }),
            sendError: (_id, code, text) => reply({ error: { code, message: text } }),
          },
          message,
        );
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const url = () => `http://127.0.0.1:${address.port}/mcp`;
  return {
    url: url().replace('http:', 'ws:'),
    requests,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function connectTo(url: string, auth: TestAuth) {
  const worker = await startTestWorker({}, undefined, undefined, auth);
  const id = await worker.connect(url, {
    transport: 'websocket',
    reconnection: { initialDelayMs: 1, maxDelayMs: 1, factor: 1, retries: 2 },
  });
  const summary = await worker.state(id, 'connected', 'failed');
  return { worker, id, summary };
}

test('a handshake that is refused leads to a login, and to one more that presents the token', async () => {
  await using peer = await startAuthPeer();
  await using server = await startGuarded(peer);
  const { worker, id, summary } = await connectTo(server.url, {});
  await using _worker = worker;
  expect(summary.state).toBe('connected');
  expect(server.requests).toEqual([
    'handshake /mcp none',
    'GET /mcp none',
    'GET /mcp good',
    'handshake /mcp good',
  ]);
  const [chain] = worker.events.filter(({ kind }) => kind === 'auth-started');
  expect(chain).toMatchObject({ url: { text: server.url.replace('ws:', 'http:') } });

  // The next socket has it from the start.
  await worker.manager.functions.disconnect(id, false);
  const again = await worker.connect(server.url, { transport: 'websocket' });
  await worker.state(again, 'connected');
  expect(server.requests.slice(4)).toEqual(['handshake /mcp good']);
});

test('a user who leaves is not asked again by another way to connect', async () => {
  await using peer = await startAuthPeer();
  await using server = await startGuarded(peer);
  let asked = 0;
  const { worker, summary } = await connectTo(server.url, {
    consent() {
      asked += 1;
      return Promise.resolve(undefined);
    },
  });
  await using _worker = worker;
  expect(summary).toMatchObject({ state: 'failed', problem: { code: 'auth-closed' } });
  expect([asked, server.requests]).toEqual([1, ['handshake /mcp none', 'GET /mcp none']]);
});

test('a server that refuses every token ends after one repeat of each kind', async () => {
  await using peer = await startAuthPeer();
  await using server = await startGuarded({ ...peer, tokens: new Map() });
  const { worker, summary } = await connectTo(server.url, {});
  await using _worker = worker;
  expect(summary).toMatchObject({ state: 'failed', problem: { code: 'auth-rejected' } });
  expect(server.requests).toEqual(['handshake /mcp none', 'GET /mcp none', 'GET /mcp bad']);
});
