import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programPath } from './programs.mjs';

export interface Display {
  /** For the environment variable DISPLAY. */
  name: string;
  /** The pixels of the first rows from the top, as bytes. */
  readTop(rows: number): Buffer;
  /** Presses keys, one after the other, as a keyboard would. */
  press(...keys: string[]): Promise<void>;
  /** Types a text where the keyboard leads to. */
  type(text: string): Promise<void>;
  /** Clicks as a mouse would, at a place from the left and the top. */
  click(x: number, y: number): Promise<void>;
  /** Gives the keyboard to the only window, as a window manager would. */
  focus(): Promise<void>;
  close(): Promise<void>;
}

const run = promisify(execFile);

const WIDTH = 1400;
/** Xvfb writes its frame buffer in the format of xwd: a header of at most this size comes first. */
const HEADER_BYTES = 4096;

/** Starts an X server without a screen, on a free display. */
export async function startDisplay(): Promise<Display> {
  const folder = mkdtempSync(join(tmpdir(), 'wirescope-display-'));
  const screen = ['-screen', '0', `${WIDTH}x900x24`, '-fbdir', folder];
  const server = spawn(programPath('xvfb'), ['-displayfd', '1', ...screen], {
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
    readTop: (rows) =>
      readFileSync(join(folder, 'Xvfb_screen0')).subarray(0, HEADER_BYTES + rows * WIDTH * 4),
    async press(...keys) {
      for (const key of keys) await xdotool('key', key);
    },
    async type(text) {
      await xdotool('type', '--delay', '5', text);
    },
    async click(x, y) {
      await xdotool('mousemove', String(x), String(y), 'click', '1');
    },
    async focus() {
      await xdotool('search', '--sync', '--onlyvisible', '--name', '.', 'windowfocus', '--sync');
    },
    async close() {
      server.kill();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
