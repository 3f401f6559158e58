import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startEverything } from '../server/everything.ts';
import { startFormTools } from '../server/form-tools.ts';
import type { ScriptedServer } from '../server/scripted.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { Panel } from './panel.ts';
import { startPanelTab } from './panel-tab.ts';
import { answerPrompt, readErrors } from './privileged.ts';

// One browser and one story: each test goes on where the one before it has ended.
let firefox: Firefox;
let page: Page;
let panel: Panel;
let tools: ScriptedServer;
let everything: Awaited<ReturnType<typeof startEverything>>;

beforeAll(async () => {
  tools = await startFormTools();
  everything = await startEverything();
  ({ firefox, page } = await startPanelTab());
  panel = new Panel(firefox);
});

afterAll(async () => {
  await firefox?.quit();
  await everything?.close();
  await tools?.[Symbol.asyncDispose]();
});

const screen = () => page.within('Server');
const run = () => screen().within({ begins: 'Result of' });

async function dismiss(): Promise<void> {
  await screen().press('Close');
  await page.press('Disconnect');
  await page.press('Dismiss');
}

test('a form draws every kind of schema, and sends what was filled in', async () => {
  walks('Fill in a form of any schema');
  await page.connect(tools.url());
  expect(await answerPrompt(firefox, 'allow')).toContain('127.0.0.1');
  await page.expectConnections(/connected/);
  await page.press('Explore');
  await screen().press({ begins: 'Tools' });
  await screen().pickOption('form');
  await screen().fill('name (required)', 'A');
  await screen().expectText('This needs at least 2 characters.');
  await screen().press('Call');
  await screen().expectText('2 problems with the schema');
  await screen().fill('name (required)', 'Ada');
  await screen().fill('big', '9007199254740993');
  await screen().choose('nullable', 'null');
  await screen().choose('nullable', 'string');
  // Emptied on the way, it stays.
  await screen().fill('string', 'text');
  await screen().choose('kind', '3');
  await screen().tick('x');
  await screen().tick('z');

  await screen().press('Add item to addresses');
  await screen().fill('street (required)', 'First');
  await screen().fill('zip', '12');
  await screen().expectText('This does not match the pattern.');
  await screen().fill('zip', '12345');
  await screen().press('Add item to addresses');
  await screen().press('Move addresses 2 up');
  await screen().fill('street (required)', 'Second');
  await screen().press('Move addresses 1 down');
  await screen().press('Add item to addresses');
  await screen().press('Remove addresses 3');

  await screen().choose('shape (required)', 'Box');
  await screen().fill('w', '2.50');
  await screen().choose('shape (required)', 'Circle');
  await screen().choose('shape (required)', 'Box');
  expect(await screen().value('w')).toBe('2.50');
  await screen().press('Add node');
  await screen().press('Add next');
  await panel.role('textbox', 'value').at(-1).fill('deep');
  await screen().fill('any', '[1,');
  await screen().expectText('Not JSON at 1:4');
  await screen().fill('any', '[1, {}]');
  await screen().press('Add counts');
  for (const name of ['k', 'gone']) {
    await screen().fill('Name of a further member', name);
    await screen().press('Add member');
  }
  await screen().press('Remove gone');
  await screen().press('Call');
  await run().expectText('"street":"First"');

  const { body } = tools.of('tools/call').at(-1)!;
  expect(body).toContain('"big": 9007199254740993');
  expect(body).toContain('"w": 2.50');
  expect(JSON.parse(body)).toHaveProperty('params.arguments', {
    name: 'Ada',
    big: 9007199254740992,
    nullable: 'text',
    kind: 3,
    flags: ['x', 'z'],
    addresses: [{ street: 'First', zip: '12345' }, { street: 'Second' }],
    shape: { kind: 'box', w: 2.5 },
    node: { next: { value: 'deep' } },
    any: [1, {}],
    counts: { k: 0 },
  });
});

test('what is wrong with a list or a result is said, with a way to the row', async () => {
  walks('See what is wrong with a list or a result');
  await screen().expectText('2 invalid, 2 with a name that others have too.');
  await screen().pickOption('no schema');
  await screen().expectText('Invalid: it has no inputSchema.');
  await screen().pickOption('promise');
  await screen().press('Call');
  await run().expectText('t is a string, where a number is asked for.');
  await run().press('Raw');
  await run().expectText('{"t":"warm"}');

  await screen().press({ begins: 'Prompts' });
  await screen().expectText('Prompts (1+)');
  await screen().press('Load all');
  await screen().expectText(/Failed after 1 entry.*No more paper/);
  await screen().press('Show it in the table');
  await page.within('Details').expectText('No more paper');

  await page.press('Server');
  await screen().press({ begins: 'Resources' });
  await screen().expectText(/Resources \(\d+\+\)/);
  await screen().press('Load all');
  await screen().expectText('Stop');
  await screen().press('Stop');
  await screen().expectText('more to load');
  expect(tools.of('resources/list').length).toBeLessThan(500);
  await dismiss();
});

test('what has changed is told: in a list while it is open, and since the last visit', async () => {
  walks('See what has changed at a server');
  await page.press('Options');
  await page.choose('Sampling', 'Do not declare');
  await page.connect(everything.url);
  await page.expectConnections(/connected/);
  await page.press('Explore');
  await screen().press('Overview');
  await screen().press('Load all lists');
  await screen().expectText('Resources (7)');
  await screen().press({ begins: 'Tools' });
  await screen().pickOption('gzip-file-as-resource');
  await screen().fill('name', 'note.gz');
  await screen().fill('data', 'data:text/plain,hello');
  await screen().press('Call');
  await run().expectText('note.gz');
  await screen().press({ begins: 'Resources' });
  await screen().expectText('as the server says: load it again.');
  await screen().press('Show the notification');
  await page.within('Details').expectText('notifications/resources/list_changed');
  await page.press('Server');
  await screen().tick('Follow changes');
  await screen().expectText('Resources (8)');
  await screen().tick('Follow changes');
  await dismiss();

  await page.choose('Sampling', 'Ask me');
  await page.press('Options');
  await page.connect(everything.url);
  await page.expectConnections(/connected/);
  await page.press('Explore');
  await screen().press('Overview');
  await screen().press('Load all lists');
  const changes = screen().within('Since the last visit');
  await changes.expectText('+ trigger-sampling-request Tools, added');
  await changes.expectText('note.gz Resources, removed');
  await changes.press('Forget this server');
  await changes.expectText(/^$/);
});

test('how a connection answers is changed while it is open, and holds for the next question', async () => {
  walks('Change how a connection answers');
  await page.press('Answers ›');
  const settings = page.within('Answers of this connection');
  await settings.choose('Elicitation', 'Decline');
  await settings.press('Add a root');
  await settings.expectText('Root 1 needs a URI');
  await settings.fill('URI of root 1', 'file:///srv');
  await settings.press('Use from now on');
  await settings.expectText('Holds for the next question.');
  await settings.press('Close');
  await screen().press({ begins: 'Tools' });
  await screen().pickOption('trigger-elicitation-request');
  await screen().press('Call');
  await run().expectText('declined');
  await screen().press('Close');
  await page.expectRow(/Answers from now on: elicitation decline/);
});

test('nothing has broken the CSP or thrown', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
