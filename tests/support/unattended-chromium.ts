import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { openPopup } from './chromium.ts';
import { programPath } from './programs.mjs';

/** A browser that nobody is attached to, but for as long as a visit takes. */
export interface UnattendedChromium extends AsyncDisposable {
  /** Attaches, opens the real popup, hands it over, closes it and leaves: no client is attached afterwards. */
  visitPopup(visit: (popup: Page) => Promise<void>): Promise<void>;
  /** Whether the worker of the extension runs. Looking neither attaches to it nor starts it. */
  isWorkerRunning(): Promise<boolean>;
}

interface Target {
  type: string;
  url: string;
}

const START_MS = 20_000;

/**
 * Starts Chromium with the extension and a debug port. Automation that stays attached keeps a worker alive, so
 * what is tested of its life needs a browser like this one.
 */
export async function startUnattended(
  extension: string,
  profile: string,
): Promise<UnattendedChromium> {
  const child = spawn(
    programPath('chromium'),
    [
      '--headless',
      '--no-sandbox',
      '--no-first-run',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
      'about:blank',
    ],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const origin = `http://127.0.0.1:${await readPort(join(profile, 'DevToolsActivePort'))}`;

  return {
    async visitPopup(visit) {
      const browser = await chromium.connectOverCDP(origin);
      const [context] = browser.contexts();
      if (context === undefined) throw new Error('The browser has no context.');
      const worker = async () =>
        context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
      const popup = await openPopup({ context, worker });
      await visit(popup);
      await popup.close();
      // Of a browser that was not started by it, this ends the link only.
      await browser.close();
    },
    async isWorkerRunning() {
      const targets = (await (await fetch(`${origin}/json/list`)).json()) as Target[];
      return targets.some(({ type, url }) => {
        return type === 'service_worker' && url.startsWith('chrome-extension:');
      });
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      kill();
      await exited;
    },
  };
}

/** Chromium writes the port that it has chosen to a file. */
async function readPort(file: string): Promise<number> {
  const end = Date.now() + START_MS;
  for (;;) {
    const port = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
    if (port > 0) return port;
    if (Date.now() > end) throw new Error('Chromium has not started.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
