import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startMisbehaving, type MisbehavingServer } from '../server/misbehaving.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { startPanelTab } from './panel-tab.ts';
import { answerPrompt, readErrors } from './privileged.ts';

// One browser and one story: each test goes on where the one before it has ended.
let firefox: Firefox;
let page: Page;
let server: MisbehavingServer;

beforeAll(async () => {
  server = await startMisbehaving();
  ({ firefox, page } = await startPanelTab());
});

afterAll(async () => {
  await firefox?.quit();
  await server?.close();
});

const WAIT = { timeout: 15_000, interval: 100 };

const asked = () => page.within('Server asks');
const details = () => page.within('Details');
const form = () => page.within('Work with the server');
const screen = () => page.within('Server');

/** Params of what was sent, the newest last. */
function sent(method: string): Record<string, unknown>[] {
  return server.requests
    .filter(({ body }) => body !== '')
    .map(({ body }) => JSON.parse(body) as { method: string; params: Record<string, unknown> })
    .filter((message) => message.method === method)
    .map(({ params }) => params);
}

/** Calls a tool until its answer has this text: a server learns of what we close only after a while. */
async function callUntil(tool: string, text: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.send('tools/call', { name: tool });
      const list = form().within('Sent from here');
      await list.expectNoText('pending');
      await list.press('Show tools/call');
      return details().text();
    }, WAIT)
    .toContain(text);
}

test('two calls that ask at the same time are answered in the other order, each in its own rounds', async () => {
  walks('Answer a call of several rounds');
  await page.connect(server.url('modern'));
  expect(await answerPrompt(firefox, 'allow')).toContain('127.0.0.1');
  await page.expectConnections(/modern 2026-07-28 connected/);
  await page.press('Send a request');
  for (const about of ['First', 'Second']) {
    await page.send('tools/call', { name: 'ask', arguments: { rounds: 2, about } });
  }
  for (const [about, round, name] of [
    ['Second', 1, 'Grace'],
    ['First', 1, 'Ada'],
    ['Second', 2, 'Grace Hopper'],
    ['First', 2, 'Ada Lovelace'],
  ] as const) {
    const question = asked().entry(`${about}: Name number ${round}?`);
    await question.fill('Name (required)', name);
    await question.press('Accept');
  }
  await asked().expectText(/^$/);
  const answers = sent('tools/call').map(({ arguments: given, inputResponses }) => [
    (given as { about: string }).about,
    JSON.stringify(inputResponses),
  ]);
  const accepted = (key: string, name: string) =>
    JSON.stringify({ [key]: { action: 'accept', content: { name } } });
  expect(answers).toEqual([
    ['First', undefined],
    ['Second', undefined],
    ['Second', accepted('name-1', 'Grace')],
    ['First', accepted('name-1', 'Ada')],
    ['Second', accepted('name-2', 'Grace Hopper')],
    ['First', accepted('name-2', 'Ada Lovelace')],
  ]);
  await page.expectRow(/tools\/call ask, round 3 .*200/);
});

test('a round that is declined is told so to the server', async () => {
  walks('Decline a round');
  await page.send('tools/call', { name: 'ask' });
  await asked().press('Decline');
  await expect.poll(() => JSON.stringify(sent('tools/call').at(-1)), WAIT).toContain('"decline"');
  await asked().expectText(/^$/);
});

test('a subscription is listed with what it tells, and cancelled in its row', async () => {
  walks('Subscribe to a modern server');
  await form().press('Subscriptions');
  await form().press('Subscribe');
  const subscription = form().within('Subscriptions').entry('tools');
  await subscription.expectText('listening');
  await form().choose('Log level', 'info');
  await form().press('Request');
  await page.send('tools/call', { name: 'change' });
  await page.expectRow(/notifications\/tools\/list_changed/);
  expect(sent('tools/call').at(-1)).toHaveProperty(
    ['_meta', 'io.modelcontextprotocol/logLevel'],
    'info',
  );
  await form().press('Subscriptions');
  await subscription.expectText('1 notification');
  await subscription.press('Show');
  await details().expectText(/Agreed to tools/);
  await page.entry('subscriptions/listen').press('Cancel');
  await subscription.expectText('cancelled');
  await form().press('Request');
  await callUntil('change', '0 told');
});

test('a subscription that the server ends is over', async () => {
  walks('Subscribe to a modern server');
  await page.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await page.expectRow(/subscriptions\/listen .*listening/);
  await page.send('tools/call', { name: 'end' });
  await page.expectRow(/subscriptions\/listen .*completed by the server/);
});

test('a call is cancelled by closing its stream', async () => {
  walks('Cancel a modern call');
  await page.send('tools/call', { name: 'slow', arguments: { ms: 30_000 } });
  await form().within('Sent from here').press('Cancel tools/call');
  await page.expectRow(/tools\/call slow .*cancelled/);
  await callUntil('cancelled', '1 cancelled');
});

test('tasks are followed, asked by, brought to their end, and cancelled', async () => {
  walks('Follow and cancel a task');
  await form().fill('Method', 'tools/call');
  await form().tick('Allow a task');
  await page.send('tools/call', {
    name: 'research',
    arguments: { topic: 'foxes', asks: true },
  });
  await page.send('tools/call', {
    name: 'research',
    arguments: { topic: 'owls', polls: 1000 },
  });
  await form().press('Tasks');
  const tasks = form().within('Tasks');
  const asking = asked();
  await asking.expectText('Who reads about foxes?');
  await asking.fill('Reader (required)', 'Ada');
  await asking.press('Accept');
  const foxes = tasks.entry('on foxes');
  await foxes.expectText('completed');
  await foxes.press('Show the result');
  await details().expectText('Report on foxes, for \\"Ada\\"');
  const owls = tasks.entry('on owls');
  await owls.expectText('working');
  await owls.press('Cancel research');
  await owls.expectText('cancelled');
  await form().press('Request');
});

test('lists are read page by page, followed, and a tool with nested arguments is called', async () => {
  walks('Work with the pages of a modern server');
  await page.press('Explore');
  await screen().press({ begins: 'Tools' });
  await screen().expectText('Tools (6+)');
  await screen().press('Next page');
  await screen().expectText(/Tools \(\d+\)/);
  const before = sent('tools/list').length;
  await screen().tick('Follow changes');
  await page.expectRow(/subscriptions\/listen .*listening/);
  await screen().pickOption('change');
  await screen().press('Call');
  await expect.poll(() => sent('tools/list').length, WAIT).toBe(before + 2);
  await screen().tick('Follow changes');
  await screen().pickOption('mirror');
  await screen().fill('region', 'Köln');
  await screen().press('Add options');
  await screen().choose('dry', 'true');
  await screen().press('Call');
  const run = screen().within({ begins: 'Result of' });
  await run.expectText('{"region":"Köln","options":{"dry":true}}');
});

test('on a narrow panel there is room for the list or for one entry', async () => {
  walks('Work with a server in a narrow panel');
  await page.press('Send a request');
  const size = await firefox.marionette.command<object>('WebDriver:GetWindowRect');
  await firefox.marionette.command('WebDriver:SetWindowRect', { width: 500, height: 700 });
  await screen().press('‹ All of tools');
  await screen().pickOption('echo');
  await screen().expectNoText('Counts the calls');
  await screen().press('‹ All of tools');
  await screen().expectText('mirror');
  await firefox.marionette.command('WebDriver:SetWindowRect', size);
  await screen().press('Close');
  await page.press('Send a request');
  await dismiss();
});

test('a call that lacks a capability is sent again with it', async () => {
  walks('Send again with a capability that was missing');
  await page.press('Options');
  await page.choose('Elicitation', 'Do not declare');
  await page.press('Options');
  await page.connect(server.url('modern'));
  await page.expectConnections(/connected/);
  await page.send('tools/call', { name: 'ask' });
  await page.expectRow(/tools\/call ask .*400 · error/);
  await form().within('Sent from here').press('Show tools/call');
  await details().expectText('The server needs the capability {"elicitation":{"form":{}}}');
  // Nobody is asked: the list of the connection before has said that the tool only reads.
  await page.press('Resend with this capability');
  await expect
    .poll(() => sent('tools/call').at(-1), WAIT)
    .toHaveProperty(['_meta', 'io.modelcontextprotocol/clientCapabilities', 'elicitation'], {
      form: {},
    });
  await dismiss();
});

test('a tool that cannot be mirrored is shown with the reason; another one is mirrored', async () => {
  walks('See which tools cannot be mirrored');
  await page.connect(server.url('modern-number-header'));
  await page.expectConnections(/connected/);
  await page.send('tools/list', {});
  await page.expectRow(/tools\/list .*200/);
  await form().within('Sent from here').press('Show tools/list');
  await details().expectText('bad: its x-mcp-header is invalid, since “ratio” is of type "number"');
  await page.send('tools/call', { name: 'mirror', arguments: { region: 'Köln', count: 3 } });
  await page.expectRow(/tools\/call mirror .*200/);
  const { headers } = server.requests.at(-1)!;
  expect(headers).toContainEqual(['Mcp-Param-Region', '=?base64?S8O2bG4=?=']);
  expect(headers).toContainEqual(['Mcp-Param-Count', '3']);
});

test('nothing has broken the CSP or thrown', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});

async function dismiss(): Promise<void> {
  await page.press('Disconnect');
  await page.press('Dismiss');
}
