import { afterAll, beforeAll, expect, test } from 'vitest';
import { walks } from '../journeys.ts';
import { startMisbehaving, type MisbehavingServer } from '../server/misbehaving.ts';
import { startScripted, type ScriptedServer } from '../server/scripted.ts';
import { plain, stream } from '../server/scripted-behaviour.ts';
import type { Firefox } from './firefox.ts';
import { startPanel, type Panel } from './panel.ts';
import { grantHost, setOffline } from './privileged.ts';

const HOST = 'http://127.0.0.1/*';
const LEGACY = 'Streamable HTTP, legacy';
const ECHO = { name: 'echo', arguments: { message: 'hello' } };

// One browser and one story: each test goes on where the one before it has ended.
let misbehaving: MisbehavingServer;
let streaming: ScriptedServer;
let silent: ScriptedServer;
let firefox: Firefox;
let panel: Panel;

beforeAll(async () => {
  misbehaving = await startMisbehaving();
  streaming = await startScripted({
    GET: stream([': open\n\n'], 'hang'),
    'tools/list': [plain(401), plain(200)],
  });
  silent = await startScripted({
    GET: { ending: 'silent' },
    POST: { status: 405, headers: { allow: 'GET' } },
  });
  ({ firefox, panel } = await startPanel());
  await grantHost(firefox, HOST);
});

afterAll(async () => {
  await firefox?.quit();
  await silent?.[Symbol.asyncDispose]();
  await streaming?.[Symbol.asyncDispose]();
  await misbehaving?.close();
});

/** Begins anew; what was shown before is hidden. */
async function clear(): Promise<void> {
  await panel.endConnections();
  await panel.button('Clear').click();
}

test('every way in which connecting fails is named', async () => {
  walks('Learn why a connection failed');
  for (const [path, names] of [
    ['redirect-302', /redirects server\/discover \(302\) from \S+302 to \S+\/ok/],
    ['status-401', /did not register us: answered 404\. Register a client by hand/],
    ['truncated-json', /The connection broke after \d+ bytes of the answer/],
    ['reset', /closed the connection without an answer/],
    ['web-page', /web page \(200 text\/html\).*not to an MCP endpoint/],
    ['status-404', /no MCP endpoint at \S+ \(404 Not Found\).*path/],
    ['not-json?at=initialize', /not valid JSON.*out of cheese/],
    ['version-unknown', /revision "2099-01-01", which Wirescope does not speak/],
  ] as const) {
    await panel.tryToConnect(misbehaving.url(path));
    await panel.connections.shows(/failed/);
    await panel.connections.shows(names);
    await panel.rows(/Connection failed/).appears();
    await clear();
  }
  expect(misbehaving.trap.requests).toEqual([]);

  const { port } = new URL(misbehaving.url('ok'));
  const free = Number(port) === 65_535 ? 65_534 : Number(port) + 1;
  await panel.tryToConnect(`http://127.0.0.1:${free}/mcp`);
  await panel.connections.shows(`Nothing accepts connections at 127.0.0.1:${free}`);
  await clear();
  for (const [url, names] of [
    ['not a url', /URL/],
    ['ftp://127.0.0.1/mcp', /http/],
    ['http://user:secret@127.0.0.1/mcp', /password/],
  ] as const) {
    await panel.tryToConnect(url);
    await panel.role('alert').shows(names);
  }
});

test('every way in which a call fails is named, and leaves the connection', async () => {
  walks('Learn why a call failed');
  for (const [path, names] of [
    ['redirect-302?at=tools/call', /redirects tools\/call \(302\)/],
    ['json-header-sse-body', /says application\/json, but its body is an SSE stream/],
    ['rpc-error', /Unknown tool/],
    ['reset?at=tools/call', /closed the connection without an answer/],
    ['sse-no-response', /ended after 1 event, with no response/],
  ] as const) {
    await panel.connect(misbehaving.url(path));
    await panel.send('tools/call', ECHO);
    const call = panel.requests('tools/call');
    await call.shows(/failed|error/);
    await panel.open(call);
    await panel.details.shows(names);
    await panel.send('ping');
    await panel.rows(/↑ ping .*200/).appears();
    await panel.connections.shows(/\bconnected\b/);
    await clear();
  }
});

test('what is odd but valid is an answer', async () => {
  walks('Get odd answers that are valid');
  for (const path of ['redirect-307?at=tools/call', 'sse-cr', 'sse-odd-fields', 'get-200-html']) {
    await panel.connect(misbehaving.url(path));
    await panel.send('tools/call', ECHO);
    await panel.rows(/↑ tools\/call echo .*200(?!.*(?:failed|error|…$))/).appears();
    await clear();
  }
});

test('a session that the server has forgotten is named and renewed; the call is not repeated', async () => {
  walks('Lose a session and go on with a new one');
  const url = misbehaving.url('status-404?at=tools/call');
  await panel.connect(url);
  await panel.send('tools/call', ECHO);
  await panel.requests('tools/call').shows(/no longer knows this session.* 404 · failed/);
  await panel.rows(/Session replaced by/).appears();
  await panel.requests('initialize').counts(2);
  const sent = misbehaving.requests.filter((request) => url.endsWith(request.url));
  expect(sent.filter(({ body }) => body.includes('tools/call'))).toHaveLength(1);
  await clear();
});

test('an answer over the limit is named, and silence ends at the idle timeout; the connection lives on', async () => {
  walks('Get an answer over the limit', 'Wait for a server that is silent');
  await panel.setOptions(async (options) => {
    await options.role('textbox', 'Size limit of one message, MiB').fill('1');
    await options.role('textbox', 'Idle timeout, seconds').fill('1');
    await options.role('combobox', 'Transport').choose(LEGACY);
  });
  for (const [path, names] of [
    ['json-huge?mb=3', /limit.*failed/],
    ['silent', /\b1 s\b.*failed/],
    ['sse-comments-only', /\b1 s\b.*failed/],
  ] as const) {
    await panel.connect(misbehaving.url(path));
    await panel.send('tools/call', ECHO);
    await panel.requests('tools/call').shows(names);
    await panel.connections.shows(/\bconnected\b/);
    await clear();
  }
  await panel.setOptions(async (options) => {
    await options.role('textbox', 'Size limit of one message, MiB').fill('64');
    await options.role('textbox', 'Idle timeout, seconds').fill('60');
  });
});

test('a connection says how each of its ways stands', async () => {
  walks('See how the ways of a connection stand');
  await panel.connect(streaming.url());
  const channels = panel.connections.role('group', 'Channels');
  await channels.shows(/POST ?: works.*GET ?: works/);
  await panel.send('tools/list');
  await channels.shows(/POST ?: refused \(401\).*access ?: refused \(401\)/);
  await panel.connections.shows(
    'The server wants authorization (401): requests are refused, although its stream is open.',
  );
  await panel.send('tools/list');
  await channels.shows(/POST ?: works/);
});

test('going offline ends nothing; going online probes what is open, and both are rows', async () => {
  walks('Go offline and come back');
  await setOffline(firefox, true);
  await panel.rows(/The browser is offline/).appears();
  await panel.connections.shows(/\bconnected\b/);
  await setOffline(firefox, false);
  await panel.rows(/The browser is online/).appears();
  await panel.rows(/Probed after going online/).appears();
  await panel.connections.shows(/\bconnected\b/);
});

test('access that is taken back ends what needs it, and says so', async () => {
  walks('Take a host back while connected');
  await grantHost(firefox, HOST, false);
  await panel.rows(/Permission revoked/).appears();
  await panel.connections.lacks(/\bconnected\b/);
  await grantHost(firefox, HOST);
  await clear();
});

test('while it connects the card counts the time, and Stop ends it', async () => {
  walks('Stop connecting');
  await panel.setOptions((options) => options.role('combobox', 'Transport').choose('Automatic'));
  await panel.tryToConnect(silent.url());
  await panel.connections.shows(/GET, expecting endpoint.*\d\.\d s of 10 s/);
  await panel.connections.role('button', 'Stop').click();
  await panel.connections.shows(/closed/);
  await panel.button('how it went ›').click();
  await panel.connections.shows('Connecting was stopped before anything was found.');
  await silent.until(() => silent.of('GET')[0]?.isAbandoned, 'the stream let go');
  await clear();
});

test('the table stays at its newest row when a card takes room while it scrolls there', async () => {
  walks('Keep the newest row in sight');
  await panel.closeComposer();
  await panel.button('Show them again').click();
  const toEnd = () =>
    panel.traffic.read((grid) => grid.scrollHeight - grid.clientHeight - grid.scrollTop);
  await panel.traffic.read((grid) => grid.scrollTo(0, grid.scrollHeight));
  await expect.poll(toEnd).toBeLessThan(2);
  await panel.tryToConnect(misbehaving.url('status-404'));
  await panel.rows(/Connection failed/).appears();
  await expect.poll(toEnd).toBeLessThan(2);
  // Both in one frame, as when rows and a line of the card come together.
  await panel.traffic.read((grid) => {
    grid.scrollTop -= 1;
    grid.scrollTop += 1;
    grid.ownerDocument.body.style.height = '90%';
  });
  await panel.button('Reconnect').click();
  await panel.connections.shows(/failed/);
  await expect.poll(toEnd).toBeLessThan(2);
});
