import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startFlood } from '../server/flood.ts';
import {
  describeHeld,
  FLOODS,
  heldLimit,
  PATIENCE_SECONDS,
  PEAK_BYTES,
  TAKEN_IN_BYTES,
} from '../support/flood-bounds.ts';
import { note } from '../support/note.ts';
import { startFirefox } from './firefox.ts';
import { Page } from './page.ts';
import { answerPrompt, extensionMemory, heldMemory } from './privileged.ts';

const LOOK_MS = 1000;

test.each(FLOODS)(
  'no more is held of a flood of $sizeBytes bytes over $over than of any other',
  { timeout: PATIENCE_SECONDS * 1000 },
  async ({ over, sizeBytes }) => {
    walks('Be flooded by a server');
    await using server = await startFlood(sizeBytes);
    const firefox = await startFirefox(resolve('.output/firefox-mv3'));
    try {
      const { marionette } = firefox;
      await marionette.command('WebDriver:Navigate', { url: firefox.pageUrl('panel.html') });
      const page = new Page(marionette);
      await page.press('Options');
      await page.fill('Idle timeout, seconds', String(PATIENCE_SECONDS));
      if (over === 'a stream') await page.choose('Transport', 'Streamable HTTP, legacy');
      await page.press('Options');
      await page.connect(over === 'a stream' ? server.url : server.socketUrl);
      await answerPrompt(firefox, 'allow');
      await page.expectConnections(/connected/);
      await page.press('Send a request');
      const before = await heldMemory(firefox);
      const taken = await extensionMemory(firefox);

      await page.send('tools/call', { name: 'flood' });
      const samples: number[] = [];
      let peak = 0;
      let last = '';
      for (;;) {
        await delay(LOOK_MS);
        peak = Math.max(peak, await extensionMemory(firefox));
        samples.push((await heldMemory(firefox)) - before);
        const now = `${server.sentBytes} ${await marionette.text('[aria-label="Capture"]')}`;
        if (now === last && now.endsWith('stored on disk')) break;
        last = now;
      }
      const most = Math.max(...samples);
      note(
        describeHeld('Firefox', over, sizeBytes, { most, samples: samples.length, peak, taken }),
      );
      expect(samples.length).toBeGreaterThan(2);
      expect(most).toBeLessThan(heldLimit(server.messages) + TAKEN_IN_BYTES);
      expect(peak - taken).toBeLessThan(PEAK_BYTES);
    } finally {
      await firefox.quit();
    }
  },
);
