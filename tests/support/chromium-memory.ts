import { readFileSync } from 'node:fs';
import type { ChromiumBrowser } from './chromium.ts';

export interface MemoryWatch {
  /** What they have now. */
  read(): Promise<number>;
  /** What the processes of the extension had in memory at first, and at most since then; in bytes. */
  stop(): Promise<{ before: number; peak: number }>;
  close(): Promise<void>;
}

const LOOK_MS = 100;

/** Watches what the processes of the extension have in memory: worker, panel and offscreen document alike. */
export async function watchMemory({ context }: ChromiumBrowser): Promise<MemoryWatch> {
  const connection = context.browser();
  if (connection === null) throw new Error('The browser is gone.');
  const session = await connection.newBrowserCDPSession();
  const read = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.map(({ id }) => residentBytes(id)).reduce((sum, bytes) => sum + bytes, 0);
  };
  const before = await read();
  let peak = before;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await read());
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  })();
  return {
    read,
    async stop() {
      isOver = true;
      await watching;
      return { before, peak };
    },
    close: () => session.detach(),
  };
}

/** Zero for a process of another kind, and for one that has ended. */
function residentBytes(pid: number): number {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--extension-process')) return 0;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
