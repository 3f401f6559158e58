import { AppError } from '../errors.ts';
import type { AuthSettings } from '../capture/auth-settings.ts';
import type { Chain } from './chain.ts';
import type { Credential } from './credentials.ts';
import type { AuthTask } from './engine.ts';
import { dropCredential } from './kept.ts';
import type { AuthChallenge } from './read-challenge.ts';
import { canonicalResource, findResource, type Resource } from './resource-metadata.ts';
import { urlRefusal } from './safe-url.ts';
import { chooseScopes } from './scopes.ts';
import { defaultServer, findServer, type ServerMetadata } from './server-metadata.ts';

/** What a chain has found out before it asks for a token. */
export interface Found {
  chain: Chain;
  task: AuthTask;
  server: ServerMetadata;
  /** To the letter of its metadata. */
  resource: string;
  held: Credential | undefined;
  /** What to ask for. */
  scopes: string[];
  /** What the challenge names. */
  challenged: string[];
  wantsDpop: boolean;
}

/** How a resource was found: by its metadata, by what is held, or because there is none. */
type Source = 'metadata' | 'held' | 'legacy';

/** Finds out where tokens come from. Always anew, since a server may have moved to another authorization server. */
export async function findAuthorizer(
  chain: Chain,
  task: AuthTask,
  challenge: AuthChallenge,
): Promise<Found> {
  const { serverUrl, settings } = task;
  chain.begin();
  chain.judge('challenge', 'used', wordsOf(challenge));
  let held = await chain.doors.store.find(serverUrl);
  const { resource, source } = await findSource(chain, challenge, held);
  const server = await chooseServer(chain, resource, source, { settings, held });
  if (held !== undefined && held.issuer !== server.issuer) {
    mayMove(held, server, settings);
    await dropCredential(chain, held, `the authorization server changed to ${server.issuer}`);
    held = undefined;
  }
  return {
    chain,
    task,
    server,
    resource: resource.resource,
    held,
    scopes: chooseScopes({
      wanted: settings.scope,
      challenged: challenge.scopes,
      ofResource: resource.scopes,
      before: held?.requestedScopes ?? [],
      isStepUp: task.reason === 'step-up',
    }),
    challenged: challenge.scopes,
    wantsDpop: challenge.wantsDpop || resource.needsDpop,
  };
}

async function findSource(
  chain: Chain,
  challenge: AuthChallenge,
  held: Credential | undefined,
): Promise<{ resource: Resource; source: Source }> {
  const resource = await findResource(chain, challenge.metadataUrls, held?.resource);
  if (resource !== undefined) return { resource, source: 'metadata' };
  if (held !== undefined) {
    chain.judge('resource-metadata', 'noted', `none now: ${held.issuer} as before`);
    const needsDpop = held.tokenType === 'dpop';
    const before = { resource: held.resource, servers: [held.issuer], needsDpop };
    return { resource: before, source: 'held' };
  }
  mustBeReachable(chain);
  // Before there was metadata of resources, a server was its own authorization server (2025-03-26).
  const { origin } = new URL(chain.serverUrl);
  const own = canonicalResource(chain.serverUrl);
  return { resource: { resource: own, servers: [origin], needsDpop: false }, source: 'legacy' };
}

async function chooseServer(
  chain: Chain,
  { servers }: Resource,
  source: Source,
  { settings, held }: Pick<AuthTask, 'settings'> & { held: Credential | undefined },
): Promise<ServerMetadata> {
  const needsCode = settings.grant === 'authorization-code';
  // A client by hand says which of them is meant.
  const wanted = settings.client?.issuer;
  const ordered = wanted !== undefined && servers.includes(wanted) ? [wanted] : [...servers];
  // The one that a token is held of goes first, as long as it is listed.
  ordered.sort((one, other) => Number(other === held?.issuer) - Number(one === held?.issuer));
  for (const issuer of ordered) {
    const refusal = source === 'legacy' ? undefined : urlRefusal(issuer, chain.serverUrl);
    if (refusal !== undefined) {
      chain.begin();
      chain.judge('server-metadata', 'refused', `${issuer}: ${refusal}`);
      continue;
    }
    const server = await findServer(chain, issuer, needsCode);
    if (server !== undefined) return server;
    if (held?.issuer === issuer) {
      chain.judge('server-metadata', 'noted', `none now: the endpoints of ${issuer} as before`);
      return held.server;
    }
  }
  mustBeReachable(chain);
  const [issuer = ''] = ordered;
  if (source === 'legacy') {
    chain.judge('server-metadata', 'noted', `no metadata: the default endpoints of ${issuer}`);
    return defaultServer(issuer);
  }
  throw new AppError({
    code: 'auth-discovery',
    message: `No metadata of the authorization server was found: ${ordered.join(', ')}.`,
    advice:
      'It has to publish it at /.well-known/oauth-authorization-server or /.well-known/openid-configuration (RFC 8414). The steps show what was tried.',
  });
}

/** A client by hand is shown to the authorization server that it was first used with, and to no other one. */
function mayMove(held: Credential, { issuer }: ServerMetadata, { client }: AuthSettings): void {
  if (client === undefined || client.issuer !== undefined) return;
  throw new AppError({
    code: 'auth-registration',
    message: `The client ${client.id} was used with ${held.issuer}, but this server is authorized by ${issuer} now.`,
    advice:
      'It is not used there by itself. Register a client with the new authorization server, and enter it together with its issuer.',
  });
}

/** Where a place could not be asked, nobody knows that there is no metadata. */
function mustBeReachable({ failures }: Chain): void {
  const [problem] = failures;
  if (problem !== undefined) throw new AppError(problem);
}

function wordsOf({ metadataUrls, scopes, error, description, wantsDpop }: AuthChallenge): string {
  const parts = [
    error,
    description,
    scopes.length === 0 ? undefined : `scope ${scopes.join(' ')}`,
    metadataUrls.length === 0 ? 'names no metadata' : undefined,
    wantsDpop ? 'wants DPoP' : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'names where the metadata is' : parts.join('; ');
}
