import { signal } from '@preact/signals-core';
import { expect, test } from 'vitest';
import type { AuthSettings } from '../../../../lib/capture/auth-settings.ts';
import { createColumnWidths } from '../../../../lib/state/view/column-widths.ts';
import { completeSecret } from '../../../../lib/state/connect/complete-secret.ts';
import { createConnectForm } from '../../../../lib/state/connect/connect-form.ts';
import { createConnectOptions, fieldsOf } from '../../../../lib/state/connect/connect-options.ts';
import type { ConnectOptions, OptionName } from '../../../../lib/state/connect/connect-options.ts';
import { createConnector } from '../../../../lib/state/connect/connector.ts';
import type { PermissionDoor } from '../../../../lib/state/connect/connector.ts';
import { notKeptWords } from '../../../../lib/state/connect/incomplete-words.ts';
import { createOptionsDesk } from '../../../../lib/state/connect/options-desk.ts';
import { loadRecentServers } from '../../../../lib/state/connect/recent-servers.ts';
import { planReconnect } from '../../../../lib/state/connect/reconnect.ts';
import { DEFAULTS, fakeBackground, settled, summary } from '../fakes.ts';

const URL_OF_SERVER = 'http://127.0.0.1:3001/mcp';

function panelForm(address = URL_OF_SERVER) {
  const url = signal(address);
  const options = createConnectOptions(DEFAULTS, url);
  return { form: createConnectForm(DEFAULTS, url, options), options };
}

test('options that nobody has opened are the defaults, and what was chosen outlives their closing', () => {
  const url = signal(URL_OF_SERVER);
  const desk = createOptionsDesk<ConnectOptions>(DEFAULTS);
  const form = createConnectForm(DEFAULTS, url, desk);
  desk.transport.value = 'http-sse';
  expect(form.toRequest()).toEqual({ ...DEFAULTS, url: URL_OF_SERVER, transport: 'http-sse' });
  const fields = fieldsOf(desk, url);
  expect(form.toRequest()).toEqual({ ...DEFAULTS, url: URL_OF_SERVER, transport: 'http-sse' });
  fields.openStream.value = false;
  expect(fieldsOf(desk, url)).toBe(fields);
  expect(form.toRequest()).toMatchObject({ openStream: false });
  fields.limitMib.value = 'many';
  expect(form.faults.value).toHaveProperty('limit');
  expect(form.toRequest()).toBeUndefined();
});

test('untouched options are the defaults', () => {
  expect(panelForm().form.toRequest()).toEqual({ ...DEFAULTS, url: URL_OF_SERVER });
});

test('every option reaches the request, in our units', () => {
  const { form, options } = panelForm();
  options.reconnection.initialSeconds.value = '0.25';
  options.reconnection.maxSeconds.value = '5';
  options.reconnection.factor.value = '2';
  options.reconnection.retries.value = '0';
  options.session.id.value = ' abc-1 ';
  options.session.revision.value = '2025-06-18';
  options.renewSession.value = false;
  options.openStream.value = false;
  options.origin.kind.value = 'value';
  options.origin.value.value = 'https://example.com';
  options.answers.elicitation.value = 'defaults';
  options.answers.sampling.value = 'undeclared';
  options.answers.addRoot();
  options.answers.changeRoot(0, { uri: 'file:///a' });
  options.answers.addRoot();
  options.answers.changeRoot(1, { uri: 'file:///b', name: 'B' });
  expect(form.toRequest()).toEqual({
    ...DEFAULTS,
    url: URL_OF_SERVER,
    reconnection: { initialDelayMs: 250, maxDelayMs: 5000, factor: 2, retries: 0 },
    attach: { session: 'abc-1', revision: '2025-06-18' },
    renewSession: false,
    openStream: false,
    originPolicy: { kind: 'value', value: 'https://example.com' },
    answers: {
      elicitation: 'defaults',
      sampling: 'undeclared',
      roots: [{ uri: 'file:///a' }, { uri: 'file:///b', name: 'B' }],
    },
  });
  options.answers.rootsPolicy.value = 'ask';
  options.origin.kind.value = 'extension';
  expect(form.toRequest()).toMatchObject({
    originPolicy: { kind: 'extension' },
    answers: { roots: 'ask' },
  });
});

const faults: [string, OptionName, (options: ConnectOptions) => void][] = [
  ['a delay below 0', 'initialDelay', (o) => (o.reconnection.initialSeconds.value = '-1')],
  ['a longest delay below the first', 'maxDelay', (o) => (o.reconnection.maxSeconds.value = '0.5')],
  ['a factor below 1', 'factor', (o) => (o.reconnection.factor.value = '0.9')],
  ['half a retry', 'retries', (o) => (o.reconnection.retries.value = '1.5')],
  ['a session id with a space', 'session', (o) => (o.session.id.value = 'a b')],
  ['an empty origin', 'origin', (o) => (o.origin.kind.value = 'value')],
  ['a root without a URI', 'roots', (o) => o.answers.addRoot()],
  ['WebSocket at an http URL', 'transport', (o) => (o.transport.value = 'websocket')],
];

test.each(faults)('%s is a fault, and nothing is sent', (_, name, spoil) => {
  const { form, options } = panelForm();
  spoil(options);
  expect(Object.keys(options.faults.value)).toEqual([name]);
  expect(form.toRequest()).toBeUndefined();
});

test('a session can be gone on in over Streamable HTTP only', () => {
  const { options } = panelForm();
  options.session.id.value = 'abc';
  options.transport.value = 'http-sse';
  expect(options.faults.value.session).toMatch(/Streamable HTTP/);
});

test.each(['ws://127.0.0.1:1/mcp', ' WSS://example.com/'])('%s is a WebSocket by itself', (url) => {
  expect(panelForm(url).form.toRequest()?.transport).toBe('websocket');
  expect(createConnectForm(DEFAULTS, signal(url)).toRequest()?.transport).toBe('websocket');
});

test('roots that are not told cannot be wrong', () => {
  const { options } = panelForm();
  options.answers.addRoot();
  options.answers.rootsPolicy.value = 'undeclared';
  expect(options.faults.value).toEqual({});
  options.answers.removeRoot(0);
  expect(options.answers.roots.value).toEqual([]);
});

/** A machine whose secret was not kept. */
const MACHINE: AuthSettings = {
  grant: 'client-credentials',
  client: { id: 'me', secret: '' },
};

const source = { made: undefined, recentServers: [], defaults: DEFAULTS };

test('a connection is made again by its own request, else by what was kept of it', () => {
  const connection = summary({ transport: 'http-sse' });
  const made = { ...DEFAULTS, url: URL_OF_SERVER, openStream: false };
  expect(planReconnect(connection, { ...source, made })).toEqual({ kind: 'ready', request: made });
  const headers = [{ name: 'X-Team', value: 'a', secret: false }];
  const recentServers = [{ url: URL_OF_SERVER, headers, usedAt: 0 }];
  expect(planReconnect(connection, { ...source, recentServers })).toEqual({
    kind: 'ready',
    request: { ...DEFAULTS, url: URL_OF_SERVER, headers, transport: 'http-sse' },
  });
});

test('a server is found again although a secret in its URL was not kept', () => {
  const headers = [{ name: 'X-Team', value: 'a', secret: false }];
  const recentServers = [{ url: `${URL_OF_SERVER}?api_key=&page=2`, headers, usedAt: 0 }];
  const url = `${URL_OF_SERVER}?api_key=hunter&page=2`;
  const plan = planReconnect(summary({ url }), { ...source, recentServers });
  expect(plan).toMatchObject({ kind: 'ready', request: { url, headers } });
  const other = summary({ url: `${URL_OF_SERVER}?api_key=hunter&page=3` });
  expect(planReconnect(other, { ...source, recentServers })).toMatchObject({
    request: { headers: [] },
  });
});

test('a proof that was not kept stops reconnecting before anything is sent', () => {
  const options = { auth: MACHINE };
  const recentServers = [{ url: URL_OF_SERVER, headers: [], usedAt: 0, options }];
  expect(planReconnect(summary(), { ...source, recentServers })).toMatchObject({
    kind: 'incomplete',
    server: { url: URL_OF_SERVER, options },
  });
});

test('what was not kept is asked for at once, and stops the form until it is typed', () => {
  const headers = [
    { name: 'Authorization', value: 'Bearer ', secret: true },
    { name: 'X-Team', value: '', secret: false },
  ];
  const form = createConnectForm(DEFAULTS, signal(''));
  // Whoever adds an empty header himself means it.
  form.addHeader({ name: 'X-Key', secret: true });
  form.url.value = URL_OF_SERVER;
  expect(form.toRequest()).toBeDefined();

  form.use({ url: URL_OF_SERVER, headers, options: { auth: MACHINE } });
  const [token, proof] = form.asked.value;
  expect(notKeptWords(form.asked.value)).toMatch(/Authorization, client secret/);
  expect(form.toRequest()).toBeUndefined();
  if (token === undefined || proof === undefined) throw new Error('Nothing is asked for.');
  completeSecret(form, token, 'Bearer hunter');
  expect(form.toRequest()).toBeUndefined();
  completeSecret(form, proof, 'hunter2');
  expect(form.toRequest()).toMatchObject({
    headers: [{ value: 'Bearer hunter' }, { name: 'X-Team' }],
    auth: { client: { id: 'me', secret: 'hunter2' } },
  });
  form.use({ url: URL_OF_SERVER, headers: [] });
  expect(form.asked.value).toEqual([]);
});

test('where there are options, they open, and their own fields ask', () => {
  const url = signal('');
  const desk = createOptionsDesk<ConnectOptions>(DEFAULTS);
  const form = createConnectForm(DEFAULTS, url, desk);
  form.use({ url: URL_OF_SERVER, headers: [], options: { auth: MACHINE } });
  expect(desk.isOpen.value).toBe(true);
  const { auth } = fieldsOf(desk, url);
  expect(auth.faults.value.clientSecret).toMatch(/not kept/);
  expect(form.toRequest()).toBeUndefined();
  auth.clientSecret.value = 'hunter2';
  expect(form.toRequest()).toMatchObject({ auth: { client: { secret: 'hunter2' } } });
  // Another client has a secret of its own, or none.
  auth.clientSecret.value = '';
  auth.way.value = 'authorization-code';
  expect(form.toRequest()).toBeDefined();
});

test('cookies go along only where that was chosen, for this connection', () => {
  const { form, options } = panelForm(URL_OF_SERVER);
  expect(form.toRequest()).not.toHaveProperty('cookies');
  options.cookies.value = true;
  expect(form.toRequest()).toMatchObject({ cookies: true });
});

test('a secret that was not kept has to be typed again', () => {
  const headers = [{ name: 'X-Key', value: '', secret: true }];
  const recentServers = [{ url: URL_OF_SERVER, headers, usedAt: 0 }];
  expect(planReconnect(summary(), { ...source, recentServers })).toMatchObject({
    kind: 'incomplete',
    server: { url: URL_OF_SERVER, headers },
  });
});

test('a new connection takes the place of the old one, which is dismissed after it', async () => {
  const { background, calls } = fakeBackground({
    connect: async () => ({ connectionId: 'c2' }),
  });
  const door: PermissionDoor = {
    canRequest: true,
    hostPattern: () => 'http://127.0.0.1/*',
    requestHost: async () => true,
    openGrantPage: () => undefined,
  };
  const connector = createConnector(background, door);
  const request = { ...DEFAULTS, url: URL_OF_SERVER };
  connector.replace('c1', request);
  await settled();
  expect(calls).toEqual([
    ['connect', request],
    ['permissionAnswered', 'c2', true],
    ['dismiss', 'c1'],
  ]);
  expect(connector.requestOf('c2')).toBe(request);
  connector.cancelRequest('c2', '7');
  expect(calls.at(-1)).toEqual(['cancel', 'c2', '7']);
});

test('a forgotten server is gone at once, and what is stored is shown next', async () => {
  const server = (url: string) => ({ url, headers: [], usedAt: 0 });
  let stored = [server('http://a/'), server('http://b/')];
  const { background } = fakeBackground({
    recentServers: async () => stored,
    forgetServer: async (url) => {
      stored = stored.filter((other) => other.url !== url);
    },
  });
  const servers = loadRecentServers(background, signal([]));
  await settled();
  servers.forget('http://a/');
  expect(servers.list.value.map(({ url }) => url)).toEqual(['http://b/']);
  await settled();
  expect(servers.list.value).toEqual(stored);
});

test('columns keep to widths that can be read, and take their own back', () => {
  const columns = createColumnWidths<'status' | 'size'>();
  columns.resize('status', 120.4);
  columns.resize('size', 3);
  expect([...columns.widths.value]).toEqual([
    ['status', 120],
    ['size', 44],
  ]);
  columns.resize('size', 5000);
  expect(columns.widths.value.get('size')).toBe(600);
  columns.reset('size');
  expect(columns.widths.value.has('size')).toBe(false);
});
