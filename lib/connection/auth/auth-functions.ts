import { clientDocument } from '../../auth/client-metadata.ts';
import type { ClientRecord, Credential } from '../../auth/credentials.ts';
import type { AuthSettings } from '../../capture/auth-settings.ts';
import type { WireFact } from '../../capture/wire-event.ts';
import type { AuthFunctions, HeldCredential, RegisteredClient } from '../../port/contract.ts';
import type { AuthAsks } from './auth-asks.ts';
import type { AuthHost } from './auth-host.ts';
import { jwtOf } from './jwt.ts';

export interface AuthFunctionsContext {
  asks: AuthAsks;
  host: AuthHost;
  /** The URL that the tokens of a connection are for; empty where there is no such connection. */
  serverOf(connectionId: string): string;
  /** The newest connection to a server, and how its tokens are got. */
  newest(serverUrl: string): { connectionId: string; settings: AuthSettings };
  fingerprint(secret: string): string;
  record(fact: WireFact): void;
  now(): number;
}

/** What pages can ask about authorizations and tokens. */
export function createAuthFunctions(context: AuthFunctionsContext): AuthFunctions {
  const { asks, host, serverOf, fingerprint } = context;
  const { credentials } = host;
  const { store } = credentials;
  const redirectUris = async () => {
    const [identity, loopback] = await Promise.all([
      host.redirectUri(undefined),
      host.redirectUri('loopback'),
    ]);
    return { identity, loopback };
  };

  async function list(serverUrl: string, held: Credential): Promise<HeldCredential> {
    const { issuer, resource, clientId, tokenType, accessToken, expiresAt } = held;
    const { requestedScopes, grantedScopes, obtainedAt, refreshToken, isOnDisk = false } = held;
    const jwt = jwtOf(accessToken);
    const isRegistered = (await store.client(issuer))?.id === clientId;
    const clientSource = URL.canParse(clientId) ? 'metadata-document' : 'by-hand';
    return {
      serverUrl,
      issuer,
      resource,
      clientId,
      clientSource: isRegistered ? 'registered' : clientSource,
      tokenType,
      requestedScopes,
      grantedScopes,
      obtainedAt,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      fingerprint: fingerprint(accessToken),
      hasRefreshToken: refreshToken !== undefined,
      isOnDisk,
      ...(jwt === undefined ? {} : { jwt }),
    };
  }

  return {
    async authAnswer(connectionId, answer) {
      asks.answer(serverOf(connectionId), ['permission', 'decision'], answer);
    },
    async authGoOn(connectionId) {
      asks.answer(serverOf(connectionId), ['interrupted'], true);
    },
    async authStop(connectionId) {
      asks.stop(serverOf(connectionId));
    },
    credentials: () => Promise.all(credentials.list.map((held) => list(...held))),
    clients: () => Promise.resolve(credentials.held.clients.map(toRegistered)),
    signOut: (serverUrl) => host.signOut({ serverUrl, ...context.newest(serverUrl) }),
    async forgetCredential(serverUrl) {
      const held = credentials.find(serverUrl);
      if (held === undefined) return;
      await store.drop(serverUrl);
      const { issuer, resource, accessToken: secret } = held;
      const reason = 'forgotten by hand';
      context.record({
        kind: 'auth-credential',
        change: 'dropped',
        secret,
        issuer,
        resource,
        reason,
      });
    },
    expireCredential: (serverUrl) => credentials.expire(serverUrl, context.now()),
    corruptCredential: (serverUrl) => credentials.corrupt(serverUrl),
    forgetClient: (issuer) => store.dropClient(issuer),
    redirectUris,
    async clientMetadata(url) {
      const { identity, loopback } = await redirectUris();
      return clientDocument(url, [identity, loopback]);
    },
  };
}

function toRegistered(client: ClientRecord): RegisteredClient {
  const { issuer, id, secret, redirectUri, secretExpiresAt } = client;
  return {
    issuer,
    clientId: id,
    hasSecret: secret !== undefined,
    ...(redirectUri === undefined ? {} : { redirectUri }),
    ...(secretExpiresAt === undefined ? {} : { secretExpiresAt }),
  };
}
