import { join } from 'node:path';
import { walks } from '../journeys.ts';
import { startWebSocketBridge } from '../server/websocket-bridge.ts';
import { openDevtoolsPanel } from '../support/chromium.ts';
import { findTexts } from '../support/profile-scan.ts';
import { expect, test } from './fixtures.ts';
import { PanelPage } from './panel.ts';
import type { PopupPage } from './popup.ts';

test('cookies go along only where that was chosen, and are hidden like every secret', async ({
  panel,
  shared,
  misbehaving,
}) => {
  walks('Send the cookies of the browser');
  const bridge = await startWebSocketBridge();
  const value = 'c00kie-8f31d9aa';
  const { context } = shared.browser;
  const kept = { name: 'sid', value, domain: '127.0.0.1', path: '/' };
  await context.addCookies([{ ...kept, secure: true, sameSite: 'None' }]);
  const cookies = () =>
    misbehaving.requests
      .filter(({ url }) => url.startsWith('/ok?cookies'))
      .map(({ headers }) => headers.find(([name]) => name.toLowerCase() === 'cookie')?.[1]);

  await panel.connectAndWait(misbehaving.url('ok?cookies'));
  expect(cookies().length).toBeGreaterThan(0);
  expect(new Set(cookies())).toEqual(new Set([undefined]));
  await panel.endConnections();
  // A WebSocket would take them along unasked.
  await panel.connectAndWait(bridge.url);
  expect(bridge.handshakes.at(-1)).not.toHaveProperty('cookie');
  await panel.endConnections();

  await panel.options.click();
  const choice = panel.root.getByRole('checkbox', { name: 'Send the browser’s cookies' });
  await choice.check();
  const before = cookies().length;
  await panel.connectAndWait(misbehaving.url('ok?cookies'));
  expect(new Set(cookies().slice(before))).toEqual(new Set([`sid=${value}`]));
  await panel.select('initialize');
  await panel.traffic.press('Enter');
  await panel.showTab('Headers');
  await expect(panel.details).toContainText(/cookie/i);
  await expect(panel.details).not.toContainText(value);
  await panel.endConnections();
  await panel.connectAndWait(bridge.url);
  expect(bridge.handshakes.at(-1)).toMatchObject({ cookie: `sid=${value}` });
  await choice.uncheck();
  await panel.options.click();
  expect(findTexts(join(shared.profile, 'Default/IndexedDB'), [value])).toEqual([]);
  await context.clearCookies();
  await bridge.close();
});

test('panels in two windows show the same, act on the same, and close without harm to each other', async ({
  wirescope,
  misbehaving,
}) => {
  walks('Work in two windows');
  const { browser } = wirescope;
  const first = await wirescope.openPanel();
  const worker = await browser.worker();
  const [page] = await Promise.all([
    browser.context.waitForEvent('page'),
    worker.evaluate(async (url) => {
      const { windows }: WindowsChrome = Reflect.get(globalThis, 'chrome');
      await windows.create({ url });
    }, browser.pageUrl('panel.html')),
  ]);
  const second = new PanelPage(page);

  await first.connectAndWait(misbehaving.url('ok'));
  await expect(second.connections).toContainText('connected');
  await second.send('tools/call', { name: 'from the second', arguments: {} });
  await expect(first.rows('from the second')).toContainText('200');
  await first.send('tools/call', { name: 'from the first', arguments: {} });
  await expect(second.rows('from the first')).toContainText('200');
  await first.button('Send a request').click();
  await second.button('Send a request').click();
  // The first column is a time, the last two go on counting.
  const read = async (panel: PanelPage) =>
    (await panel.readWholeTable()).slice(1).map((cells) => cells.slice(0, 5).join(' | '));
  await expect(async () => expect(await read(second)).toEqual(await read(first))).toPass();

  // What is filtered, selected or cleared is each page's own.
  await second.button('Clear').click();
  await expect(second.rows()).toHaveCount(0);
  await expect(first.rows('from the second')).toHaveCount(1);
  await page.close();
  await first.send('tools/call', { name: 'after', arguments: {} });
  await expect(first.rows('after')).toContainText('200');
  await expect(first.connections).toContainText('connected');
});

test('an update waits for the connection; put in place before, it keeps the log, names what it cut off, and goes on', async ({
  wirescope,
  misbehaving,
}) => {
  walks('Update the extension while connected');
  const { browser } = wirescope;
  const panel = await wirescope.openPanel('bottom');
  await panel.connectAndWait(misbehaving.url('ok'));
  await expect(panel.rows('GET stream')).toContainText('open');
  const names = async (from: PanelPage) =>
    (await from.readWholeTable()).slice(1).map(([time, , name]) => `${time} ${name}`);
  const before = await names(panel);
  const worker = await browser.worker();
  // As Chromium tells of one: what is loaded unpacked is never updated.
  await worker.evaluate(() => {
    const { runtime }: RuntimeChrome = Reflect.get(globalThis, 'chrome');
    runtime.onUpdateAvailable.dispatch({ version: '9.9.9' });
  });
  await wirescope.stopWorker();
  let popup: PopupPage | undefined;
  // The worker is asked to open it, and may be on its way back.
  await expect(async () => (popup = await wirescope.openPopup())).toPass();
  if (popup === undefined) throw new Error('There is no popup.');
  for (const page of [panel.root, popup.page]) {
    const update = page.getByRole('status', { name: 'Update' });
    await expect(update).toContainText('Wirescope 9.9.9 is ready');
    await expect(update).toContainText('cuts off 1 connection');
  }
  await expect(panel.connections).toContainText('connected');
  await popup.page.close();
  await panel.button('Update now').click();
  // Chromium takes DevTools away with the panel in it.
  await expect.poll(() => panel.page.isClosed()).toBe(true);

  let again: PanelPage | undefined;
  await expect(async () => (again = await wirescope.openPanelTab())).toPass();
  if (again === undefined) throw new Error('There is no panel.');
  const said = { name: 'Wirescope was updated or reloaded', exact: true };
  await expect(again.root.getByRole('gridcell', said)).toHaveCount(1);
  await expect(again.rows('The connection to misbehaving was cut off')).toHaveCount(1);
  await expect(again.connections).toContainText('was cut off');
  await again.button('Reconnect').click();
  await expect(again.connections).toContainText('connected');
  const stored = await again.openCapture();
  await expect(stored.rows('GET stream').last()).toContainText('interrupted');
  expect((await names(stored)).slice(0, before.length)).toEqual(before);
});

test('on pages that no extension may read the panel works, and says nothing of a host', async ({
  wirescope,
  misbehaving,
}) => {
  walks('Inspect a page of the browser', 'Take a server of the page that is inspected');
  const { browser } = wirescope;
  const worker = await browser.worker();
  await worker.evaluate(async (url) => {
    const { storage }: StorageChrome = Reflect.get(globalThis, 'chrome');
    const recentServers = [{ url, headers: [], usedAt: 1 }];
    await storage.local.set({ recentServers });
  }, misbehaving.url('ok'));
  // A tab that has never gone anywhere.
  const page = await browser.context.newPage();
  const panel = new PanelPage((await openDevtoolsPanel(browser, page, 'undocked')).panel);
  const steps = panel.root.getByRole('region', { name: 'Getting started' });
  const near = panel.root.getByRole('complementary', { name: 'Servers of this page' });
  await expect(steps.getByRole('button', { name: misbehaving.url('ok') }).first()).toBeVisible();
  await expect(near).toHaveCount(0);
  for (const url of ['about:blank', import.meta.url, 'data:text/html,<p>Data']) {
    await page.goto(misbehaving.url('ok'));
    await expect(near).toContainText('This page is on 127.0.0.1');
    await page.goto(url);
    await expect(near).toHaveCount(0);
  }

  // Also where something has been recorded, without being in the way of it.
  await panel.connectAndWait(misbehaving.url('ok?other'));
  await page.goto(misbehaving.url('ok'));
  await near.getByRole('button', { name: misbehaving.url('ok'), exact: true }).click();
  await panel.page.keyboard.press('Enter');
  await expect(panel.connections).toContainText(/connected.*connected/s);
  await expect(near).toHaveCount(0);

  // A page that has crashed answers nothing any more.
  const crashed = page.waitForEvent('crash');
  void page.goto('chrome://crash').catch(() => undefined);
  await crashed;
  await panel.endConnections();
  await panel.connectAndWait(misbehaving.url('ok'));
  await panel.send('tools/call', { name: 'still here', arguments: {} });
  await expect(panel.rows('still here')).toContainText('200');
});

test('private windows have no Wirescope, whatever is asked of the browser, and others go on', async ({
  shared,
  panel,
  misbehaving,
}) => {
  walks('Use a private window');
  const { browser } = shared;
  await panel.connectAndWait(misbehaving.url('ok'));
  const extensions = await browser.context.newPage();
  await extensions.goto('chrome://extensions');
  await extensions.evaluate(async (extensionId) => {
    const { developerPrivate }: ExtensionsChrome = Reflect.get(globalThis, 'chrome');
    await developerPrivate
      .updateExtensionConfiguration({ extensionId, incognitoAccess: true })
      .catch(() => undefined);
  }, browser.extensionId);
  const worker = await browser.worker();
  const [page] = await Promise.all([
    browser.context.waitForEvent('page'),
    worker.evaluate(async (url) => {
      const { windows }: WindowsChrome = Reflect.get(globalThis, 'chrome');
      await windows.create({ url, incognito: true });
    }, 'data:text/html,<p>Private'),
  ]);
  const isAllowed = await worker.evaluate(async () => {
    const { extension }: IncognitoChrome = Reflect.get(globalThis, 'chrome');
    return extension.isAllowedIncognitoAccess();
  });
  expect(isAllowed).toBe(false);
  // A second background would take up what the first has open.
  expect(browser.context.serviceWorkers()).toHaveLength(1);
  await page.close();
  await extensions.close();
  await panel.page.bringToFront();
  await panel.send('tools/call', { name: 'not private', arguments: {} });
  await expect(panel.rows('not private')).toContainText('200');
});

interface StorageChrome {
  storage: { local: { set(items: object): Promise<void> } };
}

interface ExtensionsChrome {
  developerPrivate: { updateExtensionConfiguration(update: object): Promise<void> };
}

interface IncognitoChrome {
  extension: { isAllowedIncognitoAccess(): Promise<boolean> };
}

interface WindowsChrome {
  windows: { create(options: { url: string; incognito?: boolean }): Promise<unknown> };
}

interface RuntimeChrome {
  runtime: { onUpdateAvailable: { dispatch(details: { version: string }): void } };
}
