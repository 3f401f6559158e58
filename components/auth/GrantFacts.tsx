import type { AppModel } from '../../lib/state/app-model.ts';
import type { AuthGrant } from '../../lib/state/auth/auth-chains.ts';
import { expiryWords } from '../../lib/state/auth/credential-words.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { TokenText } from './TokenText.tsx';

interface GrantFactsProps {
  grant: AuthGrant;
  model: AppModel;
}

/** What was asked and granted: scopes, audience, expiry. */
export function GrantFacts({ grant, model }: GrantFactsProps) {
  const { issuer, clientId, redirectUri, audience, asked, granted, token, expiresAt } = grant;
  const isGranted = token !== undefined;
  const facts: [name: string, value: string | undefined][] = [
    ['Issuer', issuer],
    ['Client', clientId],
    ['Redirect URI', redirectUri],
    ['Audience', audience],
    ['Scopes asked', asked?.join(' ') ?? (isGranted ? 'none' : undefined)],
    ['Scopes granted', isGranted ? granted?.join(' ') || 'not stated' : undefined],
    ['Token', isGranted ? `‹${token}›` : undefined],
  ];
  const shown = facts.filter(([, value]) => value !== undefined);
  if (shown.length === 0) return null;
  return (
    <div class="auth-grant">
      <dl class="header-list">
        {shown.map(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} value`}>
            <VisibleText text={value ?? ''} />
          </dd>,
        ])}
        {isGranted && (
          <>
            <dt>Expires</dt>
            <dd>
              <Expiry expiresAt={expiresAt} model={model} />
            </dd>
          </>
        )}
      </dl>
      {isGranted && <TokenText key={token} token={token} model={model} />}
    </div>
  );
}

function Expiry({ expiresAt, model }: { expiresAt: number | undefined; model: AppModel }) {
  return <>{expiryWords(expiresAt, model.clock.now.value)}</>;
}
