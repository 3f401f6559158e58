import type { AuthSettings } from '../capture/auth-settings.ts';
import type { Chain } from './chain.ts';
import type { Credential } from './credentials.ts';

/** Keeps a credential, with that in the log. What it replaces is forgotten only then. */
export async function storeCredential(
  chain: Chain,
  credential: Credential,
  { keepOnDisk }: AuthSettings,
): Promise<void> {
  const { doors, id, serverUrl } = chain;
  const { accessToken, refreshToken, issuer, resource, grantedScopes, expiresAt } = credential;
  await doors.keepSecret(accessToken);
  if (refreshToken !== undefined) await doors.keepSecret(refreshToken);
  await doors.store.save(serverUrl, {
    ...credential,
    ...(keepOnDisk === undefined ? {} : { isOnDisk: keepOnDisk }),
  });
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

/** Forgets a credential, with the reason in the log. */
export async function dropCredential(
  chain: Chain,
  held: Credential,
  reason: string,
): Promise<void> {
  const { doors, id, serverUrl } = chain;
  const { accessToken, issuer, resource } = held;
  await doors.store.drop(serverUrl);
  const dropped = { kind: 'auth-credential', chain: id, change: 'dropped' } as const;
  doors.record(id, { ...dropped, secret: accessToken, issuer, resource, reason });
}
