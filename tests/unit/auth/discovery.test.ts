import { describe, expect, test } from 'vitest';
import {
  AS_METADATA,
  createStage,
  ISSUER,
  metadata,
  OIDC_METADATA,
  PRM_ROOT,
  SERVER,
  type Page,
} from './stage.ts';

const PRM_PATH = `${PRM_ROOT}/mcp`;
const prm = (resource: unknown = SERVER, servers: unknown = [ISSUER]): Page => ({
  json: { resource, authorization_servers: servers },
});
const gets = (stage: ReturnType<typeof createStage>) =>
  stage.sent.filter(({ method }) => method === 'GET').map(({ url }) => url);

describe('where the metadata of a resource is', () => {
  test('C145: two places in the challenge, of which the first is dead', async () => {
    const stage = createStage({
      pages: { [PRM_PATH]: undefined, 'https://mcp.example.com/two': prm() },
    });
    const challenge =
      'Bearer resource_metadata="https://mcp.example.com/one", error="invalid_token", resource_metadata="https://mcp.example.com/two"';
    expect(await stage.authorize(challenge)).toBeUndefined();
    expect(gets(stage).slice(0, 2)).toEqual([
      'https://mcp.example.com/one',
      'https://mcp.example.com/two',
    ]);
    expect(stage.steps('resource-metadata')[0]).toBe('resource-metadata passed-over: answered 404');
  });

  test.each([
    `bearer resource_metadata = "${PRM_ROOT}/x"`,
    `Bearer resource_metadata=${PRM_ROOT}/x`,
    `Bearer realm="a",\tRESOURCE_METADATA='${PRM_ROOT}/x'`,
    `Basic realm="resource_metadata=nowhere", Bearer error_description="resource_metadata=\\"y\\"", resource_metadata="${PRM_ROOT}/x"`,
  ])('C146: %s', async (challenge) => {
    const stage = createStage({ pages: { [`${PRM_ROOT}/x`]: prm() } });
    expect(await stage.authorize(challenge)).toBeUndefined();
    expect(gets(stage)[0]).toBe(`${PRM_ROOT}/x`);
  });

  test('C146: a longer name, and a quote that is not closed, are no place', async () => {
    for (const challenge of [
      'Bearer not_resource_metadata="https://mcp.example.com/x"',
      'Bearer resource_metadata="https://mcp.example.com/x',
    ]) {
      const stage = createStage();
      expect(await stage.authorize(challenge)).toBeUndefined();
      expect(gets(stage)[0]).toBe(PRM_PATH);
    }
  });

  test('C148: without a challenge it is looked for by path, at the root, and then as of old', async () => {
    const byPath = createStage();
    expect(await byPath.authorize('')).toBeUndefined();
    expect(gets(byPath)).toEqual([PRM_PATH, AS_METADATA]);

    const atRoot = createStage({ pages: { [PRM_PATH]: undefined, [PRM_ROOT]: prm() } });
    expect(await atRoot.authorize('')).toBeUndefined();
    expect(gets(atRoot)).toEqual([PRM_PATH, PRM_ROOT, AS_METADATA]);

    const own = 'https://mcp.example.com';
    const ofOld = createStage({
      pages: {
        [PRM_PATH]: undefined,
        [`${own}/.well-known/oauth-authorization-server`]: {
          json: { ...metadata({ issuer: own }) },
        },
      },
    });
    expect(await ofOld.authorize('')).toBeUndefined();
    expect(ofOld.credentials.find(SERVER)?.issuer).toBe(own);
  });

  test('without any metadata, the endpoints of 2025-03-26 are at the origin', async () => {
    const own = 'https://mcp.example.com';
    const stage = createStage({
      pages: {
        [PRM_PATH]: undefined,
        [`${own}/register`]: { json: { client_id: 'c' } },
        [`${own}/token`]: { json: { access_token: 'old-style-token' } },
      },
    });
    expect(await stage.authorize('')).toBeUndefined();
    expect(stage.opened[0]?.href).toMatch(/^https:\/\/mcp\.example\.com\/authorize\?/);
    expect(stage.credentials.find(SERVER)?.accessToken).toBe('old-style-token');
  });

  test.each([401, 403, 405, 500, 502])(
    'C149: a %i by path is a miss like any other',
    async (status) => {
      const stage = createStage({ pages: { [PRM_PATH]: { status }, [PRM_ROOT]: prm() } });
      expect(await stage.authorize()).toBeUndefined();
      expect(stage.steps('resource-metadata')[0]).toContain(`answered ${status}`);
    },
  );

  test.each<[string, Page]>([
    ['a web page', { text: '<!doctype html><title>App</title>' }],
    ['JSON without the member', { json: {} }],
    ['null', { json: null }],
    ['no JSON', { text: 'ok' }],
    ['a redirect', { status: 302, headers: [['location', 'https://evil.example/']] }],
    ['no answer', 'no answer'],
  ])('C150: %s is no metadata, and the next place is tried', async (_what, page) => {
    const stage = createStage({ pages: { [PRM_PATH]: page, [PRM_ROOT]: prm() } });
    expect(await stage.authorize()).toBeUndefined();
    expect(gets(stage).slice(0, 2)).toEqual([PRM_PATH, PRM_ROOT]);
    expect(stage.steps('resource-metadata')[0]).toContain('passed-over');
  });

  test('C150: an authorization server that is named alone, and not in a list, is taken, with a note', async () => {
    const json = { resource: SERVER, authorization_servers: ISSUER };
    const stage = createStage({ pages: { [PRM_PATH]: { json } } });
    expect(await stage.authorize()).toBeUndefined();
    expect(stage.steps('resource-metadata')[0]).toContain('is a text, not a list');
  });

  test('C150: JSON of a wrong type is taken, with a note', async () => {
    const text = JSON.stringify({ resource: SERVER, authorization_servers: [ISSUER] });
    const stage = createStage({ pages: { [PRM_PATH]: { text, type: 'text/plain' } } });
    expect(await stage.authorize()).toBeUndefined();
    expect(stage.steps('resource-metadata')[0]).toContain('noted: its content type is text/plain');
  });
});

describe('C151: the resource of the metadata', () => {
  test.each([SERVER, 'HTTPS://MCP.example.com/mcp', `${SERVER}/`])(
    '%s is the server',
    async (resource) => {
      const stage = createStage({ pages: { [PRM_PATH]: prm(resource) } });
      expect(await stage.authorize()).toBeUndefined();
      expect(stage.questions).toEqual([]);
      expect(stage.opened[0]?.searchParams.get('resource')).toBe(resource);
    },
  );

  test.each(['https://mcp.example.com', 'https://mcp.example.com/'])(
    '%s is more than the server: the user decides',
    async (resource) => {
      const pages = { [PRM_PATH]: prm(resource) };
      const yes = createStage({ pages });
      expect(await yes.authorize()).toBeUndefined();
      expect(yes.questions).toEqual([{ kind: 'parent-resource', resource }]);
      expect(yes.credentials.find(SERVER)?.resource).toBe(resource);
      // Once is enough.
      expect(await yes.authorize()).toBeUndefined();
      expect(yes.questions).toHaveLength(1);
      const no = createStage({ pages, answer: false });
      expect((await no.authorize())?.code).toBe('auth-refused');
      expect(no.opened).toEqual([]);
    },
  );

  test.each([
    'https://mcp.example.com/other',
    'https://mcp.example.com/mc',
    'https://evil.example/mcp',
    'http://mcp.example.com/mcp',
    'mcp',
  ])('%s is another one: refused, and nothing else is tried', async (resource) => {
    const stage = createStage({ pages: { [PRM_PATH]: prm(resource), [PRM_ROOT]: prm() } });
    expect((await stage.authorize())?.code).toBe('auth-refused');
    expect(gets(stage)).toEqual([PRM_PATH]);
    expect(stage.opened).toEqual([]);
  });

  test('C152: it is sent to the letter, everywhere', async () => {
    const serverUrl = 'https://mcp.example.com/';
    const resource = 'https://mcp.example.com';
    const stage = createStage({ serverUrl, pages: { [PRM_ROOT]: prm(resource) } });
    expect(await stage.authorize()).toBeUndefined();
    expect(await stage.authorize()).toBeUndefined();
    const [first, second] = stage.bodies(`${ISSUER}/token`);
    expect(second?.get('grant_type')).toBe('refresh_token');
    expect([
      stage.opened[0]?.searchParams.get('resource'),
      first?.get('resource'),
      second?.get('resource'),
    ]).toEqual([resource, resource, resource]);
  });

  test('C153: two resources of one origin have tokens of their own', async () => {
    const stage = createStage();
    expect(await stage.authorize()).toBeUndefined();
    const b = 'https://mcp.example.com/b';
    const other = createStage({
      serverUrl: b,
      credentials: stage.credentials,
      pages: {
        [`${PRM_ROOT}/b`]: prm(b, ['https://as2.example.com']),
        'https://as2.example.com/.well-known/oauth-authorization-server': {
          json: metadata({ issuer: 'https://as2.example.com' }),
        },
        [`${ISSUER}/token`]: { json: { access_token: 'token-of-b', token_type: 'bearer' } },
      },
    });
    expect(await other.authorize()).toBeUndefined();
    expect(stage.credentials.find(SERVER)?.accessToken).toBe('access-token-1');
    expect(stage.credentials.find(b)?.accessToken).toBe('token-of-b');
  });
});

describe('the metadata of an authorization server', () => {
  test.each([
    [`${ISSUER}/`, ISSUER],
    [ISSUER, `${ISSUER}/`],
  ])(
    'C154: %s that calls itself %s is refused, unless the user goes on',
    async (listed, issuer) => {
      const pages = {
        [PRM_PATH]: prm(SERVER, [listed]),
        [AS_METADATA]: { json: metadata({ issuer }) },
      };
      const strict = createStage({ pages, answer: false });
      const problem = await strict.authorize();
      expect(problem?.code).toBe('auth-refused');
      expect(problem?.advice).toContain('strict clients will reject');
      const lenient = createStage({ pages });
      expect(await lenient.authorize()).toBeUndefined();
      expect(lenient.questions).toEqual([
        { kind: 'issuer-slash', expected: listed, found: issuer },
      ]);
    },
  );

  test('C154: whoever goes on in spite of the slash is still asked about PKCE, or stopped for it', async () => {
    const authorizeAt = async (methods: string[] | undefined) => {
      const json = metadata({ issuer: ISSUER, code_challenge_methods_supported: methods });
      const stage = createStage({
        pages: { [PRM_PATH]: prm(SERVER, [`${ISSUER}/`]), [AS_METADATA]: { json } },
      });
      const problem = await stage.authorize();
      return { code: problem?.code, asked: stage.questions.map(({ kind }) => kind) };
    };
    expect(await authorizeAt(undefined)).toEqual({
      code: undefined,
      asked: ['issuer-slash', 'assume-s256'],
    });
    expect(await authorizeAt(['plain'])).toEqual({ code: 'auth-refused', asked: ['issuer-slash'] });
  });

  test('C154: a slash behind a path, or another issuer, is refused without a question', async () => {
    for (const [listed, issuer] of [
      [`${ISSUER}/t1`, `${ISSUER}/t1/`],
      [ISSUER, 'https://evil.example'],
      [ISSUER, ISSUER.replace('as.', 'AS.')],
    ]) {
      const path = new URL(listed ?? '').pathname.replace('/', '');
      const url = `${AS_METADATA}${path === '' ? '' : `/${path}`}`;
      const stage = createStage({
        pages: { [PRM_PATH]: prm(SERVER, [listed]), [url]: { json: metadata({ issuer }) } },
      });
      expect((await stage.authorize())?.code).toBe('auth-refused');
      expect([stage.questions, stage.opened]).toEqual([[], []]);
    }
  });

  test('C156: all three places of an issuer with a path are reached', async () => {
    const issuer = `${ISSUER}/t1`;
    const stage = createStage({
      pages: {
        [PRM_PATH]: prm(SERVER, [issuer]),
        [`${AS_METADATA}/t1`]: { text: '<!doctype html>' },
        [`${issuer}/.well-known/openid-configuration`]: { json: metadata({ issuer }) },
      },
    });
    expect(await stage.authorize()).toBeUndefined();
    expect(gets(stage).slice(1)).toEqual([
      `${AS_METADATA}/t1`,
      `${OIDC_METADATA}/t1`,
      `${issuer}/.well-known/openid-configuration`,
    ]);
    expect(stage.steps('server-metadata')[0]).toContain('a web page, not metadata');
  });

  test.each<[string, Page]>([
    ['502', { status: 502 }],
    ['no answer', 'no answer'],
  ])('C157: %s at one place does not end discovery', async (_what, page) => {
    const stage = createStage({
      pages: { [AS_METADATA]: page, [OIDC_METADATA]: { json: metadata() } },
    });
    expect(await stage.authorize()).toBeUndefined();
    expect(gets(stage).slice(1)).toEqual([AS_METADATA, OIDC_METADATA]);
  });

  test('nothing at any place ends with what was tried', async () => {
    const stage = createStage({ pages: { [AS_METADATA]: undefined } });
    expect((await stage.authorize())?.code).toBe('auth-discovery');
    expect(stage.sent.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('C158: PKCE that is not announced in one document may be in the other one', async () => {
    const silent = metadata({ code_challenge_methods_supported: undefined });
    const stage = createStage({
      pages: { [AS_METADATA]: { json: silent }, [OIDC_METADATA]: { json: metadata() } },
    });
    expect(await stage.authorize()).toBeUndefined();
    expect(stage.questions).toEqual([]);
  });

  test.each([undefined, []])('C158: %j is refused, unless the user goes on', async (methods) => {
    const pages = {
      [AS_METADATA]: { json: metadata({ code_challenge_methods_supported: methods }) },
    };
    const strict = createStage({ pages, answer: false });
    expect(await strict.authorize()).toMatchObject({ code: 'auth-refused' });
    const lenient = createStage({ pages });
    expect(await lenient.authorize()).toBeUndefined();
    expect(lenient.questions).toEqual([{ kind: 'assume-s256', issuer: ISSUER }]);
    expect(lenient.opened[0]?.searchParams.get('code_challenge_method')).toBe('S256');
  });

  test('C158: only `plain` is refused without a question', async () => {
    const json = metadata({ code_challenge_methods_supported: ['plain'] });
    const stage = createStage({ pages: { [AS_METADATA]: { json } } });
    expect(await stage.authorize()).toMatchObject({ code: 'auth-refused' });
    expect(stage.questions).toEqual([]);
  });

  test('C176: members that are odd are left out, and nothing else', async () => {
    const json = metadata({
      response_modes_supported: ['form_post', 'x'],
      grant_types_supported: ['urn:x', 7],
      scopes_supported: null,
      service_documentation: '',
      token_endpoint_auth_methods_supported: 'none',
      revocation_endpoint: 5,
    });
    const stage = createStage({ pages: { [AS_METADATA]: { json } } });
    expect(await stage.authorize()).toBeUndefined();
  });
});

describe('C174: hostile metadata', () => {
  test.each([
    ['javascript:alert(1)', 'begins with javascript:'],
    ['data:text/html,x', 'begins with data:'],
    ['file:///etc/passwd', 'begins with file:'],
    ['chrome-extension://abc/x.html', 'begins with chrome-extension:'],
    ['http://as.example.com/authorize', 'not HTTPS'],
    ['https://user:pw@as.example.com/authorize', 'user name or password'],
    ['https://192.168.1.1/authorize', 'private address'],
    ['https://[fd00::1]/authorize', 'private address'],
    ['https://[::7f00:1]/authorize', 'private address'],
    ['https://localhost./authorize', 'private address'],
    ['https://as.internal./authorize', 'private address'],
    ['not a url', 'no URL'],
  ])('%s is never opened', async (authorization_endpoint, why) => {
    const stage = createStage({
      pages: { [AS_METADATA]: { json: metadata({ authorization_endpoint }) } },
    });
    expect((await stage.authorize())?.code).toBe('auth-discovery');
    expect(stage.opened).toEqual([]);
    expect(stage.steps('server-metadata').join('\n')).toContain(why);
  });

  test.each([
    'http://169.254.169.254/token',
    'https://169.254.169.254/token',
    'https://10.0.0.1/t',
  ])('nothing is sent to %s', async (token_endpoint) => {
    const stage = createStage({ pages: { [AS_METADATA]: { json: metadata({ token_endpoint }) } } });
    expect((await stage.authorize())?.code).toBe('auth-discovery');
    expect(stage.sent.map(({ url }) => url)).not.toContain(token_endpoint);
  });

  test('a private authorization server is right for a server on this machine', async () => {
    const serverUrl = 'http://localhost:4000/mcp';
    const issuer = 'http://127.0.0.1:5000';
    const stage = createStage({
      serverUrl,
      pages: {
        'http://localhost:4000/.well-known/oauth-protected-resource/mcp': prm(serverUrl, [issuer]),
        [`${issuer}/.well-known/oauth-authorization-server`]: { json: metadata({ issuer }) },
      },
    });
    expect(await stage.authorize()).toBeUndefined();
  });

  test('of hundreds of authorization servers, few are asked', async () => {
    const many = Array.from({ length: 500 }, (_, index) => `https://as${index}.example`);
    const stage = createStage({ pages: { [PRM_PATH]: prm(SERVER, many) } });
    expect((await stage.authorize())?.code).toBe('auth-discovery');
    expect(new Set(stage.asked).size).toBeLessThanOrEqual(8);
    expect(stage.steps('resource-metadata').join()).toContain('names 500 authorization servers');
  });

  test('metadata on another host is read only where the challenge says so, with permission', async () => {
    const url = 'https://elsewhere.example/prm';
    const challenge = `Bearer resource_metadata="${url}"`;
    const pages = { [url]: prm() };
    const stage = createStage({ pages });
    expect(await stage.authorize(challenge)).toBeUndefined();
    expect(stage.asked).toEqual(['elsewhere.example', 'as.example.com']);
    const denied = createStage({ pages, denied: ['elsewhere.example'] });
    expect((await denied.authorize(challenge))?.code).toBe('permission-denied');
    expect(denied.sent).toEqual([]);
  });
});
