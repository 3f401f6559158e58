import type { JwtText } from '../../lib/state/auth/jwt.ts';
import { jwtTimes, prettyJson } from '../../lib/state/auth/credential-words.ts';
import { VisibleText } from '../json/VisibleText.tsx';

/** Header and claims of a JWT. Nobody has verified them. */
export function JwtView({ jwt }: { jwt: JwtText }) {
  return (
    <div class="jwt">
      <p class="warning">Not verified: read out of the token as it stands.</p>
      <h3>Header</h3>
      <pre>
        <VisibleText text={prettyJson(jwt.header)} hasLineEnds={false} />
      </pre>
      <h3>Claims</h3>
      <pre>
        <VisibleText text={prettyJson(jwt.claims)} hasLineEnds={false} />
      </pre>
      {jwtTimes(jwt.claims).map((words) => (
        <p key={words} class="dim">
          {words}
        </p>
      ))}
    </div>
  );
}
