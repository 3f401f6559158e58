import * as oauth from 'oauth4webapi';
import { AppError, toProblem } from '../errors.ts';
import type { AuthSettings } from '../capture/auth-settings.ts';
import type { Chain } from './chain.ts';
import { clientAuthentication } from './client-auth.ts';
import { clientByHand } from './registration.ts';
import type { ClientRecord, Credential } from './credentials.ts';
import { recordedFetch } from './recorded-fetch.ts';

/** Tells the authorization server that tokens are no longer wanted (RFC 7009); whatever it says, they are forgotten. */
export async function revoke(
  chain: Chain,
  held: Credential,
  settings: AuthSettings,
): Promise<void> {
  const { server, accessToken, refreshToken } = held;
  if (server.revocation_endpoint === undefined) {
    chain.begin();
    chain.judge('revocation', 'passed-over', 'the server names no revocation endpoint');
    return;
  }
  // A refresh token takes the access tokens with it, where servers know how to.
  const tokens = refreshToken === undefined ? [accessToken] : [refreshToken, accessToken];
  for (const token of tokens) {
    const sent = recordedFetch(chain, 'revocation');
    try {
      const client = await clientOf(chain, held, settings);
      const response = await oauth.revocationRequest(
        { ...server },
        { client_id: client.id },
        await clientAuthentication(client, settings),
        token,
        { [oauth.customFetch]: sent.fetch, [oauth.allowInsecureRequests]: true },
      );
      await oauth.processRevocationResponse(response);
      chain.judge('revocation', 'used', 'revoked', sent.reply().httpId);
    } catch (error) {
      const isOurs = error instanceof AppError;
      const reason = isOurs ? toProblem(error).message : `answered ${sent.reply().status}`;
      chain.judge('revocation', 'passed-over', reason);
    }
  }
}

async function clientOf(
  chain: Chain,
  { server, clientId, issuer }: Credential,
  settings: AuthSettings,
): Promise<ClientRecord> {
  if (settings.client?.id === clientId) {
    const byHand = clientByHand(chain, server, settings);
    if (byHand !== undefined) return byHand;
  }
  const kept = await chain.doors.store.client(issuer);
  if (kept?.id === clientId) return kept;
  return { issuer, id: clientId, method: 'none', source: 'metadata-document' };
}
