import * as oauth from 'oauth4webapi';
import { AppError } from '../errors.ts';
import type { AuthSettings } from '../capture/auth-settings.ts';
import type { AuthStep } from '../capture/auth-fact.ts';
import { excerpt } from '../protocol/diagnose.ts';
import type { AuthReply } from './auth-doors.ts';
import type { Chain } from './chain.ts';
import { clientAuthentication } from './client-auth.ts';
import type { ClientRecord, Credential } from './credentials.ts';
import { importDpopKey, type DpopKey } from './dpop.ts';
import { recordedFetch } from './recorded-fetch.ts';
import { scopesIn } from './scopes.ts';
import type { ServerMetadata } from './server-metadata.ts';
import { tidyTokenReply, type TidyReply } from './token-reply.ts';

/** The token endpoint said no, in the words of OAuth. */
export class TokenRefusal extends AppError {
  /** Such as `invalid_grant` (RFC 6749, 5.2). */
  readonly error: string;

  constructor(error: string, description: string | undefined, issuer: string) {
    super({
      code: 'auth-token',
      message: `${issuer} gave no token: ${error}${description === undefined ? '' : ` (${description})`}.`,
      advice: adviceFor(error, description),
    });
    this.name = 'TokenRefusal';
    this.error = error;
  }
}

function adviceFor(error: string, description = ''): string {
  // Requests of an extension carry its origin, which servers that know browsers only as web pages may refuse.
  if (/\borigin\b/i.test(description)) {
    return 'Browsers send the origin of the extension along. Allow it for this client at the authorization server (CORS), or register the client as one that runs in a browser.';
  }
  return ADVICE[error] ?? 'The log of the authorization server may say more.';
}

const ADVICE: Record<string, string> = {
  invalid_client: 'The authorization server does not know this client, or not its secret.',
  invalid_grant: 'The code, refresh token or assertion is used up, expired or not for this client.',
  invalid_scope: 'The authorization server does not give the scopes that the server asks for.',
  invalid_target: 'The authorization server does not know the `resource` of the metadata.',
  unauthorized_client: 'This client may not ask for tokens in this way.',
};

/** What every request to a token endpoint goes with. */
export interface TokenContext {
  chain: Chain;
  server: ServerMetadata;
  client: ClientRecord;
  settings: AuthSettings;
  resource: string;
  scopes: readonly string[];
  /** Where the token is to be bound to a key. */
  dpopKey?: DpopKey;
}

export type TokenOptions = oauth.TokenEndpointRequestOptions;

/** Sends one request to a token endpoint. */
type Request = (
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  authentication: oauth.ClientAuth,
  options: TokenOptions,
) => Promise<Response>;

/**
 * Asks for a token and reads the answer. A server that wants a nonce in the proof is asked once more (RFC 9449,
 * 8). Rejects with a `TokenRefusal`, or an `AppError` where the answer says nothing in the words of OAuth.
 */
export async function requestToken(
  context: TokenContext,
  what: AuthStep,
  request: Request,
  recognizedTokenTypes?: oauth.RecognizedTokenTypes,
): Promise<Credential> {
  const { chain, server, client, settings } = context;
  const { keepSecret, now } = chain.doors;
  const library: oauth.Client = { client_id: client.id };
  const authentication = await clientAuthentication(client, settings);
  let tidy: TidyReply | undefined;
  const sent = recordedFetch(chain, 'token', (reply) => {
    tidy = tidyTokenReply(reply);
    return tidy.reply;
  });
  const { dpopKey } = context;
  const options: TokenOptions = {
    [oauth.customFetch]: async (url, init) => {
      await keepSecrets(init.body, keepSecret);
      return sent.fetch(url, init);
    },
    [oauth.allowInsecureRequests]: true,
    additionalParameters: { resource: context.resource },
    ...(dpopKey === undefined ? {} : { DPoP: oauth.DPoP(library, await importDpopKey(dpopKey)) }),
  };
  const process = async () => {
    const response = await request({ ...server }, library, authentication, options);
    return oauth.processGenericTokenEndpointResponse(
      { ...server },
      library,
      response,
      recognizedTokenTypes === undefined ? {} : { recognizedTokenTypes },
    );
  };
  const noteAll = () => {
    for (const note of tidy?.notes ?? []) chain.judge(what, 'noted', note, sent.reply().httpId);
  };
  let token: oauth.TokenEndpointResponse;
  try {
    token = await process().catch((error: unknown) => {
      if (dpopKey === undefined || !oauth.isDPoPNonceError(error)) throw error;
      chain.judge(what, 'passed-over', 'a nonce is asked for', sent.reply().httpId);
      return process();
    });
  } catch (error) {
    noteAll();
    throw refusalOf(error, context, what, tidy === undefined ? undefined : sent.reply());
  }
  const { httpId } = sent.reply();
  noteAll();
  const isBound = token.token_type === 'dpop';
  const requestedScopes = [...context.scopes];
  chain.judge(what, 'used', token.scope === undefined ? 'a token' : `scope ${token.scope}`, httpId);
  return {
    issuer: server.issuer,
    resource: context.resource,
    clientId: client.id,
    tokenType: isBound ? 'dpop' : 'bearer',
    accessToken: token.access_token,
    requestedScopes,
    grantedScopes: token.scope === undefined ? requestedScopes : scopesIn(token.scope),
    obtainedAt: now(),
    server,
    ...(token.refresh_token === undefined ? {} : { refreshToken: token.refresh_token }),
    ...(tidy?.expiresIn === undefined ? {} : { expiresAt: now() + tidy.expiresIn * 1000 }),
    ...(isBound && dpopKey !== undefined ? { dpopKey } : {}),
  };
}

/** Refreshes (RFC 6749, 6). The old refresh token goes on where the server gives no new one. */
export async function refresh(context: TokenContext, held: Credential): Promise<Credential> {
  const { refreshToken = '' } = held;
  const fresh = await requestToken(context, 'refresh', (server, client, authentication, options) =>
    oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, options),
  );
  return {
    refreshToken,
    ...fresh,
    requestedScopes: held.requestedScopes,
    // A server that says nothing grants what it had granted.
    grantedScopes:
      fresh.grantedScopes === fresh.requestedScopes ? held.grantedScopes : fresh.grantedScopes,
  };
}

/** What stands in the body of a request for a token and is worth stealing. */
const SECRET_FIELDS = [
  'code',
  'code_verifier',
  'refresh_token',
  'client_secret',
  'client_assertion',
  'assertion',
  'subject_token',
];

async function keepSecrets(
  body: URLSearchParams,
  keepSecret: (value: string) => Promise<void>,
): Promise<void> {
  for (const name of SECRET_FIELDS) {
    const value = body.get(name);
    if (value !== null && value !== '') await keepSecret(value);
  }
}

function refusalOf(
  error: unknown,
  { chain, server }: TokenContext,
  what: AuthStep,
  reply: AuthReply | undefined,
): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof oauth.ResponseBodyError) {
    chain.judge(what, 'refused', error.error, reply?.httpId);
    return new TokenRefusal(error.error, error.error_description, server.issuer);
  }
  if (reply === undefined) return error;
  const { status, text, httpId } = reply;
  const why = status >= 200 && status < 300 ? 'no usable token' : String(status);
  chain.judge(what, 'refused', why, httpId);
  return new AppError(
    {
      code: 'auth-token',
      message: `The token endpoint of ${server.issuer} answered ${status} with no token and no error of OAuth.`,
      advice:
        status >= 300 && status < 400
          ? 'It redirects, which would take secrets elsewhere: no such redirect is followed.'
          : 'The log of the authorization server may say more.',
      // What a 2xx holds may be worth stealing, so it is not quoted.
      detail: status < 300 || text === '' ? String(error) : excerpt(text),
    },
    { cause: error },
  );
}
