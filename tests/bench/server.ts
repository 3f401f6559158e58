import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A fast legacy MCP server for measuring clients: it does as little as possible. Run as a process of its own,
 * it prints its URL. Tools: `json` (answered as JSON), `sse` (one event), and in one stream before the result:
 * `burst` (`count` notifications, all the same), `flood` (`count`, no two the same), `tick` (`count`, one at a
 * time after random pauses, each naming when it was sent). `pour` is a flood of the standalone stream, which is
 * there at the path \`/mcp/stream\` only.
 */
const NOTIFICATION = `event: message\ndata: ${JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: 'a notification of ordinary size for the benchmark' },
})}\n\n`;

interface RpcRequest {
  id?: string | number;
  method: string;
  params?: { protocolVersion?: string; name?: string; arguments?: { count?: number } };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function resultOf(message: RpcRequest): unknown {
  switch (message.method) {
    case 'initialize':
      return {
        protocolVersion: message.params?.protocolVersion ?? '2025-11-25',
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name: 'bench', version: '1.0.0' },
      };
    case 'tools/list':
      return {
        tools: ['json', 'sse', 'burst', 'flood', 'tick', 'pour'].map((name) => ({
          name,
          inputSchema: { type: 'object' },
        })),
      };
    default:
      return { content: [{ type: 'text', text: 'an answer of ordinary size for the benchmark' }] };
  }
}

async function answer(message: RpcRequest, response: ServerResponse): Promise<void> {
  const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) });
  const tool = message.params?.name;
  const count = message.params?.arguments?.count ?? 0;
  if (tool === undefined || tool === 'json') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(text);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (tool === 'burst') writeBurst(count, response);
  if (tool === 'flood') await writeFlood(count, response);
  if (tool === 'pour' && standalone !== undefined) await writeFlood(count, standalone);
  if (tool === 'tick') await writeTicks(count, response);
  response.end(`event: message\ndata: ${text}\n\n`);
}

function writeBurst(count: number, response: ServerResponse): void {
  const perWrite = 500;
  const piece = NOTIFICATION.repeat(perWrite);
  for (let sent = 0; sent + perWrite <= count; sent += perWrite) response.write(piece);
  response.write(NOTIFICATION.repeat(count % perWrite));
}

/** What a filter can look for. */
const COLOURS = ['red', 'green', 'blue', 'white', 'black'];

async function writeFlood(count: number, response: ServerResponse): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const colour = COLOURS[number % COLOURS.length];
    const noise = `${Math.random()} ${Math.random()}`;
    const isTaken = response.write(logEvent(`number ${number} of a flood, ${colour}, ${noise}`));
    if (!isTaken) await once(response, 'drain');
  }
}

async function writeTicks(count: number, response: ServerResponse): Promise<void> {
  response.flushHeaders();
  for (let number = 0; number < count; number += 1) {
    // In step with no frame of the browser.
    await delay(60 + Math.random() * 120);
    const sent = performance.timeOrigin + performance.now();
    response.write(logEvent(`tick ${number} at ${sent.toFixed(2)}`));
  }
}

function logEvent(data: string): string {
  const params = { level: 'info', logger: 'bench', data };
  const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params });
  return `event: message\ndata: ${text}\n\n`;
}

let standalone: ServerResponse | undefined;

const server = createServer((request, response) => {
  void readBody(request).then((body) => {
    if (request.method === 'GET' && request.url === '/mcp/stream') {
      standalone = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const message = JSON.parse(body) as RpcRequest;
    if (message.id === undefined) response.writeHead(202).end();
    else void answer(message, response).catch(() => response.destroy());
  });
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') {
    process.stdout.write(`http://127.0.0.1:${address.port}/mcp\n`);
  }
});
