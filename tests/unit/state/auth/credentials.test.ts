import { expect, test } from 'vitest';
import type { HeldCredential, RegisteredClient } from '../../../../lib/port/contract.ts';
import { createCredentialModel } from '../../../../lib/state/auth/credential-model.ts';
import { scopeWords } from '../../../../lib/state/auth/credential-words.ts';
import { fakeBackground, settled } from '../fakes.ts';

const SERVER = 'https://mcp.example/mcp';
const CLIENT: RegisteredClient = { issuer: 'https://as.example', clientId: 'c', hasSecret: false };

function credential(change: Partial<HeldCredential> = {}): HeldCredential {
  return {
    serverUrl: SERVER,
    issuer: 'https://as.example',
    resource: SERVER,
    clientId: 'c',
    clientSource: 'registered',
    tokenType: 'bearer',
    requestedScopes: [],
    grantedScopes: [],
    obtainedAt: 1,
    fingerprint: 'a91c',
    hasRefreshToken: true,
    isOnDisk: false,
    ...change,
  };
}

test('tokens are listed, the newest first, with the clients that are registered', async () => {
  const other = credential({ serverUrl: 'https://b.example', obtainedAt: 2 });
  const { background } = fakeBackground({
    credentials: async () => [credential(), other],
    clients: async () => [CLIENT],
  });
  const model = createCredentialModel(background);
  expect(model.credentials.value).toBeUndefined();
  await model.refresh();
  expect(model.credentials.value?.map(({ serverUrl }) => serverUrl)).toEqual([
    'https://b.example',
    SERVER,
  ]);
  expect(model.clients.value).toEqual([CLIENT]);
});

test.each([
  ['signOut', 'signOut', SERVER, /^Signed out/],
  ['forget', 'forgetCredential', SERVER, /forgotten here/],
  ['expire', 'expireCredential', SERVER, /the next request refreshes it/],
  ['corrupt', 'corruptCredential', SERVER, /401/],
] as const)('%s calls the background, says what it did, and reads again', async (...row) => {
  const [action, name, argument, words] = row;
  const { background, calls } = fakeBackground({ credentials: async () => [credential()] });
  const model = createCredentialModel(background);
  const acting = model[action](credential());
  expect(model.isBusy.value).toBe(true);
  await acting;
  expect(calls.map(([called]) => called)).toEqual([name, 'credentials', 'clients']);
  expect(calls[0]).toEqual([name, argument]);
  expect(model.said.value).toMatch(words);
  expect(model.isBusy.value).toBe(false);
});

test('a registration is forgotten by its issuer', async () => {
  const { background, calls } = fakeBackground();
  const model = createCredentialModel(background);
  await model.forgetClient(CLIENT);
  expect(calls[0]).toEqual(['forgetClient', 'https://as.example']);
  expect(model.said.value).toMatch(/registers anew/);
});

test('without a refresh token, expiry changes nothing that is sent, and that is said', async () => {
  const { background } = fakeBackground();
  const model = createCredentialModel(background);
  await model.expire(credential({ hasRefreshToken: false }));
  expect(model.said.value).toMatch(/still sent/);
});

test('a failure is told, and nothing is said to be done', async () => {
  const { background } = fakeBackground({
    signOut: () => Promise.reject(new Error('no network')),
  });
  const model = createCredentialModel(background);
  await model.signOut(credential());
  expect(model.problem.value?.detail).toContain('no network');
  expect([model.said.value, model.isBusy.value]).toEqual(['', false]);
  await model.forget(credential());
  expect(model.problem.value).toBeUndefined();
});

test('of two readings the later one counts', async () => {
  const first = Promise.withResolvers<HeldCredential[]>();
  const answers = [first.promise, Promise.resolve([credential()])];
  const { background } = fakeBackground({ credentials: () => answers.shift()! });
  const model = createCredentialModel(background);
  const slow = model.refresh();
  await model.refresh();
  first.resolve([]);
  await slow;
  await settled();
  expect(model.credentials.value).toHaveLength(1);
});

test('no scopes are said to be none', () => {
  expect([scopeWords([]), scopeWords(['a', 'b'])]).toEqual(['none named', 'a b']);
});
