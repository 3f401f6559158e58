import { walks } from '../journeys.ts';
import { startTinyModern, type TinyModern } from '../server/tiny-modern.ts';
import { findViolationsInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { ServerPage } from './server-page.ts';

let modern: TinyModern;

test.beforeAll(async () => {
  modern = await startTinyModern();
});

test.afterAll(() => modern[Symbol.asyncDispose]());

test('a server is looked through, and its tools are called by form and by JSON', async ({
  panel,
  everything,
}) => {
  walks('Look through a server');
  const server = new ServerPage(panel);
  await panel.connectAndWait(everything.url);
  await server.open();
  await server.tab('Overview').click();
  await expect(server.screen).toContainText('Everything Reference Server');
  await server.button('Show initialize in the table').click();
  await expect(server.screen).toHaveCount(0);
  await expect(panel.details).toContainText('protocolVersion');
  await panel.button('Server').click();
  await server.button('Load all lists').click();
  await expect(server.tab('Prompts')).toHaveText('Prompts (4)');
  expect(await findViolationsInThemes(panel.page)).toEqual([]);

  await server.tab('Tools').click();
  await server.screen.getByRole('searchbox').fill('sum');
  await expect(server.screen.getByRole('status', { name: 'Tools loaded' })).toContainText('1 of ');
  await server.choose('get-sum');
  await server.field('a (required)').fill('40');
  await server.button('Call').click();
  await expect(server.field('b (required)')).toBeFocused();
  await expect(server.screen).toContainText('This is required.');
  await server.button('Send anyway').click();
  await expect(server.runs.first()).toContainText('sent although it did not fit its schema');
  await expect(server.runs.first()).toContainText(/Failed|Error/);
  await server.button('JSON').click();
  const json = server.screen.getByRole('textbox', { name: 'Arguments (JSON)' });
  await expect(json).toHaveValue(/"a": 40/);
  await json.fill('{"a": 40, "b": }');
  await expect(server.screen).toContainText('Not JSON at 1:16');
  await server.button('Form').click();
  await server.button('Correct it as JSON').click();
  await json.fill('{"a": 40, "b": 2}');
  await server.button('Form').click();
  await expect(server.field('b (required)')).toHaveValue('2');
  await server.button('Call').click();
  await expect(server.runs.first()).toContainText('The sum of 40 and 2 is 42.');
  await server.button('Copy params').click();
  await expect(server.button('Copied')).toBeVisible();
  await server.button('Reset').click();
  await expect(server.field('b (required)')).toHaveValue('');
  await server.screen.getByText(/^Definition \d/).click();
  await expect(server.screen.getByRole('tree', { name: 'Definition as a tree' })).toBeVisible();
  await server.button('Raw').click();
  await expect(server.screen).toContainText('"name":"get-sum"');
  await server.runs.first().getByRole('button', { name: 'Show it in the table' }).click();
  await expect(panel.details).toContainText('The sum of 40 and 2 is 42.');
});

test('results are shown by the kind of their content, and checked', async ({
  panel,
  everything,
}) => {
  walks('Read results by kind');
  const server = new ServerPage(panel);
  await panel.connectAndWait(everything.url);
  await server.open();
  await server.choose('get-structured-content');
  await server.field('location (required)').selectOption({ index: 1 });
  await server.button('Call').click();
  await expect(server.runs).toContainText('The structured content fits the outputSchema.');
  await server.choose('echo');
  await server.field('message (required)').fill('long '.repeat(12_000));
  await server.button('Call').click();
  await server.runs.getByRole('button', { name: 'Show all 60,006 characters' }).click();
  await expect(server.runs.getByRole('button', { name: /^Show all/ })).toHaveCount(0);
  await expect(server.runs.locator('pre')).toHaveText(/(?:long ){11999}long/);
  await server.choose('get-tiny-image');
  await server.button('Call').click();
  await expect(server.runs.getByRole('img')).toBeVisible();
  expect(await findViolationsInThemes(panel.page)).toEqual([]);
  await server.choose('get-resource-links');
  await server.button('Call').click();
  await server.runs
    .getByRole('button', { name: /^Read demo:/ })
    .first()
    .click();
  await expect(server.tab('Resources')).toHaveAttribute('aria-selected', 'true');
  await expect(server.runs).toContainText('demo://resource/dynamic');
  await server.button('Close').click();
  await expect(server.screen).toHaveCount(0);
});

test('a call shows its progress, is cancelled in flight, and asks the user', async ({
  panel,
  everything,
}) => {
  walks('Follow and cancel a call of a tool');
  const server = new ServerPage(panel);
  await panel.connectAndWait(everything.url);
  await server.open();
  await server.choose('trigger-long-running-operation');
  await server.field('duration').fill('20');
  await server.field('steps').fill('40');
  await server.button('Call').click();
  await expect(server.runs.getByRole('progressbar')).toBeVisible();
  await expect(server.runs).toContainText(/\d+ of 40/);
  await server.runs.getByRole('button', { name: 'Cancel' }).click();
  await expect(server.runs).toContainText('Cancelled');

  await server.choose('trigger-elicitation-request');
  await server.button('Call').click();
  const questions = panel.root.getByRole('region', { name: 'Server asks' });
  await questions
    .getByLabel(/^String/)
    .first()
    .fill('Ada');
  await questions.getByRole('button', { name: 'Accept' }).click();
  await expect(server.runs.first()).toContainText('Ada');
});

test('templates and prompts are filled in with what the server proposes', async ({
  panel,
  everything,
}) => {
  walks('Fill in templates and prompts');
  const server = new ServerPage(panel);
  await panel.connectAndWait(everything.url);
  await server.open();
  await server.tab('Templates').click();
  await server.choose('demo://resource/dynamic/text/{resourceId}');
  await server.field('resourceId').fill('7');
  await expect(server.screen.getByLabel('Expanded URI')).toHaveText(
    'demo://resource/dynamic/text/7',
  );
  await server.button('Read').click();
  await expect(server.runs).toContainText('Resource 7');

  await server.tab('Prompts').click();
  await server.choose('completable-prompt');
  await server.field('department (required)').pressSequentially('En');
  await server.screen.getByRole('option', { name: 'Engineering' }).click();
  await expect(server.field('department (required)')).toHaveValue('Engineering');
  const name = server.field('name (required)');
  await name.press('ArrowDown');
  await expect(server.screen.getByRole('listbox', { name: 'Proposals for name' })).toBeVisible();
  await name.press('ArrowDown');
  await name.press('Enter');
  await expect(name).toHaveValue('Alice');
  await server.button('Get').click();
  await expect(server.runs).toContainText(
    'Please promote Alice to the head of the Engineering team.',
  );
  await expect(panel.capture).toBeVisible();
});

test('what has changed is told: in a list while it is open, and since the last visit', async ({
  panel,
  everything,
}) => {
  walks('See what has changed at a server');
  const server = new ServerPage(panel);
  await panel.choose('Sampling', 'Do not declare');
  await panel.connectAndWait(everything.url);
  await server.open();
  await server.tab('Overview').click();
  await server.button('Load all lists').click();
  await expect(server.tab('Resources')).toHaveText('Resources (7)');
  await server.tab('Tools').click();
  await expect(server.entry('trigger-sampling-request')).toHaveCount(0);
  await server.choose('gzip-file-as-resource');
  await server.field('name').fill('note.gz');
  await server.field('data').fill('data:text/plain,hello');
  await server.button('Call').click();
  await expect(server.runs).toContainText('note.gz');
  await server.tab('Resources').click();
  await expect(server.screen).toContainText('as the server says: load it again.');
  await server.button('Show the notification').click();
  await expect(panel.details).toContainText('notifications/resources/list_changed');
  await panel.button('Server').click();
  await server.field('Follow changes').check();
  await expect(server.tab('Resources')).toHaveText('Resources (8)');
  await expect(server.screen).not.toContainText('as the server says: load it again.');
  await server.field('Follow changes').uncheck();

  await panel.button('Disconnect').click();
  await panel.button('Dismiss').click();
  await panel.choose('Sampling', 'Ask me');
  await panel.connectAndWait(everything.url);
  await server.open();
  await server.tab('Overview').click();
  await server.button('Load all lists').click();
  const changes = server.screen.getByRole('region', { name: 'Since the last visit' });
  await expect(changes).toContainText('+ trigger-sampling-request Tools, added');
  await expect(changes).toContainText('note.gz Resources, removed');
  expect(await findViolationsInThemes(panel.page)).toEqual([]);
  await changes.getByRole('button', { name: 'Forget this server' }).click();
  await expect(changes).toHaveCount(0);
});

test('a modern server: pages, nested arguments, and two calls that ask at the same time', async ({
  panel,
}) => {
  walks('Work with the pages of a modern server');
  const server = new ServerPage(panel);
  await panel.connectAndWait(modern.url);
  await server.open();
  await expect(server.tab('Tools')).toHaveText('Tools (6+)');
  await server.button('Next page').click();
  await expect(server.tab('Tools')).toHaveText('Tools (12)');
  await server.button('Load again').click();
  await expect(server.tab('Tools')).toHaveText('Tools (6+)');
  await server.button('Load all').click();
  await expect(server.tab('Tools')).toHaveText('Tools (12)');

  await expect(panel.requests('tools/list')).toHaveCount(4);
  await server.field('Follow changes').check();
  await expect(panel.requests('subscriptions/listen')).toContainText('listening');
  await server.choose('change');
  await server.button('Call').click();
  await expect(server.runs).toContainText('1 told');
  await expect(panel.requests('tools/list')).toHaveCount(6);
  await server.field('Follow changes').uncheck();
  await expect(panel.requests('subscriptions/listen')).toContainText('cancelled');

  await server.choose('mirror');
  await server.field('region').fill('Köln');
  await server.button('Add options').click();
  await server.field('dry').selectOption('true');
  await server.button('Call').click();
  await expect(server.runs).toContainText('{"region":"Köln","options":{"dry":true}}');
  expect(await findViolationsInThemes(panel.page)).toEqual([]);
  await server.button('Leave out options').click();
  await server.field('region').fill('');
  await server.button('Send empty region').click();
  await expect(server.screen).toContainText('An empty text is sent.');
  await server.button('Leave out region').click();
  await server.button('Call').click();
  await expect(server.runs.first()).toContainText('{}');

  await server.choose('ask');
  await server.field('rounds').fill('1');
  await server.button('Call').click();
  await expect(server.runs.first()).toContainText('The server asks before it goes on');
  await server.button('Call').click();
  const questions = panel.root.getByRole('region', { name: 'Server asks' });
  await expect(questions.getByRole('textbox', { name: 'Name' })).toHaveCount(2);
  for (const name of ['Ada', 'Grace']) {
    await questions.getByRole('textbox', { name: 'Name' }).first().fill(name);
    await questions.getByRole('button', { name: 'Accept' }).first().click();
  }
  await expect(server.runs.nth(0)).toContainText('"name":"Grace"');
  await server.runs.nth(1).getByText('Result', { exact: true }).last().click();
  await expect(server.runs.nth(1)).toContainText('"name":"Ada"');
  expect(await findViolationsInThemes(panel.page)).toEqual([]);
});

test('on a narrow panel there is room for the list or for one entry', async ({ panel }) => {
  walks('Work with a server in a narrow panel');
  const server = new ServerPage(panel);
  await panel.page.setViewportSize({ width: 400, height: 600 });
  await panel.connectAndWait(modern.url);
  await server.open();
  await server.choose('echo');
  await expect(server.entry('echo')).toHaveCount(0);
  await server.button('‹ All of tools').click();
  await expect(server.entry('echo')).toBeVisible();
  const list = server.screen.getByRole('listbox', { name: 'Tools' });
  await expect(list).toBeFocused();
  await list.press('ArrowDown');
  await expect(server.entry('slow')).toHaveAttribute('aria-selected', 'true');
  await list.press('Enter');
  await expect(server.field('ms')).toBeFocused();
  await panel.page.keyboard.press('Escape');
  await expect(server.screen).toHaveCount(0);
});
