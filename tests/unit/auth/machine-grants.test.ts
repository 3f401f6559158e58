import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AS_METADATA, createStage, ISSUER, metadata, SERVER, type Page } from './stage.ts';

const TOKEN = `${ISSUER}/token`;
const token: Page = { json: { access_token: 'machine-token', token_type: 'bearer' } };
const fields = (body: URLSearchParams | undefined) => Object.fromEntries(body ?? []);

describe('a token without a user', () => {
  test('client credentials with a secret', async () => {
    const stage = createStage({
      pages: { [TOKEN]: token },
      settings: { grant: 'client-credentials', client: { id: 'me', secret: 'se:cret' } },
    });
    expect(await stage.authorize('Bearer scope="a"')).toBeUndefined();
    expect(stage.opened).toEqual([]);
    expect(fields(stage.bodies(TOKEN)[0])).toEqual({
      grant_type: 'client_credentials',
      resource: SERVER,
      scope: 'a',
    });
    const sent = stage.sent
      .at(-1)
      ?.headers.find(({ name }) => name.toLowerCase() === 'authorization');
    expect(sent?.value).toBe(`Basic ${btoa('me:se%3Acret')}`);
  });

  test.each([
    ['ES256', { namedCurve: 'P-256' }],
    ['ES384', { namedCurve: 'P-384' }],
  ] as const)('client credentials with a key for %s', async (algorithm, curve) => {
    const { privateKey } = generateKeyPairSync('ec', curve);
    const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const stage = createStage({
      pages: { [TOKEN]: token },
      settings: { grant: 'client-credentials', client: { id: 'me', privateKeyPem, algorithm } },
    });
    expect(await stage.authorize()).toBeUndefined();
    const assertion = stage.bodies(TOKEN)[0]?.get('client_assertion') ?? '';
    const [header, claims] = assertion
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header ?? '')).toMatchObject({ alg: algorithm });
    expect(JSON.parse(claims ?? '')).toMatchObject({ iss: 'me', sub: 'me', aud: ISSUER });
    expect(stage.secrets).toContain(assertion);
  });

  test('a key that cannot be read is named, and nothing is sent', async () => {
    const client = { id: 'me', privateKeyPem: 'nonsense' };
    const stage = createStage({ settings: { grant: 'client-credentials', client } });
    expect((await stage.authorize())?.message).toContain('private key');
    expect(stage.bodies(TOKEN)).toEqual([]);
  });

  test('no metadata of a login is needed for it', async () => {
    const json = metadata({
      authorization_endpoint: undefined,
      code_challenge_methods_supported: undefined,
    });
    const stage = createStage({
      pages: { [AS_METADATA]: { json }, [TOKEN]: token },
      settings: { grant: 'client-credentials', client: { id: 'me', secret: 's' } },
    });
    expect(await stage.authorize()).toBeUndefined();
  });

  test('the ID token of an identity provider, by way of an assertion', async () => {
    const provider = 'https://idp.example/token';
    const stage = createStage({
      pages: {
        [provider]: { json: { access_token: 'id-jag', token_type: 'N_A', issued_token_type: 'x' } },
        [TOKEN]: token,
      },
      settings: {
        grant: 'enterprise-managed',
        client: { id: 'me', secret: 's' },
        identityProvider: {
          issuer: 'https://idp.example',
          tokenEndpoint: provider,
          clientId: 'me-there',
          idToken: 'the-id-token',
        },
      },
    });
    expect(await stage.authorize()).toBeUndefined();
    expect(fields(stage.bodies(provider)[0])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      subject_token: 'the-id-token',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      audience: ISSUER,
      resource: SERVER,
      client_id: 'me-there',
    });
    expect(fields(stage.bodies(TOKEN)[0])).toMatchObject({ assertion: 'id-jag' });
    expect([...stage.secrets]).toEqual(expect.arrayContaining(['the-id-token', 'id-jag']));
    expect(stage.asked).toEqual(['as.example.com', 'idp.example']);
  });

  test('the JWT of a workload, which is tried in one way and once', async () => {
    const settings = {
      grant: 'workload-identity',
      client: { id: 'workload' },
      workloadToken: 'the-jwt',
    } as const;
    const stage = createStage({ pages: { [TOKEN]: token }, settings });
    expect(await stage.authorize()).toBeUndefined();
    expect(fields(stage.bodies(TOKEN)[0])).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'the-jwt',
      client_id: 'workload',
    });
    for (const error of [
      'invalid_grant',
      'invalid_scope',
      'unauthorized_client',
      'invalid_client',
    ]) {
      const refused = createStage({
        pages: { [TOKEN]: { status: 400, json: { error } } },
        settings,
      });
      expect((await refused.authorize())?.message).toContain(error);
      expect(refused.bodies(TOKEN)).toHaveLength(1);
      expect(refused.opened).toEqual([]);
    }
  });

  test('what is missing is named', async () => {
    for (const settings of [
      { grant: 'client-credentials' },
      { grant: 'enterprise-managed', client: { id: 'me' } },
      { grant: 'workload-identity', client: { id: 'me' } },
    ] as const) {
      const stage = createStage({ settings });
      expect((await stage.authorize())?.code).toBe('auth-registration');
    }
  });
});

describe('DPoP at the token endpoint', () => {
  test('a proof goes with the code, and once more with the nonce that is asked for', async () => {
    const proofs: Record<string, unknown>[] = [];
    const stage = createStage({
      pages: {
        [TOKEN]: ({ headers }) => {
          const jwt = headers.find(({ name }) => name.toLowerCase() === 'dpop')?.value ?? '';
          const claims = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString();
          proofs.push(JSON.parse(claims) as Record<string, unknown>);
          return proofs.length === 1
            ? { status: 400, json: { error: 'use_dpop_nonce' }, headers: [['DPoP-Nonce', 'n1']] }
            : { json: { access_token: 'bound', token_type: 'DPoP' } };
        },
      },
    });
    expect(await stage.authorize('DPoP error="invalid_token"')).toBeUndefined();
    expect(proofs).toMatchObject([{ htm: 'POST', htu: TOKEN }, { nonce: 'n1' }]);
    expect(stage.credentials.find(SERVER)).toMatchObject({
      tokenType: 'dpop',
      accessToken: 'bound',
    });
    expect(stage.credentials.find(SERVER)?.dpopKey).toBeDefined();
  });

  test('a token that is not bound is a bearer token, whatever was asked for', async () => {
    const stage = createStage({ pages: { [TOKEN]: token } });
    expect(await stage.authorize('DPoP')).toBeUndefined();
    expect(stage.credentials.find(SERVER)?.tokenType).toBe('bearer');
  });
});
