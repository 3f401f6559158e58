import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startEverything } from '../server/everything.ts';
import { FEATURE_FAULTS } from '../server/faults/features.ts';
import { startMisbehaving, type MisbehavingServer } from '../server/misbehaving.ts';
import { startScripted, type Script } from '../server/scripted.ts';
import { event, json, progress, result, stream } from '../server/scripted-behaviour.ts';
import { readClipboard } from './clipboard.ts';
import type { Firefox } from './firefox.ts';
import { startPanel, type Panel } from './panel.ts';
import type { Part } from './part.ts';
import { readErrors } from './privileged.ts';

const LONG_CALL = {
  name: 'trigger-long-running-operation',
  arguments: { duration: 0.4, steps: 4 },
  _meta: { progressToken: 'a' },
};
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC';

// One browser and one story: each test goes on where the one before it has ended.
let everything: Awaited<ReturnType<typeof startEverything>>;
let misbehaving: MisbehavingServer;
let firefox: Firefox;
let panel: Panel;

beforeAll(async () => {
  everything = await startEverything();
  misbehaving = await startMisbehaving();
  ({ firefox, panel } = await startPanel());
});

afterAll(async () => {
  await firefox?.quit();
  await misbehaving?.close();
  await everything?.close();
});

const region = (name: string) => panel.details.role('region', name);

/** Begins anew with a server; what was shown before is hidden. */
async function goOnWith(url: string): Promise<void> {
  await panel.endConnections();
  await panel.button('Clear').click();
  await panel.connect(url);
}

/** Calls a tool of a server of this script, and opens the row; returns the part of the details that is the response. */
async function openCall(script: Script, act: (response: Part) => Promise<void>): Promise<void> {
  await using server = await startScripted(script);
  await goOnWith(server.url());
  await panel.send('tools/call', { name: 'echo', arguments: {} });
  await panel.closeComposer();
  await panel.rows(/tools\/call echo .*200/).appears();
  await panel.open(panel.requests('tools/call'));
  await act(region('Response'));
}

test('details show the messages, headers, stream events with ids, and timing', async () => {
  walks('Read the details of a call');
  await panel.connectFirst(firefox, everything.url);
  await panel.send('tools/call', LONG_CALL);
  await panel.closeComposer();
  await panel.rows(/notifications\/progress 4 of 4/).appears();
  await panel.open(panel.requests('tools/call'));
  await panel.details.shows('Long running operation completed');
  await region('Response').role('button', 'Raw').click();
  await region('Response').shows('"result":{"content":[{"type":"text"');
  await region('Response').role('button', 'Tree').click();

  await panel.showTab('Headers');
  await panel.details.shows(/mcp-protocol-version 2025-11-25/i);
  await panel.details.shows(/content-type text\/event-stream/i);
  await panel.details.shows(/mcp-session-id ‹[0-9a-f]{4}›/i);

  await panel.showTab('Stream');
  const events = panel.role('table', 'Stream events').role('row').holding('cell');
  // Priming event, four of progress, the result.
  await events.counts(6);
  const ids = (await events.texts()).map((text) => /[0-9a-f-]{36}/.exec(text)?.[0]);
  expect(new Set(ids).size).toBe(6);
  await events.at(-1).click();
  await panel.details.shows('event: message');
  await panel.details.shows(`id: ${ids.at(-1)}`);

  await panel.showTab('Timing');
  await panel.details.shows('Total');
});

test('the details have the menu of their row', async () => {
  walks('Use the menu of the details');
  await panel.button('More actions').click();
  await panel
    .role('menu')
    .role('menuitem', /^Replay/)
    .appears();
  await panel.role('tablist', 'Details').role('tab').at(0).click();
  await panel.role('menu').isGone();
});

test('pictures are previewed from their own bytes, text stays text, and nothing is fetched', async () => {
  walks('Preview pictures and texts');
  const html = `<h1>Hello</h1>\n<img src="${misbehaving.url('probe.png')}">\n\u202E<script>alert(1)</script>`;
  const content = [
    { type: 'text', text: html },
    { type: 'image', mimeType: 'image/png', data: PNG },
    { type: 'image', mimeType: 'image/png', data: `${PNG.slice(0, 40)}!!${PNG.slice(42)}` },
    { type: 'image', mimeType: 'image/png', data: PNG.slice(0, 40) },
  ];
  const script = { 'tools/call': json(result(JSON.stringify({ content }))) };
  await openCall(script, async (response) => {
    const picture = response.role('img', '$.result.content[1].data');
    await picture.appears();
    const size = () => picture.read((image) => (image as HTMLImageElement).naturalWidth);
    await expect.poll(size).toBe(10);
    await response.shows('image/png, 78 B, 10 × 10');
    await response.shows('not base64: “!” at character 41');
    await response.shows('the browser cannot show it');
    await response.shows('U+202E');
    const line = response
      .role('treeitem')
      .like(/<h1>Hello/)
      .at(-1);
    await line.role('button', /text/).click();
    const text = response.role('region', 'Text at $.result.content[0].text');
    await text.shows('<h1>Hello</h1> <img src="');
    await text.role('button', 'Close the text').click();
    await text.isGone();
  });
  expect(misbehaving.requests.filter(({ url }) => url.includes('probe'))).toEqual([]);
});

test('values and their paths are copied from the keyboard, integers to the last digit', async () => {
  walks('Copy values of a message');
  const text = '{"content":[],"a b":[{"id":1915883588174806058,"s":"x\\ny"}]}';
  await openCall({ 'tools/call': json(result(text)) }, async (response) => {
    const copied = () => readClipboard(firefox);
    const tree = response.role('tree');
    const selected = tree.css('[aria-selected=true]');
    await tree
      .role('treeitem')
      .like(/1915883588174806058/)
      .at(-1)
      .click();
    await tree.press('Control+c');
    await expect.poll(copied).toBe('1915883588174806058');
    for (const [entry, path] of [
      ['Copy JSONPath', `$.result['a b'][0].id`],
      ['Copy JSON Pointer', '/result/a b/0/id'],
    ] as const) {
      await selected.openMenu();
      await panel.role('menu', 'Value').role('menuitem', entry).press('Enter');
      await panel.role('menu').isGone();
      await tree.hasFocus();
      await expect.poll(copied).toBe(path);
    }
    await tree.press('ArrowDown', 'Shift+F10');
    await panel
      .role('menu', 'Value')
      .role('menuitem', /^Copy value/)
      .hasFocus();
    await panel.focused.press('ArrowDown');
    await panel.focused.press('Enter');
    await expect.poll(copied).toBe('"x\\ny"');
    await tree.press('ArrowLeft', 'ArrowLeft');
    await selected.has('aria-expanded', 'false');
    await response.role('button', 'Collapse all of the response').click();
    await tree.role('treeitem').counts(4);
  });
});

test('a body of many megabytes opens as a tree and raw without more than the rows in sight', async () => {
  walks('Read a body of many megabytes');
  const items = Array.from({ length: 60_000 }, (_, index) => ({
    name: `item number ${index}`,
    note: 'x'.repeat(60),
  }));
  const body = JSON.stringify({ content: [], items });
  const parts = body.match(/[^]{1,500000}/g) ?? [];
  const headers = { 'Content-Type': 'application/json' };
  const script = {
    'tools/call': { headers, body: ['{"jsonrpc":"2.0","id":$id,"result":', ...parts, '}'] },
  };
  await openCall(script, async (response) => {
    const tree = response.role('tree');
    await tree.has('aria-busy', 'false');
    await tree.press('End');
    const group = tree.role('treeitem').like(/59,000 … 59,999/);
    await group.has('aria-selected', 'true');
    await tree.press('ArrowRight');
    await group.has('aria-expanded', 'true');
    await tree.press('End');
    await tree.shows('item number 59999');
    await response.role('button', 'Raw').click();
    const raw = response.role('group', 'Response, raw');
    await raw.shows('{"jsonrpc":"2.0"');
    const toEnd = async () => {
      await raw.read((element) => element.scrollTo(0, element.scrollHeight));
      return (await raw.texts()).join('').includes('item number 59999');
    };
    await expect.poll(toEnd, { timeout: 15_000 }).toBe(true);
    const nodes = await firefox.marionette.run(() => document.querySelectorAll('*').length);
    expect(nodes).toBeLessThan(1500);
    await response.role('button', 'Tree').click();
  });
});

test('a stream is followed at its end only, filtered, and each event shows its message and bytes', async () => {
  walks('Follow a stream');
  const steps = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => event(progress(from + at), `e${from + at}`));
  await using server = await startScripted({
    'tools/call': stream([
      `retry: 3000\n\n: hello\n\n${steps(1, 300).join('')}`,
      { wait: 'more' },
      steps(301, 3000).join(''),
      { wait: 'end' },
      event(result('{"content":[]}')),
    ]),
  });
  await goOnWith(server.url());
  await panel.send('tools/call', { name: 'echo', _meta: { progressToken: 'a' } });
  await panel.closeComposer();
  await panel.capture.shows(/\b3\d\d rows/);
  await panel.traffic.press('Home');
  await panel.open(panel.requests('tools/call'));
  await panel.showTab('Stream');
  const events = panel.role('table', 'Stream events');
  const at = (number: number) => panel.button(`Bytes of ${number}`);
  const isInSight = (part: Part) =>
    part.read((element) => {
      const outer = element.closest('[aria-label="Stream events"]')?.getBoundingClientRect();
      const box = element.getBoundingClientRect();
      return outer !== undefined && box.top >= outer.top && box.bottom <= outer.bottom + 1;
    });
  const isShown = async (number: number) =>
    (await at(number).texts()).length > 0 && (await isInSight(at(number)));
  await expect.poll(() => isShown(302)).toBe(true);
  server.open('more');
  await expect.poll(() => isShown(3002), { timeout: 15_000 }).toBe(true);
  await events.read((element) => element.scrollTo(0, 0));
  await expect.poll(() => isShown(1)).toBe(true);
  server.open('end');
  await events.has('aria-rowcount', '3004');
  expect(await isShown(1)).toBe(true);

  const filter = panel.role('searchbox', 'Filter stream events');
  await filter.fill('/progress":\\d999}/ -e1999');
  await events.has('aria-rowcount', '2');
  await at(3001).click();
  await region('Message').shows('2999');
  await panel.role('region', 'Bytes of 3001').shows('id: e2999');
  await filter.press('Escape');
  await events.has('aria-rowcount', '3004');
});

test('timing grows while a call is pending, and names its pauses and deadlines in the end', async () => {
  walks('Read the timing of a call');
  await using server = await startScripted({
    'tools/call': stream([
      event(progress(1)),
      event(progress(2)),
      { wait: 'end' },
      event(result('{"content":[]}')),
    ]),
  });
  await goOnWith(server.url());
  await panel.send('tools/call', { name: 'echo', _meta: { progressToken: 'a' } });
  await panel.closeComposer();
  await panel.open(panel.requests('tools/call'));
  await panel.showTab('Timing');
  await region('Phases').shows('So far');
  await region('Deadlines').shows(/extended 2 times.* left$/);
  const [soFar] = await region('Phases').texts();
  await expect.poll(() => region('Phases').texts()).not.toEqual([soFar]);
  await region('Longest pauses').shows(/After event 2 \d.* s…/);
  server.open('end');
  await region('Phases').shows('Total');
  await region('Longest pauses').shows('Between event 2 and 3');
  await region('Deadlines').shows('met');
  await region('Moments').shows('Stream event 3');
});

test('a refused credential shows its challenges and what it was; headers that contradict the body are marked', async () => {
  walks('Read challenges and contradicting headers');
  await using server = await startScripted({
    'prompts/get': {
      status: 401,
      headers: {
        'WWW-Authenticate': [
          'Bearer realm="a, b", error="invalid_token", resource_metadata="https://example.com/meta"',
          'Basic realm="c"',
        ],
      },
      body: ['no'],
    },
  });
  await panel.endConnections();
  await panel.setOptions(async (options) => {
    for (const [at, name, value] of [
      [1, 'Authorization', 'Bearer not-a-real-token-1'],
      [2, 'Mcp-Method', 'prompts/list'],
    ] as const) {
      await options.role('button', 'Add a header').click();
      await options.role('textbox', `Name of header ${at}`).fill(name);
      await options.css(`[aria-label="Value of header ${at}"]`).fill(value);
    }
  });
  await goOnWith(server.url());
  await panel.send('prompts/get', { name: 'x' });
  await panel.closeComposer();
  await panel.rows(/prompts\/get .*401/).appears();
  await panel.open(panel.requests('prompts/get'));
  await panel.showTab('Auth');
  await panel.details.shows(/401 Bearer ‹[0-9a-f]{4}›/);
  await region('Challenge 1').shows('a, b');
  await region('Challenge 2').shows('Basic');
  await panel.details.shows('https://example.com/meta');
  await panel.details.lacks('not-a-real-token-1');
  await panel.showTab('Headers');
  await region('MCP headers').shows('1 does not match the body');
  await region('MCP headers').shows('the body has “prompts/get”');
  await panel.setOptions(async (options) => {
    for (const at of [2, 1]) await options.role('button', `Remove header ${at}`).click();
  });
});

test('what is wrong with a result is marked on its call', async () => {
  walks('See issues of a server');
  const { script, calls } = FEATURE_FAULTS['misfit-structured']!;
  await using server = await startScripted(script);
  await goOnWith(server.url());
  for (const [method, params] of calls) await panel.send(method, params);
  await panel.closeComposer();
  await panel.rows(/tools\/call .*▲1/).appears();
  await panel.open(panel.requests('tools/call'));
  await panel.showTab('Issues (1)');
  await panel.details.shows('degrees: "20" is no number');
  expect(await panel.details.role('link', /Output Schema/).attribute('href')).toBe(
    'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#output-schema',
  );
});

test('a call that nobody answers says why it may hang', async () => {
  walks('See why a call may hang');
  await goOnWith(misbehaving.url('silent?at=tools/call'));
  await panel.send('tools/call', { name: 'silent' });
  await panel.open(panel.requests('tools/call'));
  const hints = panel.details.role('status', 'Why it may hang');
  await hints.shows('Nothing at all came since it was sent');
  await hints.shows('while the GET stream is open');
  await panel.send('ping');
  await hints.shows('The server is alive, but has not answered');
  await hints.role('button', 'Show: ping').click();
  await panel.traffic.css('[aria-selected=true]').shows('ping');
});

test('nothing went wrong in the browser', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
