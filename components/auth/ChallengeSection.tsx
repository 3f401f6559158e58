import type { Challenge } from '../../lib/protocol/challenge.ts';
import { VisibleText } from '../json/VisibleText.tsx';

interface ChallengeSectionProps {
  challenge: Challenge;
  number: number;
}

/** One challenge, read, with what is not valid about it. */
export function ChallengeSection({ challenge, number }: ChallengeSectionProps) {
  const { scheme, token68, params } = challenge;
  return (
    <section class="detail-section" aria-label={`Challenge ${number}`}>
      <div class="detail-head">
        <h2>
          Challenge {number}: <VisibleText text={scheme} />
        </h2>
      </div>
      <dl class="header-list">
        {token68 !== undefined && [<dt key="name">token68</dt>, <dd key="value">{token68}</dd>]}
        {params.map(({ name, value, notes }, index) => [
          <dt key={`${index} name`}>{name}</dt>,
          <dd key={index}>
            <VisibleText text={value} />
            {notes.length > 0 && (
              <span class="warning"> {notes.join(', ').replaceAll('-', ' ')}</span>
            )}
          </dd>,
        ])}
      </dl>
      {token68 === undefined && params.length === 0 && <p class="dim">Without parameters.</p>}
    </section>
  );
}
