import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Provider } from 'oidc-provider';
import { createTokenCheck } from './oidc-tokens.ts';
import { json, plain } from './scripted-behaviour.ts';
import { startScripted, type Reply, type ScriptedServer } from './scripted.ts';
import { header, type RawRequest } from './scripted-http.ts';

/** Where the client ID metadata document of the tests would be hosted; the provider is handed it instead. */
export const DOCUMENT_URL = 'https://client.example/wirescope.json';

export interface OidcOptions {
  /** Says that it takes client ID metadata documents. */
  takesDocuments?: boolean;
  registers?: boolean;
}

/** A real authorization server, and an MCP server on another host name that takes its tokens. */
export interface Oidc extends AsyncDisposable {
  issuer: string;
  mcp: ScriptedServer;
  /** Requests to the authorization server: method and path. */
  requests: string[];
  /** Parameters of the pages that were opened for users. */
  asked: URLSearchParams[];
  /** What it handed out, or was shown, and nobody may find anywhere. */
  secrets: Set<string>;
  /** The text that is found at the URL of the client's document. */
  document: string | undefined;
  /** The MCP server takes none of the access tokens any more that it has seen. */
  expire(): void;
  /** The authorization server dies of the next request for this path, unanswered; `start` brings it back. */
  dieOf(path: string): void;
  start(): Promise<void>;
}

/** Starts both. Tools whose name begins with `write` need the scope `mcp:write`. */
export async function startOidc({
  takesDocuments = false,
  registers = true,
}: OidcOptions = {}): Promise<Oidc> {
  const requests: string[] = [];
  const asked: URLSearchParams[] = [];
  const secrets = new Set<string>();
  const expired = new Set<string>();
  const seen = new Set<string>();
  let server = createServer();
  let fatal: string | undefined;
  const port = await listen(server, 0);
  const issuer = `http://localhost:${port}`;
  const provider = createProvider(issuer, { takesDocuments, registers }, () => oidc.document);
  const answer = provider.callback();

  function serve(): void {
    server.on('request', (request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      requests.push(`${request.method} ${path}`);
      if (path === fatal) {
        server.closeAllConnections();
        server.close();
        return;
      }
      const { searchParams } = new URL(request.url ?? '', issuer);
      note(searchParams);
      if (path === '/auth') asked.push(searchParams);
      const sent: Buffer[] = [];
      const end = response.end.bind(response);
      const write = (chunk: unknown) => {
        if (typeof chunk === 'string' || chunk instanceof Uint8Array) sent.push(Buffer.from(chunk));
      };
      response.end = ((chunk: unknown, ...rest: never[]) => {
        write(chunk);
        noteText(Buffer.concat(sent).toString());
        const location = response.getHeader('location');
        if (typeof location === 'string' && URL.canParse(location)) {
          note(new URL(location).searchParams);
        }
        return end(chunk as never, ...rest);
      }) as typeof response.end;
      answer(request, response);
    });
  }

  function note(parameters: URLSearchParams): void {
    for (const name of SECRET) for (const value of parameters.getAll(name)) secrets.add(value);
  }

  function noteText(text: string): void {
    for (const [, , value = ''] of text.matchAll(SECRET_MEMBER)) secrets.add(value);
  }

  serve();
  const mcp = await startScripted({ '*': guard });
  const check = await createTokenCheck(issuer, () => mcp.url());

  function guard(request: RawRequest): Reply | undefined {
    if (request.target.startsWith('/.well-known/oauth-protected-resource')) {
      return json(
        JSON.stringify({
          resource: mcp.url(),
          authorization_servers: [issuer],
          scopes_supported: ['mcp:read'],
        }),
      );
    }
    if (request.target.startsWith('/.well-known/')) return plain(404);
    const token = header(request, 'authorization')?.replace(/^Bearer /, '');
    if (token !== undefined) seen.add(token);
    const claims = token === undefined || expired.has(token) ? undefined : check(token);
    if (claims === undefined) {
      return challenge(401, token === undefined ? 'scope="mcp:read"' : 'error="invalid_token"');
    }
    const tool = request.message.params?.['name'];
    const isWrite = typeof tool === 'string' && tool.startsWith('write');
    if (!isWrite || claims.scope.split(' ').includes('mcp:write')) return undefined;
    return challenge(403, 'error="insufficient_scope", scope="mcp:write"');
  }

  function challenge(status: number, parameters: string): Reply {
    const metadata = `${mcp.origin}/.well-known/oauth-protected-resource/mcp`;
    const value = `Bearer resource_metadata="${metadata}", ${parameters}`;
    return { ...plain(status), headers: { 'WWW-Authenticate': value } };
  }

  const oidc: Oidc = {
    issuer,
    mcp,
    requests,
    asked,
    secrets,
    document: undefined,
    expire() {
      for (const token of seen) expired.add(token);
    },
    dieOf(path) {
      fatal = path;
    },
    async start() {
      fatal = undefined;
      server = createServer();
      await listen(server, port);
      serve();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await mcp[Symbol.asyncDispose]();
    },
  };
  return oidc;
}

const SECRET = ['code', 'access_token', 'refresh_token', 'client_secret'];
const SECRET_MEMBER =
  /"(access_token|refresh_token|client_secret|registration_access_token)" *: *"([^"]+)"/g;

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

function createProvider(
  issuer: string,
  { takesDocuments, registers }: Required<OidcOptions>,
  document: () => string | undefined,
): Provider {
  return new Provider(issuer, {
    cookies: { keys: ['only for tests'] },
    scopes: ['openid', 'offline_access', 'mcp:read', 'mcp:write'],
    pkce: { required: () => true },
    // Browsers send our origin along, and by itself it allows none.
    clientBasedCORS: () => true,
    issueRefreshToken: () => Promise.resolve(true),
    ttl: { AccessToken: 600, Grant: 3600, Session: 3600, Interaction: 3600, RefreshToken: 3600 },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: registers },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, audience: string) => ({
          audience,
          scope: 'mcp:read mcp:write',
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
      ...(takesDocuments ? { clientIdMetadataDocument: { enabled: true, ack: 'draft-02' } } : {}),
    },
    fetch: (url: string) => {
      const text = url === DOCUMENT_URL ? document() : undefined;
      const headers = { 'Content-Type': 'application/json' };
      return Promise.resolve(
        new Response(text, { status: text === undefined ? 404 : 200, headers }),
      );
    },
  });
}
