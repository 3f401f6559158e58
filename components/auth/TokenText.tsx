import { useState } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { readJwt, type JwtText } from '../../lib/state/auth/jwt.ts';
import { JwtView } from './JwtView.tsx';

interface TokenTextProps {
  /** Fingerprint of a token that was sent, or that came. */
  token: string;
  model: AppModel;
}

/** What a token says of itself, where it is a JWT that is still held; asked for by a click. */
export function TokenText({ token, model }: TokenTextProps) {
  const [read, setRead] = useState<JwtText | string | undefined>(undefined);
  function show(): void {
    // Never rejects: what cannot be had is no longer held.
    void model.secrets.valuesOf([token]).then((values) => {
      const value = values[token];
      const jwt = value === undefined ? undefined : readJwt(value);
      const gone = value === undefined ? 'It is no longer held.' : NO_JWT;
      setRead(jwt ?? gone);
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

const NO_JWT = 'It is no JWT: only its servers can read it.';
