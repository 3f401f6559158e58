import { signal } from '@preact/signals-core';
import { expect, test } from 'vitest';
import { createConnectForm } from '../../../../lib/state/connect/connect-form.ts';
import { createConnectOptions } from '../../../../lib/state/connect/connect-options.ts';
import { createConnector } from '../../../../lib/state/connect/connector.ts';
import type { PermissionDoor } from '../../../../lib/state/connect/connector.ts';
import { DEFAULTS, fakeBackground, settled, summary } from '../fakes.ts';

function fakeDoor(change: Partial<PermissionDoor> = {}) {
  const calls: unknown[][] = [];
  const door: PermissionDoor = {
    canRequest: true,
    hostPattern: (url) => (url.startsWith('http') ? 'http://127.0.0.1/*' : undefined),
    requestHost: async (pattern) => {
      calls.push(['requestHost', pattern]);
      return true;
    },
    openGrantPage: (...given) => calls.push(['openGrantPage', ...given]),
    ...change,
  };
  return { door, calls };
}

/** The panel's form, with its options. */
function panelForm() {
  const url = signal('');
  const options = createConnectOptions(DEFAULTS, url);
  return { form: createConnectForm(DEFAULTS, url, options), options };
}

const request = { ...DEFAULTS, url: 'http://127.0.0.1:3001/mcp' };

test('the wish is told first, then the browser asks, all within the click', async () => {
  const order: string[] = [];
  const { background, calls } = fakeBackground({
    connect: async () => {
      order.push('connect');
      return { connectionId: 'c7' };
    },
  });
  const { door } = fakeDoor({
    requestHost: async () => {
      order.push('requestHost');
      return false;
    },
  });
  createConnector(background, door).connect(request);
  expect(order).toEqual(['connect', 'requestHost']);
  await settled();
  expect(calls.at(-1)).toEqual(['permissionAnswered', 'c7', false]);
});

test('where the page cannot ask, it only tells the wish', async () => {
  const { background, calls } = fakeBackground();
  const { door, calls: asked } = fakeDoor({ canRequest: false });
  createConnector(background, door).connect(request);
  await settled();
  expect(calls.map(([name]) => name)).toEqual(['connect']);
  expect(asked).toEqual([]);
});

test('a URL for which no host can be asked goes to the background, which names the fault', async () => {
  const problem = { code: 'url-invalid', message: 'This is not a URL.' } as const;
  const { background } = fakeBackground({
    // A port carries problems as plain data.
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    connect: () => Promise.reject(problem),
  });
  const { door, calls: asked } = fakeDoor();
  const connector = createConnector(background, door);
  connector.connect({ ...request, url: 'nonsense' });
  await settled();
  expect(asked).toEqual([]);
  expect(connector.problem.value).toEqual(problem);
  connector.disconnect('c1');
  expect(connector.problem.value).toBeUndefined();
});

test('allowing asks again, or opens the page that can', async () => {
  const asking = summary({ state: 'asking', hostPattern: 'http://127.0.0.1/*' });
  const { background, calls } = fakeBackground();
  const able = fakeDoor();
  createConnector(background, able.door).allow(asking);
  await settled();
  expect(able.calls).toEqual([['requestHost', 'http://127.0.0.1/*']]);
  expect(calls).toEqual([['permissionAnswered', 'c1', true]]);
  const unable = fakeDoor({ canRequest: false });
  createConnector(background, unable.door).allow(asking);
  expect(unable.calls).toEqual([['openGrantPage', 'c1', 'http://127.0.0.1/*', asking.url]]);
});

test('the form makes a request of what was typed, in our units', () => {
  const { form, options } = panelForm();
  form.url.value = '  http://127.0.0.1:3001/mcp ';
  options.limitMib.value = '0.5';
  options.idleSeconds.value = '90';
  form.addHeader();
  form.changeHeader(0, { name: 'X-Key', value: 'abc', secret: true });
  form.addHeader();
  expect(form.toRequest()).toEqual({
    ...DEFAULTS,
    url: 'http://127.0.0.1:3001/mcp',
    messageLimitBytes: 524_288,
    idleTimeoutMs: 90_000,
    headers: [{ name: 'X-Key', value: 'abc', secret: true }],
  });
});

test.each([
  ['', '16', '60', 'url'],
  ['http://x/', 'many', '60', 'limit'],
  ['http://x/', '0', '60', 'limit'],
  ['http://x/', '16', '', 'idle'],
  ['http://x/', '16', '-1', 'idle'],
])('URL %j, limit %j, idle timeout %j: nothing is sent for the %s', (url, limit, idle, fault) => {
  const { form, options } = panelForm();
  form.url.value = url;
  options.limitMib.value = limit;
  options.idleSeconds.value = idle;
  expect(form.toRequest()).toBeUndefined();
  expect(Object.keys(form.faults.value)).toEqual([fault]);
});

test('a recent server brings its headers, without sharing them', () => {
  const form = createConnectForm(DEFAULTS, signal(''));
  const server = {
    url: 'http://x/mcp',
    headers: [{ name: 'A', value: '1', secret: false }],
    usedAt: 0,
  };
  form.use(server);
  form.changeHeader(0, { value: '2' });
  expect(form.url.value).toBe('http://x/mcp');
  expect(server.headers[0]?.value).toBe('1');
  form.removeHeader(0);
  expect(form.headers.value).toEqual([]);
});

test('a header whose name tells of a secret is marked as one, until the user says otherwise', () => {
  const form = createConnectForm(DEFAULTS, signal(''));
  form.addHeader();
  for (const name of ['X-API-Key', 'Authorization', 'Ocp-Apim-Subscription-Key', 'x-auth-token']) {
    form.changeHeader(0, { secret: false });
    form.changeHeader(0, { name });
    expect(form.headers.value[0]).toMatchObject({ name, secret: true });
  }
  form.changeHeader(0, { secret: false });
  form.changeHeader(0, { value: 'v' });
  expect(form.headers.value[0]?.secret).toBe(false);
  form.changeHeader(0, { name: 'X-Tenant' });
  expect(form.headers.value[0]?.secret).toBe(false);
});
