import type { ScriptedServer } from '../server/scripted.ts';
import { startFormTools } from '../server/form-tools.ts';
import { expect, test } from './fixtures.ts';
import { ServerPage } from './server-page.ts';

let tools: ScriptedServer;

test.beforeAll(async () => {
  tools = await startFormTools();
});

test.afterAll(() => tools[Symbol.asyncDispose]());

test('what is wrong with a list or a result is said, with a way to the row', async ({ panel }) => {
  const server = new ServerPage(panel);
  await panel.connectAndWait(tools.url());
  await server.open();
  await server.tab('Tools').click();
  await server.button('Load').click();
  await expect(server.screen).toContainText('2 invalid, 2 with a name that others have too.');
  await server.choose('no schema');
  await expect(server.screen).toContainText('Invalid: it has no inputSchema.');
  await server.choose('promise');
  await server.button('Call').click();
  await expect(server.runs).toContainText('t is a string, where a number is asked for.');
  await server.runs.getByRole('button', { name: 'Raw' }).click();
  await expect(server.runs).toContainText('{"t":"warm"}');

  await server.tab('Prompts').click();
  await server.button('Load all').click();
  await expect(server.screen).toContainText('Failed after 1 entry');
  await expect(server.screen).toContainText('No more paper');
  await server.screen
    .getByRole('alert')
    .getByRole('button', { name: 'Show it in the table' })
    .click();
  await expect(panel.details).toContainText('No more paper');

  await panel.button('Server').click();
  await server.tab('Resources').click();
  await server.button('Load all').click();
  await server.button('Stop').click();
  await expect(server.button('Next page')).toBeEnabled();
  expect(tools.of('resources/list').length).toBeLessThan(500);
});
