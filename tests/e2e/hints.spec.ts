import { walks } from '../journeys.ts';
import { findViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

/** Sends a call that hangs, opens it, and returns what is said about it. */
async function hang(panel: PanelPage, url: string) {
  await panel.connectAndWait(url);
  // A name of its own, so that no earlier call is taken for this one.
  const name = new URL(url).pathname.slice(1);
  await panel.send('tools/call', { name, arguments: {} });
  const row = panel.requests('tools/call').filter({ hasText: name });
  await row.click();
  // Hints come after five seconds.
  const hints = panel.details.getByRole('status', { name: 'Why it may hang' });
  return { row, hints: hints.filter({ hasText: /\S/ }) };
}

const PATIENCE = { timeout: 15_000 };

test('a call that nobody answers may be held up by the open GET stream, which is one click away', async ({
  panel,
  misbehaving,
}) => {
  walks('See why a call may hang');
  const { row, hints } = await hang(panel, misbehaving.url('silent?at=tools/call'));
  await expect(hints).toContainText('Nothing at all came since it was sent', PATIENCE);
  await expect(hints).toContainText('while the GET stream is open');
  expect(await findViolations(panel.root)).toEqual([]);
  const status = row.getByRole('gridcell', { name: /pending/ });
  await status.hover();
  await expect(status).toHaveAttribute('title', /Nothing at all came since it was sent/);

  await panel.send('ping');
  await expect(hints).toContainText('The server is alive, but has not answered');
  await hints.getByRole('button', { name: 'Show: ping' }).click();
  await expect(panel.traffic.getByRole('row', { selected: true })).toContainText('ping');
  await expect(hints).toHaveCount(0);
});

test('a stream of comments only is told from silence, and leads to its comments', async ({
  panel,
  misbehaving,
}) => {
  walks('See why a call may hang');
  const { hints } = await hang(panel, misbehaving.url('sse-comments-only?at=tools/call'));
  await expect(hints).toContainText(/carries [\d,]+ comments? and no message/, PATIENCE);
  await hints.getByRole('button', { name: /^Show: Event \d+/ }).click();
  await expect(panel.streamEvents).toContainText('(comment)');
});

test('a question that waits for the user is named, and one click away', async ({
  panel,
  misbehaving,
}) => {
  walks('See why a call may hang');
  const { hints } = await hang(panel, misbehaving.url('server-requests?at=tools/call'));
  await expect(hints).toContainText('The server asked sampling/createMessage', PATIENCE);
  await hints.getByRole('button', { name: /^Show: / }).click();
  await expect(panel.traffic.getByRole('row', { selected: true })).toContainText('sampling');
  await expect(hints).toContainText('It waits for you');
});
