import type { ClientMethod } from './credentials.ts';

/** Name under which people see us on the consent page. */
const CLIENT_NAME = 'Wirescope';

/** What a client says of itself, by the names of RFC 7591. */
export type ClientMetadata = Record<string, string | string[]>;

/** What we say of ourselves, in a registration and in the document that the user may host. */
export function clientMetadata(
  redirectUris: string[],
  applicationType: 'native' | 'web',
  method: ClientMethod,
): ClientMetadata {
  return {
    client_name: CLIENT_NAME,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method,
    application_type: applicationType,
  };
}

/** The client ID metadata document to host at a URL; only there it is good for anything. */
export function clientDocument(url: string, redirectUris: string[]): string {
  // Loopback redirects are for native clients only (OpenID Connect Dynamic Client Registration 1.0, 2).
  const metadata = clientMetadata([...new Set(redirectUris)], 'native', 'none');
  return `${JSON.stringify({ client_id: url, ...metadata }, null, 2)}\n`;
}
