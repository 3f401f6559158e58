import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startFlood, type FloodServer } from '../server/flood.ts';
import {
  ANSWER_MS,
  describeFlood,
  KEPT_BYTES,
  KEY_MS,
  PATIENCE_SECONDS,
  PEAK_BYTES,
  settle,
} from '../support/flood-bounds.ts';
import { note } from '../support/note.ts';
import { quietMachine } from '../support/quiet-machine.ts';
import { readAnswers, watchAnswers } from '../support/response-times.ts';
import { eventsOf, readStoredBlocks } from '../support/stored-log.ts';
import { startFirefox, type Firefox } from './firefox.ts';
import { Page } from './page.ts';
import { answerPrompt, collectGarbage, extensionMemory, heldMemory } from './privileged.ts';

const ARROWS = ['\uE013', '\uE015'] as const;
/** Longer than Firefox waits before it goes on with a stream. */
const KEYS_PER_LOOK = 20;

test.each(['a stream', 'a WebSocket'])(
  '300 MB over %s leave memory bounded and the panel quick',
  { timeout: 360_000 },
  async (over) => {
    walks('Be flooded by a server');
    await using server = await startFlood();
    const firefox = await startFirefox(resolve('.output/firefox-mv3'));
    try {
      const { marionette } = firefox;
      // Beside it, a page without anything shows what the machine itself takes for an answer.
      const blank = await openBlank(firefox);
      await marionette.command('WebDriver:Navigate', { url: firefox.pageUrl('panel.html') });
      const page = new Page(marionette);
      await page.press('Options');
      // A busy machine takes longer than the minute that a call has.
      await page.fill('Idle timeout, seconds', String(PATIENCE_SECONDS));
      if (over === 'a stream') await page.choose('Transport', 'Streamable HTTP, legacy');
      await page.press('Options');
      await page.connect(over === 'a stream' ? server.url : server.socketUrl);
      await answerPrompt(firefox, 'allow');
      await page.expectConnections(/connected/);
      await page.press('Send a request');
      await collectGarbage(firefox);
      await quietMachine();
      const before = await extensionMemory(firefox);
      const heldBefore = await heldMemory(firefox);
      await marionette.run(watchAnswers);
      await page.send('tools/call', { name: 'flood' });
      const { peak, answers, blankAnswers } = await pressUntilQuiet(firefox, server, blank);

      // What the allocator has not given back to the system is not held.
      const kept = await settle(async () => (await heldMemory(firefox)) - heldBefore);
      note(describeFlood('Firefox', over, { before, peak, kept: before + kept }, answers));
      note(`A blank page beside it: at most ${Math.max(16, ...blankAnswers)} ms.`);
      const stored = eventsOf(await marionette.run(readStoredBlocks));
      const came = stored.filter(
        ({ kind }) => kind === (over === 'a stream' ? 'sse-event' : 'socket-frame'),
      ).length;
      const stops = stored.filter(({ kind }) => kind === 'reading-paused').length;
      note(`Firefox, over ${over}: ${came} messages stored, stopped ${stops} times.`);
      expect(kept).toBeLessThan(KEPT_BYTES);
      expect(peak - before).toBeLessThan(PEAK_BYTES);
      const extra = Math.max(0, ...answers) - Math.max(16, ...blankAnswers);
      expect(extra).toBeLessThanOrEqual(ANSWER_MS);

      // Nothing slows a server down here: a stream is stopped and goes on after its last event, a WebSocket is closed.
      const isWhole = came > server.messages;
      expect(isWhole).toBe(over === 'a stream');
      expect(stops).toBeGreaterThan(0);
      expect(server.log.filter(({ lastEventId }) => lastEventId !== undefined).length > 0).toBe(
        isWhole,
      );
      expect(await marionette.text('[aria-label="Capture"]')).not.toContain('issue');
      const grid = await marionette.find('[role=treegrid][aria-label=Traffic]');
      await marionette.command('WebDriver:ElementSendKeys', { id: grid, text: '\uE011' });
      await page.expectRow(isWhole ? /tools\/call flood.* 200/ : /tools\/call flood.*failed/);
    } finally {
      await firefox.quit();
    }
  },
);

interface BlankPage {
  handle: string;
  field: string;
}

async function openBlank({ marionette, tab }: Firefox): Promise<BlankPage> {
  const { handle } = await marionette.command<{ handle: string }>('WebDriver:NewWindow', {
    type: 'window',
  });
  await marionette.command('WebDriver:SwitchToWindow', { handle });
  await marionette.command('WebDriver:Navigate', { url: 'data:text/html,<input>' });
  await marionette.run(watchAnswers);
  const field = await marionette.find('input');
  await marionette.command('WebDriver:SwitchToWindow', { handle: tab });
  return { handle, field };
}

/** Presses keys in the panel, and in a blank page beside it, until nothing has come for a while. */
async function pressUntilQuiet(firefox: Firefox, server: FloodServer, blank: BlankPage) {
  const { marionette, tab } = firefox;
  const switchTo = (handle: string) => marionette.command('WebDriver:SwitchToWindow', { handle });
  const id = await marionette.find('[role=treegrid][aria-label=Traffic]');
  let last = '';
  let peak = 0;
  for (let pressed = 0; pressed < 800; pressed += 1) {
    const text = ARROWS[pressed % 2];
    await marionette.command('WebDriver:ElementSendKeys', { id, text });
    await switchTo(blank.handle);
    await marionette.command('WebDriver:ElementSendKeys', { id: blank.field, text });
    await switchTo(tab);
    await delay(KEY_MS);
    peak = Math.max(peak, await extensionMemory(firefox));
    if (pressed % KEYS_PER_LOOK !== 0) continue;
    const now = `${server.sentBytes} ${await marionette.text('[aria-label="Capture"]')}`;
    if (now === last && now.endsWith('stored on disk')) break;
    last = now;
  }
  const answers = await marionette.run(readAnswers);
  await switchTo(blank.handle);
  const blankAnswers = await marionette.run(readAnswers);
  await switchTo(tab);
  return { peak, answers, blankAnswers };
}
