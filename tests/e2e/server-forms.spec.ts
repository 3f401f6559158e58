import { walks } from '../journeys.ts';
import type { ScriptedServer } from '../server/scripted.ts';
import { startFormTools } from '../server/form-tools.ts';
import { findViolationsInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { ServerPage } from './server-page.ts';

let tools: ScriptedServer;

test.beforeAll(async () => {
  tools = await startFormTools();
});

test.afterAll(() => tools[Symbol.asyncDispose]());

test('a form draws every kind of schema, and sends what was filled in', async ({ panel }) => {
  walks('Fill in a form of any schema');
  const server = new ServerPage(panel);
  await panel.connectAndWait(tools.url());
  await server.open();
  await server.choose('form');
  await server.field('name (required)').fill('A');
  await expect(server.screen).toContainText('This needs at least 2 characters.');
  await server.button('Call').click();
  await expect(server.button('Add addresses')).toHaveCount(0);
  await expect(server.screen).toContainText('2 problems with the schema');
  await server.field('name (required)').fill('Ada');
  await server.field('big').fill('9007199254740993');
  await server.choice('nullable').selectOption('null');
  await server.choice('nullable').selectOption('string');
  await server.field('string').fill('text');
  await server.field('kind').first().selectOption('3');
  await server.field('x').check();
  await server.field('z').check();

  await server.button('Add item to addresses').click();
  await server.button('Add item to addresses').click();
  await server.button('Add item to addresses').click();
  await server.field('street (required)').nth(0).fill('First');
  await server.field('street (required)').nth(1).fill('Second');
  await server.field('zip').first().fill('12');
  await expect(server.screen).toContainText('This does not match the pattern.');
  await server.field('zip').first().fill('12345');
  await server.button('Move addresses 2 up').click();
  await expect(server.field('street (required)').nth(0)).toHaveValue('Second');
  await server.button('Move addresses 1 down').click();
  await server.button('Remove addresses 3').click();

  await server.choice('shape (required)').selectOption('Box');
  await server.field('w').fill('2.50');
  await server.choice('shape (required)').selectOption('Circle');
  await server.choice('shape (required)').selectOption('Box');
  await expect(server.field('w')).toHaveValue('2.50');
  await server.button('Add node').click();
  await server.button('Add next').click();
  await server.field('value').last().fill('deep');
  await server.field('any').fill('[1,');
  await expect(server.screen).toContainText('Not JSON at 1:4');
  await server.button('Call').click();
  await expect(server.screen).toContainText('One part is not JSON.');
  await server.field('any').fill('[1, {}]');
  await server.button('Add counts').click();
  for (const name of ['k', 'gone']) {
    await server.field('Name of a further member').fill(name);
    await server.button('Add member').click();
  }
  await server.button('Remove gone').click();
  expect(await findViolationsInThemes(panel.page)).toEqual([]);
  await server.field('k').press('Control+Enter');
  await expect(server.runs).toContainText('"street":"First"');

  const { body } = tools.of('tools/call').at(-1)!;
  expect(body).toContain('"big": 9007199254740993');
  expect(body).toContain('"w": 2.50');
  expect(JSON.parse(body)).toHaveProperty('params.arguments', {
    name: 'Ada',
    big: 9007199254740992,
    nullable: 'text',
    kind: 3,
    flags: ['x', 'z'],
    addresses: [{ street: 'First', zip: '12345' }, { street: 'Second' }],
    shape: { kind: 'box', w: 2.5 },
    node: { next: { value: 'deep' } },
    any: [1, {}],
    counts: { k: 0 },
  });
});

test('what is wrong with a list or a result is said, with a way to the row', async ({ panel }) => {
  walks('See what is wrong with a list or a result');
  const server = new ServerPage(panel);
  await panel.connectAndWait(tools.url());
  await server.open();
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
