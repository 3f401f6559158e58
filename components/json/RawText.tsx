import { useSignal } from '@preact/signals';
import type { Cut } from '../../lib/capture/stored-text.ts';
import type { Secrets } from '../../lib/state/secrets.ts';
import { formatCount } from '../../lib/text.ts';
import { SecretPieces } from './SecretPieces.tsx';
import { VisibleText } from './VisibleText.tsx';
import './RawText.css';

interface RawTextProps {
  label: string;
  text: string;
  /** Shows CR and LF as marks as well. */
  hasLineEnds?: boolean;
  /** What was cut out of the bytes that the text stands for; places are those of the text. */
  cuts?: readonly Cut[];
  secrets: Secrets;
}

/** More than this at once stalls the page; the rest comes on demand. */
const STEP = 100_000;

/** Text exactly as received. Characters that look like nothing are shown as marks. */
export function RawText({ label, text, hasLineEnds = false, cuts = [], secrets }: RawTextProps) {
  const shown = useSignal(STEP);
  const rest = text.length - shown.value;
  const visible = text.slice(0, shown.value);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll area needs the keyboard
    <div class="raw" role="group" aria-label={label} tabIndex={0}>
      <pre>
        {cuts.length === 0 ? (
          <VisibleText text={visible} hasLineEnds={hasLineEnds} />
        ) : (
          <SecretPieces
            text={visible}
            cuts={cuts.filter(({ offset }) => offset < visible.length)}
            secrets={secrets}
            unit="bytes"
            hasLineEnds={hasLineEnds}
          />
        )}
      </pre>
      {rest > 0 && (
        <button type="button" class="bordered" onClick={() => (shown.value += STEP * 5)}>
          Show more ({formatCount(rest, 'character')} left)
        </button>
      )}
    </div>
  );
}
