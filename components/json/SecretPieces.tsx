import type { Cut } from '../../lib/capture/store/stored-text.ts';
import { secretPart, toSecretPieces } from '../../lib/state/detail/secrets.ts';
import type { SecretPiece, Secrets } from '../../lib/state/detail/secrets.ts';
import { VisibleText } from './VisibleText.tsx';
import './SecretPieces.css';

interface SecretPiecesProps {
  text: string;
  cuts: readonly Cut[] | undefined;
  secrets: Secrets;
  /** What the cuts were made in. */
  unit: 'text' | 'bytes';
  hasLineEnds?: boolean;
}

/** Stored text, with each secret as its fingerprint until the user asks to see it. */
export function SecretPieces({ text, cuts, ...rest }: SecretPiecesProps) {
  return (
    <>
      {toSecretPieces(text, cuts).map((piece, index) => (
        <Piece key={index} piece={piece} {...rest} />
      ))}
    </>
  );
}

type PieceProps = Omit<SecretPiecesProps, 'text' | 'cuts'> & { piece: SecretPiece };

function Piece({ piece, secrets, unit, hasLineEnds = false }: PieceProps) {
  if (piece.kind === 'plain') return <VisibleText text={piece.text} hasLineEnds={hasLineEnds} />;
  const { fingerprint } = piece;
  const known = secrets.revealed.value.get(fingerprint);
  if (known === undefined) return <span class="secret">‹{fingerprint}›</span>;
  if (known === 'gone') return <span class="secret">‹{fingerprint}› no longer held</span>;
  return <VisibleText text={secretPart(known.value, piece, unit)} hasLineEnds={hasLineEnds} />;
}
