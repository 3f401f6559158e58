import { walks } from '../journeys.ts';
import { expect, test } from './fixtures.ts';

const LONG_CALL = {
  name: 'trigger-long-running-operation',
  arguments: { duration: 20, steps: 40 },
  _meta: { progressToken: 'a' },
};

test('the panel closed and opened again, and the browser too, shows the same rows', async ({
  wirescope,
  everything,
}) => {
  walks('Close and open the panel');
  let panel = await wirescope.openPanel();
  await panel.connectAndWait(everything.url);
  await panel.send('tools/list', {});
  await expect(panel.rows('tools/list', '200')).toHaveCount(1);
  await panel.connections.getByRole('button', { name: 'Disconnect' }).click();
  await expect(panel.rows('GET stream', '200 · closed')).toHaveCount(1);
  await expect(panel.connections).not.toContainText(/connected|closing/);
  // Nothing is pending any more, so nothing may change.
  const before = await panel.readWholeTable();
  expect(before.length).toBeGreaterThan(9);

  for (const page of wirescope.browser.context.pages().slice(1)) await page.close();
  panel = await wirescope.openPanel();
  await expect(panel.rows()).toHaveCount(before.length - 1);
  expect(await panel.readWholeTable()).toEqual(before);

  await wirescope.restart();
  panel = await wirescope.openPanel();
  // With the browser begins a capture; the one before it is a click away.
  await expect(panel.rows('Capture started')).toHaveCount(1);
  await expect(panel.rows('tools/list')).toHaveCount(0);
  const earlier = await panel.openCapture();
  await expect(earlier.capture).toContainText('stored earlier: Capture of');
  const after = await earlier.readWholeTable();
  expect(after.slice(0, before.length)).toEqual(before);
  // What is new is told as such.
  expect(after.slice(before.length).map((row) => row[3])).toEqual(['worker']);
});

test('the worker stopped in the middle of a stream leaves every shown row, and goes on', async ({
  wirescope,
  everything,
}) => {
  walks('Keep every row when the background stops');
  const panel = await wirescope.openPanel();
  await panel.connectAndWait(everything.url);
  await panel.send('tools/call', LONG_CALL);
  await expect(panel.rows('notifications/progress', '3 of 40')).toHaveCount(1);
  const shown = await panel.readWholeTable();

  await wirescope.stopWorker();
  // Its restart is a row of its own, below all the others.
  await expect(panel.rows('Worker restarted')).toContainText('2 resumed');
  await expect(panel.rows('notifications/progress', '4 of 40').first()).toBeVisible();
  await expect(panel.rows('tools/call')).toContainText('pending');
  const names = (rows: string[][]) =>
    rows.map(([time, , name]) => [time, ...(name ?? '').split(' ', 3)].join(' '));
  const isShown = (name: string) => names(shown).includes(name);
  // What goes on with a stream stands with it, between rows that were there before.
  const after = await panel.readWholeTable();
  expect(names(after).filter(isShown)).toEqual(names(shown));

  await wirescope.restart();
  const reopened = await (await wirescope.openPanel()).openCapture();
  // A browser that starts anew has nothing to go on with.
  await expect(reopened.rows('tools/call')).toContainText('interrupted');
  const stored = await reopened.readWholeTable();
  expect(names(stored).filter(isShown)).toEqual(names(shown));
});

test('the connection is there in a popup that opens later, and can be ended from it', async ({
  wirescope,
  everything,
}) => {
  walks('Connect from the popup');
  const panel = await wirescope.openPanelTab();
  await panel.connectAndWait(everything.url);
  const popup = await wirescope.openPopup();
  await expect(popup.connections).toContainText('connected');
  await expect(popup.recentServers).toContainText(everything.url);
  await popup.page.getByRole('button', { name: /^Disconnect / }).click();
  await expect(panel.rows('DELETE')).toContainText('200');
  await expect(panel.connections).not.toContainText('connected');
});
