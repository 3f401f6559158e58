import { plain } from './scripted-behaviour.ts';
import {
  startScripted,
  type Answer,
  type Reply,
  type Script,
  type ScriptedServer,
} from './scripted.ts';
import { header, type RawRequest } from './scripted-http.ts';

/** An authorization server that does everything right, and rotates its refresh tokens. */
export interface AuthPeer extends AsyncDisposable {
  origin: string;
  requests: ScriptedServer['requests'];
  /** Everything that it has handed out and that nobody may find anywhere. */
  secrets: string[];
  /** Scopes of the access tokens that are good now. */
  tokens: Map<string, string[]>;
  /** Makes every access token a thing of the past. */
  expire(): void;
  /** From now on users take their time on the page of the login, until `goOn` is called. */
  holdLogins(): void;
  /** Those who are on the page of the login agree. */
  goOn(): void;
  /** Parameters of the requests to the token endpoint. */
  tokenRequests(): URLSearchParams[];
  /** A resource server that takes the tokens of this one, and says so. */
  protect(script?: Script, isAllowed?: Allow): Script;
}

/** What to answer a request with this token; `undefined` lets it through. */
type Allow = (request: RawRequest, scopes: string[]) => Reply | undefined;

const RESOURCE = '/.well-known/oauth-protected-resource';
/** The one client that gets tokens for itself: `machine`, with the secret `of the machine`. */
const MACHINE = `Basic ${btoa('machine:of+the+machine')}`;
const FORM = 'application/x-www-form-urlencoded';

/** Starts one; `script` goes before what it does by itself. */
export async function startAuthPeer(script: Script = {}): Promise<AuthPeer> {
  const secrets: string[] = [];
  const tokens = new Map<string, string[]>();
  /** Refresh tokens that are good, and those that were used. */
  const refreshable = new Map<string, string[]>();
  const used = new Set<string>();
  const codes = new Map<string, string[]>();
  let count = 0;
  let isHeld = false;
  let holds = 0;

  function secret(kind: string): string {
    count += 1;
    const value = `${kind}-${count}-${crypto.randomUUID()}`;
    secrets.push(value);
    return value;
  }

  function issue(scopes: string[]): Reply {
    const accessToken = secret('access');
    const refreshToken = secret('refresh');
    tokens.set(accessToken, scopes);
    refreshable.set(refreshToken, scopes);
    return ok({
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: scopes.join(' '),
    });
  }

  function answerToken(request: RawRequest): Reply {
    const form = new URLSearchParams(request.body);
    if (header(request, 'content-type')?.startsWith(FORM) !== true)
      return refuse('invalid_request');
    const code = form.get('code') ?? '';
    const refreshToken = form.get('refresh_token') ?? '';
    if (form.get('grant_type') === 'authorization_code') {
      secrets.push(form.get('code_verifier') ?? '');
      const scopes = codes.get(code);
      codes.delete(code);
      return scopes === undefined ? refuse('invalid_grant') : issue(scopes);
    }
    const isMachine = header(request, 'authorization') === MACHINE;
    if (form.get('grant_type') === 'client_credentials' && isMachine) {
      return issue(form.get('scope')?.split(' ') ?? []);
    }
    if (used.has(refreshToken)) {
      // A token that comes twice was stolen: the whole family goes (RFC 9700, 4.14).
      refreshable.clear();
      tokens.clear();
      return refuse('invalid_grant');
    }
    const scopes = refreshable.get(refreshToken);
    refreshable.delete(refreshToken);
    used.add(refreshToken);
    return scopes === undefined ? refuse('invalid_grant') : issue(scopes);
  }

  function answerAuthorize({ target }: RawRequest): Reply {
    const asked = new URL(target, 'http://localhost').searchParams;
    const code = secret('code');
    codes.set(code, asked.get('scope')?.split(' ') ?? []);
    const redirect = new URL(asked.get('redirect_uri') ?? '');
    redirect.searchParams.set('code', code);
    redirect.searchParams.set('state', asked.get('state') ?? '');
    const before = isHeld ? [{ wait: `login ${holds}` }] : [];
    return { ...plain(302), before, headers: { Location: redirect.href } };
  }

  const good: Script = {
    'GET /.well-known/oauth-authorization-server': () =>
      ok({
        issuer: server.origin,
        authorization_endpoint: `${server.origin}/authorize`,
        token_endpoint: `${server.origin}/token`,
        registration_endpoint: `${server.origin}/register`,
        code_challenge_methods_supported: ['S256'],
      }),
    'POST /register': ({ message }) => {
      const own = { client_id: 'c', client_secret: secret('client'), client_secret_expires_at: 0 };
      return { ...ok({ ...message, ...own }), status: 201 };
    },
    'POST /token': answerToken,
    GET: (request) =>
      request.target.startsWith('/authorize?') ? answerAuthorize(request) : plain(404),
  };
  const server = await startScripted(before(script, good));

  return {
    origin: server.origin,
    requests: server.requests,
    secrets,
    tokens,
    expire: () => tokens.clear(),
    holdLogins() {
      isHeld = true;
      holds += 1;
    },
    goOn() {
      isHeld = false;
      server.open(`login ${holds}`);
    },
    tokenRequests: () =>
      server.requests
        .filter(({ target }) => target === '/token')
        .map(({ body }) => new URLSearchParams(body)),
    protect(own = {}, isAllowed = () => undefined) {
      const metadata = (request: RawRequest) => {
        const host = header(request, 'host') ?? '';
        const own = request.target.replace(RESOURCE, '');
        return ok({ resource: `http://${host}${own}`, authorization_servers: [server.origin] });
      };
      /** Path of what is protected: whatever is asked for first. */
      let path: string | undefined;
      const guard = (request: RawRequest, nth: number): Reply | undefined => {
        if (request.target.startsWith(RESOURCE)) return metadata(request);
        path ??= request.target.split('?', 1)[0] ?? '';
        const token = header(request, 'authorization')?.replace('Bearer ', '') ?? '';
        const scopes = tokens.get(token);
        if (scopes === undefined) {
          const error = token === '' ? '' : ', error="invalid_token"';
          const pointer = `http://${header(request, 'host')}${RESOURCE}${path}`;
          return challenge(401, `resource_metadata="${pointer}"${error}`);
        }
        const refusal = isAllowed(request, scopes);
        if (refusal !== undefined) return refusal;
        return ownReply(own, request, nth);
      };
      return { '*': guard };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** An answer that asks for authorization. */
export function challenge(status: 401 | 403, parameters: string): Reply {
  return { ...plain(status), headers: { 'WWW-Authenticate': `Bearer ${parameters}`.trim() } };
}

/** A script that answers by `first`, and by `second` where that has no answer. */
function before(first: Script, second: Script): Script {
  const both = Object.entries(second).map(([key, answer]): [string, Answer] => [
    key,
    (request, nth) => pick(first[key], request, nth) ?? pick(answer, request, nth),
  ]);
  const others = Object.entries(first).filter(([key]) => !(key in second));
  return Object.fromEntries([...others, ...both]);
}

function ownReply(script: Script, request: RawRequest, nth: number): Reply | undefined {
  const { method } = request.message;
  const own = typeof method === 'string' ? script[method] : undefined;
  return pick(own ?? script[request.method], request, nth);
}

function pick(answer: Answer | undefined, request: RawRequest, nth: number): Reply | undefined {
  if (typeof answer === 'function') return answer(request, nth);
  return Array.isArray(answer) ? answer[0] : answer;
}

function ok(value: unknown): Reply {
  return {
    headers: { 'Content-Type': 'application/json' },
    body: [JSON.stringify(value)],
    framing: 'length',
  };
}

function refuse(error: string): Reply {
  return { ...ok({ error }), status: 400 };
}
