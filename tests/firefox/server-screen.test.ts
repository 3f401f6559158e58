import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startEverything } from '../server/everything.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { startPanelTab } from './panel-tab.ts';
import { answerPrompt, readErrors } from './privileged.ts';

const WAIT = { timeout: 15_000, interval: 100 };

// One browser and one story: each test goes on where the one before it has ended.
let firefox: Firefox;
let page: Page;
let everything: Awaited<ReturnType<typeof startEverything>>;

beforeAll(async () => {
  everything = await startEverything();
  ({ firefox, page } = await startPanelTab());
});

afterAll(async () => {
  await firefox?.quit();
  await everything?.close();
});

const screen = () => page.within('Server');
const run = () => screen().within({ begins: 'Result of' });
const asked = () => page.within('Server asks');

/** Calls a tool of the list that is open, and waits for its form first. */
async function call(tool: string, args: Record<string, string> = {}): Promise<void> {
  await screen().pickOption(tool);
  for (const [name, value] of Object.entries(args)) await screen().fill(name, value);
  await screen().press('Call');
}

const tabs = () => firefox.marionette.command<string[]>('WebDriver:GetWindowHandles');

/** Closes the tab that was opened besides the panel's, and returns its address. */
async function closeNewTab(): Promise<string> {
  const { marionette, tab } = firefox;
  const handle = (await tabs()).find((each) => each !== tab);
  await marionette.command('WebDriver:SwitchToWindow', { handle });
  const address = () => marionette.run(() => location.href);
  await expect.poll(address, WAIT).not.toBe('about:blank');
  const opened = await address();
  await marionette.command('WebDriver:CloseWindow');
  await marionette.command('WebDriver:SwitchToWindow', { handle: tab });
  return opened;
}

test('a server that wants the roots gets those that are typed', async () => {
  walks('Answer for a model, with roots, and by a page');
  await page.press('Options');
  await page.choose('Roots', 'Ask me');
  await page.press('Options');
  await page.connect(everything.url);
  expect(await answerPrompt(firefox, 'allow')).toContain('127.0.0.1');
  await page.expectConnections(/connected/);
  await asked().expectText('roots/list');
  await asked().fill('Roots (JSON)', '[{"uri":"file:///home/ada","name":"Home of Ada"}]');
  await asked().press('Send roots');
  await page.expectRow(/roots\/list .*answered/);
});

test('a server is looked through, and a tool is called by its form and by JSON', async () => {
  walks('Look through a server');
  await page.press('Explore');
  await screen().press('Overview');
  await screen().expectText('Everything Reference Server');
  await screen().press('Load all lists');
  await screen().expectText('Prompts (4)');
  await screen().press({ begins: 'Tools' });
  await call('get-sum', { 'a (required)': '40' });
  await screen().expectText('This is required.');
  await screen().press('JSON');
  expect(JSON.parse(await screen().value('Arguments (JSON)'))).toEqual({ a: 40 });
  await screen().fill('Arguments (JSON)', '{"a": 40, "b": }');
  await screen().expectText('Not JSON at 1:16');
  await screen().fill('Arguments (JSON)', '{"a": 40, "b": 2}');
  await screen().press('Call');
  await run().expectText('The sum of 40 and 2 is 42.');
  await screen().press('Form');
  expect(await screen().value('b (required)')).toBe('2');
  await screen().fill('b (required)', '3');
  await screen().press('Call');
  await run().expectText('The sum of 40 and 3 is 43.');
});

test('results are shown by kind, and checked against their schema', async () => {
  walks('Read results by kind');
  await screen().pickOption('get-structured-content');
  await screen().choose('location (required)', 'Chicago');
  await screen().press('Call');
  await run().expectText('The structured content fits the outputSchema.');
  await call('get-tiny-image');
  const isDrawn = () =>
    firefox.marionette.run(() => {
      const image = document.querySelector<HTMLImageElement>('[aria-label^="Result of"] img');
      return image !== null && image.naturalWidth > 0;
    });
  await expect.poll(isDrawn, WAIT).toBe(true);
});

test('a resource template is filled in and read', async () => {
  walks('Fill in templates and prompts');
  await screen().press({ begins: 'Templates' });
  await screen().pickOption('demo://resource/dynamic/text/{resourceId}');
  await screen().fill('resourceId', '7');
  await screen().within('Expanded URI').expectText('demo://resource/dynamic/text/7');
  await screen().press('Read');
  await run().expectText('Resource 7');
});

test('a prompt is got with what the server proposes', async () => {
  walks('Fill in templates and prompts');
  await screen().press({ begins: 'Prompts' });
  await screen().pickOption('completable-prompt');
  await screen().fill('department (required)', 'En');
  await screen().within('Proposals for department').pickOption('Engineering');
  expect(await screen().value('department (required)')).toBe('Engineering');
  await screen().fill('name (required)', 'Al');
  await screen().within('Proposals for name').pickOption('Alice');
  await screen().press('Get');
  await run().expectText('Please promote Alice to the head of the Engineering team.');
});

test('what the server asks is answered: a form, a page, a model’s reply, roots', async () => {
  walks('Follow and cancel a call of a tool', 'Answer for a model, with roots, and by a page');
  await screen().press({ begins: 'Tools' });
  await call('trigger-elicitation-request');
  await asked().fill('String (required)', 'Ada');
  await asked().press('Accept');
  await run().expectText('- Name: Ada');

  const url = `${everything.url}?sign=Ada`;
  await call('trigger-url-elicitation', { 'url (required)': url });
  await asked().expectText(url);
  // Nothing is opened by itself.
  expect(await tabs()).toEqual([firefox.tab]);
  await asked().press('Open');
  await expect.poll(tabs, WAIT).toHaveLength(2);
  expect(await closeNewTab()).toBe(url);
  await asked().press('Accept');
  await run().expectText('User completed the URL elicitation flow.');

  await call('trigger-sampling-request', { 'prompt (required)': 'Hello?' });
  await asked().expectText('Hello?');
  await asked().fill('Reply', 'Hello yourself');
  await asked().press('Send reply');
  await run().expectText('Hello yourself');

  await call('get-roots-list');
  await run().expectText('Home of Ada URI: file:///home/ada');
});

test('a call is cancelled while its progress is shown', async () => {
  walks('Follow and cancel a call of a tool');
  await call('trigger-long-running-operation', { duration: '30', steps: '60' });
  await run().expectText(/\d+ of 60/);
  await run().press('Cancel');
  await run().expectText('Cancelled');
});

test('nothing has broken the CSP or thrown', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
