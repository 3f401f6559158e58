import type { Locator } from '@playwright/test';
import { walks } from '../journeys.ts';
import { findViolationsInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

function questions({ root }: PanelPage): Locator {
  return root.getByRole('region', { name: 'Server asks' });
}

/** Calls a tool; its row is the one that is returned. */
async function call(panel: PanelPage, name: string, given: object = {}): Promise<Locator> {
  const calls = panel.requests(`tools/call ${name}`);
  const before = await calls.count();
  await panel.send('tools/call', { name, arguments: given });
  await expect(calls).toHaveCount(before + 1);
  return calls.nth(before);
}

async function expectResult(panel: PanelPage, row: Locator, text: string): Promise<void> {
  await expect(row).toContainText('200');
  if (await panel.root.getByLabel('Method', { exact: true }).isVisible()) {
    await panel.button('Send a request').click();
  }
  await row.click();
  await panel.showTab('Message');
  await expect(panel.details).toContainText(text);
}

test('sampling, roots and a page to visit are answered by hand', async ({
  panel,
  everything,
  misbehaving,
}) => {
  walks('Answer for a model, with roots, and by a page');
  await panel.choose('Roots', 'Ask me');
  await panel.connectAndWait(everything.url);
  const asked = questions(panel);
  const roots = asked.getByRole('textbox', { name: 'Roots (JSON)' });
  await roots.fill('[{"uri": "file:///home/ada",}]');
  await expect(asked).toContainText('Not JSON at 1:');
  await asked.getByRole('button', { name: 'Send roots' }).click();
  await expect(roots).toBeVisible();
  await roots.fill('[{"uri": "file:///home/ada", "name": "Ada"}]');
  await asked.getByRole('button', { name: 'Send roots' }).click();
  await expect(asked).toHaveCount(0);
  await expectResult(panel, await call(panel, 'get-roots-list'), 'file:///home/ada');

  // What is written in the form is there as JSON too.
  const sampled = await call(panel, 'trigger-sampling-request', { prompt: 'Hello', maxTokens: 9 });
  await expect(asked).toContainText('at most 9 tokens');
  await expect(asked).toContainText('system: You are a helpful test server.');
  await asked.getByRole('textbox', { name: 'Reply' }).fill('By hand');
  await asked.getByRole('textbox', { name: 'Model' }).fill('human-1');
  await asked.getByRole('button', { name: 'Edit as JSON' }).click();
  const json = asked.getByRole('textbox', { name: 'Result (JSON)' });
  await expect(json).toHaveValue(/"model": "human-1"/);
  await json.fill((await json.inputValue()).replace('By hand', 'Changed by hand'));
  expect(await findViolationsInThemes(panel.page)).toEqual([]);
  await asked.getByRole('button', { name: 'Send reply' }).click();
  await expectResult(panel, sampled, 'Changed by hand');

  const url = misbehaving.url('ok');
  const visit = await call(panel, 'trigger-url-elicitation', { url });
  await expect(asked.getByRole('strong')).toHaveText(new URL(url).host);
  const opened = panel.page.context().waitForEvent('page');
  await asked.getByRole('button', { name: 'Open' }).click();
  const page = await opened;
  await expect.poll(() => page.url()).toBe(url);
  await page.close();
  await asked.getByRole('button', { name: /^Server asks/ }).click();
  await expect(asked.getByRole('button', { name: 'Accept' })).toBeHidden();
  await asked.getByRole('button', { name: /^Server asks/ }).click();
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expectResult(panel, visit, 'cancelled');
});

test('how a connection answers is changed while it is open, and holds for the next question', async ({
  panel,
  everything,
}) => {
  walks('Change how a connection answers');
  await panel.connectAndWait(everything.url);
  const first = await call(panel, 'trigger-elicitation-request');
  const asked = questions(panel);
  await asked.getByRole('button', { name: 'Answer the next ones automatically…' }).click();
  const settings = panel.root.getByRole('region', { name: 'Answers of this connection' });
  const elicitation = settings.getByRole('combobox', { name: 'Elicitation' });
  await expect(elicitation).toBeFocused();
  await elicitation.selectOption('Decline');
  await settings.getByRole('combobox', { name: 'Sampling' }).selectOption('Refuse');
  await settings.getByRole('button', { name: 'Add a root' }).click();
  await expect(settings).toContainText('Root 1 needs a URI');
  await expect(settings.getByRole('button', { name: 'Use from now on' })).toBeDisabled();
  await settings.getByRole('textbox', { name: 'URI of root 1' }).fill('file:///srv');
  await settings.getByRole('textbox', { name: 'Name of root 1' }).fill('Served');
  expect(await findViolationsInThemes(panel.page)).toEqual([]);
  await settings.getByRole('button', { name: 'Use from now on' }).click();
  await expect(settings.getByRole('status')).toHaveText('Holds for the next question.');
  await expect(
    panel.rows('Answers from now on: elicitation decline, sampling refuse, roots file:///srv'),
  ).toHaveCount(1);
  await settings.getByRole('button', { name: 'Close' }).click();
  await expect(settings).toHaveCount(0);

  // The one that waits is still for the user; the next one is not.
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expectResult(panel, first, 'cancelled');
  await expectResult(panel, await call(panel, 'trigger-elicitation-request'), 'declined');
  await expect(asked).toHaveCount(0);
  const refused = await call(panel, 'trigger-sampling-request', { prompt: 'Hello' });
  await expectResult(panel, refused, 'User rejected sampling request');

  // It is what this connection goes on with, and what connecting again starts with.
  await panel.button('Disconnect').click();
  await panel.button('Reconnect').click();
  await expect(panel.connections).toContainText('connected');
  await expectResult(panel, await call(panel, 'get-roots-list'), 'file:///srv');
  await panel.button('Answers ›').click();
  await expect(elicitation).toHaveValue('decline');
  await settings.getByRole('button', { name: 'Remove root 1' }).click();
  await panel.button('Answers ›').click();
  await expect(settings).toHaveCount(0);
});
