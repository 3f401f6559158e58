import type { Frame, Page } from '@playwright/test';
import { setTimeout as delay } from 'node:timers/promises';
import { walks } from '../journeys.ts';
import { startFlood, type FloodServer } from '../server/flood.ts';
import { watchMemory } from '../support/chromium-memory.ts';
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
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

const KEYS_PER_LOOK = 20;

for (const over of ['a stream', 'a WebSocket'] as const) {
  test(`300 MB over ${over} leave memory bounded and the panel quick`, async ({ wirescope }) => {
    walks('Be flooded by a server');
    test.setTimeout(300_000);
    await using server = await startFlood();
    const panel = await wirescope.openPanel();
    const { context } = wirescope.browser;
    // Beside it, a page without anything shows what the machine itself takes for an answer.
    const blank = context.pages().find((page) => page.url().startsWith('data:'));
    if (blank === undefined) throw new Error('The page that is inspected is gone.');
    await panel.options.click();
    // A busy machine takes longer than the minute that a call has.
    await panel.root.getByLabel('Idle timeout, seconds').fill(String(PATIENCE_SECONDS));
    if (over === 'a stream') await panel.choose('Transport', 'Streamable HTTP, legacy');
    await panel.options.click();
    await panel.connectAndWait(over === 'a stream' ? server.url : server.socketUrl);
    const session = await context.newCDPSession(panel.root);
    await session.send('HeapProfiler.collectGarbage');
    await quietMachine();
    const memory = await watchMemory(wirescope.browser);
    await panel.root.evaluate(watchAnswers);
    await blank.evaluate(watchAnswers);

    await panel.send('tools/call', { name: 'flood' });
    await panel.traffic.focus();
    const answers = await pressUntilQuiet(panel, blank, server);

    const { before, peak } = await memory.stop();
    const kept = await settle(async () => {
      await session.send('HeapProfiler.collectGarbage');
      return (await memory.read()) - before;
    });
    await memory.close();
    note(describeFlood('Chromium', over, { before, peak, kept: before + kept }, answers.panel));
    note(`A blank page beside it: at most ${Math.max(16, ...answers.blank)} ms.`);
    expect(kept).toBeLessThan(KEPT_BYTES);
    expect(peak - before).toBeLessThan(PEAK_BYTES);
    const extra = Math.max(0, ...answers.panel) - Math.max(16, ...answers.blank);
    expect(extra).toBeLessThanOrEqual(ANSWER_MS);

    // What came is there, and a server that keeps the rules is blamed for nothing.
    expect(await readIssues(panel)).toBe('');
    const stored = eventsOf(await panel.root.evaluate(readStoredBlocks));
    const came = stored.filter(
      ({ kind }) => kind === (over === 'a stream' ? 'sse-event' : 'socket-frame'),
    );
    await panel.traffic.press('Home');
    const isWhole = came.length > server.messages;
    await expect(panel.rows('tools/call', 'flood')).toContainText(
      isWhole ? /200|result/ : /failed/,
    );
    // The panel holds the newest bytes only, and reads the others again when they are looked at.
    await panel.rows('notifications/message', 'number 1').first().click();
    await expect(panel.details).toContainText(/Notification\s*1\d\.\d kB/);
    await expect(panel.details.getByRole('tree')).toContainText('number 1 ');
    // A stream is slowed down by not reading from it; for a WebSocket closing it is all that can be done.
    expect(isWhole || over === 'a WebSocket').toBe(true);
    expect(isWhole || stored.some(({ kind }) => kind === 'reading-paused')).toBe(true);
  });
}

/** What the first row with issues is blamed for; empty where there is none. */
async function readIssues(panel: PanelPage): Promise<string> {
  if (!(await panel.capture.innerText()).includes('issue')) return '';
  await panel.traffic.press('Home');
  await panel.rows('issue').first().click();
  await panel.detailTabs.filter({ hasText: 'Issues' }).click();
  return await panel.root.getByRole('list', { name: 'Issues' }).innerText();
}

/** Presses keys in the panel, and in a blank page beside it, until nothing has come for a while. */
async function pressUntilQuiet(panel: PanelPage, blank: Page, server: FloodServer) {
  let last = '';
  for (let pressed = 0; pressed < 800; pressed += 1) {
    await panel.traffic.press(pressed % 2 === 0 ? 'ArrowUp' : 'ArrowDown');
    await blank.keyboard.press('ArrowDown');
    await delay(KEY_MS);
    if (pressed % KEYS_PER_LOOK !== 0) continue;
    const now = `${server.sentBytes} ${await panel.capture.innerText()}`;
    if (now === last && now.endsWith('stored on disk')) break;
    last = now;
  }
  const read = (page: Page | Frame) => page.evaluate(readAnswers);
  return { panel: await read(panel.root), blank: await read(blank) };
}
