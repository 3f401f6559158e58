import { walks } from '../journeys.ts';
import { expect, test } from './fixtures.ts';

// What a browser adds to what `tests/interop/misbehaving.test.ts` plays out in full: its own network, redirects
// and error names, and that each cause reaches the eye.

interface Case {
  /** Path at the misbehaving server; `?at=` says which request is answered badly. */
  path: string;
  /** What the message must name. */
  names: RegExp;
}

/** What the answer to the first request already shows: nothing else is sent. */
const AT_ONCE: Case[] = [
  { path: 'redirect-301', names: /redirects server\/discover \(301\) from \S+301 to \S+\/ok/ },
  { path: 'redirect-302', names: /redirects server\/discover \(302\) from \S+302 to \S+\/ok/ },
  { path: 'redirect-303', names: /redirects server\/discover \(303\) from \S+303 to \S+\/ok/ },
  { path: 'redirect-loop', names: /redirects server\/discover \(307\).*hop/s },
  { path: 'redirect-bad-location', names: /redirects server\/discover \(307\)/ },
  { path: 'redirect-no-location', names: /redirects server\/discover \(307\)/ },
  {
    path: 'status-401',
    names: /did not register us: answered 404\. Register a client by hand.*server\/discover401/s,
  },
  { path: 'truncated-json', names: /The connection broke after \d+ bytes of the answer/ },
  { path: 'reset', names: /closed the connection without an answer/ },
  { path: 'sse-reset', names: /The stream that should answer server\/discover broke off/ },
];

/** No way to connect is found at this URL. */
const CONNECT: Case[] = [
  { path: 'web-page', names: /web page \(200 text\/html\).*not to an MCP endpoint/s },
  {
    path: 'redirect-302?at=initialize',
    names: /redirects initialize \(302\) from \S+ to \S+\/ok/,
  },
  { path: 'status-404', names: /no MCP endpoint at \S+ \(404 Not Found\).*path/s },
  { path: 'status-405', names: /405 Method Not Allowed/ },
  { path: 'status-406', names: /406 Not Acceptable.*Accept/s },
  { path: 'status-500-html', names: /500 Internal Server Error/ },
  { path: 'no-content-type?at=initialize', names: /200 without a content type/ },
  { path: 'text-plain?at=initialize', names: /200 text\/plain; MCP needs application\/json/ },
  { path: 'accepted-202-request?at=initialize', names: /accepted initialize \(202\)/ },
  { path: 'not-json?at=initialize', names: /not valid JSON.*out of cheese/s },
  { path: 'sse-no-response?at=initialize', names: /ended after 1 event, with no response/ },
  { path: 'version-unknown', names: /revision "2099-01-01", which Wirescope does not speak/ },
];

/** The call fails, and the connection lives on. */
const CALL: Case[] = [
  { path: 'web-page?at=tools/call', names: /web page \(200 text\/html\)/ },
  { path: 'redirect-302?at=tools/call', names: /redirects tools\/call \(302\)/ },
  { path: 'no-content-type', names: /200 without a content type/ },
  { path: 'accepted-202-request', names: /accepted tools\/call \(202\)/ },
  { path: 'not-json', names: /not valid JSON/ },
  { path: 'truncated-json?at=tools/call', names: /not valid JSON|broke|closed/ },
  { path: 'json-header-sse-body', names: /says application\/json, but its body is an SSE stream/ },
  { path: 'rpc-error', names: /Unknown tool/ },
  { path: 'reset?at=tools/call', names: /closed the connection without an answer/ },
  { path: 'sse-no-response', names: /ended after 1 event, with no response/ },
  { path: 'sse-reset?at=tools/call', names: /broke|cut|connection/ },
];

/** Strange but answered: the call succeeds. */
const ODD: string[] = [
  'redirect-307?at=tools/call',
  'redirect-308?at=tools/call',
  'json-with-bom',
  'sse-drip',
  'big-integers',
  'get-405',
  'no-session',
];

/** For servers whose answer to `server/discover` is as bad as the one that a test is about. */
const LEGACY = 'Streamable HTTP, legacy';

const ECHO = { name: 'echo', arguments: { message: 'hello' } };

for (const { path, names } of AT_ONCE) {
  test(`connecting to ${path} fails at once and says why`, async ({
    misbehaving,
    keptPanel: panel,
  }) => {
    walks('Learn why a connection failed');
    await panel.connect(misbehaving.url(path));
    await expect(panel.connections).toContainText('failed');
    await expect(panel.connections).toContainText(names);
    await expect(panel.rows('Connection failed')).toHaveCount(1);
    await expect(panel.requests('server/discover')).toHaveCount(1);
    await expect(panel.requests('initialize')).toHaveCount(0);
    expect(misbehaving.trap.requests).toEqual([]);
  });
}

for (const { path, names } of CONNECT) {
  test(`connecting to ${path} fails and says why`, async ({ misbehaving, keptPanel: panel }) => {
    walks('Learn why a connection failed');
    await panel.connect(misbehaving.url(path));
    await expect(panel.connections).toContainText('failed');
    await expect(panel.connections).toContainText(names);
    await expect(panel.requests('server/discover')).toHaveCount(1);
    await expect(panel.requests('initialize')).toHaveCount(1);
    await expect(panel.rows('Connection failed')).toHaveCount(1);
    expect(misbehaving.trap.requests).toEqual([]);
  });
}

for (const { path, names } of CALL) {
  test(`a call to ${path} fails, says why and leaves the connection`, async ({
    misbehaving,
    keptPanel: panel,
  }) => {
    walks('Learn why a call failed');
    await panel.connectAndWait(misbehaving.url(path));
    await panel.send('tools/call', ECHO);
    const row = panel.rows('tools/call', 'echo');
    await expect(row).toContainText(/failed|error/);
    await row.click();
    await panel.traffic.press('Enter');
    await expect(panel.details).toContainText(names);
    await expect(panel.details).not.toContainText(/^Failed to fetch$/);
    await panel.send('ping', {});
    await expect(panel.rows('ping', '200')).toHaveCount(1);
    await expect(panel.connections).toContainText('connected');
  });
}

for (const path of ODD) {
  test(`a call to ${path} succeeds`, async ({ misbehaving, keptPanel: panel }) => {
    walks('Get odd answers that are valid');
    await panel.connectAndWait(misbehaving.url(path));
    await panel.send('tools/call', ECHO);
    const row = panel.rows('tools/call', 'echo');
    await expect(row).toContainText('200');
    await expect(row).not.toContainText(/…$/);
    await expect(row).not.toContainText(/failed|error/);
    await expect(panel.connections).toContainText('connected');
  });
}

for (const path of ['json-huge?mb=3', 'sse-huge-event?mb=3']) {
  test(`an answer of ${path} over the limit is named, and the connection lives on`, async ({
    misbehaving,
    panel,
  }) => {
    walks('Get an answer over the limit');
    await panel.options.click();
    await panel.root.getByRole('textbox', { name: 'Size limit of one message, MiB' }).fill('1');
    await panel.choose('Transport', LEGACY);
    await panel.connectAndWait(misbehaving.url(path));
    await panel.send('tools/call', ECHO);
    const row = panel.rows('tools/call', 'echo');
    await expect(row).toContainText('failed');
    await expect(row).toContainText(/limit/);
    await expect(panel.connections).toContainText('connected');
  });
}

test('a session that the server has forgotten is named and renewed; the call is not repeated', async ({
  misbehaving,
  panel,
}) => {
  walks('Lose a session and go on with a new one');
  const url = misbehaving.url('status-404?at=tools/call');
  await panel.connectAndWait(url);
  await panel.send('tools/call', ECHO);
  const call = panel.rows('tools/call', 'echo');
  await expect(call).toContainText('404 · failed');
  await expect(call).toContainText('no longer knows this session');
  await expect(panel.rows('Session replaced by')).toHaveCount(1);
  await expect(panel.requests('initialize')).toHaveCount(2);
  await expect(panel.connections).toContainText('connected');
  const sent = misbehaving.requests.filter((request) => url.endsWith(request.url));
  expect(sent.filter(({ body }) => body.includes('tools/call'))).toHaveLength(1);
});

for (const path of ['silent', 'sse-silent', 'sse-comments-only']) {
  test(`the silence of ${path} ends at the idle timeout, and says so`, async ({
    misbehaving,
    panel,
  }) => {
    walks('Wait for a server that is silent');
    await panel.options.click();
    await panel.root.getByRole('textbox', { name: 'Idle timeout, seconds' }).fill('1');
    await panel.choose('Transport', LEGACY);
    await panel.connectAndWait(misbehaving.url(path));
    await panel.send('tools/call', ECHO);
    const row = panel.rows('tools/call', 'echo');
    await expect(row).toContainText('failed');
    await expect(row).toContainText(/\b1 s\b|timeout|deadline|silent/i);
    await expect(panel.connections).toContainText('connected');
  });
}

for (const [url, names] of [
  ['', /URL/],
  ['not a url', /URL/],
  ['ftp://127.0.0.1/mcp', /http/],
  ['http://user:secret@127.0.0.1/mcp', /password/],
] as const) {
  test(`the URL “${url}” is refused in words, and nothing is sent`, async ({ panel }) => {
    walks('Learn why a connection failed');
    await panel.connect(url);
    const alert = panel.root.getByRole('alert').or(panel.connections).filter({ hasText: names });
    await expect(alert.first()).toBeVisible();
    await expect(panel.requests('initialize')).toHaveCount(0);
  });
}

test('a port that nothing listens on is named', async ({ misbehaving, panel }) => {
  walks('Learn why a connection failed');
  const { port } = new URL(misbehaving.url('ok'));
  const free = Number(port) === 65_535 ? 65_534 : Number(port) + 1;
  await panel.connect(`http://127.0.0.1:${free}/mcp`);
  await expect(panel.connections).toContainText(`Nothing accepts connections at 127.0.0.1:${free}`);
  await expect(panel.connections).toContainText('failed');
});

test('a name that does not exist is named', async ({ panel }) => {
  walks('Learn why a connection failed');
  await panel.connect('http://wirescope.invalid/mcp');
  await expect(panel.connections).toContainText(/wirescope\.invalid/);
  await expect(panel.connections).toContainText(/not found|permission/);
});
