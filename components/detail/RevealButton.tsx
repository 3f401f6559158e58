import type { Cut } from '../../lib/capture/store/stored-text.ts';
import type { Secrets } from '../../lib/state/detail/secrets.ts';

interface RevealButtonProps {
  cuts: readonly Cut[] | undefined;
  secrets: Secrets;
}

/** Shows and hides the secrets of a text; nothing where it has none. */
export function RevealButton({ cuts = [], secrets }: RevealButtonProps) {
  const fingerprints = [...new Set(cuts.map(({ secret }) => secret))];
  if (fingerprints.length === 0) return null;
  const isRevealed = fingerprints.every((fingerprint) => secrets.revealed.value.has(fingerprint));
  return (
    <button
      type="button"
      class="link secret-button"
      onClick={() => (isRevealed ? secrets.hide() : secrets.reveal(fingerprints))}
    >
      {isRevealed ? 'Hide' : 'Reveal'}
    </button>
  );
}
