import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WebSocketServer, type WebSocket } from 'ws';

const EVERYTHING = fileURLToPath(
  new URL(
    '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    import.meta.url,
  ),
);

export interface WebSocketBridge {
  url: string;
  /** Request headers of every handshake, as Node gives them. */
  handshakes: Record<string, string | string[] | undefined>[];
  close(): Promise<void>;
}

/**
 * Starts a WebSocket server in front of a stdio server, by default the reference server of the MCP project: a
 * process for each socket, a line for each frame, and nothing changed on the way. A socket opens once its
 * process has something in its log, so that the time it takes to start is part of no answer.
 */
export async function startWebSocketBridge(
  command: string[] = [process.execPath, EVERYTHING, 'stdio'],
): Promise<WebSocketBridge> {
  const [program = '', ...args] = command;
  const children = new Set<ChildProcessWithoutNullStreams>();
  const started = new WeakMap<IncomingMessage, ChildProcessWithoutNullStreams>();
  const handshakes: WebSocketBridge['handshakes'] = [];
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    path: '/mcp',
    handleProtocols: (offered) => (offered.has('mcp') ? 'mcp' : false),
    verifyClient({ req }: { req: IncomingMessage }, decide: (isAccepted: boolean) => void) {
      const child = spawn(program, args);
      started.set(req, child);
      children.add(child);
      const isOver = once(child, 'exit').then(() => !children.delete(child));
      const isUp = once(child.stderr, 'data').then(() => true);
      void Promise.race([isUp, isOver]).then(decide);
    },
  });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The bridge has no port.');

  const killAll = (): void => {
    for (const child of children) child.kill('SIGKILL');
  };
  process.once('exit', killAll);

  server.on('connection', (socket, request) => {
    handshakes.push(request.headers);
    const child = started.get(request);
    if (child === undefined) throw new Error('A socket without a process.');
    // Where the client has gone first, this says nothing to anybody.
    child.once('exit', () => socket.close(1011, 'the server process ended'));
    child.stderr.resume();
    connect(socket, child.stdin, child.stdout);
    socket.on('close', () => child.kill('SIGKILL'));
  });

  return {
    url: `ws://127.0.0.1:${address.port}/mcp`,
    handshakes,
    async close() {
      process.off('exit', killAll);
      const exits = [...children].map((child) => once(child, 'exit'));
      for (const socket of server.clients) socket.terminate();
      killAll();
      await Promise.all(exits);
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

function connect(
  socket: WebSocket,
  input: NodeJS.WritableStream,
  output: NodeJS.ReadableStream,
): void {
  createInterface({ input: output }).on('line', (line) => {
    if (line.trim() !== '') socket.send(line);
  });
  socket.on('message', (data: Buffer) => input.write(`${data.toString()}\n`));
}
