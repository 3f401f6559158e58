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

test('a stream without a byte, and one of comments only, are told apart', async ({
  panel,
  misbehaving,
}) => {
  walks('See why a call may hang');
  const silent = await hang(panel, misbehaving.url('sse-silent?at=tools/call'));
  await expect(silent.hints).toContainText('not one byte after it', PATIENCE);
  await silent.hints.getByRole('button', { name: 'Show: Response headers of tools/call' }).click();
  await expect(panel.details).toContainText('text/event-stream');
  await panel.endConnections();

  await panel.showTab('Message');
  const comments = await hang(panel, misbehaving.url('sse-comments-only?at=tools/call'));
  await expect(comments.hints).toContainText(/carries [\d,]+ comments? and no message/, PATIENCE);
  await comments.hints.getByRole('button', { name: /^Show: Event \d+/ }).click();
  await expect(panel.streamEvents).toContainText('(comment)');
});

test('an answer that names another request is found, and a question that waits for the user', async ({
  panel,
  misbehaving,
}) => {
  walks('See why a call may hang');
  const other = await hang(panel, misbehaving.url('other-id-on-get?at=tools/call'));
  await expect(other.hints).toContainText('with the id 987, which no open request has', PATIENCE);
  await other.hints.getByRole('button', { name: /^Show: / }).click();
  await expect(panel.details).toContainText('987');
  await panel.endConnections();

  const asked = await hang(panel, misbehaving.url('server-requests?at=tools/call'));
  await expect(asked.hints).toContainText('The server asked `sampling/createMessage`', PATIENCE);
  await asked.hints.getByRole('button', { name: /^Show: / }).click();
  await expect(panel.traffic.getByRole('row', { selected: true })).toContainText('sampling');
  await expect(asked.hints).toContainText('It waits for you');
});
