import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startStorm } from '../server/storm.ts';
import { readEveryRow } from '../support/every-row.ts';
import { note } from '../support/note.ts';
import { chooseSeed, seededMoments } from '../support/seeded.ts';
import {
  describeLog,
  eventsOf,
  judgeLog,
  lastVerdict,
  readStoredBlocks,
} from '../support/stored-log.ts';
import { stormSize } from '../support/storm-size.ts';
import { startFirefox } from './firefox.ts';
import { Page } from './page.ts';
import { answerPrompt, stopBackground } from './privileged.ts';

const FULL = { notifications: 20_000, durationMs: 60_000, kills: 5 };
const SHORT = { notifications: 5000, durationMs: 15_000, kills: 5 };

const { notifications, durationMs, kills } = stormSize(FULL, SHORT);

test(
  'a storm of notifications comes through while the background is stopped again and again',
  { timeout: durationMs + 150_000 },
  async () => {
    walks('Lose the background again and again');
    const seed = chooseSeed();
    note(`Firefox: kills from WIRESCOPE_SEED=${seed}.`);
    await using server = await startStorm();
    const firefox = await startFirefox(resolve('.output/firefox-mv3'));
    const { marionette } = firefox;
    try {
      const openPanel = async () => {
        const { handle } = await marionette.command<{ handle: string }>('WebDriver:NewWindow', {
          type: 'window',
        });
        await marionette.command('WebDriver:SwitchToWindow', { handle });
        await marionette.command('WebDriver:Navigate', { url: firefox.pageUrl('panel.html') });
        return handle;
      };
      const panels = [await openPanel(), await openPanel()];
      const page = new Page(marionette);
      await page.press('Options');
      await page.choose('Transport', 'Streamable HTTP, legacy');
      await page.press('Options');
      await page.connect(server.url);
      await answerPrompt(firefox, 'allow');
      await page.expectConnections(/connected/);
      await page.press('Send a request');
      await page.send('tools/call', { name: 'storm' });
      await page.expectRow(/GET stream.*open/);
      await expect.poll(() => server.sent()).toEqual(['g-0', 'c-0']);

      const raging = server.rage(notifications, durationMs);
      const start = performance.now();
      for (const moment of seededMoments(seed, kills, durationMs)) {
        await delay(Math.max(0, start + moment - performance.now()));
        await stopBackground(firefox);
      }
      await raging;
      const verdict = await lastVerdict(async () =>
        judgeLog(eventsOf(await marionette.run(readStoredBlocks)), server.sent()),
      );
      note(`Firefox: ${server.sent().length} events sent, ${kills} kills.`);
      note(describeLog(verdict));
      expect(verdict).toMatchObject({
        holes: [],
        doubled: [],
        missing: [],
        repeated: [],
        gaps: [],
      });
      // A life may be over before it has recorded anything.
      expect(verdict.boots).toBeGreaterThan(kills / 2);
      expect(server.log.filter(({ method }) => method === 'tools/call')).toHaveLength(1);

      // Nothing is open any more then, so no row counts the time.
      await page.press('Disconnect');
      await page.expectConnections(/closed|^$/);
      const rows: string[][] = [];
      for (const handle of panels) {
        await marionette.command('WebDriver:SwitchToWindow', { handle });
        await expect
          .poll(() => marionette.text('[aria-label="Capture"]'), { timeout: 20_000 })
          .toMatch(/· stored on disk/);
        await marionette.command('WebDriver:SetTimeouts', { script: 90_000 });
        rows.push(await marionette.run(readEveryRow));
      }
      const [first = [], second] = rows;
      note(`Firefox: ${first.length} rows in each panel.`);
      expect(first.length).toBeGreaterThan(notifications);
      const calls = first.filter((row) => row.includes('tools/call'));
      expect(calls).toEqual([expect.stringMatching(/tools\/call storm\s+request\s+200\s/)]);
      expect(second).toEqual(first);
    } finally {
      await firefox.quit();
    }
  },
);
