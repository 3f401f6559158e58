import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { launchWirescope } from '../e2e/wirescope.ts';
import { startStorm } from '../server/storm.ts';
import { median } from './median.ts';

const ROUNDS = 9;
/** Events before each kill, so that the worker is at work when it comes. */
const EVENTS = 200;
const SPAN_MS = 1000;

/**
 * How long it takes from the moment at which the worker is killed until the server has been asked to go on with
 * both of its streams; a panel is open. In milliseconds.
 */
export async function benchRevival(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'wirescope-bench-'));
  const wirescope = await launchWirescope({ build: 'granted', profile: join(folder, 'profile') });
  try {
    await using server = await startStorm();
    const panel = await wirescope.openPanel();
    await panel.choose('Transport', 'Streamable HTTP, legacy');
    await panel.connectAndWait(server.url);
    await panel.send('tools/call', { name: 'storm' });
    await panel.rows('tools/call', 'pending').waitFor();
    await panel.rows('GET stream', 'open').waitFor();
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await server.notify(EVENTS, SPAN_MS);
      const before = server.log.length;
      const killed = Date.now();
      await wirescope.stopWorker();
      const resumed = () =>
        server.log.slice(before).filter(({ what, lastEventId }) => {
          return what === 'stream opened' && lastEventId !== undefined;
        });
      while (resumed().length < 2) await delay(2);
      times.push(Math.max(...resumed().map(({ at }) => at)) - killed);
    }
    return {
      'worker.killToResumedMs': median(times),
      'worker.killToResumedWorstMs': Math.max(...times),
    };
  } finally {
    await wirescope.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
