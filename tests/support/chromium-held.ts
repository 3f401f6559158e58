import type { CDPSession } from '@playwright/test';
import type { ChromiumBrowser } from './chromium.ts';

export interface HeldMemory {
  /** What they hold now: their objects and all their buffers, and hardly any garbage; in bytes. */
  read(): Promise<number>;
  close(): Promise<void>;
}

/** Where the extension's code runs; an offscreen document shares the heap of the panel. */
const HEAPS = /^chrome-extension:\/\/.*\/(?:background\.js|panel\.html)$/;

/**
 * Measures what worker and panel of the extension hold: objects and buffers, but not what the browser keeps behind
 * them, which has its bounds already. Each goes on between its collection and its figure, so that some garbage is
 * in it again: of a few in a row, the smallest is nearest to the truth.
 */
export async function watchHeld({ context }: ChromiumBrowser): Promise<HeldMemory> {
  const connection = context.browser();
  if (connection === null) throw new Error('The browser is gone.');
  const session = await connection.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] });
  const targets = targetInfos.filter(({ url }) => HEAPS.test(url));
  if (targets.length !== 2) throw new Error(`Not worker and panel: ${JSON.stringify(targets)}`);
  const heaps = await Promise.all(targets.map(({ targetId }) => openHeap(session, targetId)));
  return {
    async read() {
      const sizes = await Promise.all(heaps.map((read) => read()));
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    close: () => session.detach(),
  };
}

/** The figures of `Runtime.getHeapUsage`, in bytes. */
interface HeapUsage {
  usedSize: number;
  backingStorageSize: number;
}

const READINGS = 3;

/** Playwright gives no session for a worker, nor for a page in DevTools: its messages are wrapped in ours. */
async function openHeap(session: CDPSession, targetId: string): Promise<() => Promise<number>> {
  const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
  const waiting = new Map<number, (answer: Partial<HeapUsage>) => void>();
  let lastId = 0;
  session.on('Target.receivedMessageFromTarget', (event) => {
    if (event.sessionId !== sessionId) return;
    const { id = 0, result = {} } = JSON.parse(event.message) as {
      id?: number;
      result?: Partial<HeapUsage>;
    };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });

  async function command(method: string, params: object = {}): Promise<Partial<HeapUsage>> {
    lastId += 1;
    const id = lastId;
    const answer = new Promise<Partial<HeapUsage>>((resolve) => waiting.set(id, resolve));
    const message = JSON.stringify({ id, method, params });
    await session.send('Target.sendMessageToTarget', { sessionId, message });
    return await answer;
  }

  async function readOnce(): Promise<number> {
    const collected = command('HeapProfiler.collectGarbage');
    // What the first one has found is freed beside it, and for certain before the second one.
    const again = command('HeapProfiler.collectGarbage');
    const usage = command('Runtime.getHeapUsage');
    await Promise.all([collected, again, usage]);
    const { usedSize = NaN, backingStorageSize = NaN } = await usage;
    return usedSize + backingStorageSize;
  }

  return async () => {
    const sizes: number[] = [];
    while (sizes.length < READINGS) sizes.push(await readOnce());
    console.log(targetId.slice(0, 4), ...sizes.map((n) => Math.round(n / 1e6)));
    return Math.min(...sizes);
  };
}
