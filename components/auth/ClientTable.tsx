import type { CredentialModel } from '../../lib/state/auth/credential-model.ts';
import { VisibleText } from '../json/VisibleText.tsx';

/** How we are registered with authorization servers. */
export function ClientTable({ held }: { held: CredentialModel }) {
  const clients = held.clients.value;
  if (clients.length === 0) return null;
  return (
    <section aria-labelledby="client-table-title">
      <h3 id="client-table-title">Registered clients</h3>
      <ul class="credential-clients">
        {clients.map(({ issuer, clientId, redirectUri, hasSecret, secretExpiresAt }, index) => (
          <li key={issuer}>
            <span class="credential-client">
              <strong>
                <VisibleText text={issuer} />
              </strong>{' '}
              as <VisibleText text={clientId} />
              {hasSecret && ', with a secret'}
              {secretExpiresAt !== undefined &&
                ` that expires at ${new Date(secretExpiresAt).toLocaleString()}`}
              {redirectUri !== undefined && (
                <span class="dim">
                  , redirected to <VisibleText text={redirectUri} />
                </span>
              )}
            </span>
            <button
              type="button"
              class="bordered"
              aria-label={`Forget the client at ${issuer}`}
              disabled={held.isBusy.value}
              onClick={() => {
                const client = clients[index];
                if (client !== undefined) void held.forgetClient(client);
              }}
            >
              Forget
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
