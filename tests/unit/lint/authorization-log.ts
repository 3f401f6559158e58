import type { RequestLinks } from '../../../lib/capture/wire-event.ts';
import type { LintLog } from './lint-log.ts';

const ISSUER = 'https://as.example.com';
export const SERVER = 'https://mcp.example.com/mcp';
const CHAIN = 'chain';
const BEARER = { name: 'Authorization', value: 'Bearer ****' };
const REDIRECT = 'https://client.example.com/callback';

const LOGIN = {
  response_type: 'code',
  client_id: 'client',
  redirect_uri: REDIRECT,
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
  state: 'state-1',
  resource: SERVER,
};
const TOKEN = {
  grant_type: 'authorization_code',
  code: '****',
  code_verifier: '****',
  client_id: 'client',
  resource: SERVER,
};

type Change = Record<string, string | undefined>;

function query(parameters: Change): URLSearchParams {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) found.set(name, value);
  }
  return found;
}

/** Steps of an authorization in which everything is right, but for what a test changes; undefined takes away. */
export class Steps {
  readonly log: LintLog;

  constructor(log: LintLog) {
    this.log = log;
  }

  /** The first request, refused. Returns it. */
  refused(parameters = `Bearer resource_metadata="${SERVER}-metadata"`, token?: string): string {
    const { log } = this;
    const headers = log.headers();
    if (token !== undefined) headers.push({ name: 'Authorization', value: `Bearer ${token}` });
    const httpId = log.request(
      { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
      { url: SERVER, headers },
    );
    log.respond(httpId, 401, parameters === '' ? {} : { 'www-authenticate': parameters });
    log.end(httpId);
    return httpId;
  }

  /** A document that is looked for, and found. */
  document(url: string, json: unknown): string {
    return this.#exchange('discovery', 'GET', url, undefined, json);
  }

  resource(change: Record<string, unknown> = {}): string {
    const json = { resource: SERVER, authorization_servers: [ISSUER], ...change };
    return this.document(`${SERVER}-metadata`, json);
  }

  authority(change: Record<string, unknown> = {}, issuer = ISSUER): string {
    return this.document(`${issuer}/.well-known/oauth-authorization-server`, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      code_challenge_methods_supported: ['S256'],
      ...change,
    });
  }

  registration(body: Record<string, unknown> = {}): string {
    const own = { redirect_uris: [REDIRECT], application_type: 'web', ...body };
    const json = { ...own, client_id: 'client' };
    return this.#exchange(
      'registration',
      'POST',
      `${ISSUER}/register`,
      JSON.stringify(own),
      json,
      201,
    );
  }

  page(change: Change = {}): void {
    const url = `${ISSUER}/authorize?${query({ ...LOGIN, ...change })}`;
    const fact = { kind: 'auth-consent', chain: CHAIN, step: 4 } as const;
    this.log.add({ ...fact, state: 'opened', url: { text: url } });
  }

  redirect(change: Change = {}): void {
    const url = `${REDIRECT}?${query({ code: '****', state: 'state-1', ...change })}`;
    const fact = { kind: 'auth-consent', chain: CHAIN, step: 4 } as const;
    this.log.add({ ...fact, state: 'received', url: { text: url } });
  }

  token(change: Change = {}, issuer = ISSUER): string {
    const body = query({ ...TOKEN, ...change }).toString();
    const json = { access_token: '****', token_type: 'Bearer', expires_in: 3600 };
    return this.#exchange('token', 'POST', `${issuer}/token`, body, json);
  }

  /** A whole login, up to the handshake with it. */
  loggedIn(revision = '2025-11-25'): string {
    const refused = this.refused();
    this.resource();
    this.authority();
    this.registration();
    this.page();
    this.redirect();
    this.token();
    this.connected(revision, refused);
    return refused;
  }

  /** Connected by a modern revision, or by the refused request again, with a token, and its answer. */
  connected(revision = '2025-11-25', retryOf = ''): void {
    const { log } = this;
    if (revision === '2026-07-28') {
      const transport = 'streamable-http';
      log.add({ kind: 'connection-chosen', transport, era: 'modern', revision, evidence: [] });
      return;
    }
    const links = { retryOf, attempt: 2, reason: 'authorization', authChain: CHAIN };
    const httpId = log.request(
      { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
      { url: SERVER, headers: [...log.headers(), BEARER], links },
    );
    const serverInfo = { name: 's', version: '1' };
    const result = { protocolVersion: revision, capabilities: { tools: {} }, serverInfo };
    log.answer(httpId, { jsonrpc: '2.0', id: 0, result });
  }

  /** Another request of a client that is connected. */
  sends(url = SERVER, links: RequestLinks = {}, isAuthorized = true): string {
    const { log } = this;
    const headers = log.headers({}, { 'mcp-protocol-version': '2025-11-25' });
    if (isAuthorized) headers.push(BEARER);
    const body = { jsonrpc: '2.0', method: 'notifications/initialized' };
    return log.request(body, { url, headers, links });
  }

  #exchange(
    purpose: 'discovery' | 'registration' | 'token',
    method: string,
    url: string,
    body: string | undefined,
    json: unknown,
    status = 200,
  ): string {
    const { log } = this;
    const links = { authChain: CHAIN };
    const httpId = log.request(body, { purpose, method, url, links, headers: [] });
    log.answer(httpId, json, status);
    return httpId;
  }
}
