import { challenge, type AuthPeer } from '../auth-peer.ts';
import { json, plain } from '../scripted-behaviour.ts';
import type { Reply, Script } from '../scripted.ts';
import { header, type RawRequest } from '../scripted-http.ts';

/** What is wrong with a server that wants authorization, or with the one that gives it. */
export interface AuthorizationFault {
  about: string;
  /** What the authorization server answers before all that it does right. */
  authority?: Script;
  /** What the protected server answers before all that it does right. */
  server?: (request: RawRequest, peer: AuthPeer) => Reply | undefined;
  /** What it refuses although the token is good. */
  refuses?: (request: RawRequest, scopes: string[]) => Reply | undefined;
}

const RESOURCE = '/.well-known/oauth-protected-resource';
const METADATA = '/.well-known/oauth-authorization-server';

function originOf(request: RawRequest): string {
  return `http://${header(request, 'host')}`;
}

function isResourceMetadata({ target }: RawRequest): boolean {
  return target.startsWith(RESOURCE);
}

function answer(value: unknown, status = 200): Reply {
  return json(JSON.stringify(value), status);
}

/** Metadata of the protected server with these members changed. */
function resource(change: (request: RawRequest) => Record<string, unknown>) {
  return (request: RawRequest, peer: AuthPeer): Reply | undefined =>
    request.target === `${RESOURCE}/mcp`
      ? answer({
          resource: `${originOf(request)}/mcp`,
          authorization_servers: [peer.origin],
          ...change(request),
        })
      : undefined;
}

/** Metadata of the authorization server with these members changed. */
function metadata(change: Record<string, unknown> | ((origin: string) => Record<string, unknown>)) {
  return {
    [`GET ${METADATA}`]: (request: RawRequest) => {
      const origin = originOf(request);
      return answer({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        code_challenge_methods_supported: ['S256'],
        ...(typeof change === 'function' ? change(origin) : change),
      });
    },
  };
}

/** A challenge in place of every refusal for want of a token. */
function challenging(parameters: (request: RawRequest) => string) {
  return (request: RawRequest): Reply | undefined =>
    isResourceMetadata(request) || header(request, 'authorization') !== undefined
      ? undefined
      : challenge(401, parameters(request));
}

function pointer(request: RawRequest, path = '/mcp'): string {
  return `resource_metadata="${originOf(request)}${RESOURCE}${path}"`;
}

/** The redirect of the login page with more parameters in it. */
function redirecting(parameters: (origin: string) => Record<string, string>): Script {
  return {
    GET(request) {
      if (!request.target.startsWith('/authorize?')) return undefined;
      const asked = new URL(request.target, originOf(request)).searchParams;
      const target = new URL(asked.get('redirect_uri') ?? '');
      target.searchParams.set('code', 'code-of-somebody-else');
      target.searchParams.set('state', asked.get('state') ?? '');
      for (const [name, value] of Object.entries(parameters(originOf(request)))) {
        target.searchParams.set(name, value);
      }
      return { ...plain(302), headers: { Location: target.href } };
    },
  };
}

/** Tokens whatever the code is, with these members changed. */
function token(change: Record<string, unknown>, status = 200): Script {
  return {
    'POST /token': () =>
      answer({ access_token: 'access-0123456789', token_type: 'Bearer', ...change }, status),
  };
}

function refusesList(reply: Reply) {
  return ({ message }: RawRequest) => (message.method === 'tools/list' ? reply : undefined);
}

/** Servers around authorization by what is wrong with them. */
export const AUTHORIZATION_FAULTS: Record<string, AuthorizationFault> = {
  good: { about: 'everything is right' },
  'no-pointer': {
    about: 'a 401 that does not say where the metadata is',
    server: challenging(() => ''),
  },
  'no-metadata': {
    about: 'a 401 without a word, and no metadata of the resource anywhere',
    server(request, peer) {
      if (isResourceMetadata(request)) return plain(404);
      if (request.target === METADATA) {
        return answer({
          issuer: originOf(request),
          authorization_endpoint: `${peer.origin}/authorize`,
          token_endpoint: `${peer.origin}/token`,
          registration_endpoint: `${peer.origin}/register`,
          code_challenge_methods_supported: ['S256'],
        });
      }
      return challenging(() => '')(request);
    },
  },
  'no-servers': {
    about: 'metadata of the resource that names no authorization server',
    server: resource(() => ({ authorization_servers: [] })),
  },
  'slash-resource': {
    about: 'metadata of the resource with a slash behind it',
    server: resource((request) => ({ resource: `${originOf(request)}/mcp/` })),
  },
  'other-resource': {
    about: 'metadata of another resource',
    server: resource(() => ({ resource: 'https://other.example.com/mcp' })),
  },
  'other-issuer': {
    about: 'metadata that says that it is of another issuer',
    authority: metadata({ issuer: 'https://other.example.com' }),
  },
  'no-pkce': {
    about: 'an authorization server that does not announce PKCE',
    authority: metadata({ code_challenge_methods_supported: undefined }),
  },
  'plain-pkce': {
    about: 'an authorization server that announces PKCE without S256',
    authority: metadata({ code_challenge_methods_supported: ['plain'] }),
  },
  insecure: {
    about: 'a token endpoint without HTTPS on another machine',
    authority: metadata({ token_endpoint: 'http://as.example.com/token' }),
  },
  'wrong-iss': {
    about: 'a redirect that names another issuer',
    authority: redirecting(() => ({ iss: 'https://other.example.com' })),
  },
  'missing-iss': {
    about: 'a redirect without the issuer that was announced for it',
    authority: {
      ...metadata({ authorization_response_iss_parameter_supported: true }),
      ...redirecting(() => ({})),
    },
  },
  'unannounced-iss': {
    about: 'a redirect with an issuer that was not announced',
    authority: {
      ...redirecting((origin) => ({ iss: origin })),
      'POST /token': ({ body }) =>
        answer(
          body.includes('code-of-somebody-else')
            ? { access_token: 'access-0123456789', token_type: 'Bearer' }
            : { error: 'invalid_grant' },
        ),
    },
    server: (request) =>
      header(request, 'authorization') === 'Bearer access-0123456789' ? plain(403) : undefined,
  },
  'thin-step-up': {
    about: 'insufficient_scope without a word about which',
    refuses: refusesList(challenge(403, 'error="insufficient_scope"')),
  },
  'offline-access': {
    about: 'a challenge that asks for offline_access',
    server: challenging((request) => `${pointer(request)}, scope="mcp offline_access"`),
  },
  'offline-metadata': {
    about: 'metadata of the resource that lists offline_access',
    server: resource(() => ({ scopes_supported: ['mcp', 'offline_access'] })),
  },
  'wrong-status': {
    about: 'a bad token refused with 403',
    refuses: refusesList(challenge(403, 'error="invalid_token"')),
  },
  'doubled-pointer': {
    about: 'two resource_metadata in one challenge, the first one dead',
    server: (request) =>
      request.target === `${RESOURCE}/none`
        ? plain(404)
        : challenging(() => `${pointer(request, '/none')}, ${pointer(request)}`)(request),
  },
  'single-quotes': {
    about: 'a challenge in single quotes',
    server: challenging((request) => pointer(request).replaceAll('"', "'")),
  },
  'web-page': {
    about: 'a web page at every URL, those of metadata included',
    server: (request) =>
      request.target === RESOURCE || request.target === `${RESOURCE}/mcp`
        ? request.target === RESOURCE
          ? undefined
          : plain(200, 'text/html', '<!doctype html><title>App</title>')
        : undefined,
  },
  'plain-metadata': {
    about: 'metadata of the authorization server as text/plain',
    authority: {
      [`GET ${METADATA}`]: (request) => {
        const reply = metadata({})[`GET ${METADATA}`]?.(request) ?? plain(404);
        return { ...reply, headers: { 'Content-Type': 'text/plain' } };
      },
    },
  },
  'odd-token': {
    about: 'a token with status 201 whose lifetime is a string',
    authority: token({ expires_in: '3600' }, 201),
    server: (request) =>
      header(request, 'authorization') === 'Bearer access-0123456789' ? plain(403) : undefined,
  },
  'error-200': {
    about: 'an error of the token endpoint with status 200',
    authority: { 'POST /token': () => answer({ error: 'bad_verification_code' }) },
  },
  'odd-registration': {
    about: 'a registration with status 200 that says little',
    authority: { 'POST /register': () => answer({ client_id: 'c', client_uri: '' }) },
  },
};

/** A protected server with a fault, as a script. */
export function faultyServer(
  peer: AuthPeer,
  fault: AuthorizationFault,
  script: Script = {},
): Script {
  const guard = peer.protect(script, fault.refuses)['*'];
  return {
    '*': (request, nth) =>
      fault.server?.(request, peer) ??
      (typeof guard === 'function' ? guard(request, nth) : undefined),
  };
}
