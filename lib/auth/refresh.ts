import type { AuthSettings } from '../capture/auth-settings.ts';
import type { Chain } from './chain.ts';
import type { Credential } from './credentials.ts';
import { dropCredential } from './kept.ts';
import { findClient } from './registration.ts';
import { refresh, TokenRefusal } from './token.ts';

/** The server has nothing against the refresh token, only against now. */
const PASSING = new Set(['server_error', 'temporarily_unavailable', 'slow_down']);

/** Refreshing, one at a time for each credential: a refresh token is good for one use. */
export interface Refreshes {
  refresh(chain: Chain, held: Credential, settings: AuthSettings): Promise<Credential>;
  /**
   * `undefined` where the refresh token is no use any more. What may be otherwise the next time rejects, and
   * costs nothing.
   */
  tryRefresh(
    chain: Chain,
    held: Credential,
    settings: AuthSettings,
  ): Promise<Credential | undefined>;
}

/** Starts with nothing under way. */
export function createRefreshes(): Refreshes {
  const underWay = new Map<string, Promise<Credential>>();

  function share(chain: Chain, held: Credential, settings: AuthSettings): Promise<Credential> {
    const key = JSON.stringify([held.issuer, held.clientId, held.resource]);
    const joined = underWay.get(key);
    if (joined !== undefined) {
      chain.begin();
      chain.judge('refresh', 'used', 'one that is under way for another connection');
      return joined;
    }
    const refreshing = once(chain, held, settings).finally(() => underWay.delete(key));
    underWay.set(key, refreshing);
    return refreshing;
  }

  return {
    refresh: share,
    async tryRefresh(chain, held, settings) {
      try {
        return await share(chain, held, settings);
      } catch (error) {
        if (!(error instanceof TokenRefusal) || PASSING.has(error.error)) throw error;
        if (error.error === 'invalid_grant') {
          await dropCredential(chain, held, `refresh refused: ${error.error}`);
        }
        if (error.error === 'invalid_client') await chain.doors.store.dropClient(held.issuer);
        return undefined;
      }
    },
  };
}

async function once(chain: Chain, held: Credential, settings: AuthSettings): Promise<Credential> {
  const { server, resource, requestedScopes, dpopKey } = held;
  const { store, redirectUri } = chain.doors;
  const kept = settings.client?.id === held.clientId ? undefined : await store.client(held.issuer);
  const client =
    kept?.id === held.clientId
      ? kept
      : await findClient(chain, server, settings, await redirectUri(settings.redirect), {});
  const key = dpopKey === undefined ? {} : { dpopKey };
  const context = { chain, server, client, settings, resource, scopes: requestedScopes, ...key };
  return refresh(context, held);
}
