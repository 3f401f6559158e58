import { walks } from '../journeys.ts';
import { expect, test } from './fixtures.ts';

const LONG_CALL = {
  name: 'trigger-long-running-operation',
  arguments: { duration: 0.5, steps: 4 },
  _meta: { progressToken: 'a' },
};

test('details show the messages, headers, stream events with ids, and timing', async ({
  wirescope,
  everything,
}) => {
  walks('Read the details of a call');
  const panel = await wirescope.openPanel();
  await panel.connectAndWait(everything.url);
  await panel.send('tools/call', LONG_CALL);
  await expect(panel.rows('notifications/progress', '4 of 4')).toHaveCount(1);
  const call = panel.rows('tools/call', LONG_CALL.name);
  await expect(call).toContainText('200');
  await call.click();
  await panel.traffic.press('Enter');

  await panel.showTab('Message');
  await expect(panel.details).toContainText('Long running operation completed');
  const response = panel.root.getByRole('region', { name: 'Response' });
  await response.getByRole('button', { name: 'Raw' }).click();
  await expect(response).toContainText('"result":{"content":[{"type":"text"');

  await panel.showTab('Headers');
  await expect(panel.details).toContainText('mcp-protocol-version');
  await expect(panel.details).toContainText('2025-11-25');
  await expect(panel.details).toContainText(/content-type\s*text\/event-stream/i);
  await expect(panel.details).toContainText(/mcp-session-id\s*‹[0-9a-f]{4}›/i);

  await panel.showTab('Stream');
  const events = panel.streamEvents.getByRole('row');
  // Head, priming event, four of progress, the result.
  await expect(events).toHaveCount(7);
  const ids: string[] = [];
  for (const event of (await events.all()).slice(1)) {
    ids.push(await event.getByRole('cell').nth(4).innerText());
  }
  expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(6);
  await events.last().click();
  await expect(panel.details).toContainText('event: message');
  await expect(panel.details).toContainText(`id: ${ids.at(-1)}`);

  await panel.showTab('Timing');
  await expect(panel.details).toContainText('Total');
});

test('a replayed call asks first, is sent again as a new request and names its origin', async ({
  panel,
  everything,
}) => {
  walks('Replay a call');
  await panel.connectAndWait(everything.url);
  await panel.send('tools/call', { name: 'echo', arguments: { message: 'once more' } });
  const calls = panel.rows('tools/call', 'echo');
  await expect(calls).toContainText('200');
  await calls.click();

  await panel.button('Replay').click();
  await expect(panel.dialog).toContainText('echo');
  await expect(panel.dialog).toContainText('once more');
  await panel.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(panel.dialog).toHaveCount(0);

  await panel.traffic.press('r');
  await panel.dialog.getByRole('button', { name: 'Send again' }).click();
  // Two, not three: the cancelled one was never sent.
  await expect(calls).toHaveCount(2);
  await expect(calls.last()).toContainText('200');
  await calls.last().click();
  await panel.traffic.press('Enter');
  await expect(panel.details).toContainText('A replay of the request at');
  await expect(panel.details).toContainText('once more');
});

test('a replayed list is sent again at once', async ({ panel, everything }) => {
  walks('Replay a call');
  await panel.connectAndWait(everything.url);
  await panel.send('tools/list');
  const lists = panel.rows('tools/list');
  await expect(lists).toContainText('200');
  await lists.click();
  await panel.traffic.press('r');
  await expect(lists).toHaveCount(2);
  await expect(lists.last()).toContainText('200');
  await expect(lists.filter({ hasText: /error|failed/ })).toHaveCount(0);
});

test('the keyboard alone reaches rows, details and back', async ({ wirescope, misbehaving }) => {
  walks('Reach rows and details by keyboard');
  const panel = await wirescope.openPanelTab();
  // A server that adds no rows of its own.
  await panel.connectAndWait(misbehaving.url('ok'));
  await expect(panel.rows('GET stream', 'open')).toHaveCount(1);
  const selected = panel.traffic.getByRole('row', { selected: true });
  await panel.traffic.focus();
  await panel.traffic.press('Home');
  await expect(selected).toContainText('Recording started');
  await panel.traffic.press('ArrowDown');
  await expect(selected).toContainText('Capture started');
  await panel.traffic.press('End');
  await expect(selected).toContainText('GET stream');
  await panel.traffic.press('ArrowUp');
  await expect(selected).toContainText('Connected to');
  const active = await panel.traffic.getAttribute('aria-activedescendant');
  expect(await selected.getAttribute('id')).toBe(active);
  await panel.traffic.press('Enter');
  await expect(panel.details).toBeVisible();
  await panel.traffic.press('Escape');
  await expect(panel.details).toHaveCount(0);
  await expect(panel.traffic).toBeFocused();
});
