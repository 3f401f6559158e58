import * as oauth from 'oauth4webapi';
import { AppError } from '../errors.ts';
import type { AuthSettings } from '../capture/auth-settings.ts';
import { excerpt } from '../protocol/diagnose.ts';
import type { AuthReply } from './auth-doors.ts';
import { readJsonObject, type Chain } from './chain.ts';
import { chooseMethod } from './client-auth.ts';
import { clientMetadata, type ClientMetadata } from './client-metadata.ts';
import type { ClientMethod, ClientRecord } from './credentials.ts';
import { recordedFetch } from './recorded-fetch.ts';
import type { ServerMetadata } from './server-metadata.ts';

const METHODS: readonly string[] = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] satisfies ClientMethod[];

/** What a chain has found out about ways to register; each is tried once. */
export interface Tried {
  /** A client ID metadata document was no use. */
  isDocumentBad?: boolean;
  /** A registration that was kept, or made just now, is not known there. */
  isRegistrationBad?: boolean;
}

/**
 * Who we are to this server ("Client Registration Approaches"): a client that the user has registered, our
 * metadata document, a client that was registered before, or one that is registered now. Rejects with an
 * `AppError` where only the user can help.
 */
export async function findClient(
  chain: Chain,
  server: ServerMetadata,
  settings: AuthSettings,
  redirectUri: string,
  tried: Tried,
): Promise<ClientRecord> {
  const { issuer } = server;
  const { store, now } = chain.doors;
  const byHand = clientByHand(chain, server, settings);
  if (byHand !== undefined) return byHand;
  const { clientMetadataUrl } = settings;
  const { client_id_metadata_document_supported: takesDocument = false } = server;
  if (clientMetadataUrl !== undefined && takesDocument && tried.isDocumentBad !== true) {
    const flaw = documentUrlFlaw(clientMetadataUrl);
    chain.begin();
    if (flaw === undefined) {
      chain.judge('registration', 'used', `client ID metadata document ${clientMetadataUrl}`);
      const source = 'metadata-document';
      return { issuer, id: clientMetadataUrl, method: 'none', source, redirectUri };
    }
    chain.judge('registration', 'refused', `${clientMetadataUrl}: ${flaw}`);
  }
  const kept = await store.client(issuer);
  if (kept !== undefined && isUsable(kept, redirectUri, now())) {
    chain.begin();
    chain.judge('registration', 'used', `registered before as ${kept.id}`);
    return kept;
  }
  const client = await register(chain, server, settings, redirectUri);
  await store.saveClient(client);
  return client;
}

/** What the user has registered belongs to one authorization server, and is shown to no other one. */
export function clientByHand(
  chain: Chain,
  server: ServerMetadata,
  { client }: AuthSettings,
): ClientRecord | undefined {
  if (client === undefined) return undefined;
  const { issuer } = server;
  chain.begin();
  if (client.issuer !== undefined && client.issuer !== issuer) {
    chain.judge('registration', 'refused', `client ${client.id} is of ${client.issuer}`);
    throw new AppError({
      code: 'auth-registration',
      message: `The client ${client.id} is registered with ${client.issuer}, but this server is authorized by ${issuer}.`,
      advice: 'It is not used there. Register a client with the new authorization server.',
    });
  }
  chain.judge('registration', 'used', `client ${client.id}, given by the user`);
  const means = {
    hasSecret: client.secret !== undefined,
    hasKey: client.privateKeyPem !== undefined,
  };
  return {
    issuer,
    id: client.id,
    method: chooseMethod(server, means),
    source: 'by-hand',
    ...(client.secret === undefined ? {} : { secret: client.secret }),
  };
}

/** Says why a client ID metadata document cannot have this URL. */
function documentUrlFlaw(url: string): string | undefined {
  if (!URL.canParse(url)) return 'it is no URL';
  const { protocol, pathname, hash, username, password } = new URL(url);
  if (protocol !== 'https:') return 'it is not HTTPS';
  if (pathname === '/') return 'it has no path';
  if (hash !== '') return 'it has a fragment';
  return username === '' && password === '' ? undefined : 'it holds a user name or password';
}

function isUsable({ redirectUri, secretExpiresAt }: ClientRecord, uri: string, now: number) {
  return redirectUri === uri && (secretExpiresAt === undefined || secretExpiresAt > now);
}

/** Dynamic registration (RFC 7591). Without `scope`, to which some servers would hold us for ever. */
async function register(
  chain: Chain,
  server: ServerMetadata,
  settings: AuthSettings,
  redirectUri: string,
): Promise<ClientRecord> {
  const { issuer, registration_endpoint: endpoint } = server;
  if (endpoint === undefined) {
    throw new AppError({
      code: 'auth-registration',
      message: `${issuer} registers no clients by itself.`,
      advice: `Register one there with the redirect URI ${redirectUri}, and enter its id and secret under Authorization.`,
    });
  }
  const supported = server.token_endpoint_auth_methods_supported ?? ['none'];
  const asked = supported.includes('none')
    ? 'none'
    : chooseMethod(server, { hasSecret: true, hasKey: false });
  const types = applicationTypes(redirectUri, settings);
  for (const [index, type] of types.entries()) {
    const reply = await sendRegistration(chain, server, clientMetadata([redirectUri], type, asked));
    const { httpId, status, text } = reply;
    // 201 is right; some say 200.
    const json = readJsonObject({ ...reply, status: status === 201 ? 200 : status });
    const id = typeof json === 'string' ? undefined : json['client_id'];
    if (typeof json !== 'string' && typeof id === 'string' && id !== '') {
      const client = readClient(chain, { issuer, id, json, asked, httpId });
      chain.judge('registration', 'used', `registered as ${id}`, httpId);
      return { ...client, redirectUri };
    }
    const why = typeof json === 'string' ? json : 'names no client_id';
    if (index + 1 < types.length && /"invalid_(redirect_uri|client_metadata)"/.test(text)) {
      chain.judge('registration', 'passed-over', `${why}, as a ${type} client`, httpId);
      continue;
    }
    chain.judge('registration', 'refused', why, httpId);
    throw new AppError({
      code: 'auth-registration',
      message: `${issuer} did not register us: ${why}.`,
      advice: `Register a client by hand with the redirect URI ${redirectUri}, and enter its id under Authorization.`,
      // What a 2xx holds may be worth stealing, so it is not quoted.
      ...(status < 300 || text === '' ? {} : { detail: excerpt(text) }),
    });
  }
  throw new Error('the last type ends in a client or an error');
}

/**
 * Web clients have HTTPS redirects, native ones loopback or schemes of their own (OpenID Connect Dynamic Client
 * Registration 1.0, 2). Which of them an extension is, servers see differently, so the other one is tried too.
 */
function applicationTypes(
  redirectUri: string,
  { applicationType }: AuthSettings,
): ('native' | 'web')[] {
  if (applicationType !== undefined) return [applicationType];
  return redirectUri.startsWith('https:') ? ['web', 'native'] : ['native', 'web'];
}

async function sendRegistration(
  chain: Chain,
  server: ServerMetadata,
  metadata: ClientMetadata,
): Promise<AuthReply> {
  const sent = recordedFetch(chain, 'registration');
  await oauth.dynamicClientRegistrationRequest({ ...server }, metadata, {
    [oauth.customFetch]: sent.fetch,
    [oauth.allowInsecureRequests]: true,
  });
  return sent.reply();
}

/** Only the id is needed; all else may be odd (RFC 7591, 3.2.1). */
function readClient(
  chain: Chain,
  answer: {
    issuer: string;
    id: string;
    json: Record<string, unknown>;
    asked: ClientMethod;
    httpId: string;
  },
): ClientRecord {
  const { issuer, id, json, asked, httpId } = answer;
  const secret = typeof json['client_secret'] === 'string' ? json['client_secret'] : undefined;
  const named = json['token_endpoint_auth_method'];
  let method = isMethod(named) ? named : asked;
  const needsSecret = method === 'client_secret_basic' || method === 'client_secret_post';
  if (method === 'private_key_jwt' || (needsSecret && secret === undefined)) {
    const fallback = secret === undefined ? 'none' : 'client_secret_basic';
    const reason = `registered for ${method}, without what that takes; ${fallback} is used`;
    chain.judge('registration', 'noted', reason, httpId);
    method = fallback;
  }
  const expires = json['client_secret_expires_at'];
  return {
    issuer,
    id,
    method,
    source: 'registered',
    ...(secret === undefined ? {} : { secret }),
    ...(typeof expires === 'number' && expires > 0 ? { secretExpiresAt: expires * 1000 } : {}),
  };
}

function isMethod(value: unknown): value is ClientMethod {
  return typeof value === 'string' && METHODS.includes(value);
}
