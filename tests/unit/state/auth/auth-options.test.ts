import { signal } from '@preact/signals-core';
import { describe, expect, test } from 'vitest';
import {
  createAuthOptions,
  type AuthFields,
  type AuthWay,
} from '../../../../lib/state/auth/auth-options.ts';
import { createConnectForm } from '../../../../lib/state/connect/connect-form.ts';
import { fieldsOf, type ConnectOptions } from '../../../../lib/state/connect/connect-options.ts';
import { createOptionsDesk } from '../../../../lib/state/connect/options-desk.ts';
import { DEFAULTS } from '../fakes.ts';

const PEM = '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----';
const JWT = 'eyJh.eyJz.sig';

function typed(way: AuthWay, fields: Partial<Record<keyof AuthFields, string>> = {}) {
  const auth = createAuthOptions();
  auth.way.value = way;
  for (const [name, value] of Object.entries(fields)) {
    auth[name as keyof AuthFields].value = value;
  }
  return auth;
}

test('untouched, nothing is said of authorization', () => {
  expect(createAuthOptions().toSettings()).toBeUndefined();
  expect(createAuthOptions().faults.value).toEqual({});
});

test('off is off, whatever else was typed', () => {
  const auth = typed('off', { clientId: 'c', scope: '"', metadataUrl: 'nonsense' });
  expect(auth.toSettings()).toEqual({ grant: 'authorization-code', isOff: true });
  expect(auth.faults.value).toEqual({});
});

test('a login with all that can be said of it', () => {
  const auth = typed('authorization-code', {
    clientId: ' c ',
    clientSecret: 's',
    issuer: 'https://as.example',
    metadataUrl: 'https://me.example/client.json',
    scope: 'a  b\tc',
  });
  auth.redirect.value = 'loopback';
  auth.applicationType.value = 'native';
  auth.keepOnDisk.value = true;
  expect(auth.faults.value).toEqual({});
  expect(auth.toSettings()).toEqual({
    grant: 'authorization-code',
    client: { id: 'c', secret: 's', issuer: 'https://as.example' },
    clientMetadataUrl: 'https://me.example/client.json',
    scope: 'a b c',
    redirect: 'loopback',
    applicationType: 'native',
    keepOnDisk: true,
  });
});

test('one thing is enough to be said', () => {
  const auth = createAuthOptions();
  auth.keepOnDisk.value = true;
  expect(auth.toSettings()).toEqual({ grant: 'authorization-code', keepOnDisk: true });
});

test('the grants without a user take what they need, and nothing of a login', () => {
  const withKey = typed('client-credentials', { clientId: 'c', privateKey: `\n${PEM}\n` });
  withKey.algorithm.value = 'RS256';
  withKey.redirect.value = 'loopback';
  expect(withKey.toSettings()).toEqual({
    grant: 'client-credentials',
    client: { id: 'c', privateKeyPem: PEM, algorithm: 'RS256' },
  });
  const provider = {
    providerIssuer: 'https://idp.example',
    providerEndpoint: 'https://idp.example/token',
    providerClientId: 'p',
    providerSecret: 'ps',
    idToken: JWT,
  };
  const enterprise = typed('enterprise-managed', { clientId: 'c', ...provider });
  expect(enterprise.faults.value).toEqual({});
  expect(enterprise.toSettings()).toEqual({
    grant: 'enterprise-managed',
    client: { id: 'c' },
    identityProvider: {
      issuer: 'https://idp.example',
      tokenEndpoint: 'https://idp.example/token',
      clientId: 'p',
      clientSecret: 'ps',
      idToken: JWT,
    },
  });
  const workload = typed('workload-identity', { clientId: 'c', workloadToken: JWT });
  expect(workload.faults.value).toEqual({});
  expect(workload.toSettings()).toMatchObject({ workloadToken: JWT });
});

describe('what is wrong is named at its field', () => {
  test.each<[AuthWay, Partial<Record<keyof AuthFields, string>>, (keyof AuthFields)[]]>([
    ['authorization-code', { clientSecret: 's' }, ['clientId']],
    ['authorization-code', { issuer: 'https://as.example' }, ['clientId']],
    ['authorization-code', { clientId: 'c', issuer: 'as.example' }, ['issuer']],
    ['authorization-code', { clientId: 'c', issuer: 'http://as.example' }, ['issuer']],
    ['authorization-code', { clientId: 'c', issuer: 'http://localhost:9' }, []],
    ['authorization-code', { metadataUrl: 'http://me.example/c.json' }, ['metadataUrl']],
    ['authorization-code', { metadataUrl: 'https://me.example' }, ['metadataUrl']],
    ['authorization-code', { metadataUrl: 'https://me.example/c#x' }, ['metadataUrl']],
    ['authorization-code', { metadataUrl: 'https://a:b@me.example/c' }, ['metadataUrl']],
    ['authorization-code', { scope: 'a "b"' }, ['scope']],
    ['authorization-code', { scope: 'a\\b' }, ['scope']],
    ['client-credentials', {}, ['clientId']],
    ['client-credentials', { clientId: 'c' }, ['clientSecret']],
    ['client-credentials', { clientId: 'c', clientSecret: 's' }, []],
    ['client-credentials', { clientId: 'c', privateKey: 'MIGH' }, ['privateKey']],
    [
      'enterprise-managed',
      { clientId: 'c' },
      ['idToken', 'providerClientId', 'providerEndpoint', 'providerIssuer'],
    ],
    ['workload-identity', { clientId: 'c' }, ['workloadToken']],
    ['workload-identity', { workloadToken: 'opaque' }, ['clientId', 'workloadToken']],
  ])('%s with %o: %o', (way, fields, wrong) => {
    expect(Object.keys(typed(way, fields).faults.value).toSorted()).toEqual(wrong);
  });
});

test('it reaches the request, and a fault of it keeps the request back', () => {
  const url = signal('http://127.0.0.1:3001/mcp');
  const desk = createOptionsDesk<ConnectOptions>(DEFAULTS);
  const form = createConnectForm(DEFAULTS, url, desk);
  const { auth } = fieldsOf(desk, url);
  expect(form.toRequest()).not.toHaveProperty('auth');
  auth.way.value = 'client-credentials';
  expect(form.toRequest()).toBeUndefined();
  expect(form.faults.value).toHaveProperty('clientId');
  auth.clientId.value = 'c';
  auth.clientSecret.value = 's';
  expect(form.toRequest()).toMatchObject({
    auth: { grant: 'client-credentials', client: { id: 'c', secret: 's' } },
  });
});

test('a bearer token is a secret header', () => {
  const form = createConnectForm(DEFAULTS, signal('http://127.0.0.1:1/'));
  form.addHeader({ name: 'Authorization', value: 'Bearer ', secret: true });
  form.addHeader();
  expect(form.headers.value).toEqual([
    { name: 'Authorization', value: 'Bearer ', secret: true },
    { name: '', value: '', secret: false },
  ]);
});
