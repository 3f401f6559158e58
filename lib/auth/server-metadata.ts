import { AppError } from '../errors.ts';
import { stringsIn, type Chain } from './chain.ts';
import { decide } from './resource-metadata.ts';
import { urlRefusal } from './safe-url.ts';

/** An authorization server, as far as we use what it says of itself (RFC 8414), by the names of its metadata. */
export interface ServerMetadata {
  issuer: string;
  authorization_endpoint?: string;
  token_endpoint: string;
  registration_endpoint?: string;
  revocation_endpoint?: string;
  scopes_supported?: string[];
  token_endpoint_auth_methods_supported?: string[];
  code_challenge_methods_supported?: string[];
  grant_types_supported?: string[];
  client_id_metadata_document_supported?: boolean;
  authorization_response_iss_parameter_supported?: boolean;
}

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
] as const;
const LISTS = [
  'scopes_supported',
  'token_endpoint_auth_methods_supported',
  'code_challenge_methods_supported',
  'grant_types_supported',
] as const;
const SWITCHES = [
  'client_id_metadata_document_supported',
  'authorization_response_iss_parameter_supported',
] as const;

/** Where an issuer publishes its metadata, in the order in which it is looked for. */
function serverMetadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
  ];
}

/**
 * Finds the metadata of an issuer in any of its places, going on after any failure of one. `undefined` where
 * there is none; rejects with an `AppError` where there is some that must not be used. `needsCode` tells
 * whether the user is to log in, which needs PKCE.
 */
export async function findServer(
  chain: Chain,
  issuer: string,
  needsCode: boolean,
): Promise<ServerMetadata | undefined> {
  let refusal: AppError | undefined;
  let withoutPkce: { server: ServerMetadata; httpId: string } | undefined;
  let almost: { server: ServerMetadata; httpId: string } | undefined;
  for (const url of serverMetadataUrls(issuer)) {
    const found = await chain.getJson('server-metadata', url);
    if (found === undefined) continue;
    const { json, httpId } = found;
    const pass = (reason: string) => chain.judge('server-metadata', 'passed-over', reason, httpId);
    const server = readServer(chain, json, httpId);
    if (typeof server === 'string') {
      pass(server);
      continue;
    }
    if (needsCode && server.authorization_endpoint === undefined) {
      pass('it names no authorization endpoint that may be used');
      continue;
    }
    if (server.issuer !== issuer) {
      chain.judge('server-metadata', 'refused', `issuer ${server.issuer}, not ${issuer}`, httpId);
      refusal ??= wrongIssuer(issuer, server.issuer);
      if (differsByEmptyPath(issuer, server.issuer)) almost ??= { server, httpId };
      continue;
    }
    if (needsCode && !offersS256(server)) {
      pass('it does not announce PKCE with S256');
      withoutPkce ??= { server, httpId };
      continue;
    }
    chain.judge('server-metadata', 'used', `issuer ${issuer}`, httpId);
    return server;
  }
  if (withoutPkce !== undefined) return assumeS256(chain, withoutPkce.server, withoutPkce.httpId);
  if (almost !== undefined) {
    const { server, httpId } = almost;
    const question = { kind: 'issuer-slash', expected: issuer, found: server.issuer } as const;
    if (await decide(chain, question)) {
      const isEnough = !needsCode || offersS256(server);
      return isEnough ? server : assumeS256(chain, server, httpId);
    }
  }
  if (refusal !== undefined) throw refusal;
  return undefined;
}

/** What a server of 2025-03-26 has where it publishes no metadata ("Fallbacks for Servers without Metadata"). */
export function defaultServer(origin: string): ServerMetadata {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
  };
}

/** Reads what we use, and leaves out what is not as it should be: nothing else may fail a whole document. */
function readServer(
  chain: Chain,
  json: Record<string, unknown>,
  httpId: string,
): ServerMetadata | string {
  const { issuer } = json;
  if (typeof issuer !== 'string') return 'names no issuer';
  const endpoints: Partial<Record<(typeof ENDPOINTS)[number], string>> = {};
  for (const name of ENDPOINTS) {
    const value = json[name];
    if (typeof value !== 'string') continue;
    const refusal = urlRefusal(value, chain.serverUrl);
    if (refusal === undefined) endpoints[name] = value;
    else chain.judge('server-metadata', 'refused', `\`${name}\` ${value}: ${refusal}`, httpId);
  }
  const { token_endpoint } = endpoints;
  if (token_endpoint === undefined) return 'it names no token endpoint that may be used';
  const server: ServerMetadata = { ...endpoints, issuer, token_endpoint };
  for (const name of LISTS) {
    const list = stringsIn(json[name]);
    if (list !== undefined) server[name] = list;
  }
  for (const name of SWITCHES) if (json[name] === true) server[name] = true;
  return server;
}

function offersS256({ code_challenge_methods_supported: methods }: ServerMetadata): boolean {
  return methods?.includes('S256') === true;
}

async function assumeS256(
  chain: Chain,
  server: ServerMetadata,
  httpId: string,
): Promise<ServerMetadata> {
  const { issuer, code_challenge_methods_supported: methods = [] } = server;
  if (methods.length > 0) {
    const reason = `announces PKCE with ${methods.join(', ')} only`;
    chain.judge('server-metadata', 'refused', reason, httpId);
    throw new AppError({
      code: 'auth-refused',
      message: `${issuer} ${reason}; MCP needs S256.`,
      advice: 'The authorization server has to support S256, and to say so.',
    });
  }
  if (await decide(chain, { kind: 'assume-s256', issuer })) {
    chain.judge('server-metadata', 'used', `issuer ${issuer}, assuming S256`, httpId);
    return server;
  }
  chain.judge('server-metadata', 'refused', 'does not announce PKCE with S256', httpId);
  throw new AppError({
    code: 'auth-refused',
    message: `${issuer} does not announce PKCE with S256. Clients that keep to the specification stop here.`,
    advice: 'The authorization server should list S256 in `code_challenge_methods_supported`.',
  });
}

function wrongIssuer(expected: string, found: string): AppError {
  return new AppError({
    code: 'auth-refused',
    message: `The metadata of ${expected} says that it is that of ${found}.`,
    advice: differsByEmptyPath(expected, found)
      ? 'They differ by a slash only, but have to be identical (RFC 8414, 3.3): strict clients will reject this server.'
      : 'Whoever serves it may want tokens of another server. It has to name the issuer by which it was found (RFC 8414, 3.3).',
  });
}

/** Equal as URLs (RFC 3986, 6.2.3), but for the slash of a path that is empty. */
function differsByEmptyPath(one: string, other: string): boolean {
  if (URL.parse(one)?.pathname !== '/') return false;
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}
