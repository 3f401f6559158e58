import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startMisbehaving, type MisbehavingServer } from '../server/misbehaving.ts';
import { startFirefox, type Firefox } from './firefox.ts';
import { Panel } from './panel.ts';
import {
  allowInPrivate,
  closeToolbox,
  grantHost,
  isInPrivate,
  openToolboxPanel,
  readErrors,
  reloadExtension,
} from './privileged.ts';

// One browser and one story: each test goes on where the one before it has ended.
let misbehaving: MisbehavingServer;
let firefox: Firefox;
let panel: Panel;

beforeAll(async () => {
  misbehaving = await startMisbehaving();
  firefox = await startFirefox(resolve('.output/firefox-mv3'));
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
});

test('the extension replaced while connected keeps the log, and names what was cut off', async () => {
  walks('Update the extension while connected');
  await goTo(firefox.pageUrl('panel.html'));
  await panel.connect(misbehaving.url('ok'));
  await isDrawn();
  await goTo('about:blank');
  await reloadExtension(firefox);
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

test('on pages that no extension may read the panel works, and says nothing of a host', async () => {
  walks('Inspect a page of the browser');
  // In a capture in which nothing has been recorded yet.
  await goTo('about:blank');
  await reloadExtension(firefox);
  const near = panel.role('region', 'Getting started').like(/This page is on 127\.0\.0\.1/);
  for (const url of ['about:config', 'about:blank', 'data:text/html,<p>Data']) {
    // Firefox shows JSON in a page of its own.
    await goTo(misbehaving.url('web-page'));
    await openToolboxPanel(firefox);
    await near.appears();
    await goTo(url);
    await openToolboxPanel(firefox);
    await near.isGone();
    await panel.capture.shows(/stored on disk/);
    await closeToolbox(firefox);
  }
});

test('nothing went wrong in the browser', async () => {
  // Firefox says so of whatever a background has asked it for when it is taken away.
  const isOfTheReload = (error: string) =>
    /^Promise (?:resolved|rejected) after context unloaded/.test(error);
  expect((await readErrors(firefox)).filter((error) => !isOfTheReload(error))).toEqual([]);
});
