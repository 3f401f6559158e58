import { useId } from 'preact/hooks';
import type { HeldCredential } from '../../lib/port/contract.ts';
import type { Clock } from '../../lib/state/time/clock.ts';
import type { CredentialModel } from '../../lib/state/auth/credential-model.ts';
import { CLIENT_SOURCES, expiryWords, scopeWords } from '../../lib/state/auth/credential-words.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { JwtView } from './JwtView.tsx';

interface CredentialCardProps {
  credential: HeldCredential;
  held: CredentialModel;
  clock: Clock;
}

/** One token: for whom, from whom, for how long, and what can be done with it. */
export function CredentialCard({ credential, held, clock }: CredentialCardProps) {
  const id = useId();
  const { serverUrl, issuer, resource, clientId, clientSource, tokenType } = credential;
  const { requestedScopes, grantedScopes, obtainedAt, fingerprint, jwt } = credential;
  const facts: [name: string, value: string][] = [
    ['Issuer', issuer],
    ['Audience', resource],
    ['Client', `${clientId} (${CLIENT_SOURCES[clientSource]})`],
    ['Scopes asked', scopeWords(requestedScopes)],
    ['Scopes granted', scopeWords(grantedScopes)],
    ['Token', `‹${fingerprint}›, ${tokenType === 'dpop' ? 'bound to a key (DPoP)' : 'Bearer'}`],
    ['Refresh token', credential.hasRefreshToken ? 'held' : 'none'],
    ['Held', credential.isOnDisk ? 'on disk' : 'in memory, until the browser closes'],
    ['Obtained', new Date(obtainedAt).toLocaleString()],
  ];
  const actions: [words: string, title: string, act: typeof held.forget][] = [
    ['Sign out', 'Have the token revoked where that can be, and forget it', held.signOut],
    ['Forget', 'Forget the token here; the server is not told', held.forget],
    ['Expire now', 'Make the token look expired, to see a refresh', held.expire],
    ['Corrupt', 'Break the token, to see what a 401 leads to', held.corrupt],
  ];
  return (
    <article class="credential" aria-labelledby={id}>
      <h3 id={id}>
        <VisibleText text={serverUrl} />
      </h3>
      <dl class="credential-facts">
        {facts.map(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} value`}>
            <VisibleText text={value} />
          </dd>,
        ])}
        <dt>Expires</dt>
        <dd>
          <Expiry credential={credential} clock={clock} />
        </dd>
      </dl>
      <p class="credential-actions">
        {actions.map(([words, title, act]) => (
          <button
            key={words}
            type="button"
            class="bordered"
            title={title}
            aria-label={`${words}: ${serverUrl}`}
            disabled={held.isBusy.value}
            onClick={() => void act(credential)}
          >
            {words}
          </button>
        ))}
      </p>
      {jwt && (
        <details>
          <summary>What the token says</summary>
          <JwtView jwt={jwt} />
        </details>
      )}
    </article>
  );
}

/** Only this text is drawn again when the clock ticks. */
function Expiry({ credential, clock }: { credential: HeldCredential; clock: Clock }) {
  const { expiresAt } = credential;
  const now = clock.now.value;
  const isOver = expiresAt !== undefined && expiresAt <= now;
  return <span class={isOver ? 'warning' : undefined}>{expiryWords(expiresAt, now)}</span>;
}
