import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChromiumBrowser } from '../support/chromium.ts';

/** Processor time in seconds: unlike the time on a clock it does not grow while others keep the processors busy. */
export interface ThreadTimes {
  panel: number;
  worker: number;
}

export interface ThreadWatch {
  read(): ThreadTimes;
  /** Waits until both have had nothing to do for a while; at most 30 s. */
  calm(): Promise<void>;
}

const LOOK_MS = 250;
const CALM_LOOKS = 4;
const PATIENCE_MS = 30_000;
/** A share of one processor that is nothing: clocks that tick, the measuring itself. */
const IDLE_SHARE = 0.08;

/** Watches the main threads of the extension's pages, and its worker's thread, as Linux counts their time. */
export async function watchThreads({ context }: ChromiumBrowser): Promise<ThreadWatch> {
  const connection = context.browser();
  if (connection === null) throw new Error('The browser is gone.');
  const session = await connection.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pids = processInfo.map(({ id }) => id).filter(isOfExtension);

  function read(): ThreadTimes {
    const times = { panel: 0, worker: 0 };
    for (const pid of pids) {
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const folder = `/proc/${pid}/task/${thread}`;
        const isWorker = readFileSync(`${folder}/comm`, 'utf8').startsWith('ServiceWorker');
        if (!isWorker && thread !== String(pid)) continue;
        const [nanoseconds] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ');
        times[isWorker ? 'worker' : 'panel'] += Number(nanoseconds) / 1e9;
      }
    }
    return times;
  }

  return {
    read,
    async calm() {
      const end = Date.now() + PATIENCE_MS;
      for (let calm = 0; calm < CALM_LOOKS && Date.now() < end;) {
        const before = read();
        await delay(LOOK_MS);
        const after = read();
        const used = Math.max(after.panel - before.panel, after.worker - before.worker);
        calm = used < (IDLE_SHARE * LOOK_MS) / 1000 ? calm + 1 : 0;
      }
    },
  };
}

function isOfExtension(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--extension-process');
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
