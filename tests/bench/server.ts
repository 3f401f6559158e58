import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * A fast legacy MCP server for measuring clients: it does as little as possible. Run as a process of its own,
 * it prints its URL. Tools: `json` (answered as JSON), `sse` (one event), `burst` (`count` notifications, then
 * the result, in one stream).
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
        tools: ['json', 'sse', 'burst'].map((name) => ({ name, inputSchema: { type: 'object' } })),
      };
    default:
      return { content: [{ type: 'text', text: 'an answer of ordinary size for the benchmark' }] };
  }
}

function answer(message: RpcRequest, response: ServerResponse): void {
  const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) });
  const tool = message.params?.name;
  if (tool !== 'sse' && tool !== 'burst') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(text);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (tool === 'burst') writeBurst(message.params?.arguments?.count ?? 0, response);
  response.end(`event: message\ndata: ${text}\n\n`);
}

function writeBurst(count: number, response: ServerResponse): void {
  const perWrite = 500;
  const piece = NOTIFICATION.repeat(perWrite);
  for (let sent = 0; sent + perWrite <= count; sent += perWrite) response.write(piece);
  response.write(NOTIFICATION.repeat(count % perWrite));
}

const server = createServer((request, response) => {
  void readBody(request).then((body) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const message = JSON.parse(body) as RpcRequest;
    if (message.id === undefined) response.writeHead(202).end();
    else answer(message, response);
  });
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') {
    process.stdout.write(`http://127.0.0.1:${address.port}/mcp\n`);
  }
});
