import { setTimeout as delay } from 'node:timers/promises';
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
import { expect, test } from './fixtures.ts';

const FULL = { notifications: 20_000, durationMs: 60_000, kills: 20 };
const SHORT = { notifications: 5000, durationMs: 15_000, kills: 6 };

test('a storm of notifications comes through while the worker is killed again and again', async ({
  wirescope,
}) => {
  walks('Lose the background again and again');
  const { notifications, durationMs, kills } = stormSize(FULL, SHORT);
  test.setTimeout(durationMs + 120_000);
  const seed = chooseSeed();
  note(`Chromium: kills from WIRESCOPE_SEED=${seed}.`);
  await using server = await startStorm();
  const panels = [await wirescope.openPanel(), await wirescope.openPanel()] as const;
  const [panel] = panels;
  await panel.choose('Transport', 'Streamable HTTP, legacy');
  await panel.connectAndWait(server.url);
  await panel.send('tools/call', { name: 'storm' });
  await expect(panel.rows('GET stream', 'open')).toHaveCount(1);
  await expect.poll(() => server.sent()).toEqual(['g-0', 'c-0']);
  // Both first events are on disk once the panel has them.
  await expect(panel.rows('tools/call', 'pending')).toHaveCount(1);

  const raging = server.rage(notifications, durationMs);
  const start = performance.now();
  for (const moment of seededMoments(seed, kills, durationMs)) {
    await delay(Math.max(0, start + moment - performance.now()));
    await expect(() => wirescope.stopWorker()).toPass({ intervals: [5] });
  }
  await raging;
  const verdict = await lastVerdict(async () =>
    judgeLog(eventsOf(await panel.root.evaluate(readStoredBlocks)), server.sent()),
  );
  note(`Chromium: ${server.sent().length} events sent, ${kills} kills.`);
  note(describeLog(verdict));
  expect(verdict).toMatchObject({ holes: [], doubled: [], missing: [], repeated: [], gaps: [] });
  // Two kills in quick succession leave no life in between that had something to record.
  expect(verdict.boots).toBeGreaterThan(kills / 2);
  const posted = server.log.filter(({ method }) => method === 'tools/call');
  expect(posted).toHaveLength(1);

  // Nothing is open any more then, so no row counts the time.
  await panel.endConnections();
  for (const each of panels) {
    await expect(each.capture).not.toContainText(/capturing|reading|reconnecting/);
  }
  const [first, second] = await Promise.all(panels.map((each) => each.root.evaluate(readEveryRow)));
  note(`Chromium: ${first?.length} rows in each panel.`);
  expect(first?.length).toBeGreaterThan(notifications);
  const calls = first?.filter((row) => row.includes('tools/call')) ?? [];
  expect(calls).toEqual([expect.stringMatching(/tools\/call storm\s+request\s+200\s/)]);
  expect(second).toEqual(first);
});
