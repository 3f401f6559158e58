import type { Locator } from '@playwright/test';
import { startPeer } from '../server/peers.ts';
import { findViolationsInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

const SLOW_CALL = {
  name: 'trigger-long-running-operation',
  arguments: { duration: 3, steps: 6 },
  _meta: { progressToken: 'lab' },
};

async function openLab(panel: PanelPage): Promise<Locator> {
  await panel.connections.getByRole('button', { name: /^Lab/ }).click();
  return panel.root.getByRole('region', { name: 'Lab' });
}

/** The verdict on the stream of a call whose exchange was dropped after an event. */
async function dropCall(panel: PanelPage, lab: Locator): Promise<Locator> {
  await panel.send('tools/call', SLOW_CALL);
  await expect(panel.rows('notifications/progress')).not.toHaveCount(0);
  await lab
    .getByRole('combobox', { name: 'Stream', exact: true })
    .selectOption({ label: 'tools/call (id 1)' });
  await lab.getByRole('combobox', { name: 'When' }).selectOption('after the next event');
  await lab.getByRole('button', { name: 'Drop', exact: true }).click();
  return lab.getByRole('list', { name: 'Verdicts' }).getByRole('listitem').filter({
    hasText: 'tools/call (id 1), dropped by us',
  });
}

test('a stream is dropped, and mcp-proxy goes on with it cleanly', async ({ wirescope }) => {
  await using server = await startPeer('mcp-proxy');
  const panel = await wirescope.openPanelTab();
  await panel.choose('Transport', 'Streamable HTTP, legacy');
  await panel.connectAndWait(server.url('/mcp'));
  const lab = await openLab(panel);
  const verdict = await dropCall(panel, lab);
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
  const panel = await wirescope.openPanelTab();
  await panel.choose('Transport', 'Streamable HTTP, legacy');
  await panel.connectAndWait(everything.url);
  const lab = await openLab(panel);
  const verdict = await dropCall(panel, lab);
  await panel.send('tools/call', { name: 'echo', arguments: { message: 'meanwhile' } });
  await expect(verdict).toContainText('Replayed from another stream');
  await lab.getByRole('combobox', { name: 'Resume with' }).selectOption('a chosen id');
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
