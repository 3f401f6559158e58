import { AppError, toProblem } from '../errors.ts';
import type { AuthReason } from '../capture/auth-fact.ts';
import type { AuthSettings } from '../capture/auth-settings.ts';
import type { AuthDoors } from './auth-doors.ts';
import { createChain, type Chain } from './chain.ts';
import { isClientRefused, logIn } from './consent.ts';
import type { ClientRecord, Credential } from './credentials.ts';
import { getMachineToken } from './machine-grants.ts';
import { readChallenge, type AuthChallenge } from './read-challenge.ts';
import { findClient, type Tried } from './registration.ts';
import { canonicalResource, decide, findResource, type Resource } from './resource-metadata.ts';
import { revoke } from './revocation.ts';
import { urlRefusal } from './safe-url.ts';
import { chooseScopes, covers, withOfflineAccess } from './scopes.ts';
import { defaultServer, findServer, type ServerMetadata } from './server-metadata.ts';
import { refresh, TokenRefusal } from './token.ts';

/** One authorization to go through. Plain data, so that it may come over a port. */
export interface AuthTask {
  /** A name that no other chain has. */
  chain: string;
  /** What the user connects to. */
  serverUrl: string;
  settings: AuthSettings;
  reason: AuthReason;
  /** `WWW-Authenticate`, all lines of it. */
  challenge: string[];
}

/** Everything that gets tokens. A module graph of its own behind this one interface. */
export interface AuthEngine {
  /** Goes through an authorization; the store holds its credential then. Rejects with an `AppError`. */
  authorize(task: AuthTask): Promise<void>;
  /** Forgets a credential, and tells the authorization server so where that can be told (RFC 7009). */
  signOut(chain: string, serverUrl: string, settings: AuthSettings): Promise<void>;
}

/** What one chain has found out before it asks for a token. */
interface Found {
  chain: Chain;
  task: AuthTask;
  challenge: AuthChallenge;
  resource: Resource;
  server: ServerMetadata;
  held: Credential | undefined;
  scopes: string[];
}

/** An engine over these doors. It remembers nothing itself. */
export function createAuthEngine(doors: AuthDoors): AuthEngine {
  return {
    async authorize(task) {
      const { chain: id, reason, serverUrl } = task;
      const chain = createChain(doors, id, serverUrl);
      doors.record(id, { kind: 'auth-started', chain: id, reason, url: { text: serverUrl } });
      try {
        await store(chain, await getCredential(await find(chain, task)));
        doors.record(id, { kind: 'auth-ended', chain: id, outcome: 'authorized' });
      } catch (error) {
        const problem = toProblem(error);
        doors.record(id, { kind: 'auth-ended', chain: id, outcome: 'failed', problem });
        throw error instanceof AppError ? error : new AppError(problem, { cause: error });
      }
    },
    async signOut(id, serverUrl, settings) {
      const chain = createChain(doors, id, serverUrl);
      const started = { kind: 'auth-started', chain: id, reason: 'sign-out' } as const;
      doors.record(id, { ...started, url: { text: serverUrl } });
      const held = await doors.store.find(serverUrl);
      if (held !== undefined) {
        await revoke(chain, held, settings);
        await drop(chain, held, 'signed out');
      }
      doors.record(id, { kind: 'auth-ended', chain: id, outcome: 'signed-out' });
    },
  };
}

/** Where tokens come from: always found anew, since a server may have moved to another authorization server. */
async function find(chain: Chain, task: AuthTask): Promise<Found> {
  const { serverUrl, settings } = task;
  const challenge = readChallenge(task.challenge);
  chain.begin();
  chain.judge('challenge', 'used', wordsOf(challenge));
  const resource = (await findResource(chain, challenge.metadataUrls)) ?? legacyResource(serverUrl);
  const server = await chooseServer(chain, resource, settings);
  let held = await chain.doors.store.find(serverUrl);
  if (held !== undefined && held.issuer !== server.issuer) {
    await drop(chain, held, `the authorization server changed to ${server.issuer}`);
    held = undefined;
  }
  const scopes = chooseScopes({
    wanted: settings.scope,
    challenged: challenge.scopes,
    ofResource: resource.scopes,
    before: held?.requestedScopes ?? [],
  });
  return { chain, task, challenge, resource, server, held, scopes };
}

/** Before there was metadata of resources, a server was its own authorization server (2025-03-26). */
function legacyResource(serverUrl: string): Resource & { isLegacy: true } {
  const { origin } = new URL(serverUrl);
  const resource = canonicalResource(serverUrl);
  return { resource, servers: [origin], needsDpop: false, isLegacy: true };
}

async function chooseServer(
  chain: Chain,
  resource: Resource & { isLegacy?: true },
  settings: AuthSettings,
): Promise<ServerMetadata> {
  const needsCode = settings.grant === 'authorization-code';
  const { servers } = resource;
  // A client by hand says which of them is meant.
  const wanted = settings.client?.issuer;
  const ordered = wanted !== undefined && servers.includes(wanted) ? [wanted] : servers;
  for (const issuer of ordered) {
    const refusal = resource.isLegacy === true ? undefined : urlRefusal(issuer, chain.serverUrl);
    if (refusal !== undefined) {
      chain.begin();
      chain.judge('server-metadata', 'refused', `${issuer}: ${refusal}`);
      continue;
    }
    const server = await findServer(chain, issuer, needsCode);
    if (server !== undefined) return server;
    if (resource.isLegacy === true) {
      chain.judge('server-metadata', 'noted', `no metadata: the default endpoints of ${issuer}`);
      return defaultServer(issuer);
    }
  }
  throw new AppError({
    code: 'auth-discovery',
    message: `No metadata of the authorization server was found: ${ordered.join(', ')}.`,
    advice:
      'It has to publish it at /.well-known/oauth-authorization-server or /.well-known/openid-configuration (RFC 8414). The steps show what was tried.',
  });
}

async function getCredential(found: Found): Promise<Credential> {
  const { chain, task, server, resource, held, scopes } = found;
  const { settings, reason } = task;
  checkStepUp(found);
  if (settings.grant !== 'authorization-code') {
    return getMachineToken({ chain, server, settings, resource: resource.resource, scopes });
  }
  const canRefresh = held?.refreshToken !== undefined && held.resource === resource.resource;
  // A refresh cannot widen scopes.
  if (held !== undefined && canRefresh && reason === 'authorization') {
    if (covers(held.requestedScopes, scopes)) {
      const refreshed = await tryRefresh(found, held);
      if (refreshed !== undefined) return refreshed;
    }
  }
  return logInSomehow(found, {});
}

/** What was asked for already, and is not enough, would not be enough the next time. */
function checkStepUp({ task, held, scopes, challenge }: Found): void {
  if (task.reason !== 'step-up' || held === undefined) return;
  if (!covers(held.requestedScopes, scopes)) return;
  const asked = challenge.scopes.length === 0 ? 'it does not name' : challenge.scopes.join(' ');
  throw new AppError({
    code: 'auth-scope',
    message: `The server wants a scope ${challenge.scopes.length === 0 ? asked : `that was asked for already: ${asked}`}.`,
    advice:
      'Asking again would change nothing. The server should name the scopes that are missing in its challenge (`scope`), and the authorization server has to grant them.',
    answer: { status: 403 },
  });
}

/** `undefined` where the refresh token is no use any more; a failure of the network rejects, and costs nothing. */
async function tryRefresh(found: Found, held: Credential): Promise<Credential | undefined> {
  const { chain, task, server, resource } = found;
  const client = await clientOf(found, held);
  try {
    const { dpopKey } = held;
    return await refresh(
      {
        chain,
        server,
        client,
        settings: task.settings,
        resource: resource.resource,
        scopes: held.requestedScopes,
        ...(dpopKey === undefined ? {} : { dpopKey }),
      },
      held,
    );
  } catch (error) {
    if (!(error instanceof TokenRefusal)) throw error;
    await drop(chain, held, `refresh refused: ${error.error}`);
    return undefined;
  }
}

/** Who asked for the token that is held. */
async function clientOf({ chain, task, server }: Found, held: Credential): Promise<ClientRecord> {
  const { settings } = task;
  const isByHand = settings.client?.id === held.clientId;
  const kept = isByHand ? undefined : await chain.doors.store.client(server.issuer);
  if (kept?.id === held.clientId) return kept;
  const redirectUri = await chain.doors.redirectUri();
  return findClient(chain, server, settings, redirectUri, {});
}

/** Lets the user log in; where the way we are registered is no use, another way is tried, once. */
async function logInSomehow(found: Found, tried: Tried): Promise<Credential> {
  const { chain, task, server, resource, challenge, scopes } = found;
  const { store, redirectUri: ask } = chain.doors;
  const redirectUri = await ask();
  const client = await findClient(chain, server, task.settings, redirectUri, tried);
  try {
    return await logIn({
      chain,
      server,
      client,
      settings: task.settings,
      resource: resource.resource,
      scopes: withOfflineAccess(scopes, server.scopes_supported),
      redirectUri,
      wantsDpop: challenge.wantsDpop || resource.needsDpop,
    });
  } catch (error) {
    const { issuer } = server;
    if (
      client.source === 'registered' &&
      isClientRefused(error) &&
      tried.isRegistrationBad !== true
    ) {
      await store.dropClient(issuer);
      return logInSomehow(found, { ...tried, isRegistrationBad: true });
    }
    const isAbandoned = toProblem(error).code === 'auth-closed' || isClientRefused(error);
    const isDocument = client.source === 'metadata-document' && isAbandoned;
    if (!isDocument || server.registration_endpoint === undefined) throw error;
    // The server fetches our document behind the page that the user sees, so only the user knows.
    if (!(await decide(chain, { kind: 'register-instead', issuer }))) throw error;
    return logInSomehow(found, { ...tried, isDocumentBad: true });
  }
}

async function store(chain: Chain, credential: Credential): Promise<void> {
  const { doors, id, serverUrl } = chain;
  const { accessToken, issuer, resource, grantedScopes, expiresAt } = credential;
  await doors.keepSecret(accessToken);
  if (credential.refreshToken !== undefined) await doors.keepSecret(credential.refreshToken);
  await doors.store.save(serverUrl, credential);
  doors.record(id, {
    kind: 'auth-credential',
    chain: id,
    change: 'stored',
    secret: accessToken,
    issuer,
    resource,
    scopes: grantedScopes,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
}

async function drop(chain: Chain, held: Credential, reason: string): Promise<void> {
  const { doors, id, serverUrl } = chain;
  const { accessToken, issuer, resource } = held;
  await doors.store.drop(serverUrl);
  const dropped = { kind: 'auth-credential', chain: id, change: 'dropped' } as const;
  doors.record(id, { ...dropped, secret: accessToken, issuer, resource, reason });
}

function wordsOf({ metadataUrls, scopes, error, description, wantsDpop }: AuthChallenge): string {
  const parts = [
    error,
    description,
    scopes.length === 0 ? undefined : `scope ${scopes.join(' ')}`,
    metadataUrls.length === 0 ? 'names no metadata' : undefined,
    wantsDpop ? 'wants DPoP' : undefined,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}
