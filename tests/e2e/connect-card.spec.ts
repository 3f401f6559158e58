import type { Locator } from '@playwright/test';
import { walks } from '../journeys.ts';
import { startPeer, type Peer } from '../server/peers.ts';
import { startScripted, type ScriptedServer } from '../server/scripted.ts';
import { startTinyModern, type TinyModern } from '../server/tiny-modern.ts';
import { findViolationsInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';
import type { PanelPage } from './panel.ts';

let modern: TinyModern;
let httpSse: Peer;
let none: ScriptedServer;
let silent: ScriptedServer;

test.beforeAll(async () => {
  const page = '<title>Nothing here</title>';
  modern = await startTinyModern();
  httpSse = await startPeer('everything-sse');
  none = await startScripted({
    '*': { status: 404, headers: { 'content-type': 'text/html' }, body: [page] },
  });
  silent = await startScripted({
    GET: { ending: 'silent' },
    POST: { status: 405, headers: { allow: 'GET' } },
  });
});

test.afterAll(async () => {
  await silent[Symbol.asyncDispose]();
  await none[Symbol.asyncDispose]();
  await httpSse[Symbol.asyncDispose]();
  await modern[Symbol.asyncDispose]();
});

/** Lines of the card, in order. */
function lines(panel: PanelPage): Locator {
  const list = panel.connections.getByRole('list', { name: /^(?:Connecting to|How|Tried at) / });
  return list.getByRole('listitem');
}

function toggle(panel: PanelPage): Locator {
  return panel.connections.getByRole('button', { name: /^found by/ });
}

test('a modern server is found by server/discover, and the card folds to that', async ({
  panel,
}) => {
  walks('See how a server was found');
  await panel.connectAndWait(modern.url);
  await expect(panel.connections).toContainText('modern 2026-07-28');
  await expect(toggle(panel)).toHaveText('found by server/discover ›');
  await expect(lines(panel)).toHaveCount(0);

  await toggle(panel).press('Enter');
  await expect(lines(panel)).toHaveText([/Answered:.*server\/discover.*200.*speaks 2026-07-28/]);
  await expect(panel.connections).toContainText(
    'Streamable HTTP · modern 2026-07-28, found by server/discover.',
  );
  await panel.button('Show server/discover in the table').click();
  await expect(panel.details).toContainText('server/discover');
  await toggle(panel).press('Enter');
  await expect(lines(panel)).toHaveCount(0);
});

test('a legacy server is found by initialize; the next time it is not probed, unless asked for', async ({
  panel,
  everything,
}) => {
  walks('See how a server was found');
  // An endpoint of its own: what other tests have found at theirs is remembered.
  const url = `${everything.url}?found`;
  await panel.connectAndWait(url);
  await toggle(panel).click();
  await expect(panel.connections).toContainText(
    'Streamable HTTP · legacy 2025-11-25, found by initialize.',
  );
  await expect(lines(panel)).toHaveText([
    /Answered:.*server\/discover.*400.*not a modern server/,
    /Answered:.*initialize.*200.*legacy 2025-11-25/,
  ]);
  await panel.endConnections();
  await panel.button('Clear').click();

  await panel.connectAndWait(url);
  await toggle(panel).click();
  await expect(lines(panel).first()).toHaveText(
    /Not tried:.*server\/discover.*known as legacy since .*: not probed/,
  );
  await panel.button('Probe again').click();
  // The connection before it is gone once this one has folded its card.
  await expect(panel.requests('initialize')).toHaveCount(2);
  await expect(lines(panel)).toHaveCount(0);
  await toggle(panel).click();
  await expect(lines(panel)).toHaveText([
    /Answered:.*server\/discover.*400.*not a modern server/,
    /Answered:.*initialize.*200.*legacy 2025-11-25/,
  ]);
  await expect(panel.requests('server/discover')).toHaveCount(1);
});

test('HTTP+SSE is found after two clear answers of no', async ({ panel }) => {
  walks('See how a server was found', 'Connect over HTTP+SSE');
  await panel.connectAndWait(httpSse.url('/sse'));
  await toggle(panel).click();
  await expect(lines(panel)).toHaveText([
    /Answered:.*server\/discover.*404.*not a modern server/,
    /Answered:.*initialize.*404.*not Streamable HTTP/,
    /Answered:.*GET, expecting endpoint.*200.*endpoint announced/,
    /Answered:.*initialize.*202.*legacy 2025-11-25/,
  ]);
  await expect(panel.connections).toContainText(
    'HTTP+SSE · legacy 2025-11-25, found by its endpoint event.',
  );
});

test('where nothing is spoken, every answer is told, and one way can be forced', async ({
  panel,
}) => {
  walks('Force one way to connect', 'Learn why a connection failed');
  await panel.connect(none.url());
  await expect(panel.connections).toContainText(
    'Nothing that Wirescope speaks was found. server/discover: 404; initialize: 404; GET, expecting endpoint: 404.',
  );
  await expect(panel.connections).toContainText('There is no MCP endpoint at');
  await expect(panel.connections).toContainText('Many servers listen on /mcp.');
  await expect(lines(panel)).toHaveCount(3);
  // What went wrong first is what is told.
  await expect(panel.rows('Connection failed')).toContainText('There is no MCP endpoint');

  expect(await findViolationsInThemes(panel.page)).toEqual([]);

  await panel.button('HTTP+SSE').click();
  await expect(panel.connections).toContainText('Only HTTP+SSE was tried, as you chose.');
  await expect(lines(panel)).toHaveText([/GET, expecting endpoint.*404.*not HTTP\+SSE/]);
  // In place of the one before.
  await expect(panel.connections.getByText('failed', { exact: true })).toHaveCount(1);
});

test('while it connects the card counts the time, and Stop ends it', async ({ panel }) => {
  walks('Stop connecting');
  await panel.connect(silent.url());
  await expect(lines(panel)).toHaveText([
    /Answered:.*server\/discover.*405.*Allow: GET/,
    /Answered:.*initialize.*405.*Allow: GET/,
    /Running:.*GET, expecting endpoint.*\d\.\d s of 10 s/,
  ]);
  await panel.button('Stop').click();
  await expect(panel.connections).toContainText('closed');
  await panel.button('how it went ›').click();
  await expect(panel.connections).toContainText(
    'Connecting was stopped before anything was found.',
  );
  await silent.until(() => silent.of('GET')[0]?.isAbandoned, 'the stream let go');
});

test('the table stays at its newest row when a card takes room while it scrolls there', async ({
  wirescope,
}) => {
  walks('Keep the newest row in sight');
  const panel = await wirescope.openPanelTab();
  await panel.page.setViewportSize({ width: 1280, height: 370 });
  await panel.connect(none.url());
  await expect(panel.rows('Connection failed')).toHaveCount(1);
  const toEnd = () =>
    panel.traffic.evaluate((grid) => grid.scrollHeight - grid.clientHeight - grid.scrollTop);
  await expect.poll(toEnd).toBeLessThan(2);
  // Both in one frame, as when rows and a line of the card come together.
  await panel.traffic.evaluate((grid) => {
    grid.scrollTop -= 1;
    grid.scrollTop += 1;
    document.body.style.height = '90%';
  });
  await panel.button('Reconnect').click();
  await expect(panel.rows('Connection failed')).toHaveCount(2);
  await expect.poll(toEnd).toBeLessThan(2);
});

test('the popup says what was found, why nothing was, and what is missing', async ({
  wirescope,
  misbehaving,
}) => {
  walks('Connect from the popup');
  const url = misbehaving.url('ok?with=secret');
  const worker = await wirescope.browser.worker();
  await worker.evaluate(async (kept) => {
    const { storage }: StorageChrome = Reflect.get(globalThis, 'chrome');
    const headers = [{ name: 'Authorization', value: '', secret: true }];
    await storage.local.set({ recentServers: [{ url: kept, headers, usedAt: 1 }] });
  }, url);
  const popup = await wirescope.openPopup();
  await popup.connect(modern.url);
  await expect(popup.connections).toContainText('Streamable HTTP · modern 2026-07-28');
  await popup.connect(none.url());
  const failed = popup.connections.getByRole('listitem').filter({ hasText: 'failed' });
  await expect(failed).toContainText('There is no MCP endpoint at');
  const tried = none.requests.length;
  await failed.getByRole('button', { name: 'Reconnect' }).click();
  await expect.poll(() => none.requests.length).toBeGreaterThan(tried);
  await expect(failed).toContainText('There is no MCP endpoint at');

  // A secret that was not kept is what is typed next, and Enter connects.
  await popup.recentServers.getByRole('button', { name: url }).first().click();
  await expect(popup.page.getByLabel('Authorization')).toBeFocused();
  await popup.page.keyboard.type('Bearer typed-again');
  await popup.page.keyboard.press('Enter');
  const sent = () => misbehaving.requests.filter((request) => request.url.includes('with=secret'));
  await expect.poll(() => sent().length).toBeGreaterThan(0);
  expect(sent()[0]?.headers).toContainEqual(['Authorization', 'Bearer typed-again']);
});

interface StorageChrome {
  storage: { local: { set(items: object): Promise<void> } };
}
