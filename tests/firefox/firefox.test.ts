import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startEverything } from '../server/everything.ts';
import { startMisbehaving } from '../server/misbehaving.ts';
import type { MisbehavingServer } from '../server/misbehaving.ts';
import { startFirefox } from './firefox.ts';
import type { Firefox } from './firefox.ts';
import { Page } from './page.ts';
import {
  answerPrompt,
  closeToolbox,
  openPopup,
  openToolboxPanel,
  readErrors,
  readInstallWarnings,
  stopBackground,
} from './privileged.ts';

const ENTER = '\uE007';

// One browser and one story: each test goes on where the one before it has ended.
let firefox: Firefox;
let page: Page;
let everything: Awaited<ReturnType<typeof startEverything>>;
let misbehaving: MisbehavingServer;

beforeAll(async () => {
  everything = await startEverything();
  misbehaving = await startMisbehaving();
  firefox = await startFirefox(resolve('.output/firefox-mv3'));
  page = new Page(firefox.marionette);
});

afterAll(async () => {
  await firefox?.quit();
  await misbehaving?.close();
  await everything?.close();
});

async function goTo(url: string): Promise<void> {
  await firefox.marionette.command('WebDriver:SwitchToWindow', { handle: firefox.tab });
  await firefox.marionette.command('WebDriver:Navigate', { url });
}

/** Does what opens a tab, and goes there. */
async function goToTabOf(act: () => Promise<void>): Promise<void> {
  const { marionette } = firefox;
  const handles = () => marionette.command<string[]>('WebDriver:GetWindowHandles');
  const known = await handles();
  await act();
  const findNew = async () => (await handles()).find((handle) => !known.includes(handle));
  await expect.poll(findNew, { timeout: 10_000 }).toBeDefined();
  await marionette.command('WebDriver:SwitchToWindow', { handle: await findNew() });
}

test('installing warns of nothing but the developer tools', async () => {
  walks('Install the extension');
  expect(await readInstallWarnings(firefox)).toEqual([
    'Extend developer tools to access your data in open tabs',
  ]);
});

test('the popup asks by the real prompt; denied, nothing is sent, and it asks again', async () => {
  walks('Allow or deny a host');
  await goTo('about:blank');
  await openPopup(firefox);
  await page.connect(misbehaving.url('ok'));
  expect(await answerPrompt(firefox, 'deny')).toContain('127.0.0.1');
  await page.expectConnections(/failed.*not allowed/);
  // Said where the popup was closed meanwhile, too.
  await goTo('about:blank');
  await openPopup(firefox);
  await page.expectConnections(/failed.*not allowed/);
  expect(misbehaving.requests).toEqual([]);
  await page.press('Allow');
  expect(await answerPrompt(firefox, 'allow')).toContain('127.0.0.1');
  await page.expectConnections(/\bconnected\b/);
  expect(misbehaving.requests).not.toEqual([]);
  await page.press({ begins: 'Disconnect' });
  await page.press({ begins: 'Dismiss' });
});

test('what is allowed already, the popup connects to at once', async () => {
  walks('Connect from the popup');
  await goTo('about:blank');
  await openPopup(firefox);
  await page.connect(everything.url);
  await page.expectConnections(
    /mcp-servers\/everything \S+.*connected · Streamable HTTP · legacy 2025-11-25/,
  );
});

test('from the popup a tool is called by keys alone, but for one click', async () => {
  walks('Go from the popup to the result of a tool');
  const { marionette } = firefox;
  await goToTabOf(() => page.press('Explore'));
  const screen = page.within('Server');
  await screen.expectText('Echo Tool');
  const focused = () => marionette.run(() => document.activeElement?.ariaLabel ?? '');
  await expect.poll(focused, { timeout: 10_000 }).toBe('Tools');
  await marionette.type(ENTER);
  await marionette.type(`hello${ENTER}`);
  await screen.expectText('Echo: hello');
  await marionette.command('WebDriver:CloseWindow');
});

test('the panel in the real toolbox shows what happened before it was opened', async () => {
  await goTo('about:blank');
  await openToolboxPanel(firefox);
  await page.expectConnections(/mcp-servers\/everything \S+ .*connected/);
  await page.expectRow(/initialize.* 200/);
  await page.expectRow(/GET stream.* open/);
  await page.expectRow(/Permission denied/);
});

test('a call made in the panel streams its progress into rows', async () => {
  await page.press('Send a request');
  await page.send('tools/call', {
    name: 'trigger-long-running-operation',
    arguments: { duration: 0.5, steps: 3 },
    _meta: { progressToken: 'a' },
  });
  await page.expectRow(/notifications\/progress 3 of 3/);
  await page.expectRow(/tools\/call trigger-long-running-operation.* 200/);
});

test('the background stopped in the middle of a stream leaves every shown row, and goes on', async () => {
  walks('Keep every row when the background stops');
  await page.send('tools/call', {
    name: 'trigger-long-running-operation',
    arguments: { duration: 30, steps: 100 },
    _meta: { progressToken: 'b' },
  });
  await page.expectRow(/notifications\/progress 3 of 100/);
  await page.press('Send a request');
  const stable = (rows: string[]) => rows.map((row) => row.split(' ').slice(0, 4).join(' '));
  const before = stable(await page.rows());
  await stopBackground(firefox);
  await page.expectRow(/Worker restarted.* 2 resumed/);
  await page.expectRow(/tools\/call trigger-long-running-operation.*pending/);
  // More may have come since than is drawn.
  const after = stable(await page.allRows());
  expect(after).toEqual(expect.arrayContaining(before.slice(-8)));
});

test('the panel closed and opened again shows the same rows', async () => {
  walks('Close and open the panel');
  // Nothing changes any more.
  await page.press('Disconnect');
  await page.press('Dismiss');
  await page.expectRow(/Disconnected/);
  // This server replays events of other streams; which of the two is at fault is told elsewhere.
  const read = async () =>
    (await page.allRows()).map((row) => row.replace(/ ▲\d+ \d+ issues?/, ''));
  const before = await read();
  await closeToolbox(firefox);
  await goTo('about:blank');
  await openToolboxPanel(firefox);
  await expect.poll(read, { timeout: 15_000 }).toEqual(before);
});

test('the panel, which may not ask itself, asks by way of the grant page', async () => {
  walks('Allow or deny a host');
  const { marionette } = firefox;
  const url = misbehaving.url('ok').replace('127.0.0.1', 'localhost');
  await page.connect(url);
  await page.expectConnections(/waiting for your permission to reach http:\/\/localhost/);
  await goToTabOf(() => page.press('Open the permission page'));
  await expect.poll(() => marionette.text('main'), { timeout: 10_000 }).toContain(url);
  await page.press('Allow');
  expect(await answerPrompt(firefox, 'allow')).toContain('localhost');
  await expect
    .poll(() => misbehaving.requests.map(({ method }) => method), { timeout: 10_000 })
    .toContain('GET');
});

test('nothing has broken the CSP or thrown', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});

test('a broken CSP would have been found', async () => {
  await goTo(firefox.pageUrl('popup.html'));
  await firefox.marionette.run(() => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.injected = true;';
    document.head.append(script);
  });
  const errors = async () => (await readErrors(firefox)).join('\n');
  await expect.poll(errors, { timeout: 10_000 }).toMatch(/Content-Security-Policy/);
});
