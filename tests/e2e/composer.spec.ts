import { walks } from '../journeys.ts';
import { startTinyModern } from '../server/tiny-modern.ts';
import { expect, test as base } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

const test = base.extend<{ modern: Awaited<ReturnType<typeof startTinyModern>> }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  modern: async ({}, use) => {
    await using server = await startTinyModern();
    await use(server);
  },
});

/** The form for one's own requests. */
function formOf({ root }: PanelPage) {
  const pane = root.getByRole('region', { name: 'Work with the server' });
  return {
    pane,
    tab: (name: string) => pane.getByRole('tab', { name, exact: true }),
    field: (name: string) => pane.getByRole('textbox', { name, exact: true }),
    button: (name: string | RegExp) => pane.getByRole('button', { name, exact: true }),
    sent: pane.getByRole('list', { name: 'Sent from here' }).getByRole('listitem'),
    tasks: pane.getByRole('list', { name: 'Tasks' }).getByRole('listitem'),
    subscriptions: pane.getByRole('list', { name: 'Subscriptions' }).getByRole('listitem'),
  };
}

test('a request has what its revision knows, headers of its own, a timeout, a trace; it is followed and cancelled', async ({
  panel,
  everything,
}) => {
  walks('Compose a request');
  await panel.connectAndWait(everything.url);
  await panel.button('Send a request').click();
  const form = formOf(panel);
  await form.pane.getByLabel('Method', { exact: true }).fill('logging/setLevel');
  await expect(form.pane).toContainText('deprecated Sets from which level on');
  await form.pane.getByLabel('Method', { exact: true }).fill('tools/call');
  await panel.write(form.field('Params (JSON)'), '{"nam":"x"}');
  await expect(form.pane.getByRole('list', { name: 'Warnings' })).toContainText('needs name');
  const params = { name: 'trigger-long-running-operation', arguments: { duration: 60, steps: 60 } };
  const withToken = { ...params, _meta: { progressToken: 'p' } };
  await panel.write(form.field('Params (JSON)'), JSON.stringify(withToken));
  await form.pane.getByLabel('Timeout, seconds').fill('x');
  await expect(form.pane).toContainText('The timeout must be a number of seconds above 0.');
  await form.pane.getByLabel('Timeout, seconds').fill('30');
  await form.pane.getByLabel('Trace').check();
  await form.pane.getByText('Headers for this request').click();
  await form.button('Add a header').click();
  await form.field('Request header 1, name').fill('X-Mine');
  await form.field('Request header 1, value').fill('one');
  await form.field('Params (JSON)').press('ControlOrMeta+Enter');
  await expect(form.sent.first()).toContainText('1 of 60');
  await form.button('Cancel tools/call').first().click();
  await expect(form.sent.first()).toContainText('cancelled');
  await form.button('Show tools/call').first().click();
  await expect(panel.details).toContainText(/Trace [0-9a-f]{32}, span [0-9a-f]{16}/);
  await panel.showTab('Headers');
  await expect(panel.details).toContainText(/x-mine\s*one/i);

  // What was sent comes back by a click, and what is saved outlives the page.
  await form.button('Save…').click();
  await form.field('Name of the saved request').fill('slow one');
  await form.button('Save').click();
  await panel.write(form.field('Params (JSON)'), '');
  await panel.page.reload();
  await panel.button('Send a request').click();
  await form.pane
    .getByRole('region', { name: 'Saved requests' })
    .getByRole('button')
    .first()
    .click();
  await expect(form.field('Params (JSON)')).toContainText('trigger-long-running-operation');
  await form.button('Remove slow one').click();
  await expect(form.pane.getByRole('region', { name: 'Saved requests' })).toHaveCount(0);
  await form.button('Forget all that was sent').click();
  await expect(form.pane.getByRole('region', { name: 'Sent before' })).toHaveCount(0);
});

test('a legacy server is pinged, logs from a level on, tells of a resource, and brings a task to its end', async ({
  panel,
  everything,
}) => {
  walks('Ping, log and follow a legacy server');
  await panel.connectAndWait(everything.url);
  await panel.button('Send a request').click();
  const form = formOf(panel);
  await form.tab('Subscriptions').click();
  await form.button('Ping').click();
  await expect(panel.requests('ping')).toContainText('200');
  await form.pane.getByLabel('Log level').selectOption('debug');
  await expect(panel.requests('logging/setLevel')).toContainText('200');
  await expect(form.button('Subscribe')).toBeDisabled();
  const uri = 'demo://resource/dynamic/text/1';
  await form.pane.getByLabel('Resources, one URI a line').fill(uri);
  await form.button('Subscribe').click();
  await expect(form.subscriptions).toContainText('subscribed');
  await panel.page.keyboard.press('Escape');

  await form.tab('Request').click();
  await panel.send('tools/call', { name: 'toggle-subscriber-updates', arguments: {} });
  await form.tab('Subscriptions').click();
  await expect(form.subscriptions).toContainText(/[1-9] notification/);
  await form.button('Show the last').click();
  await expect(panel.details).toContainText(uri);
  await form.button('Unsubscribe').click();
  await expect(form.subscriptions).toContainText('unsubscribed');

  await form.tab('Request').click();
  await panel.send('tools/call', { name: 'toggle-subscriber-updates', arguments: {} });
  await form.pane.getByLabel('Allow a task').check();
  const research = { topic: 'python', ambiguous: true };
  await panel.send('tools/call', { name: 'simulate-research-query', arguments: research });
  await form.tab('Tasks').click();
  await expect(form.tasks).toContainText('simulate-research-query');
  await expect(form.tasks).toContainText('input required', { timeout: 15_000 });
  await form.button('Get the result').click();
  const asked = panel.root.getByRole('region', { name: 'Server asks' });
  await asked.getByRole('combobox').selectOption({ index: 1 });
  await asked.getByRole('button', { name: 'Accept' }).click();
  await expect(form.tasks).toContainText('completed', { timeout: 15_000 });
  await form.button('Show the result').click();
  await panel.showTab('Message');
  await expect(panel.details).toContainText('Research Report: python');
  await form.button(/^List the tasks of /).click();
  await expect(panel.requests('tasks/list')).toContainText('200');
});

test('a whole HTTP request is written by hand, with a connection or without, and the form is closed', async ({
  panel,
  misbehaving,
}) => {
  walks('Compose a request');
  await panel.connectAndWait(misbehaving.url('ok'));
  await panel.button('Send a request').click();
  const form = formOf(panel);
  await form.tab('Raw HTTP').click();
  await form.pane.getByRole('combobox', { name: 'Connection' }).selectOption('None');
  await form.pane.getByLabel('HTTP method').fill('PATCH');
  await form.pane.getByLabel('URL', { exact: true }).fill(misbehaving.url('ok?by=hand'));
  await form.button('Add a header').click();
  await form.field('Header 1, name').fill('X-Gone');
  await form.button('Add a header').click();
  await form.field('Header 2, name').fill('X-Kept');
  await form.field('Header 2, value').fill('yes');
  await form.button('Remove header 1').click();
  await panel.write(form.field('Body'), '{"a":1}');
  await form.button('Send').click();
  await expect.poll(() => misbehaving.requests.some(({ method }) => method === 'PATCH')).toBe(true);
  const sent = misbehaving.requests.findLast(({ method }) => method === 'PATCH')!;
  expect(sent).toMatchObject({ url: '/ok?by=hand', body: '{"a":1}' });
  const names = sent.headers.map(([name]) => name.toLowerCase());
  expect(names).toContain('x-kept');
  expect(names).not.toContain('x-gone');
  await form.button('Close the form').click();
  await expect(form.pane).toHaveCount(0);
});

test('a modern server is subscribed to, and tells on a stream of its own until that is ended', async ({
  panel,
  modern,
}) => {
  walks('Subscribe to a modern server');
  await panel.connectAndWait(modern.url);
  await panel.button('Send a request').click();
  const form = formOf(panel);
  await form.tab('Subscriptions').click();
  await form.button('Discover again').click();
  await expect(panel.requests('server/discover').last()).toContainText('200');
  await form.button('Subscribe').click();
  // Earlier connections of the capture are listed too.
  const own = form.subscriptions.filter({ hasText: 'tools' });
  await expect(own).toContainText('listening');
  await form.pane.getByLabel('Log level').selectOption('info');
  await form.tab('Request').click();
  await panel.send('tools/call', { name: 'change' });
  await expect(panel.requests('tools/call').last()).toContainText('200');
  const { body = '' } = modern.requests.findLast((sent) => sent.body.includes('tools/call')) ?? {};
  expect(JSON.parse(body)).toHaveProperty(
    ['params', '_meta', 'io.modelcontextprotocol/logLevel'],
    'info',
  );
  await form.tab('Subscriptions').click();
  await expect(own).toContainText('1 notification');
  await own.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(own).toContainText('cancelled');
  await own.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(panel.details).toContainText('subscriptions/listen');
});
