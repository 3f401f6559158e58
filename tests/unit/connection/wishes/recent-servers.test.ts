import { describe, expect, test } from 'vitest';
import type { AuthSettings } from '../../../../lib/capture/auth-settings.ts';
import { checkProfile } from '../../../../lib/connection/profile.ts';
import { createRecentServers } from '../../../../lib/connection/wishes/recent-servers.ts';
import {
  DEFAULT_CONNECT,
  type ProfileHeader,
  type RecentServer,
} from '../../../../lib/port/contract.ts';

function createList() {
  let kept: RecentServer[] = [];
  let time = 0;
  let isBroken = false;
  const recents = createRecentServers(
    {
      // Slow, so that two changes at once would overwrite each other.
      load: async () => {
        await Promise.resolve();
        return structuredClone(kept);
      },
      async save(servers) {
        await Promise.resolve();
        if (isBroken) throw new Error('no disk');
        kept = structuredClone(servers);
      },
    },
    () => (time += 1),
  );
  return {
    ...recents,
    onDisk: () => JSON.stringify(kept),
    break: (broken: boolean) => (isBroken = broken),
  };
}

const profile = (url: string, headers: ProfileHeader[] = []) =>
  checkProfile({ ...DEFAULT_CONNECT, url, headers });

describe('recent servers', () => {
  test('come newest first, each once, with the name that was last told', async () => {
    const { remember, list } = createList();
    await remember(profile('http://a/'), 'Alpha');
    await remember(profile('http://b/'), undefined);
    await remember(profile('http://a/'), undefined);
    expect(await list()).toMatchObject([
      { url: 'http://a/', name: 'Alpha', usedAt: 3 },
      { url: 'http://b/', usedAt: 2 },
    ]);
    expect((await list())[1]).not.toHaveProperty('name');
  });

  test('are kept to a dozen', async () => {
    const { remember, list } = createList();
    for (let turn = 0; turn < 20; turn += 1) await remember(profile(`http://h${turn}/`), undefined);
    const urls = (await list()).map((server) => server.url);
    expect(urls).toHaveLength(12);
    expect(urls[0]).toBe('http://h19/');
  });

  test('come with their options, but no session, and none of the secrets in them', async () => {
    const { remember, list, onDisk } = createList();
    const auth: AuthSettings = {
      grant: 'enterprise-managed',
      client: { id: 'c', secret: 'hunter1', privateKeyPem: 'hunter2' },
      workloadToken: 'hunter3',
      identityProvider: {
        issuer: 'https://idp.example',
        tokenEndpoint: 'https://idp.example/token',
        clientId: 'p',
        clientSecret: 'hunter4',
        idToken: 'hunter5',
      },
    };
    const attach = { session: 'hunter6', revision: '2025-11-25' };
    await remember({ ...profile('http://h/'), idleTimeoutMs: 5000, auth, attach }, undefined);
    expect(onDisk()).not.toContain('hunter');
    const [server] = await list();
    expect(server?.options).toMatchObject({
      idleTimeoutMs: 5000,
      // An empty value tells that there was one.
      auth: {
        client: { id: 'c', secret: '', privateKeyPem: '' },
        workloadToken: '',
        identityProvider: { clientId: 'p', clientSecret: '', idToken: '' },
      },
    });
    expect(server?.options).not.toHaveProperty('attach');
  });

  test('that were imported stay, in the order of the file', async () => {
    const { remember, keep, list, onDisk } = createList();
    await remember(profile('http://known/'), 'Known');
    await keep([
      { url: 'http://a/', headers: [], usedAt: 0, name: 'A' },
      { url: 'http://known/', headers: [{ name: 'K', value: 'hunter', secret: true }], usedAt: 0 },
    ]);
    for (let turn = 0; turn < 20; turn += 1) await remember(profile(`http://h${turn}/`), undefined);
    const servers = await list();
    expect(servers).toHaveLength(14);
    expect(servers.slice(12)).toMatchObject([
      { url: 'http://a/', name: 'A', isKept: true },
      { url: 'http://known/', name: 'Known', isKept: true },
    ]);
    expect(onDisk()).not.toContain('hunter');
  });

  test('hold no secret: neither marked values, nor credentials, nor parameters', async () => {
    const { remember, list, onDisk } = createList();
    const headers = [
      { name: 'X-Api-Key', value: 'hunter1', secret: true },
      { name: 'Authorization', value: 'Bearer hunter2', secret: false },
      { name: 'cookie', value: 'sid=hunter3', secret: false },
      { name: 'X-Tenant', value: 'acme', secret: false },
    ];
    await remember(profile('http://h/mcp?api_key=hunter4&page=2', headers), 'H');
    expect(onDisk()).not.toContain('hunter');
    const [server] = await list();
    expect(server).toMatchObject({
      url: 'http://h/mcp?api_key=&page=2',
      headers: [
        { name: 'X-Api-Key', value: '', secret: true },
        { name: 'Authorization', value: '', secret: true },
        { name: 'cookie', value: '', secret: true },
        { name: 'X-Tenant', value: 'acme', secret: false },
      ],
    });
  });

  test('lose nothing when they change at the same time', async () => {
    const { remember, forget, list } = createList();
    await remember(profile('http://gone/'), undefined);
    await Promise.all([
      remember(profile('http://a/'), undefined),
      forget('http://gone/'),
      remember(profile('http://b/'), undefined),
    ]);
    expect((await list()).map((server) => server.url)).toEqual(['http://b/', 'http://a/']);
  });

  test('go on after a change that failed', async () => {
    const recents = createList();
    recents.break(true);
    await expect(recents.remember(profile('http://a/'), undefined)).rejects.toThrow('no disk');
    recents.break(false);
    await recents.remember(profile('http://b/'), undefined);
    expect((await recents.list()).map((server) => server.url)).toEqual(['http://b/']);
  });
});
