import { setTimeout as delay } from 'node:timers/promises';
import { walks } from '../journeys.ts';
import { startFlood } from '../server/flood.ts';
import { watchHeld } from '../support/chromium-held.ts';
import { watchMemory } from '../support/chromium-memory.ts';
import {
  describeHeld,
  FLOODS,
  heldLimit,
  PATIENCE_SECONDS,
  PEAK_BYTES,
} from '../support/flood-bounds.ts';
import { note } from '../support/note.ts';
import { expect, test } from './fixtures.ts';

const LOOK_MS = 1000;

for (const { over, sizeBytes } of FLOODS) {
  test(`no more is held of ${sizeBytes / 1e6} MB over ${over} than of any other flood`, async ({
    wirescope,
  }) => {
    walks('Be flooded by a server');
    test.setTimeout(PATIENCE_SECONDS * 1000);
    await using server = await startFlood(sizeBytes);
    const panel = await wirescope.openPanel();
    await panel.options.click();
    await panel.root.getByLabel('Idle timeout, seconds').fill(String(PATIENCE_SECONDS));
    if (over === 'a stream') await panel.choose('Transport', 'Streamable HTTP, legacy');
    await panel.options.click();
    await panel.connectAndWait(over === 'a stream' ? server.url : server.socketUrl);
    const held = await watchHeld(wirescope.browser);
    const memory = await watchMemory(wirescope.browser);
    const before = await held.read();

    await panel.send('tools/call', { name: 'flood' });
    const samples: number[] = [];
    let last = '';
    for (;;) {
      await delay(LOOK_MS);
      samples.push((await held.read()) - before);
      const now = `${server.sentBytes} ${await panel.capture.innerText()}`;
      if (now === last && now.endsWith('stored on disk')) break;
      last = now;
    }
    await held.close();
    const { peak, before: taken } = await memory.stop();
    await memory.close();
    const most = Math.max(...samples);
    note(describeHeld('Chromium', over, sizeBytes, { most, samples: samples.length, peak, taken }));
    expect(samples.length).toBeGreaterThan(3);
    expect(most).toBeLessThan(heldLimit(server.messages));
    expect(peak - taken).toBeLessThan(PEAK_BYTES);
  });
}
