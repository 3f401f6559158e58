import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isRecord } from './exchange.ts';

const START_MS = 40_000;

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

const EVERYTHING = path('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const SUPERGATEWAY = path('../../node_modules/supergateway/dist/index.js');
const MCP_PROXY = path('../../node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs');
const FASTMCP = path('./peers-fastmcp.ts');
const MODERN = path('./peers-modern.ts');
const MODERN_STDIO = path('./peers-modern-stdio.ts');
const LOOPBACK = path('./peers-loopback.ts');

const STDIO = [process.execPath, EVERYTHING, 'stdio'];
/** The official SDK of both eras, for whatever puts a stdio server on the network. */
export const MODERN_CHILD = [process.execPath, MODERN_STDIO];

function gateway(child: string[], ...options: string[]): string[] {
  return [SUPERGATEWAY, '--stdio', child.join(' '), '--logLevel', 'none', ...options];
}

/** Servers and bridges of others, by what they are and how they are started. */
const PEERS = {
  'everything-streamable': [EVERYTHING, 'streamableHttp'],
  'everything-sse': [EVERYTHING, 'sse'],
  'supergateway-sse': gateway(STDIO, '--outputTransport', 'sse'),
  'supergateway-ws': gateway(STDIO, '--outputTransport', 'ws', '--messagePath', '/message'),
  'supergateway-stateless': gateway(STDIO, '--outputTransport', 'streamableHttp'),
  'supergateway-stateful': gateway(STDIO, '--outputTransport', 'streamableHttp', '--stateful'),
  'supergateway-modern': gateway(
    [...MODERN_CHILD, '--restless'],
    '--outputTransport',
    'streamableHttp',
  ),
  'mcp-proxy': [MCP_PROXY, '--host', '127.0.0.1', '--', ...STDIO],
  'mcp-proxy-stateless': [MCP_PROXY, '--host', '127.0.0.1', '--stateless', '--', ...STDIO],
  fastmcp: [FASTMCP],
  'fastmcp-stateless': [FASTMCP, '--stateless'],
  modern: [MODERN],
  'modern-guarded': [MODERN, '--guard'],
} satisfies Record<string, string[]>;

export type PeerName = keyof typeof PEERS;

export interface Peer extends AsyncDisposable {
  url(path: string): string;
}

/** Starts a peer on a free port of 127.0.0.1, and waits until it listens. Disposing of it ends its process. */
export async function startPeer(name: PeerName): Promise<Peer> {
  const child = spawn(process.execPath, ['--import', LOOPBACK, ...PEERS[name]], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const exited = once(child, 'exit');
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const listening = new Promise<number>((resolve) => {
    child.on('message', (message) => {
      if (isRecord(message) && typeof message['port'] === 'number') resolve(message['port']);
    });
  });
  const late = AbortSignal.timeout(START_MS);
  const port = await Promise.race([
    listening,
    exited.then(() => undefined),
    once(late, 'abort').then(() => undefined),
  ]);
  const end = async (): Promise<void> => {
    // Some of them take no notice of SIGTERM.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  };
  if (port === undefined) {
    await end();
    throw new Error(`${name} did not start:\n${output}`);
  }
  return { url: (at) => `http://127.0.0.1:${port}${at}`, [Symbol.asyncDispose]: end };
}
