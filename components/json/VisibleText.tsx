import { toVisiblePieces } from '../../lib/state/detail/visible-text.ts';
import './VisibleText.css';

interface VisibleTextProps {
  text: string;
  /** Shows CR and LF as marks as well. */
  hasLineEnds?: boolean;
}

/** Text with its invisible characters made visible, inline. */
export function VisibleText({ text, hasLineEnds = false }: VisibleTextProps) {
  return (
    <>
      {toVisiblePieces(text, hasLineEnds).map((piece, index) =>
        piece.mark === undefined ? (
          piece.text
        ) : (
          <span key={index}>
            <span class="mark">{piece.mark}</span>
            {piece.text === '\n' && '\n'}
          </span>
        ),
      )}
    </>
  );
}
