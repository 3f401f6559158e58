/** How tokens for a server are got, as its profile says. Secrets in it are never stored on disk. */
export interface AuthSettings {
  /** How a token is asked for; with `authorization-code` the user logs in. */
  grant: 'authorization-code' | 'client-credentials' | 'enterprise-managed' | 'workload-identity';
  /** No token is asked for, and none is sent: what the headers of the profile say stands alone. */
  isOff?: true;
  /** Tokens outlive the browser, on disk; otherwise they are held in memory. */
  keepOnDisk?: true;
  /** Where the authorization server redirects to; absent means the browser's own address for extensions. */
  redirect?: 'loopback';
  /** A client that the user has registered with the authorization server. */
  client?: HandClient;
  /** Where our client ID metadata document is hosted; its URL is the client id then. */
  clientMetadataUrl?: string;
  /** Scopes to ask for, separated by spaces, in place of what the server proposes. */
  scope?: string;
  /** What dynamic registration calls us (OpenID Connect Dynamic Client Registration 1.0, 2). */
  applicationType?: 'native' | 'web';
  /** Who vouches for the user, with `enterprise-managed`. */
  identityProvider?: IdentityProvider;
  /** The JWT that vouches for the workload, with `workload-identity`. */
  workloadToken?: string;
}

/** A client with an id of its own, given by the user. */
export interface HandClient {
  id: string;
  /** Where it is registered; it is used with no other one. Absent where the user did not say. */
  issuer?: string;
  secret?: string;
  /** PKCS #8 in PEM, for `private_key_jwt`. */
  privateKeyPem?: string;
  /** The algorithm that the key signs with; `ES256` where absent. */
  algorithm?: string;
}

export interface IdentityProvider {
  issuer: string;
  tokenEndpoint: string;
  clientId: string;
  clientSecret?: string;
  /** The ID token of the user, of this provider. */
  idToken: string;
}
