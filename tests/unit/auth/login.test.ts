import { describe, expect, test } from 'vitest';
import { createCredentials } from '../../../lib/auth/credentials.ts';
import {
  AS_METADATA,
  createStage,
  ISSUER,
  metadata,
  redirectWithCode,
  SERVER,
  type Page,
  type StageOptions,
} from './stage.ts';

const REGISTER = `${ISSUER}/register`;
const TOKEN = `${ISSUER}/token`;

describe('registration', () => {
  test('says what we are, and no scope', async () => {
    const stage = createStage();
    expect(await stage.authorize('Bearer scope="a b"')).toBeUndefined();
    const sent = stage.sent.find(({ url }) => url === REGISTER);
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      client_name: 'Wirescope',
      redirect_uris: ['https://extension.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
    });
  });

  test('as another type where the first one is refused, unless the user says which', async () => {
    const refuse: Page = { status: 400, json: { error: 'invalid_redirect_uri' } };
    const pages = {
      [REGISTER]: (({ body = '' }) =>
        body.includes('"native"') ? { status: 201, json: { client_id: 'n' } } : refuse) as Page,
    };
    const stage = createStage({ pages });
    expect(await stage.authorize()).toBeUndefined();
    expect(stage.opened[0]?.searchParams.get('client_id')).toBe('n');
    const insists = createStage({ pages, settings: { applicationType: 'web' } });
    expect((await insists.authorize())?.code).toBe('auth-registration');
    expect(insists.bodies(REGISTER)).toHaveLength(1);
  });

  test.each<[string, Page]>([
    ['200 instead of 201', { json: { client_id: 'c' } }],
    [
      'odd members',
      { status: 201, json: { client_id: 'c', client_uri: '', logo_uri: null, redirect_uris: 7 } },
    ],
    [
      'a method without what it takes',
      { status: 201, json: { client_id: 'c', token_endpoint_auth_method: 'private_key_jwt' } },
    ],
    [
      'no secret for the method that needs one',
      { status: 201, json: { client_id: 'c', token_endpoint_auth_method: 'client_secret_basic' } },
    ],
  ])('C160: an answer with %s will do', async (_what, page) => {
    const stage = createStage({ pages: { [REGISTER]: page } });
    expect(await stage.authorize()).toBeUndefined();
    const token = stage.sent.find(({ url }) => url === TOKEN);
    expect(new URLSearchParams(token?.body).get('client_id')).toBe('c');
    expect(token?.headers.some(({ name }) => name.toLowerCase() === 'authorization')).toBe(false);
  });

  test.each([
    ['client_secret_basic', 'Basic YzpzJTJCMQ==', null],
    ['client_secret_post', undefined, 's+1'],
  ])('C160: the method of the answer counts: %s', async (method, authorization, inBody) => {
    const json = { client_id: 'c', client_secret: 's+1', token_endpoint_auth_method: method };
    const stage = createStage({ pages: { [REGISTER]: { status: 201, json } } });
    expect(await stage.authorize()).toBeUndefined();
    const token = stage.sent.find(({ url }) => url === TOKEN);
    const header = token?.headers.find(({ name }) => name.toLowerCase() === 'authorization');
    expect(header?.value).toBe(authorization);
    expect(new URLSearchParams(token?.body).get('client_secret')).toBe(inBody);
  });

  test('C160: an id that is not known later is dropped, and asked for once more', async () => {
    let count = 0;
    const refuse: Page = { status: 401, json: { error: 'invalid_client' } };
    const fine: Page = { json: { access_token: 'token', token_type: 'bearer' } };
    const stage = createStage({
      pages: { [TOKEN]: () => ((count += 1) === 1 ? refuse : fine) },
    });
    expect(await stage.authorize()).toBeUndefined();
    expect(stage.opened.map(({ searchParams }) => searchParams.get('client_id'))).toEqual([
      'client-1',
      'client-2',
    ]);
    const stubborn = createStage({ pages: { [TOKEN]: refuse } });
    expect((await stubborn.authorize())?.code).toBe('auth-token');
    expect(stubborn.opened).toHaveLength(2);
  });

  test.each<[string, Record<string, Page | undefined>]>([
    ['is not there', { [AS_METADATA]: { json: metadata({ registration_endpoint: undefined }) } }],
    ['is off', { [REGISTER]: { status: 400, json: { error: 'registration_not_supported' } } }],
    ['is forbidden', { [REGISTER]: { status: 403 } }],
    ['is a 404', { [REGISTER]: { status: 404 } }],
    ['redirects', { [REGISTER]: { status: 307, headers: [['location', 'https://evil.example']] } }],
  ])('C161: where it %s, the user is told what to register', async (_what, pages) => {
    const stage = createStage({ pages });
    const problem = await stage.authorize();
    expect(problem?.code).toBe('auth-registration');
    expect(problem?.advice).toContain('https://extension.example/callback');
    expect(stage.opened).toEqual([]);
  });

  test('C161: a client by hand goes before all, and the document before registering', async () => {
    const clientMetadataUrl = 'https://me.example/client.json';
    const takes = {
      [AS_METADATA]: { json: metadata({ client_id_metadata_document_supported: true }) },
    };
    const byHand = createStage({
      pages: takes,
      settings: { clientMetadataUrl, client: { id: 'mine', issuer: ISSUER } },
    });
    expect(await byHand.authorize()).toBeUndefined();
    expect(byHand.opened[0]?.searchParams.get('client_id')).toBe('mine');
    const byDocument = createStage({ pages: takes, settings: { clientMetadataUrl } });
    expect(await byDocument.authorize()).toBeUndefined();
    expect(byDocument.opened[0]?.searchParams.get('client_id')).toBe(clientMetadataUrl);
    const notTaken = createStage({ settings: { clientMetadataUrl } });
    expect(await notTaken.authorize()).toBeUndefined();
    expect(notTaken.opened[0]?.searchParams.get('client_id')).toBe('client-1');
  });

  test('a client by hand of another authorization server is shown to nobody else', async () => {
    const settings = { client: { id: 'mine', secret: 's', issuer: 'https://other.example' } };
    const stage = createStage({ settings });
    expect((await stage.authorize())?.code).toBe('auth-registration');
    expect([stage.opened, stage.bodies(TOKEN)]).toEqual([[], []]);
  });

  test('C162: where nothing comes of the document, registering is offered', async () => {
    const clientMetadataUrl = 'https://me.example/client.json';
    const pages = {
      [AS_METADATA]: { json: metadata({ client_id_metadata_document_supported: true }) },
    };
    let pagesSeen = 0;
    const options: StageOptions = {
      pages,
      settings: { clientMetadataUrl },
      // The server shows an error page; the user closes the window.
      redirect: (asked) => ((pagesSeen += 1) % 2 === 1 ? undefined : redirectWithCode(asked)),
    };
    const stage = createStage(options);
    expect(await stage.authorize()).toBeUndefined();
    expect(stage.questions).toEqual([{ kind: 'register-instead', issuer: ISSUER }]);
    expect(stage.opened[1]?.searchParams.get('client_id')).toBe('client-1');
    const refused = createStage({ ...options, answer: false });
    expect((await refused.authorize())?.code).toBe('auth-closed');
  });

  test.each([
    ['http://me.example/client.json', 'not HTTPS'],
    ['https://me.example/', 'has no path'],
    ['https://me.example/c.json#x', 'has a fragment'],
    ['nonsense', 'no URL'],
  ])('C162: %s cannot be its URL', async (clientMetadataUrl, why) => {
    const pages = {
      [AS_METADATA]: { json: metadata({ client_id_metadata_document_supported: true }) },
    };
    const stage = createStage({ pages, settings: { clientMetadataUrl } });
    expect(await stage.authorize()).toBeUndefined();
    expect(stage.steps('registration')[0]).toContain(why);
    expect(stage.opened[0]?.searchParams.get('client_id')).toBe('client-1');
  });
});

describe('the login', () => {
  test('asks with PKCE, state and resource, and trades the code as it came', async () => {
    const stage = createStage();
    expect(await stage.authorize()).toBeUndefined();
    const asked = stage.opened[0]?.searchParams;
    expect([...(asked?.keys() ?? [])].toSorted()).toEqual([
      'client_id',
      'code_challenge',
      'code_challenge_method',
      'redirect_uri',
      'resource',
      'response_type',
      'state',
    ]);
    const [body] = stage.bodies(TOKEN);
    expect(Object.fromEntries(body ?? [])).toMatchObject({
      grant_type: 'authorization_code',
      code: 'the+code/%',
      redirect_uri: 'https://extension.example/callback',
      client_id: 'client-1',
      resource: SERVER,
    });
    const verifier = new TextEncoder().encode(body?.get('code_verifier') ?? '');
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', verifier));
    expect(asked?.get('code_challenge')).toBe(hash.toString('base64url'));
  });

  const withIss = (iss: string) => (asked: URLSearchParams) => redirectWithCode(asked, { iss });
  const announcesIss = {
    [AS_METADATA]: { json: metadata({ authorization_response_iss_parameter_supported: true }) },
  };

  test.each<[string, NonNullable<StageOptions['redirect']>, StageOptions['pages']]>([
    ['without state', (asked) => `${asked.get('redirect_uri')}?code=c`, {}],
    ['with another state', (asked) => redirectWithCode(asked, { state: 'x' }), {}],
    ['with two states', (asked) => `${redirectWithCode(asked)}&state=${asked.get('state')}`, {}],
    ['with the iss of another server', withIss('https://evil.example'), {}],
    ['with iss and a slash too much', withIss(`${ISSUER}/`), {}],
    ['without iss, which is announced', (asked) => redirectWithCode(asked), announcesIss],
    [
      'with an error of another server',
      (asked) => `${asked.get('redirect_uri')}?error=x&state=${asked.get('state')}&iss=https://e`,
      {},
    ],
    [
      'with neither code nor error',
      (asked) => `${asked.get('redirect_uri')}?state=${asked.get('state')}`,
      {},
    ],
    ['that is no URL', () => 'nonsense', {}],
    ['with two codes', (asked) => `${redirectWithCode(asked)}&code=other`, {}],
    ['with an empty code', (asked) => redirectWithCode(asked, { code: '' }), {}],
  ])('C172: a redirect %s is not acted on', async (_what, redirect, pages = {}) => {
    const stage = createStage({ redirect, pages });
    const problem = await stage.authorize();
    expect(problem?.code).toBe('auth-callback');
    expect(stage.bodies(TOKEN)).toEqual([]);
    expect(await stage.goOn()).toBe(false);
  });

  test('C172: the iss that is right is right', async () => {
    const stage = createStage({ redirect: withIss(ISSUER), pages: announcesIss });
    expect(await stage.authorize()).toBeUndefined();
  });

  test('C172: an error goes before a code, and denial is told as such', async () => {
    const redirect = (asked: URLSearchParams) =>
      redirectWithCode(asked, { error: 'access_denied', error_description: 'No.' });
    const stage = createStage({ redirect });
    const problem = await stage.authorize();
    expect(problem).toMatchObject({ code: 'auth-denied' });
    expect(problem?.message).toContain('No.');
    expect(stage.bodies(TOKEN)).toEqual([]);
    expect(stage.facts).toContainEqual(
      expect.objectContaining({ kind: 'auth-consent', state: 'denied' }),
    );
  });

  test('a window that is closed ends the chain, and costs no token that is held', async () => {
    let isOpen = true;
    const pages = { [TOKEN]: { json: { access_token: 'kept', token_type: 'bearer' } } };
    const stage = createStage({
      pages,
      redirect: (asked) => (isOpen ? redirectWithCode(asked) : undefined),
    });
    expect(await stage.authorize()).toBeUndefined();
    isOpen = false;
    expect((await stage.authorize())?.code).toBe('auth-closed');
    expect(stage.credentials.find(SERVER)?.accessToken).toBe('kept');
  });

  test('C173: a login that was cut off goes on in a later life, with what it had begun with', async () => {
    const first = createStage({ waits: true });
    void first.authorize('Bearer scope="a"');
    await expect.poll(() => first.opened.length).toBe(1);
    // All that outlives a worker is data.
    const held = structuredClone(first.credentials.held);
    const later = createStage({ credentials: createCredentials(held) });
    expect(await later.goOn()).toBe(true);
    expect(later.opened[0]?.href).toBe(first.opened[0]?.href);
    const step = held.attempts[0]?.step ?? 0;
    expect(later.facts.slice(0, 2)).toMatchObject([
      { kind: 'auth-started', chain: 'chain-1' },
      { kind: 'auth-consent', state: 'opened', step: step + 1 },
    ]);
    const [body] = later.bodies(TOKEN);
    expect(body?.get('code_verifier')).toBe(held.attempts[0]?.verifier);
    expect(later.credentials.find(SERVER)?.requestedScopes).toEqual(['a']);
    expect(await later.goOn()).toBe(false);
  });

  test('C173: where another login is begun instead, the one that was cut off is over', async () => {
    const first = createStage({ waits: true });
    void first.authorize();
    await expect.poll(() => first.opened.length).toBe(1);
    const held = structuredClone(first.credentials.held);
    const later = createStage({ credentials: createCredentials(held), life: 'second' });
    expect(await later.authorize()).toBeUndefined();
    expect(later.facts.slice(0, 3)).toMatchObject([
      { kind: 'auth-consent', chain: 'chain-1', state: 'interrupted' },
      { kind: 'auth-ended', chain: 'chain-1', outcome: 'failed' },
      { kind: 'auth-started', chain: 'second-1' },
    ]);
    expect(later.credentials.held.attempts).toEqual([]);
  });
});
