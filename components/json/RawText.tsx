import { useSignal } from '@preact/signals';
import { toVisiblePieces } from '../../lib/state/visible-text.ts';
import { formatCount } from '../../lib/text.ts';
import './RawText.css';

interface RawTextProps {
  label: string;
  text: string;
  /** Shows CR and LF as marks as well. */
  hasLineEnds?: boolean;
}

/** More than this at once stalls the page; the rest comes on demand. */
const STEP = 100_000;

/** Text exactly as received. Characters that look like nothing are shown as marks. */
export function RawText({ label, text, hasLineEnds = false }: RawTextProps) {
  const shown = useSignal(STEP);
  const rest = text.length - shown.value;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll area needs the keyboard
    <div class="raw" role="group" aria-label={label} tabIndex={0}>
      <pre>
        <VisibleText text={text.slice(0, shown.value)} hasLineEnds={hasLineEnds} />
      </pre>
      {rest > 0 && (
        <button type="button" class="bordered" onClick={() => (shown.value += STEP * 5)}>
          Show more ({formatCount(rest, 'character')} left)
        </button>
      )}
    </div>
  );
}

/** Text with its invisible characters made visible, inline. */
export function VisibleText({ text, hasLineEnds = false }: Omit<RawTextProps, 'label'>) {
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
