import type { Locator } from '@playwright/test';
import { walks } from '../journeys.ts';
import { startPeer } from '../server/peers.ts';
import { findViolationsInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

async function openLab(panel: PanelPage): Promise<Locator> {
  await panel.connections.getByRole('button', { name: /^Lab/ }).click();
  return panel.root.getByRole('region', { name: 'Lab' });
}

/** Makes a call that goes on for a while, and takes its stream for the one to drop. */
async function beginCall(panel: PanelPage, lab: Locator, steps: number): Promise<void> {
  await panel.send('tools/call', {
    name: 'trigger-long-running-operation',
    arguments: { duration: steps / 2, steps },
    _meta: { progressToken: 'lab' },
  });
  await expect(panel.rows('notifications/progress')).not.toHaveCount(0);
  await lab
    .getByRole('combobox', { name: 'Stream', exact: true })
    .selectOption({ label: 'tools/call (id 1)' });
}

/** The verdict on the stream of that call. */
function verdictOn(lab: Locator): Locator {
  return lab.getByRole('list', { name: 'Verdicts' }).getByRole('listitem').filter({
    hasText: 'tools/call (id 1), dropped by us',
  });
}

test('a stream is dropped, and mcp-proxy goes on with it cleanly', async ({ wirescope }) => {
  walks('Break a stream on purpose');
  await using server = await startPeer('mcp-proxy');
  const panel = await wirescope.openPanelTab();
  await panel.choose('Transport', 'Streamable HTTP, legacy');
  await panel.connectAndWait(server.url('/mcp'));
  const lab = await openLab(panel);
  await beginCall(panel, lab, 8);
  await lab.getByRole('combobox', { name: 'When' }).selectOption('after the next event');
  await lab.getByRole('button', { name: 'Drop', exact: true }).click();
  const verdict = verdictOn(lab);
  await expect(verdict).toContainText('Clean');
  await expect(panel.rows('Fault injected', 'dropped after an event')).toHaveCount(1);
  const call = panel.requests('tools/call');
  await expect(call).toContainText('injected');
  await expect(call).toContainText('200');
  await verdict.getByRole('button').click();
  await expect(panel.details).toBeVisible();
});

test('server-everything is found to replay what belongs to other streams', async ({
  wirescope,
  everything,
}) => {
  walks('See what a server replays wrongly');
  const panel = await wirescope.openPanelTab();
  await panel.choose('Transport', 'Streamable HTTP, legacy');
  await panel.connectAndWait(everything.url);
  const lab = await openLab(panel);
  await beginCall(panel, lab, 24);
  await panel.send('tools/call', { name: 'echo', arguments: { message: 'meanwhile' } });
  await expect(panel.requests('tools/call').filter({ hasText: 'echo' })).toContainText('200');
  await lab.getByRole('combobox', { name: 'Resume with' }).selectOption('a chosen id');
  // The first one of the stream is the last proposal: all that came later comes again.
  const oldest = await lab.locator('datalist option').last().textContent();
  await lab.getByRole('combobox', { name: 'Event id' }).fill(oldest ?? '');
  await lab.getByRole('button', { name: 'Drop', exact: true }).click();
  await expect(verdictOn(lab)).toContainText('Replayed from another stream');
  await lab.getByRole('button', { name: 'Arm', exact: true }).click();
  await expect(lab.getByRole('list', { name: 'Armed faults' })).toBeVisible();
  const { page } = panel;
  await page.setViewportSize({ width: 480, height: 900 });
  expect(await findViolationsInThemes(page)).toEqual([]);
});

test('a fault is armed, disarmed, strikes once, and is no fault of the server', async ({
  wirescope,
  everything,
}) => {
  walks('Arm and disarm a fault');
  const panel = await wirescope.openPanelTab();
  await panel.choose('Transport', 'Streamable HTTP, legacy');
  await panel.connectAndWait(everything.url);
  const lab = await openLab(panel);
  const armed = lab.getByRole('list', { name: 'Armed faults' }).getByRole('listitem');
  await lab.getByRole('textbox', { name: 'Milliseconds' }).fill('soon');
  await expect(lab.getByRole('button', { name: 'Arm', exact: true })).toBeDisabled();
  await lab.getByRole('textbox', { name: 'Milliseconds' }).fill('50');
  await lab.getByRole('button', { name: 'Arm', exact: true }).click();
  await expect(armed).toContainText('next request of ours: answer held back for 50 ms');
  await armed.getByRole('button', { name: 'Disarm' }).click();
  await expect(armed).toHaveCount(0);

  await lab.getByRole('combobox', { name: 'Strikes' }).selectOption('the next GET of a stream');
  await lab.getByRole('button', { name: 'Arm', exact: true }).click();
  await expect(armed).toContainText('next GET of a stream: answer held back for 50 ms');
  await armed.getByRole('button', { name: 'Disarm' }).click();
  await lab.getByRole('combobox', { name: 'Strikes' }).selectOption('the next request of ours');

  await lab.getByRole('combobox', { name: 'Fault' }).selectOption('Answer 401, send nothing');
  await lab.getByRole('button', { name: 'Arm', exact: true }).click();
  await expect(panel.connections.getByRole('button', { name: 'Lab, 1 armed' })).toBeVisible();
  await panel.send('tools/list');
  await expect(panel.requests('tools/list')).toContainText('401');
  await expect(panel.requests('tools/list')).toContainText('injected');
  await expect(panel.requests('tools/list')).not.toContainText('▲');
  await expect(armed).toHaveCount(0);
  await panel.send('tools/list');
  await expect(panel.requests('tools/list').last()).toContainText('200');
});
