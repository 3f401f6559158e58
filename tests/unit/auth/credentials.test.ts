import { expect, test } from 'vitest';
import { createCredentials, onDisk, type Credential } from '../../../lib/auth/credentials.ts';
import { ISSUER, metadata, SERVER } from './stage.ts';

const credential = (more: Partial<Credential> = {}): Credential => ({
  issuer: ISSUER,
  resource: SERVER,
  clientId: 'c',
  tokenType: 'bearer',
  accessToken: 'token-1',
  requestedScopes: [],
  grantedScopes: [],
  obtainedAt: 0,
  server: metadata(),
  ...more,
});

const OTHER = 'https://other.example';

test('only what is to outlive the browser goes to the disk, with the client that it was issued to', async () => {
  const credentials = createCredentials();
  const { store } = credentials;
  for (const issuer of [ISSUER, OTHER]) {
    await store.saveClient({ issuer, id: 'c', method: 'none', source: 'registered' });
  }
  await store.save(SERVER, credential({ isOnDisk: true }));
  await store.save(`${OTHER}/mcp`, credential({ issuer: OTHER, resource: `${OTHER}/mcp` }));
  const kept = onDisk(credentials.held);
  expect(kept.credentials.map(({ issuer }) => issuer)).toEqual([ISSUER]);
  expect(kept.clients.map(({ issuer }) => issuer)).toEqual([ISSUER]);
  expect(kept.bindings.map(([url]) => url)).toEqual([SERVER]);
  const later = createCredentials(structuredClone(kept));
  expect(later.find(SERVER)).toMatchObject({ accessToken: 'token-1' });
  expect(later.list).toHaveLength(1);
});

test('a login that waits never goes to the disk', async () => {
  const credentials = createCredentials();
  const { store } = credentials;
  await store.save(SERVER, credential({ isOnDisk: true }));
  await store.saveAttempt({
    chain: 'c1',
    serverUrl: SERVER,
    settings: { grant: 'authorization-code', keepOnDisk: true },
    server: metadata(),
    client: { issuer: ISSUER, id: 'c', method: 'none', source: 'registered' },
    resource: SERVER,
    scopes: [],
    redirectUri: 'https://extension.example/',
    wantsDpop: false,
    verifier: 'v',
    state: 's',
    step: 4,
  });
  expect(credentials.held.attempts).toHaveLength(1);
  expect(onDisk(credentials.held).attempts).toEqual([]);
});
