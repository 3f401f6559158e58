import { signal } from '@preact/signals-core';
import { expect, test } from 'vitest';
import { createConnectForm } from '../../../../lib/state/connect/connect-form.ts';
import { fieldsOf, type ConnectOptions } from '../../../../lib/state/connect/connect-options.ts';
import { createOptionsDesk } from '../../../../lib/state/connect/options-desk.ts';
import { createConnector } from '../../../../lib/state/connect/connector.ts';
import { toLinkName, toLinkWords } from '../../../../lib/state/connect/connection-words.ts';
import {
  forceTransport,
  toForceChoices,
  toForced,
} from '../../../../lib/state/connect/force-transport.ts';
import { planReconnect } from '../../../../lib/state/connect/reconnect.ts';
import type { RecentServer } from '../../../../lib/port/contract.ts';
import { DEFAULTS, fakeBackground, settled, summary } from '../fakes.ts';

const SERVER = 'http://127.0.0.1:3001/mcp';
const SOCKET = 'ws://127.0.0.1:3001/mcp';

/** What forcing needs of the panel, over a background that notes its calls. */
function panel(recent: RecentServer[] = []) {
  let count = 0;
  const { background, calls } = fakeBackground({
    connect: async () => ({ connectionId: `new-${(count += 1)}` }),
  });
  const connector = createConnector(background, {
    canRequest: true,
    hostPattern: () => 'http://127.0.0.1/*',
    requestHost: async (pattern) => {
      calls.push(['requestHost', pattern]);
      return true;
    },
    openGrantPage: () => undefined,
  });
  const url = signal('');
  const options = createOptionsDesk<ConnectOptions>(DEFAULTS);
  const form = createConnectForm(DEFAULTS, url, options);
  const recentServers = { list: signal(recent), forget: () => undefined };
  return { model: { connector, recentServers, form, options }, calls };
}

test('every way to connect has the form of the URL that it needs', () => {
  const urls = (url: string) => toForceChoices(url).map(({ label, url: to }) => [label, to]);
  const expected = [
    ['Modern', SERVER],
    ['Streamable', SERVER],
    ['HTTP+SSE', SERVER],
    ['WebSocket', SOCKET],
    ['Automatic', SERVER],
  ];
  expect(urls(SERVER)).toEqual(expected);
  expect(urls(SOCKET)).toEqual(expected);
  expect(urls('https://a/')[3]).toEqual(['WebSocket', 'wss://a/']);
});

test('forcing connects within the click, with all that was chosen before, in place of the old one', async () => {
  const { model, calls } = panel();
  model.connector.connect({ ...DEFAULTS, url: SERVER, openStream: false });
  await settled();
  calls.length = 0;
  forceTransport(model, summary({ connectionId: 'new-1', state: 'failed' }), 'http-sse');
  const request = { ...DEFAULTS, url: SERVER, openStream: false, transport: 'http-sse' };
  // The browser prompts only while the click lasts.
  expect(calls).toEqual([
    ['connect', request],
    ['requestHost', 'http://127.0.0.1/*'],
  ]);
  await settled();
  expect(calls.at(-1)).toEqual(['dismiss', 'new-1']);
});

test('a secret that was not kept is asked for, with the transport chosen', () => {
  const headers = [{ name: 'X-Key', value: '', secret: true }];
  const { model, calls } = panel([{ url: SERVER, headers, usedAt: 0 }]);
  forceTransport(model, summary({ url: SERVER }), 'modern');
  expect(calls).toEqual([]);
  expect(model.form.url.value).toBe(SERVER);
  expect(model.options.transport.value).toBe('modern');
  expect(model.options.isOpen.value).toBe(true);
  expect(model.form.asked.value).toEqual([{ kind: 'header', name: 'X-Key' }]);
});

test('an existing session is gone on in only by legacy Streamable HTTP', () => {
  const attach = { session: 's', revision: '2025-11-25' };
  const request = { ...DEFAULTS, url: SERVER, attach };
  expect(toForced(request, 'streamable-http').attach).toEqual(attach);
  expect(toForced(request, 'auto').attach).toEqual(attach);
  for (const choice of ['modern', 'http-sse', 'websocket'] as const) {
    expect(toForced(request, choice)).not.toHaveProperty('attach');
  }
});

test('a modern connection is named so, and made again as such', () => {
  const modern = { transport: 'streamable-http', era: 'modern', revision: '2026-07-28' } as const;
  expect(toLinkWords(summary(modern))).toEqual(['Streamable HTTP', 'modern 2026-07-28']);
  expect(toLinkName(modern)).toBe('Streamable HTTP · modern 2026-07-28');
  expect(toLinkName({})).toBe('');
  const source = { made: undefined, recentServers: [], defaults: DEFAULTS };
  expect(planReconnect(summary(modern), source)).toMatchObject({
    request: { transport: 'modern' },
  });
  const socket = summary({ ...modern, transport: 'websocket' });
  expect(planReconnect(socket, source)).toMatchObject({ request: { transport: 'websocket' } });
});

test('the revision to offer reaches the request where it is not the newest', () => {
  const { form, options: desk } = panel().model;
  const options = fieldsOf(desk, form.url);
  form.url.value = SERVER;
  expect(form.toRequest()).not.toHaveProperty('offerRevision');
  options.offerRevision.value = '2025-03-26';
  expect(form.toRequest()).toMatchObject({ offerRevision: '2025-03-26' });
});

test('a session can be gone on in by automatic choice, but not in the modern era', () => {
  const { form, options: desk } = panel().model;
  const options = fieldsOf(desk, form.url);
  options.session.id.value = 'abc';
  options.transport.value = 'auto';
  expect(options.faults.value.session).toBeUndefined();
  options.transport.value = 'modern';
  expect(options.faults.value.session).toBe('Revision 2026-07-28 has no sessions.');
});
