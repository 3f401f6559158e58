import { toProblem } from '../errors.ts';
import { isClientRefused, logIn, newAttempt } from './consent.ts';
import type { Credential } from './credentials.ts';
import type { Found } from './find.ts';
import { findClient, type Tried } from './registration.ts';
import { decide } from './resource-metadata.ts';
import { withOfflineAccess } from './scopes.ts';

/** Lets the user log in; where the way we are registered is no use, another way is tried, once. */
export async function logInSomehow(found: Found, tried: Tried = {}): Promise<Credential> {
  const { chain, task, server, resource, scopes, wantsDpop } = found;
  const { issuer } = server;
  const redirectUri = await chain.doors.redirectUri(task.settings.redirect);
  const client = await findClient(chain, server, task.settings, redirectUri, tried);
  const attempt = newAttempt({
    chain: chain.id,
    serverUrl: chain.serverUrl,
    settings: task.settings,
    server,
    client,
    resource,
    scopes: withOfflineAccess(scopes, server.scopes_supported),
    redirectUri,
    wantsDpop,
  });
  try {
    return await logIn(chain, attempt);
  } catch (error) {
    const isRefused = isClientRefused(error);
    if (client.source === 'registered' && isRefused && tried.isRegistrationBad !== true) {
      await chain.doors.store.dropClient(issuer);
      return logInSomehow(found, { ...tried, isRegistrationBad: true });
    }
    const isAbandoned = isRefused || toProblem(error).code === 'auth-closed';
    const isDocument = client.source === 'metadata-document' && isAbandoned;
    if (!isDocument || server.registration_endpoint === undefined) throw error;
    // The server fetches our document behind the page that the user sees, so only the user knows.
    if (!(await decide(chain, { kind: 'register-instead', issuer }))) throw error;
    return logInSomehow(found, { ...tried, isDocumentBad: true });
  }
}
