import type { Cut } from '../../lib/capture/wire-event.ts';
import { toSecretPieces } from '../../lib/state/secrets.ts';
import type { SecretPiece, Secrets } from '../../lib/state/secrets.ts';
import { VisibleText } from '../json/RawText.tsx';

interface SecretTextProps {
  text: string;
  cuts: readonly Cut[] | undefined;
  secrets: Secrets;
}

/** Stored text, with each secret as its fingerprint until the user asks to see it. */
export function SecretText({ text, cuts, secrets }: SecretTextProps) {
  const pieces = toSecretPieces(text, cuts);
  const fingerprints = pieces.flatMap((piece) =>
    piece.kind === 'secret' ? [piece.fingerprint] : [],
  );
  const isRevealed = fingerprints.every((fingerprint) => secrets.revealed.value.has(fingerprint));
  return (
    <>
      {pieces.map((piece, index) => (
        <Piece key={index} piece={piece} secrets={secrets} />
      ))}
      {fingerprints.length > 0 && (
        <button
          type="button"
          class="link secret-button"
          onClick={() => (isRevealed ? secrets.hide() : secrets.reveal(fingerprints))}
        >
          {isRevealed ? 'Hide' : 'Reveal'}
        </button>
      )}
    </>
  );
}

function Piece({ piece, secrets }: { piece: SecretPiece; secrets: Secrets }) {
  if (piece.kind === 'plain') return <VisibleText text={piece.text} />;
  const { fingerprint, from, length } = piece;
  const known = secrets.revealed.value.get(fingerprint);
  if (known === undefined) return <span class="secret">‹{fingerprint}›</span>;
  if (known === 'gone') return <span class="secret">‹{fingerprint}› no longer held</span>;
  return <VisibleText text={known.value.slice(from, from + length)} />;
}
