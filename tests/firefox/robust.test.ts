import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startMisbehaving, type MisbehavingServer } from '../server/misbehaving.ts';
import { ADDON_ID, startFirefox, type Firefox } from './firefox.ts';
import { Panel } from './panel.ts';
import {
  allowInPrivate,
  closeToolbox,
  grantHost,
  isInPrivate,
  openToolboxPanel,
  readErrors,
  reloadExtension,
  stopBackground,
} from './privileged.ts';
import { installVersion, runningVersion } from './update.ts';

// One browser and one story: each test goes on where the one before it has ended.
let misbehaving: MisbehavingServer;
let firefox: Firefox;
let panel: Panel;
const BUILD = resolve('.output/firefox-mv3');

beforeAll(async () => {
  misbehaving = await startMisbehaving();
  firefox = await startFirefox();
  // To stay: one for as long as the browser runs is never updated.
  await installVersion(firefox, BUILD, '0.0.1');
  await grantHost(firefox, 'http://127.0.0.1/*');
  panel = new Panel(firefox);
});

afterAll(async () => {
  await firefox?.quit();
  await misbehaving?.close();
});

async function goTo(url: string, handle = firefox.tab): Promise<void> {
  await firefox.marionette.command('WebDriver:SwitchToWindow', { handle });
  await firefox.marionette.command('WebDriver:Navigate', { url });
}

/** Waits until the extension is of this version. */
async function runs(version: string): Promise<void> {
  await expect.poll(() => runningVersion(firefox, ADDON_ID), { timeout: 15_000 }).toBe(version);
}

/** A page that is left while it loads what it draws with says so as an error. */
async function isDrawn(): Promise<void> {
  await panel.rows(/GET stream/).shows(/open/);
  await panel.traffic.css('.cell-waterfall').at(0).appears();
}

test('private windows have no Wirescope, also where the user would allow it', async () => {
  walks('Use a private window');
  await allowInPrivate(firefox);
  await reloadExtension(firefox);
  expect(await isInPrivate(firefox)).toBe(false);
});

test('a panel in another window shows the same, acts on the same, and closes without harm', async () => {
  walks('Work in two windows');
  const { marionette, tab } = firefox;
  await goTo(firefox.pageUrl('panel.html'));
  await panel.connect(misbehaving.url('ok'));
  const { handle } = await marionette.command<{ handle: string }>('WebDriver:NewWindow', {
    type: 'window',
  });
  await goTo(firefox.pageUrl('panel.html'), handle);
  await panel.connections.shows(/\bconnected\b/);
  await panel.send('tools/call', { name: 'second' });
  await panel.rows(/tools\/call second/).shows(/200/);
  await marionette.command('WebDriver:SwitchToWindow', { handle: tab });
  await panel.rows(/tools\/call second/).shows(/200/);
  await marionette.command('WebDriver:SwitchToWindow', { handle });
  await marionette.command('WebDriver:CloseWindow');
  await marionette.command('WebDriver:SwitchToWindow', { handle: tab });
  await panel.send('tools/call', { name: 'after' });
  await panel.rows(/tools\/call after/).shows(/200/);
  await panel.closeComposer();
  await panel.endConnections();
});

test('an update waits for the connection, and put in place before keeps the log and names what it cut off', async () => {
  walks('Update the extension while connected');
  const update = panel.role('status', 'Update');
  await goTo(firefox.pageUrl('panel.html'));
  await panel.connect(misbehaving.url('ok'));
  await isDrawn();
  expect(await installVersion(firefox, BUILD, '0.0.2')).toBe('put off');
  await update.shows(/Wirescope 0\.0\.2 is ready.*cuts off 1 connection/);
  expect(await runningVersion(firefox, ADDON_ID)).toBe('0.0.1');
  // The toolbox can ask for less than a tab, and knows as much.
  await goTo(misbehaving.url('web-page'));
  await openToolboxPanel(firefox);
  await update.role('button', 'Update now').click();
  await runs('0.0.2');
  // The toolbox has a new panel in the place of the one that went.
  await openToolboxPanel(firefox);
  await panel.connections.shows(/was cut off/);
  await closeToolbox(firefox);
  await goTo(firefox.pageUrl('panel.html'));
  await panel.connections.shows(/connection to misbehaving was cut off/);
  await panel
    .rows(/Wirescope was updated or reloaded/)
    .at(0)
    .appears();
  await panel.rows(/The connection to misbehaving was cut off/).appears();
  await panel.button('Reconnect').click();
  await panel.connections.shows(/\bconnected\b/);
  await panel.endConnections();
  await panel.rows(/Disconnected/).appears();
});

test('an update that comes while nothing is open is put in place at once, and after the last page', async () => {
  walks('Update the extension while connected');
  expect(await installVersion(firefox, BUILD, '0.0.3')).toBe('put off');
  await panel.role('status', 'Update').shows(/0\.0\.3 is ready/);
  await goTo('about:blank');
  await runs('0.0.3');
  // In a background that the browser has to start for it.
  await goTo(firefox.pageUrl('panel.html'));
  await panel.capture.shows(/stored on disk/);
  await goTo('about:blank');
  await stopBackground(firefox);
  expect(await installVersion(firefox, BUILD, '0.0.4')).toBe('put off');
  await runs('0.0.4');
});

test('on pages that no extension may read the panel works, and says nothing of a host', async () => {
  walks('Inspect a page of the browser', 'Take a server of the page that is inspected');
  // In a capture in which nothing has been recorded yet.
  await goTo('about:blank');
  await reloadExtension(firefox);
  const near = panel.role('complementary', 'Servers of this page');
  for (const url of ['about:config', 'about:blank', 'data:text/html,<p>Data']) {
    // Firefox shows JSON in a page of its own.
    await goTo(misbehaving.url('web-page'));
    await openToolboxPanel(firefox);
    await near.shows(/This page is on 127\.0\.0\.1/);
    await goTo(url);
    await openToolboxPanel(firefox);
    await near.isGone();
    await panel.capture.shows(/stored on disk/);
    await closeToolbox(firefox);
  }

  // Also where something has been recorded, without being in the way of it.
  await goTo(misbehaving.url('web-page'));
  await openToolboxPanel(firefox);
  await near.shows(misbehaving.url('ok'));
  await panel.connect(misbehaving.url('ok?other'));
  await panel.endConnections();
  await near.role('button', misbehaving.url('ok')).click();
  await panel.role('textbox', 'MCP endpoint URL').hasFocus();
  await panel.focused.press('Enter');
  await panel.connections.shows(/\bconnected\b/);
  await near.role('button', misbehaving.url('ok')).isGone();
  await near.role('button', 'Hide the servers of this page').click();
  await near.isGone();
  await panel.endConnections();
  await closeToolbox(firefox);
});

test('nothing went wrong in the browser', async () => {
  // Firefox says so of whatever a background has asked it for when it is taken away.
  const isOfTheReload = (error: string) =>
    /^Promise (?:resolved|rejected) after context unloaded/.test(error);
  expect((await readErrors(firefox)).filter((error) => !isOfTheReload(error))).toEqual([]);
});
