import type { Locator } from '@playwright/test';
import { walks } from '../journeys.ts';
import { startTinyModern, type TinyModern } from '../server/tiny-modern.ts';
import { findViolationsInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

let server: TinyModern;

test.beforeAll(async () => {
  server = await startTinyModern();
});

test.afterAll(() => server[Symbol.asyncDispose]());

function questions({ root }: PanelPage): Locator {
  return root.getByRole('region', { name: 'Server asks' });
}

/** Calls a tool until its answer has this text: a server learns of what we close only after a while. */
async function callUntil(panel: PanelPage, tool: string, text: string): Promise<void> {
  const calls = panel.requests(`tools/call ${tool}`);
  await expect(async () => {
    const before = await calls.count();
    await panel.send('tools/call', { name: tool });
    await expect(calls).toHaveCount(before + 1);
    await expect(calls.last()).toContainText('200');
    await calls.last().click();
    await panel.showTab('Message');
    await expect(panel.details).toContainText(text, { timeout: 1000 });
  }).toPass();
}

test('a call of several rounds is answered in the panel, and each round is a row', async ({
  panel,
}) => {
  walks('Answer a call of several rounds');
  await panel.connectAndWait(server.url);
  await panel.send('tools/call', { name: 'ask', arguments: { rounds: 2 } });
  const card = questions(panel);
  const name = card.getByRole('textbox', { name: 'Name' });
  await expect(card).toContainText('tools/call ask asks before it goes on');
  await expect(card).toContainText('Name number 1?');
  await expect(name).toHaveValue('guest 1');
  await name.fill('Ada');
  await card.getByRole('button', { name: 'Accept' }).click();

  await expect(card).toContainText('Name number 2?');
  const rounds = panel.requests('tools/call');
  await expect(rounds).toHaveCount(2);
  expect(await findViolationsInThemes(panel.page)).toEqual([]);
  await rounds.first().getByRole('button', { name: 'Answer' }).click();
  await expect(name).toBeFocused();
  await name.fill('Grace');
  await name.press('Enter');

  await expect(card).toHaveCount(0);
  await expect(rounds).toHaveCount(3);
  await expect(rounds).toContainText([/ask.*200/, /ask, round 2.*200 · answered/, /round 3.*200/]);
  await panel.button('Send a request').click();
  await rounds.last().click();
  await panel.showTab('Message');
  await expect(panel.details).toContainText('\\"name\\":\\"Grace\\"');
  await expect(panel.details).toContainText('Round 2asks for name-2 (elicitation/create)');
  await panel.button('asks for name-1 (elicitation/create)').click();
  const selected = panel.traffic.getByRole('row', { selected: true });
  await expect(selected).toContainText('tools/call ask');
  await expect(selected).not.toContainText('round');
  await expect(panel.details).toContainText('input_required');
});

test('two calls that ask at the same time are answered in the other order, each in its own rounds', async ({
  panel,
}) => {
  walks('Answer a call of several rounds');
  await panel.connectAndWait(server.url);
  for (const about of ['First', 'Second']) {
    await panel.send('tools/call', { name: 'ask', arguments: { rounds: 2, about } });
  }
  const asked = (about: string, round: number) =>
    questions(panel)
      .getByRole('listitem')
      .filter({ hasText: `${about}: Name number ${round}?` });
  for (const [about, round, name] of [
    ['Second', 1, 'Grace'],
    ['First', 1, 'Ada'],
    ['Second', 2, 'Grace Hopper'],
    ['First', 2, 'Ada Lovelace'],
  ] as const) {
    await asked(about, round).getByRole('textbox', { name: 'Name' }).fill(name);
    await asked(about, round).getByRole('button', { name: 'Accept' }).click();
  }
  await expect(questions(panel)).toHaveCount(0);

  // Under the first call its own rounds, though the second was over before it.
  await panel.button('Send a request').click();
  const rounds = panel.requests('tools/call');
  await expect(rounds).toContainText([
    /ask.*200/,
    /ask, round 2.*200/,
    /ask, round 3.*200/,
    /ask.*200/,
    /ask, round 2.*200/,
    /ask, round 3.*200/,
  ]);
  await rounds.nth(2).click();
  await panel.showTab('Message');
  await expect(panel.details).toContainText(
    'First: {\\"action\\":\\"accept\\",\\"content\\":{\\"name\\":\\"Ada Lovelace\\"}}',
  );
  await rounds.nth(5).click();
  await expect(panel.details).toContainText(
    'Second: {\\"action\\":\\"accept\\",\\"content\\":{\\"name\\":\\"Grace Hopper\\"}}',
  );
});

test('a round that is declined is told so to the server', async ({ panel }) => {
  walks('Decline a round');
  await panel.connectAndWait(server.url);
  await panel.send('tools/call', { name: 'ask' });
  await questions(panel).getByRole('button', { name: 'Decline' }).click();
  await expect(panel.requests('tools/call')).toHaveCount(2);
  await expect(panel.requests('tools/call').last()).toContainText('200');
  await panel.requests('tools/call').last().click();
  await panel.showTab('Message');
  await expect(panel.details).toContainText('\\"action\\":\\"decline\\"');
});

test('a subscription is listed with what it tells, and cancelled in its row', async ({ panel }) => {
  walks('Subscribe to a modern server');
  await panel.connectAndWait(server.url);
  const wanted = { toolsListChanged: true, promptsListChanged: true };
  await panel.send('subscriptions/listen', { notifications: wanted });
  const subscription = panel.requests('subscriptions/listen');
  await expect(subscription).toContainText('tools');
  await expect(subscription).toContainText('listening');
  await panel.send('tools/call', { name: 'change' });
  await expect(panel.rows('notifications/tools/list_changed')).toHaveCount(1);

  await panel.button('Send a request').click();
  await subscription.click();
  await panel.showTab('Message');
  await expect(panel.details).toContainText('Asked fortools, prompts');
  // It has no prompts that could change.
  await expect(panel.details).toContainText(/Agreed totools(?!,)/);
  await panel.traffic.press('Escape');
  await subscription.getByRole('button', { name: 'Cancel' }).click();
  await expect(subscription).toContainText('cancelled');
  await expect(subscription.getByRole('button', { name: 'Cancel' })).toHaveCount(0);

  await callUntil(panel, 'change', '0 told');
  await expect(panel.rows('notifications/tools/list_changed')).toHaveCount(1);
});

test('a subscription that the server ends is over in its row', async ({ panel }) => {
  walks('Subscribe to a modern server');
  await panel.connectAndWait(server.url);
  await panel.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const subscription = panel.requests('subscriptions/listen');
  await expect(subscription).toContainText('listening');
  await panel.send('tools/call', { name: 'end' });
  await expect(subscription).toContainText('completed by the server');
  await expect(subscription.getByRole('button')).toHaveCount(0);
});

test('a call is cancelled by closing its stream', async ({ panel }) => {
  walks('Cancel a modern call');
  await panel.connectAndWait(server.url);
  await panel.send('tools/call', { name: 'slow', arguments: { ms: 30_000 } });
  const call = panel.requests('tools/call slow');
  await call.click();
  await panel.button('Cancel').click();
  await expect(call).toContainText('cancelled');
  await callUntil(panel, 'cancelled', '1 cancelled');
});

test('a call that lacks a capability is sent again with it', async ({ panel }) => {
  walks('Send again with a capability that was missing');
  await panel.choose('Elicitation', 'Do not declare');
  await panel.connectAndWait(server.url);
  await panel.send('tools/call', { name: 'ask' });
  await panel.button('Send a request').click();
  const calls = panel.requests('tools/call');
  await expect(calls).toContainText('400 · error');
  await calls.click();
  await panel.showTab('Message');
  await expect(panel.details).toContainText(
    'The server needs the capability {"elicitation":{"form":{}}}',
  );
  await panel.button('Resend with this capability').click();
  await panel.dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(calls).toHaveCount(2);
  await expect(calls.last()).toContainText('200');
  const { body = '' } = server.requests.findLast((sent) => sent.body.includes('tools/call')) ?? {};
  expect(JSON.parse(body)).toHaveProperty(
    ['params', '_meta', 'io.modelcontextprotocol/clientCapabilities', 'elicitation'],
    { form: {} },
  );
});

test('a tool that cannot be mirrored is shown with the reason; another one is mirrored', async ({
  panel,
  misbehaving,
}) => {
  walks('See which tools cannot be mirrored');
  await panel.connectAndWait(misbehaving.url('modern-number-header'));
  await panel.send('tools/list');
  const list = panel.requests('tools/list');
  await expect(list).toContainText('200');
  await list.click();
  await panel.showTab('Message');
  await expect(panel.details).toContainText(
    'bad: its x-mcp-header is invalid, since “ratio” is of type "number"; only string, integer and boolean can be mirrored',
  );
  await panel.send('tools/call', { name: 'mirror', arguments: { region: 'Köln', count: 3 } });
  const call = panel.requests('tools/call mirror');
  await expect(call).toContainText('200');
  await call.click();
  await panel.showTab('Headers');
  await expect(panel.details).toContainText(/mcp-param-region\s*=\?base64\?S8O2bG4=\?=/i);
  await expect(panel.details).toContainText(/mcp-param-count\s*3/i);
});
