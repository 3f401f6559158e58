import { expect, test } from 'vitest';
import { DEFAULT_CONNECT, type RecentServer } from '../../../lib/port/contract.ts';
import type { SavedSettings } from '../../../lib/profiles/settings.ts';
import { createSettingsModel } from '../../../lib/state/settings-model.ts';
import { startAppModel } from './start-app-model.ts';

/** Storage and a list of servers in memory; writing fails while `isFull`. */
function openHome() {
  const home = {
    settings: {} as SavedSettings,
    servers: [] as RecentServer[],
    isFull: false,
    told: [] as ((settings: SavedSettings) => void)[],
  };
  const settings = createSettingsModel({
    defaults: DEFAULT_CONNECT,
    store: {
      load: async () => home.settings,
      async save(saved) {
        if (home.isFull) throw new Error('The disk is full.');
        home.settings = saved;
      },
      onChange: () => undefined,
    },
    background: {
      recentServers: async () => home.servers,
      async forgetServer(url) {
        home.servers = home.servers.filter((server) => server.url !== url);
      },
      async keepServers(servers) {
        home.servers = [...servers, ...home.servers];
      },
    },
  });
  return { home, settings };
}

test('what is saved is what new connections begin with, without a session or tokens', async () => {
  const { home, settings } = openHome();
  await settings.refresh();
  const { options } = settings;
  if (options.value === undefined) throw new Error('There are no options.');
  options.value.idleSeconds.value = '5';
  options.value.openStream.value = false;
  options.value.session.id.value = 'abc';
  options.value.auth.clientId.value = 'client';
  await settings.saveOptions();
  expect(home.settings.connect).toMatchObject({ idleTimeoutMs: 5000, openStream: false });
  expect(home.settings.connect).not.toHaveProperty('attach');
  expect(home.settings.connect).not.toHaveProperty('auth');
  expect(settings.outcome.value?.text).toMatch(/begin with this/);
  await settings.setTheme('dark');
  expect(home.settings).toMatchObject({ theme: 'dark', connect: { idleTimeoutMs: 5000 } });
  await settings.setTheme('automatic');
  expect(home.settings).not.toHaveProperty('theme');
  await settings.reset();
  expect(home.settings).toEqual({});
  expect(settings.options.value?.idleSeconds.value).toBe('60');
});

test('a disk that takes nothing is said, and nothing is claimed', async () => {
  const { home, settings } = openHome();
  await settings.refresh();
  home.isFull = true;
  await settings.saveOptions();
  expect(settings.outcome.value).toBeUndefined();
  expect(settings.problem.value?.detail).toMatch(/disk is full/);
});

test('servers come in from a configuration, go out without what is not theirs, and are forgotten', async () => {
  const { home, settings } = openHome();
  await settings.importText(
    '{"mcpServers":{"a":{"url":"http://a/"},"b":{"command":"b"},"c":{"url":"http://c/","headers":{"K":"${K}"}}}}',
  );
  expect(settings.servers.value.map(({ name }) => name)).toEqual(['a', 'c']);
  expect(settings.outcome.value).toMatchObject({
    text: '2 servers imported, 1 passed over.',
    details: [{ name: 'b' }, { name: 'c', why: expect.stringContaining('${K}') }],
  });
  const written = settings.exportText();
  await settings.forget('http://a/');
  expect(home.servers.map(({ url }) => url)).toEqual(['http://c/']);
  await settings.forgetAll();
  expect(settings.servers.value).toEqual([]);
  await settings.importText(written);
  expect(settings.servers.value.map(({ url }) => url)).toEqual(['http://a/', 'http://c/']);
  await settings.importText('nonsense');
  expect(settings.problem.value?.message).toMatch(/not JSON/);
  expect(settings.servers.value).toHaveLength(2);
});

test('a server brings its options with its URL, and other settings change what a form begins with', () => {
  let tell: ((settings: SavedSettings) => void) | undefined;
  const { model } = startAppModel({
    saved: {
      load: async () => ({}),
      save: async () => undefined,
      onChange: (listener) => (tell = listener),
    },
  });
  const { form } = model;
  form.use({ url: 'http://a/', headers: [], options: { openStream: false, transport: 'modern' } });
  expect(form.toRequest()).toMatchObject({ openStream: false, transport: 'modern' });
  form.use({ url: 'http://b/', headers: [] });
  expect(form.toRequest()).toMatchObject({ openStream: true, transport: 'auto' });
  tell?.({ connect: { idleTimeoutMs: 1000 } });
  expect(form.toRequest()).toMatchObject({ idleTimeoutMs: 1000, openStream: true });
});
