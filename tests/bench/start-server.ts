import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface BenchServer extends Disposable {
  url: string;
}

/** Starts the server for measuring as a process of its own, so that it takes no time from who measures. */
export async function startBenchServer(): Promise<BenchServer> {
  const server = spawn(process.execPath, [new URL('server.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return { url: line.toString().trim(), [Symbol.dispose]: () => void server.kill() };
}
