import type { HeaderFact, HeaderVerdict } from '../../lib/state/detail/header-facts.ts';
import type { Secrets } from '../../lib/state/detail/secrets.ts';
import { SecretPieces } from '../json/SecretPieces.tsx';
import { VisibleText } from '../json/VisibleText.tsx';

interface HeaderFactsProps {
  facts: readonly HeaderFact[];
  secrets: Secrets;
}

const SIGNS: Record<HeaderVerdict['kind'], { sign: string; look: string }> = {
  same: { sign: '=', look: 'dim' },
  different: { sign: '≠', look: 'error' },
  missing: { sign: '≠', look: 'error' },
  note: { sign: '·', look: 'dim' },
};

/** The headers that MCP gives a meaning, decoded and compared with what they are about. */
export function HeaderFacts({ facts, secrets }: HeaderFactsProps) {
  const wrong = facts.filter(({ verdicts }) => verdicts.some(isMismatch)).length;
  return (
    <section class="detail-section" aria-labelledby="headers-mcp">
      <div class="detail-head">
        <h2 id="headers-mcp">MCP headers</h2>
        {wrong > 0 && (
          <span class="error">
            {wrong === 1 ? '1 does not match' : `${wrong} do not match`} the body
          </span>
        )}
      </div>
      <dl class="header-list">
        {facts.map((fact, index) => [
          <dt key={`${index} name`}>{fact.name}</dt>,
          <dd key={index}>
            <Value fact={fact} secrets={secrets} />
            {fact.verdicts.map((verdict) => (
              <Verdict key={verdict.words} verdict={verdict} />
            ))}
          </dd>,
        ])}
      </dl>
    </section>
  );
}

function isMismatch({ kind }: HeaderVerdict): boolean {
  return kind === 'different' || kind === 'missing';
}

function Value({ fact: { header, decoded }, secrets }: { fact: HeaderFact; secrets: Secrets }) {
  if (header === undefined) return null;
  if (decoded === undefined) {
    // The list below has the button that reveals it.
    return <SecretPieces text={header.value} cuts={header.cuts} secrets={secrets} unit="text" />;
  }
  return (
    <span title={header.value}>
      <VisibleText text={decoded} /> <span class="dim">from base64</span>
    </span>
  );
}

function Verdict({ verdict: { kind, words } }: { verdict: HeaderVerdict }) {
  const { sign, look } = SIGNS[kind];
  return (
    <span class={`header-verdict ${look}`}>
      <span aria-hidden="true">{sign}</span> <VisibleText text={words} />
    </span>
  );
}
