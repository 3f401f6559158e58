import * as oauth from 'oauth4webapi';
import { AppError } from '../errors.ts';
import type { AuthSettings } from '../capture/auth-settings.ts';
import type { Chain } from './chain.ts';
import type { ClientRecord, Credential } from './credentials.ts';
import { createDpopKey } from './dpop.ts';
import type { ServerMetadata } from './server-metadata.ts';
import { requestToken, TokenRefusal } from './token.ts';

/** The authorization server said no in the redirect, in the words of OAuth. */
class ConsentRefusal extends AppError {
  /** Such as `access_denied` (RFC 6749, 4.1.2.1). */
  readonly error: string;

  constructor(error: string, description: string | undefined, issuer: string) {
    const isDenied = error === 'access_denied';
    super({
      code: isDenied ? 'auth-denied' : 'auth-callback',
      message: isDenied
        ? `Access was denied at ${issuer}${wordsOf(description)}.`
        : `${issuer} refused the login: ${error}${wordsOf(description)}.`,
      advice: 'Connect again to be asked once more.',
    });
    this.name = 'ConsentRefusal';
    this.error = error;
  }
}

/** A login that waits for its user: all that is needed to go on with it in another life of the engine. */
export interface LoginAttempt {
  chain: string;
  serverUrl: string;
  settings: AuthSettings;
  server: ServerMetadata;
  client: ClientRecord;
  resource: string;
  scopes: string[];
  redirectUri: string;
  /** Whether the token is to be bound to a key. */
  wantsDpop: boolean;
  verifier: string;
  state: string;
  /** The step in which the page was opened. */
  step: number;
}

/** A login that has not been begun. */
export function newAttempt(
  attempt: Omit<LoginAttempt, 'verifier' | 'state' | 'step'>,
): LoginAttempt {
  const verifier = oauth.generateRandomCodeVerifier();
  return { ...attempt, verifier, state: oauth.generateRandomState(), step: 0 };
}

/**
 * Lets the user log in, and trades the code for a token (RFC 6749, 4.1, with PKCE). The attempt is kept before
 * a page is opened. Rejects with an `AppError`: `auth-closed`, `auth-denied`, `auth-callback`, `auth-token`.
 */
export async function logIn(chain: Chain, attempt: LoginAttempt): Promise<Credential> {
  const { server, redirectUri, verifier } = attempt;
  const { doors, id, serverUrl } = chain;
  await doors.keepSecret(verifier);
  const step = chain.begin();
  await doors.store.saveAttempt({ ...attempt, step });
  const url = await authorizeUrl(attempt);
  const opened = { kind: 'auth-consent', chain: id, step } as const;
  doors.record(id, { ...opened, state: 'opened', url: { text: url } });
  let answer: string | undefined;
  try {
    answer = await doors.consent(id, url, redirectUri);
  } finally {
    // An answer is good for one login, whatever is in it, and so is a page that cannot be shown.
    await doors.store.dropAttempt(serverUrl);
  }
  if (answer === undefined) {
    doors.record(id, { ...opened, state: 'closed' });
    throw new AppError({
      code: 'auth-closed',
      message: `The window of ${server.issuer} was closed before the login was complete.`,
      advice: 'Connect again to be asked once more.',
    });
  }
  await keepCallbackSecrets(answer, doors.keepSecret);
  const parameters = checkCallback(chain, attempt, answer, step);
  const dpopKey = attempt.wantsDpop ? await createDpopKey() : undefined;
  return requestToken(
    { ...attempt, chain, ...(dpopKey === undefined ? {} : { dpopKey }) },
    'token',
    (as, library, authentication, options) =>
      oauth.authorizationCodeGrantRequest(
        as,
        library,
        authentication,
        parameters,
        redirectUri,
        verifier,
        options,
      ),
  );
}

/** Whether a refused login may be due to how we are registered, so that another way is worth a try. */
export function isClientRefused(error: unknown): boolean {
  if (error instanceof TokenRefusal || error instanceof ConsentRefusal) {
    return error.error === 'invalid_client' || error.error === 'unauthorized_client';
  }
  return false;
}

async function authorizeUrl({
  server,
  client,
  resource,
  scopes,
  redirectUri,
  verifier,
  state,
}: LoginAttempt): Promise<string> {
  const url = new URL(server.authorization_endpoint ?? '');
  const parameters: Record<string, string> = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    // Without it, servers of OpenID Connect give no refresh token (Core 1.0, 11).
    ...(scopes.includes('offline_access') ? { prompt: 'consent' } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** What a redirect may bring that is worth stealing, whatever becomes of it. */
async function keepCallbackSecrets(
  answer: string,
  keepSecret: (value: string) => Promise<void>,
): Promise<void> {
  if (!URL.canParse(answer)) return;
  const { searchParams, hash } = new URL(answer);
  for (const parameters of [searchParams, new URLSearchParams(hash.slice(1))]) {
    for (const name of ['code', 'access_token', 'id_token', 'refresh_token']) {
      for (const value of parameters.getAll(name)) if (value !== '') await keepSecret(value);
    }
  }
}

/** Checks `state`, then `iss` (RFC 9207, 2.4), errors included: nothing of a foreign answer is acted on. */
function checkCallback(
  chain: Chain,
  { server, client, state }: LoginAttempt,
  answer: string,
  step: number,
): URLSearchParams {
  const { doors, id } = chain;
  const answered = { kind: 'auth-consent', chain: id, step, url: { text: answer } } as const;
  const library = { client_id: client.id };
  try {
    const parameters = oauth.validateAuthResponse(
      asLibrary(server),
      library,
      new URL(answer),
      state,
    );
    const codes = parameters.getAll('code');
    if (codes.length > 1) throw new Error('it brings more than one code');
    if (!codes[0]) throw new Error('it brings neither a code nor an error');
    doors.record(id, { ...answered, state: 'received' });
    return parameters;
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      doors.record(id, { ...answered, state: 'denied' });
      throw new ConsentRefusal(error.error, error.error_description, server.issuer);
    }
    doors.record(id, { ...answered, state: 'received' });
    const why = error instanceof Error ? error.message : String(error);
    chain.judge('consent', 'refused', why);
    throw new AppError(
      {
        code: 'auth-callback',
        message: `The redirect is not the answer to this login: ${why}.`,
        advice:
          'Nothing of it was used. It may be of another login or another authorization server: `state` and `iss` have to be those of the request (RFC 9207).',
      },
      { cause: error },
    );
  }
}

function asLibrary(server: ServerMetadata): oauth.AuthorizationServer {
  return { ...server };
}

function wordsOf(description: string | undefined): string {
  return description === undefined ? '' : ` (${description})`;
}
