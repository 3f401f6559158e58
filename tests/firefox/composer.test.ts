import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startEverything } from '../server/everything.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { startPanelTab } from './panel-tab.ts';
import { answerPrompt, readErrors } from './privileged.ts';

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

const form = () => page.within('Work with the server');
const details = () => page.within('Details');

test('a request goes with headers, a timeout and a trace of its own, and is cancelled in flight', async () => {
  walks('Compose a request');
  await page.connect(everything.url);
  expect(await answerPrompt(firefox, 'allow')).toContain('127.0.0.1');
  await page.expectConnections(/connected/);
  await page.press('Send a request');
  await form().fill('Method', 'logging/setLevel');
  await form().expectText('deprecated Sets from which level on');
  await form().fill('Method', 'tools/call');
  await form().fill('Params (JSON)', '{"nam":"x"}');
  await form().within('Warnings').expectText('needs name');
  await form().fill('Timeout, seconds', '30');
  await form().tick('Trace');
  await form().unfold('Headers for this request');
  await form().press('Add a header');
  await form().fill('Request header 1, name', 'X-Mine');
  await form().fill('Request header 1, value', 'one');
  const args = { duration: 60, steps: 60 };
  const name = 'trigger-long-running-operation';
  await page.send('tools/call', { name, arguments: args, _meta: { progressToken: 'p' } });
  const sent = form().within('Sent from here');
  await sent.expectText(/\d of 60/);
  await sent.press('Cancel tools/call');
  await sent.expectText('cancelled');
  await sent.press('Show tools/call');
  await details().expectText(/Trace [0-9a-f]{32}, span [0-9a-f]{16}/);
  await details().press('Headers');
  await details().expectText(/x-mine one/i);
});

test('what was sent comes back by a click, and what was saved outlives the page', async () => {
  walks('Compose a request');
  await form().press('Save…');
  await form().fill('Name of the saved request', 'slow one');
  await form().press('Save');
  await form().within('Saved requests').expectText('slow one');
  await firefox.marionette.command('WebDriver:Refresh');
  await page.press('Send a request');
  await form().within('Saved requests').press('slow one');
  await form().expectText('trigger-long-running-operation');
  await form().press('Remove slow one');
  await form().expectNoText('Saved requests');
  await form().within('Sent before').expectText('tools/call');
  await form().press('Forget all that was sent');
  await form().expectNoText('Sent before');
});

test('a server is pinged, logs from a level on, and tells of a resource', async () => {
  walks('Ping, log and follow a legacy server');
  await form().press('Subscriptions');
  await form().press('Ping');
  await page.expectRow(/ping .*200/);
  await form().choose('Log level', 'debug');
  await page.expectRow(/logging\/setLevel .*200/);
  await form().fill('Resources, one URI a line', 'demo://resource/dynamic/text/1');
  await form().press('Subscribe');
  const subscriptions = form().within('Subscriptions');
  await subscriptions.expectText('subscribed');
  await form().press('Request');
  await page.send('tools/call', { name: 'toggle-subscriber-updates', arguments: {} });
  await form().press('Subscriptions');
  await subscriptions.expectText(/[1-9] notification/);
  await subscriptions.press('Show the last');
  await details().expectText('demo://resource/dynamic/text/1');
  await subscriptions.press('Unsubscribe');
  await subscriptions.expectText('unsubscribed');
  await form().press('Request');
  await page.send('tools/call', { name: 'toggle-subscriber-updates', arguments: {} });
});

test('a call becomes a task, which asks, and comes to its end', async () => {
  walks('Follow and cancel a task');
  await form().tick('Allow a task');
  const research = { topic: 'python', ambiguous: true };
  await page.send('tools/call', { name: 'simulate-research-query', arguments: research });
  await form().press('Tasks');
  const tasks = form().within('Tasks');
  await tasks.expectText('simulate-research-query');
  await tasks.expectText('input required');
  await tasks.press('Get the result');
  const asked = page.within('Server asks');
  await asked.choose('Clarification (required)', 'Python programming language');
  await asked.press('Accept');
  await tasks.expectText('completed');
  await tasks.press('Show the result');
  await details().press('Message');
  await details().expectText('Research Report: python');
  await form().press({ begins: 'List the tasks of ' });
  await page.expectRow(/tasks\/list .*200/);
});

test('nothing has broken the CSP or thrown', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
