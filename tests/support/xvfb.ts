import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { programPath } from './programs.mjs';

export interface Display {
  /** For the environment variable DISPLAY. */
  name: string;
  /** Ids of the visible windows. */
  windows(): Promise<string[]>;
  /** Presses keys, one after the other, as a keyboard would. */
  press(...keys: string[]): Promise<void>;
  close(): Promise<void>;
}

const run = promisify(execFile);

/** Starts an X server without a screen, on a free display. */
export async function startDisplay(): Promise<Display> {
  const server = spawn(programPath('xvfb'), ['-displayfd', '1', '-screen', '0', '1400x900x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const number = await new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    server.once('close', () => reject(new Error('Xvfb ended at once.')));
    server.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
  });
  const name = `:${number}`;
  const xdotool = (...args: string[]) =>
    run(programPath('xdotool'), args, { env: { ...process.env, DISPLAY: name } });
  return {
    name,
    async windows() {
      const { stdout } = await xdotool('search', '--onlyvisible', '--name', '.*').catch(() => ({
        // It fails when there is none.
        stdout: '',
      }));
      return stdout.split('\n').filter((line) => line !== '');
    },
    async press(...keys) {
      for (const key of keys) await xdotool('key', key);
    },
    async close() {
      server.kill();
      await exited;
    },
  };
}
