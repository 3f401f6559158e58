import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(
  new URL(
    '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    import.meta.url,
  ),
);

const START_MS = 20_000;

/** Starts the reference server of the MCP project over Streamable HTTP, on a free port, and waits until it listens. */
export async function startEverything(): Promise<{ url: string; close(): Promise<void> }> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [PROGRAM, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  const listening = new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.includes(`listening on port ${port}`)) resolve();
    });
  });
  const failed = Promise.race([
    exited.then(() => `server-everything ended:\n${output}`),
    once(AbortSignal.timeout(START_MS), 'abort').then(() => `no server after 20 s:\n${output}`),
  ]);
  const problem = await Promise.race([listening, failed]);
  if (problem !== undefined) {
    kill();
    throw new Error(problem);
  }
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      process.off('exit', kill);
      if (child.exitCode === null && child.signalCode === null) kill();
      await exited;
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port.');
  return address.port;
}
