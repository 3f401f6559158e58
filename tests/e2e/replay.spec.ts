import { walks } from '../journeys.ts';
import { startKeepingServer, type KeepingServer } from '../server/keeping-server.ts';
import { expect, test as base } from './fixtures.ts';
import { RowMenu } from './row-menu.ts';

const test = base.extend<{ keeping: KeepingServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  keeping: async ({}, use) => {
    await using server = await startKeepingServer('s-1234567890');
    await use(server);
  },
});

const bodies = (server: KeepingServer) => server.seen.map(({ body }) => body.toString());

/** Odd spacing, duplicate keys, big integers, invalid JSON, a byte order mark. */
const ODD = [
  '{ "jsonrpc" : "2.0",\t"id":  12345678901234567890 , "method":"ping" , "method":"ping"}',
  '\u{FEFF}{"jsonrpc":"2.0","id":5,"method":"ping","params":{"n":1.50,"m":1E400},}',
];

test('what was sent is sent again to the byte, with its session, from the form, by key and by menu', async ({
  panel,
  keeping,
}) => {
  walks('Replay to the byte');
  await panel.connectAndWait(keeping.url);
  const menu = new RowMenu(panel);
  await panel.button('Send a request').click();
  await panel.root.getByRole('tab', { name: 'Raw text' }).click();
  const text = panel.root.getByRole('textbox', { name: 'Text', exact: true });
  for (const odd of ODD) {
    await text.fill(odd);
    await panel.button('Send').click();
    await expect.poll(() => bodies(keeping).at(-1)).toBe(odd);
  }
  const origin = keeping.seen.at(-1)!;
  expect(origin.headers).toContainEqual(['Mcp-Session-Id', 's-1234567890']);
  const broken = panel.rows('Not valid JSON').last();
  await expect(broken).toContainText('200');

  await broken.click();
  await panel.traffic.press('Shift+R');
  await expect.poll(() => bodies(keeping).slice(-2)).toEqual([ODD[1], ODD[1]]);
  const sortable = (headers: [string, string][]) =>
    headers.map((pair) => pair.join(': ')).toSorted();
  expect(sortable(keeping.seen.at(-1)!.headers)).toEqual(sortable(origin.headers));

  await panel.button('Compare with its origin').click();
  const facts = panel.root.getByRole('table', { name: 'Origin and replay' });
  await expect(facts).toContainText('200');
  await panel.showTab('Message');
  await expect(panel.details).toContainText('A replay of the request at');
  await menu.choose(panel.requests('ping').first(), 'Replay as it was');
  await expect.poll(() => bodies(keeping).at(-1)).toBe(ODD[0]);

  // With the connection gone it goes to the same URL all the same.
  await panel.button('Disconnect').click();
  await expect(panel.connections).toContainText('closed');
  await panel.requests('ping').first().click();
  await panel.traffic.press('Shift+R');
  await expect.poll(() => bodies(keeping).filter((body) => body === ODD[0]).length).toBe(3);
});

test('a request is edited and sent again as a new one, and as a whole HTTP request', async ({
  panel,
  keeping,
}) => {
  walks('Edit and replay');
  await panel.connectAndWait(keeping.url);
  await panel.send('tools/call', { name: 'pay', arguments: { sum: 1 } });
  const calls = panel.rows('tools/call', 'pay');
  await expect(calls).toContainText('200');
  await calls.click();
  await panel.traffic.press('e');
  const form = panel.root.getByRole('form', { name: 'Send a request' });
  await expect(form).toContainText('A replay of tools/call at');
  const params = panel.root.getByRole('textbox', { name: 'Params (JSON)' });
  await panel.write(params, '{"name":"pay","arguments":{"sum":12345678901234567890}');
  await expect(form).toContainText('Not JSON at 1:55');
  await expect(panel.button('Send')).toBeDisabled();
  await panel.write(params, '{"name":"pay","arguments":{"sum":12345678901234567890}}');
  await panel.button('Send').click();
  await expect(panel.dialog).toContainText('12345678901234567890');
  await panel.dialog.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => bodies(keeping).at(-1)).toContain('{"sum":12345678901234567890}');
  await expect(calls).toHaveCount(2);

  // The answers of this server count its requests.
  await panel.button('Compare with its origin').click();
  const answer = panel.root.getByRole('region', { name: 'Answer' });
  await expect(answer.getByRole('table')).toContainText(
    /first: "seen": (\d+).*second: "seen": \d+/,
  );
  const asked = panel.root.getByRole('region', { name: 'Params' });
  await expect(asked.getByRole('table')).toContainText('"sum": 12345678901234567890');
  const received = panel.root.getByRole('region', { name: 'Response headers' });
  await expect(received).toContainText('application/json');
  await panel.root.getByLabel('Only differences').check();
  await expect(received).not.toContainText('application/json');
  await expect(answer).not.toContainText('first: "createdAt"');
  await panel.root.getByLabel('Ignore ids and times').uncheck();
  await expect(answer).toContainText('first: "createdAt"');
  await panel.root.getByRole('table', { name: 'Origin and replay' }).getByRole('button').click();
  await expect(panel.detailTabs.filter({ hasText: 'Replays (1)' })).toHaveCount(1);

  await panel.root.getByRole('tab', { name: 'Raw HTTP' }).click();
  await expect(panel.root.getByLabel('Header 4, value')).toHaveValue(
    /^\{\{secret:[0-9a-f]{4}\}\}$/,
  );
  await panel.write(
    panel.root.getByRole('textbox', { name: 'Body' }),
    '{"id":"x","method":"tools/list"}',
  );
  await form.getByRole('button', { name: 'Add a header' }).click();
  await panel.root.getByLabel('Header 5, name').fill('X-Extra');
  await panel.root.getByLabel('Header 5, value').fill('a b');
  await panel.button('Remove header 1').click();
  await panel.button('Send').click();
  await expect.poll(() => bodies(keeping).at(-1)).toBe('{"id":"x","method":"tools/list"}');
  const { headers } = keeping.seen.at(-1)!;
  expect(headers).toContainEqual(['Mcp-Session-Id', 's-1234567890']);
  expect(headers).toContainEqual(['X-Extra', 'a b']);
  await form.getByRole('button', { name: 'Send as something new' }).click();
  await expect(form).not.toContainText('A replay of');
});

test('everything shown is sent again, and told line by line; two clients are compared on one server', async ({
  panel,
  keeping,
}) => {
  walks('Replay everything and compare clients');
  await panel.connectAndWait(keeping.url);
  await panel.send('tools/list');
  await panel.send('tools/call', { name: 'pay', arguments: {} });
  await expect(panel.requests('tools/call')).toContainText('200');
  const pane = panel.root.getByRole('region', { name: 'Work with the server' });
  await pane.getByRole('tab', { name: 'Replay many' }).click();
  await expect(pane).toContainText('2 requests');
  await panel.button('Replay all').click();
  await expect(panel.dialog).toContainText('Call “pay” again?');
  await panel.dialog.getByRole('button', { name: 'Send again' }).click();
  const result = panel.root.getByRole('table', { name: 'Result of the replay' }).getByRole('row');
  await expect(pane).toContainText('All were sent.');
  await expect(result).toHaveCount(3);
  await expect(result.nth(2)).toContainText('different (another answer)');
  await panel.button('Compare tools/call, number 2').click();
  await expect(panel.root.getByRole('region', { name: 'Answer' })).toContainText('"seen"');
  await pane.getByLabel('With the recorded pauses').check();
  await pane.getByLabel('Stop at the first difference').check();
  await pane.getByLabel('Send again').selectOption('everything recorded');
  await panel.button('Replay all').click();
  await panel.dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(pane).toContainText('Stopped.');

  await panel.choose('Client to play', 'Kotlin SDK 0.14');
  await panel.connect(keeping.url);
  await expect(panel.connections.getByRole('listitem')).toHaveCount(2);
  await expect
    .poll(() => bodies(keeping).filter((body) => body.includes('"kotlin-sdk"')).length)
    .toBe(1);
  await pane.getByRole('tab', { name: 'Compare connections' }).click();
  await panel.button('Compare').click();
  await pane.getByLabel('Only differences').uncheck();
  const pair = panel.root.getByRole('region', { name: /^Comparison of / });
  const pairs = pane.getByRole('listbox');
  await pairs.getByRole('option', { name: /initialize/ }).click();
  await expect(pair).toContainText('"name": "kotlin-sdk"');
  await pane.getByLabel('Ignore ids and times').uncheck();
  await pair.getByRole('button', { name: 'Open in the second' }).click();
  await expect(panel.details).toContainText('kotlin-sdk');
});

test('rows are selected together by mouse and by keys, and sent again in order', async ({
  panel,
  keeping,
}) => {
  walks('Replay selected rows');
  await panel.connectAndWait(keeping.url);
  for (const [count, method] of [
    'ping',
    'tools/list',
    'prompts/list',
    'resources/list',
  ].entries()) {
    await panel.send(method);
    await expect(panel.requests(method)).toHaveCount(1);
    await expect(panel.requests(method)).toContainText(/200|error/);
    await expect.poll(() => keeping.seen.length).toBeGreaterThan(count);
  }
  await panel.button('Send a request').click();
  const selected = panel.traffic.getByRole('row', { selected: true });
  await expect(panel.traffic).toHaveAttribute('aria-multiselectable', 'true');
  await panel.requests('resources/list').click();
  await panel.requests('ping').click({ modifiers: ['Shift'] });
  await expect(selected).toHaveCount(4);
  // No text is selected with them, and the keys are still those of the table.
  expect(await panel.root.evaluate(() => getSelection()?.toString())).toBe('');
  await expect(panel.traffic).toBeFocused();
  await panel.requests('tools/list').click({ modifiers: ['ControlOrMeta'] });
  await expect(selected).toHaveCount(3);
  await expect(panel.root.getByRole('status', { name: 'Done' })).toHaveText('3 rows selected.');
  const sent = keeping.seen.length;
  const menu = new RowMenu(panel);
  await menu.choose(panel.requests('resources/list'), 'Replay selection in order');
  const pane = panel.root.getByRole('region', { name: 'Work with the server' });
  await expect(pane).toContainText('All were sent.');
  await expect(pane.getByLabel('Send again')).toHaveValue('selected');
  const methods = bodies(keeping)
    .slice(sent)
    .map((body) => (JSON.parse(body) as { method: string }).method);
  expect(methods).toEqual(['ping', 'prompts/list', 'resources/list']);
  await expect(selected).toHaveCount(3);
  await panel.button('Send a request').click();

  await panel.requests('ping').first().click();
  await panel.traffic.press('Escape');
  await panel.traffic.press('Shift+ArrowDown');
  await expect(selected).toHaveCount(2);
  await panel.traffic.press('Shift+ArrowUp');
  await expect(selected).toHaveCount(1);
  await panel.traffic.press('Shift+ArrowDown');
  await expect(selected).toHaveCount(2);
  await panel.page.keyboard.press('Control+P');
  await panel.root.getByRole('combobox', { name: 'Command' }).fill('replay selection');
  await panel.page.keyboard.press('Enter');
  await expect.poll(() => bodies(keeping).length).toBe(sent + 5);
  await panel.traffic.press('ControlOrMeta+a');
  await expect(selected).toHaveCount(await panel.rows().count());
  await panel.traffic.press('ArrowUp');
  await expect(selected).toHaveCount(1);
});
