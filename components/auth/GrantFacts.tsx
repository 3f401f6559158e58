import { useState } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import type { AuthGrant } from '../../lib/state/auth-chains.ts';
import { expiryWords } from '../../lib/state/credential-words.ts';
import { readJwt, type JwtText } from '../../lib/state/jwt.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { JwtView } from './JwtView.tsx';

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

/** What the token says of itself, where it is a JWT that is still held. */
function TokenText({ token, model }: { token: string; model: AppModel }) {
  const [read, setRead] = useState<JwtText | string | undefined>(undefined);
  function show(): void {
    // Never rejects: what cannot be had is no longer held.
    void model.secrets.valuesOf([token]).then((values) => {
      const value = values[token];
      const jwt = value === undefined ? undefined : readJwt(value);
      setRead(
        jwt ??
          (value === undefined
            ? 'It is no longer held.'
            : 'It is no JWT: only its servers can read it.'),
      );
    });
  }
  if (read === undefined) {
    return (
      <button type="button" class="bordered" onClick={show}>
        Show what the token says
      </button>
    );
  }
  return typeof read === 'string' ? <p class="dim">{read}</p> : <JwtView jwt={read} />;
}
