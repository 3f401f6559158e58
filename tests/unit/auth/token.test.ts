import { describe, expect, test } from 'vitest';
import { createCredentials } from '../../../lib/auth/credentials.ts';
import { AS_METADATA, createStage, ISSUER, metadata, SERVER, type Page } from './stage.ts';

const PRM = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';
const TOKEN = `${ISSUER}/token`;
const token = (more: Record<string, unknown> = {}): Page => ({
  json: { access_token: 'token-1', token_type: 'Bearer', ...more },
});
const grants = (stage: ReturnType<typeof createStage>) =>
  stage.bodies(TOKEN).map((body) => body.get('grant_type'));
const asked = (stage: ReturnType<typeof createStage>) =>
  stage.opened.map(({ searchParams }) => searchParams.get('scope'));

test('a refusal of our origin says what to allow', async () => {
  const description = 'origin chrome-extension://id not allowed for client: c';
  const refusal = { error: 'invalid_request', error_description: description };
  const stage = createStage({ pages: { [TOKEN]: { status: 400, json: refusal } } });
  const problem = await stage.authorize();
  expect(problem?.message).toContain(description);
  expect(problem?.advice).toContain('CORS');
});

describe('what a token endpoint answers', () => {
  test.each<[string, Page, string]>([
    [
      'C164: an error with 200',
      { json: { error: 'bad_verification_code', error_description: 'too late' } },
      'bad_verification_code (too late)',
    ],
    [
      'C164: the same as a form',
      { text: 'error=bad_verification_code&error_description=too+late', type: 'text/plain' },
      'bad_verification_code (too late)',
    ],
    ['C164: a web page', { text: '<html>', type: 'text/html' }, 'answered 200'],
    ['no token', { json: {} }, 'answered 200'],
    [
      'a token that is no text',
      { json: { access_token: 5, token_type: 'bearer' } },
      'answered 200',
    ],
    ['a type of its own', token({ token_type: 'mac' }), 'answered 200'],
    ['an error', { status: 400, json: { error: 'invalid_target' } }, 'invalid_target'],
    [
      'a 401 with a challenge',
      {
        status: 401,
        json: { error: 'invalid_request' },
        headers: [['WWW-Authenticate', 'Basic realm="x"']],
      },
      'invalid_request',
    ],
    [
      'a redirect',
      { status: 307, headers: [['location', 'https://evil.example/token']] },
      'answered 307',
    ],
    ['a 500', { status: 500, text: 'oops' }, 'answered 500'],
    ['a 204', { status: 204, text: '' }, 'answered 204'],
  ])('%s gives no token, and says why', async (_what, page, why) => {
    const stage = createStage({ pages: { [TOKEN]: page } });
    const problem = await stage.authorize();
    expect(problem?.code).toBe('auth-token');
    expect(problem?.message).toContain(why);
    expect(stage.credentials.find(SERVER)).toBeUndefined();
  });

  test.each<[unknown, number | undefined]>([
    [undefined, undefined],
    [3600, 3_600_000],
    ['3600', 3_600_000],
    [0, 0],
    [-1, 0],
    ['3600abc', undefined],
    [null, undefined],
    [1e12, 1e12],
  ])('C165: expires_in %j', async (expires_in, lifeMs) => {
    const stage = createStage({ pages: { [TOKEN]: token({ expires_in }) } });
    expect(await stage.authorize()).toBeUndefined();
    const { expiresAt } = stage.credentials.find(SERVER) ?? {};
    expect(expiresAt).toBe(lifeMs === undefined ? undefined : stage.now + lifeMs);
  });

  test.each(['bearer', 'BEARER', undefined])('C165: token_type %j', async (token_type) => {
    const stage = createStage({ pages: { [TOKEN]: token({ token_type }) } });
    expect(await stage.authorize()).toBeUndefined();
    expect(stage.credentials.find(SERVER)?.tokenType).toBe('bearer');
  });

  test.each(['a\r\nX-Evil: 1', 'a\0', 'caf\u00e9', '€'])(
    'C165: an access token that no header can carry is none: %j',
    async (access_token) => {
      const stage = createStage({ pages: { [TOKEN]: token({ access_token }) } });
      expect((await stage.authorize())?.code).toBe('auth-token');
      expect(stage.credentials.find(SERVER)).toBeUndefined();
      expect(stage.steps('token').join()).toContain('characters that no token may have');
    },
  );

  test('C165: status 201, a form, an ID token of whatever kind', async () => {
    for (const page of [
      { ...(token() as object), status: 201 },
      { text: 'access_token=token-1&token_type=bearer', type: 'application/x-www-form-urlencoded' },
      token({ id_token: 'x.y.z', refresh_token: 5, scope: null }),
    ]) {
      const stage = createStage({ pages: { [TOKEN]: page } });
      expect(await stage.authorize()).toBeUndefined();
      expect(stage.credentials.find(SERVER)?.accessToken).toBe('token-1');
    }
  });
});

describe('refreshing', () => {
  test('goes before asking the user, and keeps the old refresh token where there is no new one', async () => {
    const stage = createStage();
    await stage.authorize();
    stage.pages[TOKEN] = token({ access_token: 'token-2' });
    expect(await stage.authorize()).toBeUndefined();
    expect(grants(stage)).toEqual(['authorization_code', 'refresh_token']);
    expect(stage.bodies(TOKEN)[1]?.get('resource')).toBe(SERVER);
    expect(stage.credentials.find(SERVER)).toMatchObject({
      accessToken: 'token-2',
      refreshToken: 'refresh-token-1',
    });
  });

  test('stores the new pair before the old one is forgotten', async () => {
    const order: string[] = [];
    const credentials = createCredentials(undefined, (held) => {
      order.push(held.credentials.map(({ refreshToken }) => refreshToken).join());
      return Promise.resolve();
    });
    const stage = createStage({ credentials });
    await stage.authorize();
    await stage.authorize();
    expect(order.at(-1)).toBe('refresh-token-2');
    expect(order.indexOf('')).toBeLessThan(order.indexOf('refresh-token-1'));
    expect(order.slice(order.indexOf('refresh-token-1'))).not.toContain('');
  });

  test('a refresh token that is no good is dropped, and the user is asked', async () => {
    const stage = createStage();
    await stage.authorize();
    stage.pages[TOKEN] = (_sent, body) =>
      body.get('grant_type') === 'refresh_token'
        ? { status: 400, json: { error: 'invalid_grant' } }
        : token({ access_token: 'token-2' });
    expect(await stage.authorize()).toBeUndefined();
    expect(stage.opened).toHaveLength(2);
    expect(stage.facts).toContainEqual(
      expect.objectContaining({ kind: 'auth-credential', change: 'dropped' }),
    );
  });

  test.each<[string, Page]>([
    ['no answer', 'no answer'],
    ['a 503', { status: 503 }],
    ['an error that passes', { status: 400, json: { error: 'temporarily_unavailable' } }],
  ])('%s costs no credential, and asks nobody', async (_what, page) => {
    const stage = createStage();
    await stage.authorize();
    stage.pages[TOKEN] = page;
    expect(await stage.authorize()).toBeDefined();
    expect(stage.credentials.find(SERVER)?.refreshToken).toBe('refresh-token-1');
    expect(stage.opened).toHaveLength(1);
  });

  test('where no metadata can be asked for, nothing is dropped, and no other place is guessed', async () => {
    const stage = createStage();
    await stage.authorize();
    const before = stage.credentials.find(SERVER);
    for (const url of Object.keys(stage.pages)) stage.pages[url] = 'no answer';
    for (const host of ['https://mcp.example.com', ISSUER]) {
      stage.pages[`${host}/.well-known/openid-configuration`] = 'no answer';
    }
    expect((await stage.authorize())?.code).toBe('network-failed');
    expect(stage.credentials.find(SERVER)).toBe(before);
    expect(stage.opened).toHaveLength(1);
    const fresh = createStage({ pages: { [PRM]: 'no answer' } });
    expect((await fresh.authorize())?.code).toBe('network-failed');
    expect(fresh.opened).toEqual([]);
  });
});

describe('C177: another authorization server', () => {
  const OTHER = 'https://as2.example.com';
  const moved = {
    [PRM]: { json: { resource: SERVER, authorization_servers: [OTHER] } },
    [`${OTHER}/.well-known/oauth-authorization-server`]: {
      json: {
        ...metadata({ issuer: OTHER }),
        authorization_endpoint: `${OTHER}/authorize`,
        token_endpoint: `${OTHER}/token`,
        registration_endpoint: `${OTHER}/register`,
      },
    },
    [`${OTHER}/register`]: { status: 201, json: { client_id: 'other-client' } },
    [`${OTHER}/token`]: token({ access_token: 'other-token' }),
  };

  test('gets nothing of the old one, and registers us anew', async () => {
    const stage = createStage();
    await stage.authorize();
    Object.assign(stage.pages, moved);
    const before = stage.sent.length;
    expect(await stage.authorize('Bearer error="invalid_token"')).toBeUndefined();
    const toOther = stage.sent.slice(before).filter(({ url }) => url.startsWith(OTHER));
    const text = JSON.stringify(toOther);
    for (const old of ['client-1"', 'access-token-1', 'refresh-token-1']) {
      expect(text).not.toContain(old);
    }
    expect(stage.credentials.find(SERVER)).toMatchObject({
      issuer: OTHER,
      clientId: 'other-client',
      accessToken: 'other-token',
    });
    const dropped = stage.facts.find(
      (fact) => fact.kind === 'auth-credential' && fact.change === 'dropped',
    );
    expect(dropped).toMatchObject({ reason: `the authorization server changed to ${OTHER}` });
  });

  test('is left alone as long as the one that a token is held of is listed', async () => {
    const stage = createStage();
    await stage.authorize();
    Object.assign(stage.pages, moved, {
      [PRM]: { json: { resource: SERVER, authorization_servers: [OTHER, ISSUER] } },
    });
    expect(await stage.authorize()).toBeUndefined();
    expect(stage.credentials.find(SERVER)).toMatchObject({ issuer: ISSUER });
    expect(stage.sent.filter(({ url }) => url.startsWith(OTHER))).toEqual([]);
  });

  test('is not shown a client that the user gave for the old one', async () => {
    const stage = createStage({ settings: { client: { id: 'mine', secret: 'our-secret' } } });
    await stage.authorize();
    Object.assign(stage.pages, moved);
    expect((await stage.authorize())?.code).toBe('auth-registration');
    expect((await stage.authorize())?.code).toBe('auth-registration');
    expect(stage.bodies(`${OTHER}/token`)).toEqual([]);
  });
});

describe('scopes', () => {
  const prm = (scopes_supported?: string[]): Page => ({
    json: { resource: SERVER, authorization_servers: [ISSUER], scopes_supported },
  });

  test('are those of the challenge, else those of the resource, else none', async () => {
    const challenged = createStage({ pages: { [PRM]: prm(['x']) } });
    await challenged.authorize('Bearer scope="a b"');
    expect(asked(challenged)).toEqual(['a b']);
    const ofResource = createStage({ pages: { [PRM]: prm(['x', 'y']) } });
    await ofResource.authorize();
    expect(asked(ofResource)).toEqual(['x y']);
    const none = createStage();
    await none.authorize();
    expect(asked(none)).toEqual([null]);
    const wanted = createStage({ settings: { scope: 'mine' }, pages: { [PRM]: prm(['x']) } });
    await wanted.authorize('Bearer scope="a"');
    expect(asked(wanted)).toEqual(['mine']);
  });

  test('offline_access is added only where the authorization server has it', async () => {
    const json = metadata({ scopes_supported: ['a', 'offline_access'] });
    const stage = createStage({ pages: { [AS_METADATA]: { json } } });
    await stage.authorize('Bearer scope="a"');
    expect(asked(stage)).toEqual(['a offline_access']);
    expect(stage.opened[0]?.searchParams.get('prompt')).toBe('consent');
  });

  test('a step up asks for all that was asked before, and does not refresh', async () => {
    const stage = createStage();
    await stage.authorize('Bearer scope="a"');
    const challenge = 'Bearer error="insufficient_scope", scope="b"';
    expect(await stage.authorize(challenge, 'step-up')).toBeUndefined();
    expect(asked(stage)).toEqual(['a', 'a b']);
    expect(grants(stage)).toEqual(['authorization_code', 'authorization_code']);
    // Whatever was granted: it was asked for, and asking again would be a loop.
    expect((await stage.authorize(challenge, 'step-up'))?.code).toBe('auth-scope');
    expect(stage.opened).toHaveLength(2);
  });

  test('C169: a step up without a scope asks for those of the resource, or for nothing', async () => {
    const stage = createStage({ pages: { [PRM]: prm(['a', 'b']) } });
    await stage.authorize('Bearer scope="a"');
    const challenge = 'Bearer error="insufficient_scope"';
    expect(await stage.authorize(challenge, 'step-up')).toBeUndefined();
    expect(asked(stage)).toEqual(['a', 'a b']);
    expect((await stage.authorize(challenge, 'step-up'))?.code).toBe('auth-scope');
  });

  test('a 401 that wants more than was asked for is no case for a refresh', async () => {
    const stage = createStage();
    await stage.authorize('Bearer scope="a"');
    await stage.authorize('Bearer error="invalid_token", scope="a b"');
    expect(grants(stage)).toEqual(['authorization_code', 'authorization_code']);
    expect(asked(stage)).toEqual(['a', 'a b']);
  });
});

describe('signing out', () => {
  test('revokes both tokens where that can be, and forgets them in any case', async () => {
    const json = metadata({ revocation_endpoint: `${ISSUER}/revoke` });
    for (const page of [{ json: {} }, { status: 503 }, 'no answer'] as Page[]) {
      const stage = createStage({
        pages: { [AS_METADATA]: { json }, [`${ISSUER}/revoke`]: page },
      });
      await stage.authorize();
      await stage.signOut();
      expect(stage.bodies(`${ISSUER}/revoke`).map((body) => body.get('token'))).toEqual([
        'refresh-token-1',
        'access-token-1',
      ]);
      expect(stage.credentials.find(SERVER)).toBeUndefined();
      expect(stage.facts.at(-1)).toMatchObject({ kind: 'auth-ended', outcome: 'signed-out' });
    }
  });
});

test('every secret is known as one before anything that holds it is recorded', async () => {
  const stage = createStage();
  await stage.authorize();
  await stage.authorize();
  const [login, refresh] = stage.bodies(TOKEN);
  for (const value of [
    login?.get('code'),
    login?.get('code_verifier'),
    refresh?.get('refresh_token'),
    'access-token-1',
    'access-token-2',
    'refresh-token-2',
  ]) {
    expect(stage.secrets).toContain(value);
  }
});
