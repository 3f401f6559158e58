import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startEverything } from '../server/everything.ts';
import { startKeepingServer } from '../server/keeping-server.ts';
import { startPeer, type Peer } from '../server/peers.ts';
import { startScripted } from '../server/scripted.ts';
import { readClipboard } from './clipboard.ts';
import type { Firefox } from './firefox.ts';
import { startPanel, type Panel } from './panel.ts';
import { grantHost, readErrors, saveDownloadsTo } from './privileged.ts';

const CONFIGURATION = JSON.stringify({
  mcpServers: {
    docs: { type: 'sse', url: 'https://docs.example/sse', headers: { 'X-Tenant': 'acme' } },
    files: { command: 'npx', args: ['server-filesystem'] },
  },
});
const LEGACY = 'Streamable HTTP, legacy';

// One browser and one story: each test goes on where the one before it has ended.
const downloads = mkdtempSync(join(tmpdir(), 'wirescope-downloads-'));
let proxy: Peer;
let everything: Awaited<ReturnType<typeof startEverything>>;
let firefox: Firefox;
let panel: Panel;

beforeAll(async () => {
  proxy = await startPeer('mcp-proxy');
  everything = await startEverything();
  ({ firefox, panel } = await startPanel());
  await grantHost(firefox, 'http://127.0.0.1/*');
  await saveDownloadsTo(firefox, downloads);
});

afterAll(async () => {
  await firefox?.quit();
  await everything?.close();
  await proxy?.[Symbol.asyncDispose]();
  rmSync(downloads, { recursive: true, force: true });
});

const settings = () => panel.role('region', 'Settings');
const report = () => panel.role('region', 'Transport report');
const lab = () => panel.role('region', 'Lab');
const theme = () => firefox.marionette.run(() => document.documentElement.dataset['theme'] ?? '');

test('settings hold for new connections, for every page and for the next start of the panel', async () => {
  walks('Change settings');
  await panel.button('Settings').click();
  await settings().role('radio', 'Dark').click();
  await expect.poll(theme).toBe('dark');
  const timeout = () => settings().role('textbox', 'Idle timeout, seconds');
  const use = () => settings().role('button', 'Use for new connections');
  await timeout().fill('nought');
  expect(await use().attribute('disabled')).not.toBeNull();
  await timeout().fill('7');
  await settings().role('checkbox', 'Open the GET stream').click();
  await use().click();
  await settings().role('status').shows('New connections begin with this.');
  await panel.focused.press('Escape');
  await settings().isGone();

  await firefox.marionette.command('WebDriver:Refresh');
  await panel.capture.appears();
  await expect.poll(theme).toBe('dark');
  await panel.setOptions(async (options) => {
    await options.role('textbox', 'Idle timeout, seconds').holds('7');
    const isOpen = () =>
      options
        .role('checkbox', 'Open the GET stream')
        .read((box) => (box as HTMLInputElement).checked);
    expect(await isOpen()).toBe(false);
  });
  await panel.button('Settings').click();
  await settings().role('button', 'Reset all settings').click();
  await expect.poll(theme).not.toBe('dark');
  await panel.button('Close').click();
});

test('servers are imported from another client, used, exported and forgotten', async () => {
  walks('Take over servers of another client');
  await panel.button('Settings').click();
  await settings().role('button', 'Paste a configuration').click();
  const field = settings().role('textbox', 'Configuration');
  await field.fill('{ "mcpServers": ');
  await settings().role('button', 'Import').click();
  await settings().role('alert').shows('not JSON');
  await field.fill(CONFIGURATION);
  await settings().role('button', 'Import').click();
  await settings().role('status').shows('1 server imported, 1 passed over.');
  await settings()
    .role('status')
    .shows(/files:.*stdio/);

  await settings().role('button', 'Export').click();
  const saved = () => readdirSync(downloads).filter((name) => name.endsWith('.json'));
  await expect.poll(saved, { timeout: 10_000 }).toHaveLength(1);
  const path = join(downloads, saved()[0] ?? '');
  await expect.poll(() => readFileSync(path, 'utf8')).toContain('https://docs.example/sse');

  await settings().role('button', 'Use https://docs.example/sse').click();
  await panel.role('textbox', 'MCP endpoint URL').holds('https://docs.example/sse');
  await panel.button(/^Options, headers \(1\)/).appears();
  await panel.button('Settings').click();
  await settings().role('button', 'Forget https://docs.example/sse').click();
  await settings().role('status').shows('is forgotten');
  await settings().css('input[type=file]').type(path);
  await settings().role('button', 'Use https://docs.example/sse').appears();
  await settings().role('button', 'Forget all').click();
  await settings().role('table').isGone();
  await panel.button('Close').click();
  await firefox.marionette.command('WebDriver:Refresh');
  await panel.capture.appears();
});

test('what is chosen about a client and its link is what the server sees; selected rows are sent again', async () => {
  walks('Set the options of a connection', 'Replay selected rows');
  await using keeping = await startKeepingServer('s-1234567890');
  const sentBy = (what: string) =>
    keeping.seen.filter(({ body, method }) => method === what || body.includes(what));
  await panel.setOptions(async (options) => {
    const field = (name: string) => options.role('textbox', name);
    await options.role('combobox', 'Client to play').choose('Kotlin SDK 0.14');
    await field('Headers left out').holds('MCP-Protocol-Version');
    await field('Name of the client').fill('mine');
    await options.role('combobox', 'Client to play').holds('own');
    await field('Capabilities (JSON)').fill('{"roots":');
    await options.shows('Not JSON at 1:');
    await field('Capabilities (JSON)').fill('{"roots":{}}');
    await options.role('combobox', 'Revision to offer').choose('2025-03-26');
    await options.role('radio', 'This value').click();
    await field('Origin header').fill('https://page.example');
    await field('Factor').fill('0');
    await options.shows('The factor must be 1 or more.');
    await field('Factor').fill('2');
    await options.lacks('The factor must be');
  });
  await panel.connect(keeping.url);
  const [hello] = sentBy('"initialize"');
  expect(JSON.parse(hello!.body.toString())).toMatchObject({
    params: {
      clientInfo: { name: 'mine' },
      capabilities: { roots: {} },
      protocolVersion: '2025-03-26',
    },
  });
  const headers = new Map(hello!.headers.map(([name, value]) => [name.toLowerCase(), value]));
  expect(headers.get('origin')).toBe('https://page.example');

  for (const method of ['ping', 'tools/list', 'prompts/list']) {
    await panel.send(method);
    await panel.requests(method).shows(/200|error/);
  }
  await panel.closeComposer();
  const selected = panel.traffic.css('[role=row][aria-selected=true]');
  await panel.requests('ping').click();
  await panel.traffic.press('Shift+ArrowDown');
  await panel.traffic.press('Shift+ArrowDown');
  await selected.counts(3);
  const sent = keeping.seen.length;
  await panel.requests('prompts/list').openMenu();
  await panel.role('menu').role('menuitem', 'Replay selection in order').click();
  await panel.role('region', 'Work with the server').shows('All were sent.');
  const methods = keeping.seen
    .slice(sent)
    .map(({ body }) => (JSON.parse(body.toString()) as { method: string }).method);
  expect(methods).toEqual(['ping', 'tools/list', 'prompts/list']);
  await panel.endConnections();
  await firefox.marionette.command('WebDriver:Refresh');
  await panel.capture.appears();
});

test('a report beside a live connection, and its text; a candidate leads to its exchanges', async () => {
  walks('Report on the transports of a server', 'Follow a report to its exchanges');
  await panel.connect(proxy.url('/mcp'));
  await panel.button('Transport report').click();
  await report().role('button', 'Run').click();
  await report().role('button', 'Run again').appears();
  const tried = report().role('table', 'Transports and revisions').role('row');
  await tried.like(/^Streamable HTTP, 2026-07-28/).shows('answered with modern');
  await tried.like(/offering 2025-03-26/).shows('answered with legacy 2025-03-26');
  await tried.like(/HTTP\+SSE at \/sse, a guess/).shows('answered with legacy');
  await report()
    .role('table', 'Official clients')
    .role('row')
    .like(/Kotlin/)
    .shows('would connect');
  await report().shows(`HTTP+SSE is still served at ${proxy.url('/sse')}`);
  await panel.connections.shows(/\bconnected\b/);
  await report().role('button', 'Copy').click();
  await expect
    .poll(() => readClipboard(firefox), { timeout: 10_000 })
    .toContain(`# Transport report: ${proxy.url('/mcp')}`);
  await report().role('button', 'Streamable HTTP, offering 2025-06-18').click();
  await report().isGone();
  await panel.details.shows('initialize');
  await panel.details.shows('2025-06-18');
  await panel.button('Close details').click();
});

test('a report on a silent server can be stopped', async () => {
  walks('Stop a report');
  await using silent = await startScripted({ '*': { ending: 'silent' } });
  await panel.role('textbox', 'MCP endpoint URL').fill(silent.url('/mcp'));
  await panel.button('Transport report').click();
  await report().role('button', /^Run/).click();
  await silent.until(() => silent.requests.length === 2, 'two candidates at once');
  const rows = report().role('table', 'Transports and revisions').role('row');
  await rows.like(/running/).counts(2);
  await report().role('button', 'Stop').click();
  await rows.like(/stopped/).counts(7);
  await silent.until(() => silent.requests.every(({ isAbandoned }) => isAbandoned), 'let go');
  await panel.button('Close').click();
});

/** Makes a call that goes on for a while, and takes its stream for the one to drop. */
async function beginCall(steps: number): Promise<void> {
  await panel.send('tools/call', {
    name: 'trigger-long-running-operation',
    arguments: { duration: steps / 2, steps },
    _meta: { progressToken: 'lab' },
  });
  await panel.closeComposer();
  await panel.rows(/notifications\/progress/).appears();
  await lab()
    .role('combobox', 'Stream')
    .role('option', /^tools\/call \(id/)
    .click();
}

const verdict = () =>
  lab()
    .role('list', 'Verdicts')
    .role('listitem')
    .like(/tools\/call \(id \d\), dropped by us/);

test('a stream is dropped, and mcp-proxy goes on with it cleanly', async () => {
  walks('Break a stream on purpose');
  await panel.endConnections();
  await panel.button('Clear').click();
  await panel.setOptions((options) => options.role('combobox', 'Transport').choose(LEGACY));
  await panel.connect(proxy.url('/mcp'));
  await panel.connections.role('button', /^Lab/).click();
  await beginCall(6);
  await lab().role('combobox', 'When').choose('after the next event');
  await lab().role('button', 'Drop').click();
  await verdict().shows('Clean');
  await panel.rows(/Fault injected .*dropped after an event/).appears();
  await panel.requests('tools/call').shows(/injected/);
});

test('a fault is armed, disarmed, strikes once; server-everything is found to replay other streams', async () => {
  walks('Arm and disarm a fault', 'See what a server replays wrongly');
  await panel.endConnections();
  await panel.button('Clear').click();
  await panel.connect(everything.url);
  await panel.connections.role('button', /^Lab/).click();
  const armed = lab().role('list', 'Armed faults').role('listitem');
  await lab().role('textbox', 'Milliseconds').fill('50');
  await lab().role('button', 'Arm').click();
  await armed.shows('next request of ours: answer held back for 50 ms');
  await armed.role('button', 'Disarm').click();
  await armed.isGone();
  await lab().role('combobox', 'Fault').choose('Answer 401, send nothing');
  await lab().role('button', 'Arm').click();
  await panel.connections.role('button', /^Lab, 1 armed/).appears();
  await panel.send('tools/list');
  await panel.requests('tools/list').shows(/401/);
  await panel.requests('tools/list').shows(/injected/);
  await armed.isGone();

  await beginCall(24);
  await panel.send('tools/call', { name: 'echo', arguments: { message: 'meanwhile' } });
  await panel.closeComposer();
  await panel.rows(/tools\/call echo .*200/).appears();
  await lab().role('combobox', 'Resume with').choose('a chosen id');
  // The first one of the stream is the last proposal: all that came later comes again.
  const oldest = await lab()
    .css('datalist option')
    .at(-1)
    .read((option) => option.textContent);
  await lab().role('combobox', 'Event id').fill(oldest);
  await lab().role('button', 'Drop').click();
  await verdict().shows('Replayed from another stream');
});

test('nothing went wrong in the browser', async () => {
  expect(await readErrors(firefox)).toEqual([]);
});
