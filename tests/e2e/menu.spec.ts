import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { walks } from '../journeys.ts';
import type { MisbehavingServer } from '../server/misbehaving.ts';
import { expect, test } from './fixtures.ts';
import { RowMenu } from './row-menu.ts';
import type { Wirescope } from './wirescope.ts';

const run = promisify(execFile);

const PSEUDONYM = /redacted~[a-z-]+~[0-9a-f]{10}/;

/** A call whose request and answer hold a secret. */
async function callWithToken(wirescope: Wirescope, misbehaving: MisbehavingServer) {
  const token = randomBytes(24).toString('base64url');
  // The server repeats all headers in its answer.
  const url = misbehaving.url('echo-headers');
  const panel = await wirescope.openPanelTab();
  await panel.typeHeaders([{ name: 'Authorization', value: `Bearer ${token}`, secret: true }]);
  await panel.connectAndWait(url);
  await panel.send('tools/call', { name: 'echo', arguments: { a: "it's" } });
  const call = panel.rows('tools/call', 'echo');
  await expect(call).toContainText('200');
  const sent = misbehaving.requests.findLast(({ body }) => body.includes('tools/call'));
  return { panel, menu: new RowMenu(panel), call, sent, token, url };
}

test('a call is copied in every form, with pseudonyms in the place of secrets', async ({
  wirescope,
  misbehaving,
}) => {
  walks('Copy a call');
  const { panel, menu, call, sent, token, url } = await callWithToken(wirescope, misbehaving);
  const copied = (...path: string[]) => menu.copied(call, ...path);

  expect(await copied('Copy', 'Message')).toBe(sent?.body);
  const response = await copied('Copy', 'Response');
  expect(response).toMatch(PSEUDONYM);
  expect(await copied('Copy', 'Result')).toBe(JSON.stringify(JSON.parse(response).result));
  expect(await copied('Copy', 'As JSON-RPC')).toBe(`${sent?.body}\n${response}`);
  expect(await copied('Copy', 'URL')).toBe(url);
  expect(await copied('Copy', 'Row as text')).toMatch(
    /\toutgoing\ttools\/call echo\trequest\t200\t/,
  );
  const fetchText = await copied('Copy', 'As fetch');
  expect(fetchText).toContain(`fetch("${url}"`);
  const curl = await copied('Copy', 'As cURL');
  expect(curl).toMatch(/authorization: Bearer redacted~tok~[0-9a-f]{10}'/i);
  const all = await copied('Copy', 'All rows shown as JSON lines');
  const lines = all
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(await panel.rows().count());
  expect(lines.find(({ target }) => target === 'echo')).toMatchObject({
    name: 'tools/call',
    direction: 'outgoing',
    status: '200',
    message: JSON.parse(sent?.body ?? ''),
    response: JSON.parse(response),
  });
  for (const text of [response, fetchText, curl, all]) expect(text).not.toContain(token);
});

test('a copy with its secrets is the real thing: its cURL sends the same request', async ({
  wirescope,
  misbehaving,
}) => {
  walks('Copy a call with its secrets');
  const { menu, call, sent, token } = await callWithToken(wirescope, misbehaving);
  const copied = (...path: string[]) => menu.copied(call, ...path);

  const before = misbehaving.requests.length;
  const running = run('/bin/sh', ['-s']);
  running.child.stdin?.end(`${await copied('Copy with secrets', 'As cURL')}\n`);
  await running;
  const again = misbehaving.requests.at(before);
  expect(again?.body).toBe(sent?.body);
  expect(seenByBrowser(again?.headers)).toEqual(seenByBrowser(sent?.headers));
  expect(await copied('Copy with secrets', 'Response')).toContain(token);
});

/** The browser adds the others below the layer that an extension sees. */
function seenByBrowser(headers: readonly [string, string][] = []): [string, string][] {
  return headers.filter(([name]) => !/^(?:host|connection|content-length)$/i.test(name));
}

test('a message without secrets is offered once, and a stream has no cURL of its events', async ({
  panel,
  misbehaving,
}) => {
  walks('Copy a call');
  const menu = new RowMenu(panel);
  await panel.connectAndWait(misbehaving.url('ok'));
  const row = panel.rows('Connected to');
  await menu.open(row);
  expect(await menu.titles()).toEqual(['Copy', 'Filter by', 'Hide', 'Sort by', 'Clear']);
  await menu.entry('Copy').click();
  expect(await menu.titles(1)).toEqual(['Row as text', 'All rows shown as JSON lines']);
  await panel.page.keyboard.press('Escape');
  await panel.page.keyboard.press('Escape');
  expect(await menu.copied(row, 'Copy', 'Row as text')).toContain('Connected to');
});

test('rows are filtered and hidden by what one of them is', async ({ panel, everything }) => {
  walks('Filter and hide from the menu of a row');
  const menu = new RowMenu(panel);
  await panel.connectAndWait(everything.url);
  await panel.send('tools/list');
  await panel.send('tools/call', { name: 'echo', arguments: { message: 'a' } });
  const call = panel.rows('tools/call', 'echo');
  await expect(call).toContainText('200');
  const lists = panel.requests('tools/list');
  await expect(lists).toHaveCount(1);

  await menu.choose(lists, 'Hide', 'method:tools/list');
  await expect(lists).toHaveCount(0);
  await expect(call).toHaveCount(1);
  await menu.choose(call, 'Filter by', 'tool:echo');
  await expect(panel.rows()).toHaveCount(1);
  await panel.page.keyboard.press('ControlOrMeta+p');
  await panel.page.keyboard.type('clear the filter');
  const clear = panel.root.getByRole('option', { name: /^Clear the filter/, selected: true });
  await expect(clear).toBeVisible();
  await panel.page.keyboard.press('Enter');
  await expect(lists).toHaveCount(1);
  for (const term of [/^conn:/, /^session:[0-9a-f]{4}$/, /^id:\d+$/]) {
    await menu.open(call);
    await menu.entry('Filter by').click();
    await expect(menu.entry(term, 1)).toHaveCount(1);
    await panel.page.keyboard.press('Escape');
    await panel.page.keyboard.press('Escape');
  }
});

test('a replay leads to its origin even where a filter hides that', async ({
  panel,
  everything,
}) => {
  walks('Find the origin of a replay');
  const menu = new RowMenu(panel);
  const selected = panel.traffic.getByRole('row', { selected: true });
  await panel.connectAndWait(everything.url);
  await panel.send('tools/list');
  const lists = panel.requests('tools/list');
  await expect(lists).toContainText('200');
  const id = async () => /id:\d+/.exec((await menu.titles(1)).join(' '))?.[0] ?? '';
  await menu.choose(lists, 'Replay');
  await expect(lists).toHaveCount(2);
  await expect(lists.last()).toContainText('200');

  await menu.open(lists.last());
  await menu.entry('Filter by').click();
  await menu.entry(await id(), 1).click();
  await expect(lists).toHaveCount(1);
  await menu.choose(lists, /^Reveal cause: replay of tools\/list/);
  await expect(lists).toHaveCount(2);
  await expect(selected).toHaveCount(1);
  expect(await selected.getAttribute('aria-rowindex')).toBe(
    await lists.first().getAttribute('aria-rowindex'),
  );
});

test('a pending request is cancelled, rows are sorted and cleared', async ({
  panel,
  everything,
}) => {
  walks('Cancel, sort and clear from the menu of a row');
  const menu = new RowMenu(panel);
  await panel.connectAndWait(everything.url);
  await panel.send('tools/call', {
    name: 'trigger-long-running-operation',
    arguments: { duration: 60, steps: 2 },
  });
  const call = panel.rows('tools/call', 'trigger-long-running-operation');
  await expect(call).toHaveCount(1);
  await menu.choose(call, 'Cancel the request');
  await expect(call).toContainText('cancelled');
  await menu.open(call);
  expect(await menu.titles()).not.toContain('Cancel the request');
  await menu.entry('Sort by').click();
  await menu.entry('Name', 1).click();
  await expect(panel.rows().first()).toContainText('Connected to');
  await menu.open(call);
  await menu.entry('Sort by').click();
  await expect(menu.entry('Name, ascending', 1)).toHaveAttribute('aria-checked', 'true');
  await menu.entry('As recorded', 1).click();
  await expect(panel.rows().first()).toContainText('Connecting to');
  await menu.choose(call, 'Clear');
  await expect(call).toHaveCount(0);
  await expect(panel.root.getByText(/hidden/)).toBeVisible();
});

test('the menu is worked by keys alone, and stays inside a narrow panel', async ({
  wirescope,
  misbehaving,
}) => {
  walks('Work the menu by keyboard');
  const panel = await wirescope.openPanelTab();
  const menu = new RowMenu(panel);
  const { keyboard } = panel.page;
  const focused = panel.root.locator(':focus');
  await panel.page.setViewportSize({ width: 400, height: 600 });
  await panel.connectAndWait(misbehaving.url('ok'));
  await panel.rows('initialize').first().click();
  await panel.root.getByRole('button', { name: 'Close details' }).click();
  await panel.traffic.focus();

  for (const key of ['Shift+F10', 'ContextMenu', 'm']) {
    await keyboard.press(key);
    await expect(menu.entry('Copy')).toBeFocused();
    await keyboard.press('Escape');
    await expect(menu.menus).toHaveCount(0);
    await expect(panel.traffic).toBeFocused();
  }

  await keyboard.press('Shift+F10');
  await keyboard.press('ArrowUp');
  await expect(menu.entry('Clear')).toBeFocused();
  await keyboard.press('Home');
  await keyboard.press('f');
  await expect(menu.entry('Filter by')).toBeFocused();
  await keyboard.press('ArrowRight');
  await expect(menu.menus).toHaveCount(2);
  for (const each of await menu.menus.all()) {
    const box = await each.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 400)).toBeLessThanOrEqual(400);
    expect((box?.y ?? 0) + (box?.height ?? 600)).toBeLessThanOrEqual(600);
  }
  await keyboard.press('End');
  await expect(focused).not.toHaveText(/^method/);
  await keyboard.press('ArrowLeft');
  await expect(menu.entry('Filter by')).toBeFocused();
  await keyboard.press('s');
  await keyboard.press('Enter');
  await expect(menu.entry('As recorded', 1)).toBeFocused();
  // One layer at a time.
  await keyboard.press('Escape');
  await expect(menu.menus).toHaveCount(1);
  await expect(menu.entry('Sort by')).toBeFocused();
  await keyboard.press('Tab');
  await expect(menu.menus).toHaveCount(0);
  // R was typed in no menu, so nothing was sent again; outside it is a command.
  await expect(panel.requests('initialize')).toHaveCount(1);
});

test('the details have the same menu', async ({ panel, misbehaving }) => {
  walks('Use the menu of the details');
  const menu = new RowMenu(panel);
  await panel.connectAndWait(misbehaving.url('ok'));
  await panel.requests('initialize').click();
  await panel.traffic.press('Enter');
  await panel.button('More actions').click();
  await expect(menu.menus).toHaveCount(1);
  expect(await menu.titles()).toContain('Replay');
  await panel.details.getByRole('tab').first().click();
  await expect(menu.menus).toHaveCount(0);
});
