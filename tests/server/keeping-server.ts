import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came in, to the byte. */
export interface KeptRequest {
  method: string;
  headers: [name: string, value: string][];
  body: Buffer;
}

export interface KeepingServer extends AsyncDisposable {
  url: string;
  seen: KeptRequest[];
}

/** A legacy MCP server that answers with how many requests it has seen, and when; it keeps all that it was sent. */
export async function startKeepingServer(session?: string): Promise<KeepingServer> {
  const seen: KeptRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const { rawHeaders } = request;
      const headers = rawHeaders.flatMap((name, index): KeptRequest['headers'] =>
        index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
      );
      seen.push({ method: request.method ?? '', headers, body });
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const id = /"id"\s*:\s*(\d+|"[^"]*")/.exec(body.toString())?.[1];
      const isHello = body.includes('"initialize"');
      if (id === undefined) {
        return void response.writeHead(body.includes('notifications/') ? 202 : 400).end();
      }
      const counted = { seen: seen.length, createdAt: new Date().toISOString(), tools: [] };
      const result = isHello ? HELLO : counted;
      response.writeHead(200, {
        'content-type': 'application/json',
        ...(isHello && session !== undefined ? { 'mcp-session-id': session } : {}),
      });
      response.end(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'keeping', version: '1.0.0' },
};
