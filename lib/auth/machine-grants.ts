import * as oauth from 'oauth4webapi';
import { AppError } from '../errors.ts';
import type { AuthSettings } from '../capture/auth-settings.ts';
import type { Chain } from './chain.ts';
import { clientByHand } from './registration.ts';
import type { ClientRecord, Credential } from './credentials.ts';
import type { DpopKey } from './dpop.ts';
import { urlRefusal } from './safe-url.ts';
import type { ServerMetadata } from './server-metadata.ts';
import { requestToken } from './token.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

/** What a grant without a user needs. */
export interface MachineContext {
  chain: Chain;
  server: ServerMetadata;
  settings: AuthSettings;
  resource: string;
  scopes: readonly string[];
  /** Where the token is to be bound to a key. */
  dpopKey?: DpopKey;
}

/** Gets a token in a way in which nobody is asked. What is refused is not tried in another way. */
export async function getMachineToken(context: MachineContext): Promise<Credential> {
  const { chain, server, settings, scopes } = context;
  const client = clientByHand(chain, server, settings);
  if (client === undefined) throw missing('the client that is registered there');
  const token = { ...context, client };
  const scope: Record<string, string> = scopes.length === 0 ? {} : { scope: scopes.join(' ') };
  switch (settings.grant) {
    case 'authorization-code':
    case 'client-credentials':
      return requestToken(token, 'token', (as, library, authentication, options) =>
        oauth.clientCredentialsGrantRequest(
          as,
          library,
          authentication,
          { resource: context.resource, ...scope },
          options,
        ),
      );
    case 'enterprise-managed':
    case 'workload-identity': {
      const assertion =
        settings.grant === 'workload-identity'
          ? settings.workloadToken
          : await exchangeIdToken(context);
      if (assertion === undefined) throw missing('the JWT of the workload');
      return requestToken(token, 'token', (as, library, authentication, options) =>
        oauth.genericTokenEndpointRequest(
          as,
          library,
          authentication,
          JWT_BEARER,
          // Without authentication, too, the server is told who asks.
          { client_id: client.id, assertion, resource: context.resource, ...scope },
          options,
        ),
      );
    }
  }
}

/** The user's ID token for an assertion that the authorization server takes (RFC 8693; SEP-990). */
async function exchangeIdToken({
  chain,
  server,
  settings,
  resource,
  scopes,
}: MachineContext): Promise<string> {
  const provider = settings.identityProvider;
  if (provider === undefined) throw missing('the identity provider and its ID token');
  const { issuer, tokenEndpoint, clientId, clientSecret, idToken } = provider;
  const refusal = urlRefusal(tokenEndpoint, chain.serverUrl);
  if (refusal !== undefined) {
    chain.begin();
    chain.judge('token', 'refused', `${tokenEndpoint}: ${refusal}`);
    throw missing('a token endpoint of the identity provider that may be used');
  }
  const client: ClientRecord = {
    issuer,
    id: clientId,
    source: 'by-hand',
    ...(clientSecret === undefined
      ? { method: 'none' }
      : { method: 'client_secret_basic', secret: clientSecret }),
  };
  const atProvider = { issuer, token_endpoint: tokenEndpoint };
  const exchanged = await requestToken(
    { chain, server: atProvider, client, settings, resource, scopes },
    'token',
    (as, library, authentication, options) =>
      oauth.genericTokenEndpointRequest(
        as,
        library,
        authentication,
        TOKEN_EXCHANGE,
        {
          requested_token_type: ID_JAG,
          audience: server.issuer,
          resource,
          subject_token: idToken,
          subject_token_type: ID_TOKEN,
          ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
        },
        options,
      ),
    // What comes is an assertion, and no token of any type (RFC 8693, 2.2.1).
    { n_a: () => undefined },
  );
  return exchanged.accessToken;
}

function missing(what: string): AppError {
  return new AppError({
    code: 'auth-registration',
    message: `This way of getting a token needs ${what}.`,
    advice: 'Enter it under Authorization.',
  });
}
