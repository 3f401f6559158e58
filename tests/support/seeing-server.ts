import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came in, to the byte. */
export interface SeenRequest {
  method: string;
  path: string;
  /** In their order; values as one character a byte. */
  headers: [name: string, value: string][];
  body: Buffer;
}

export interface SeeingServer extends AsyncDisposable {
  url: string;
  /** The requests since the last call. */
  take(): SeenRequest[];
}

/** A server on the loopback that answers everything with `ok`, and keeps what it was asked. */
export async function startSeeingServer(): Promise<SeeingServer> {
  let seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { rawHeaders, method = '', url = '' } = request;
      const headers: [string, string][] = [];
      for (let index = 0; index < rawHeaders.length; index += 2) {
        headers.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
      }
      seen.push({ method, path: url, headers, body: Buffer.concat(parts) });
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
