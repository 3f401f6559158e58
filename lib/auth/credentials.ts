import type { AuthStore } from './auth-doors.ts';
import type { LoginAttempt } from './consent.ts';
import type { DpopKey } from './dpop.ts';
import type { ServerMetadata } from './server-metadata.ts';

/** A token for one resource, of one authorization server. */
export interface Credential {
  issuer: string;
  /** As the metadata of the resource says it, to the letter. */
  resource: string;
  clientId: string;
  tokenType: 'bearer' | 'dpop';
  accessToken: string;
  refreshToken?: string;
  requestedScopes: string[];
  /** What the server granted; as requested where it did not say. */
  grantedScopes: string[];
  /** Wall time, ms. */
  obtainedAt: number;
  /** Wall time, ms; absent where the server did not say. */
  expiresAt?: number;
  /** The key that a `dpop` token is bound to. */
  dpopKey?: DpopKey;
  /** It outlives the browser. */
  isOnDisk?: true;
  /** Where it came from, for refreshing and revoking it. */
  server: ServerMetadata;
}

/** How a client proves who it is at the token endpoint. */
export type ClientMethod =
  | 'none'
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt';

/** Who we are to one authorization server. */
export interface ClientRecord {
  issuer: string;
  id: string;
  secret?: string;
  method: ClientMethod;
  source: 'by-hand' | 'metadata-document' | 'registered';
  /** What it was registered with. */
  redirectUri?: string;
  /** Wall time, ms. */
  secretExpiresAt?: number;
}

/** What is held, as plain data. */
export interface HeldCredentials {
  credentials: Credential[];
  /** Which credential a server URL goes with: the key of it. */
  bindings: [serverUrl: string, key: string][];
  clients: ClientRecord[];
  /** Logins that wait for their user. */
  attempts: LoginAttempt[];
}

/** Credentials in memory, by issuer and resource; clients by issuer. */
export interface Credentials {
  find(serverUrl: string): Credential | undefined;
  /** Makes a token look expired, so that the next request refreshes it. */
  expire(serverUrl: string, now: number): Promise<void>;
  /** Breaks a token, so that the next request is answered 401. */
  corrupt(serverUrl: string): Promise<void>;
  readonly held: HeldCredentials;
  /** Every server that a credential is held for. */
  readonly list: [serverUrl: string, credential: Credential][];
  /** For chains. */
  store: AuthStore;
}

/** `changed` is called after every change, and waited for. */
export function createCredentials(
  held?: HeldCredentials,
  changed: (held: HeldCredentials) => Promise<void> = () => Promise.resolve(),
): Credentials {
  const credentials = new Map(held?.credentials.map((each) => [keyOf(each), each]));
  const bindings = new Map(held?.bindings);
  const clients = new Map(held?.clients.map((client) => [client.issuer, client]));
  const attempts = new Map(held?.attempts.map((attempt) => [attempt.serverUrl, attempt]));

  const all = (): HeldCredentials => ({
    credentials: [...credentials.values()],
    bindings: [...bindings],
    clients: [...clients.values()],
    attempts: [...attempts.values()],
  });

  function find(serverUrl: string): Credential | undefined {
    return credentials.get(bindings.get(serverUrl) ?? '');
  }

  /** Puts a credential in place of the one that is held. */
  function change(serverUrl: string, edit: (old: Credential) => Credential): Promise<void> {
    const old = find(serverUrl);
    if (old !== undefined) credentials.set(keyOf(old), edit(old));
    return changed(all());
  }

  return {
    find,
    expire: (serverUrl, now) => change(serverUrl, (old) => ({ ...old, expiresAt: now })),
    corrupt: (serverUrl) =>
      change(serverUrl, (old) => ({ ...old, accessToken: `${old.accessToken.slice(0, -4)}oops` })),
    get held() {
      return all();
    },
    get list() {
      return [...bindings].flatMap(([serverUrl, key]): [string, Credential][] => {
        const credential = credentials.get(key);
        return credential === undefined ? [] : [[serverUrl, credential]];
      });
    },
    store: {
      find: (serverUrl) => Promise.resolve(find(serverUrl)),
      save(serverUrl, credential) {
        const key = keyOf(credential);
        credentials.set(key, credential);
        bindings.set(serverUrl, key);
        return changed(all());
      },
      drop(serverUrl) {
        credentials.delete(bindings.get(serverUrl) ?? '');
        bindings.delete(serverUrl);
        return changed(all());
      },
      client: (issuer) => Promise.resolve(clients.get(issuer)),
      saveClient(client) {
        clients.set(client.issuer, client);
        return changed(all());
      },
      dropClient(issuer) {
        clients.delete(issuer);
        return changed(all());
      },
      attempt: (serverUrl) => Promise.resolve(attempts.get(serverUrl)),
      saveAttempt(attempt) {
        attempts.set(attempt.serverUrl, attempt);
        return changed(all());
      },
      dropAttempt(serverUrl) {
        attempts.delete(serverUrl);
        return changed(all());
      },
    },
  };
}

/** What may outlive the browser: credentials that are to, with the clients that they were issued to. */
export function onDisk(held: HeldCredentials): HeldCredentials {
  const credentials = held.credentials.filter(({ isOnDisk }) => isOnDisk);
  const keys = new Set(credentials.map(keyOf));
  const issuers = new Set(credentials.map(({ issuer }) => issuer));
  return {
    credentials,
    bindings: held.bindings.filter(([, key]) => keys.has(key)),
    clients: held.clients.filter(({ issuer }) => issuers.has(issuer)),
    attempts: [],
  };
}

function keyOf({ issuer, resource }: Credential): string {
  return JSON.stringify([issuer, resource]);
}
