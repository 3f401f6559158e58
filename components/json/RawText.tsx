import type { Cut } from '../../lib/capture/store/stored-text.ts';
import type { Secrets } from '../../lib/state/detail/secrets.ts';
import { LongRawText } from './LongRawText.tsx';
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
  /** A place in the text, in UTF-16 units, to bring into view. */
  place?: number | undefined;
}

/** Above this, only the rows in sight are drawn: all of them at once would stall the page. UTF-16 units. */
const SHORT = 40_000;

/** Text exactly as received. Characters that look like nothing are shown as marks. */
export function RawText(props: RawTextProps) {
  const { label, text, hasLineEnds = false, cuts = [], secrets } = props;
  if (text.length > SHORT) return <LongRawText {...props} />;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll area needs the keyboard
    <div class="raw" role="group" aria-label={label} tabIndex={0}>
      <pre>
        {cuts.length === 0 ? (
          <VisibleText text={text} hasLineEnds={hasLineEnds} />
        ) : (
          <SecretPieces
            text={text}
            cuts={cuts}
            secrets={secrets}
            unit="bytes"
            hasLineEnds={hasLineEnds}
          />
        )}
      </pre>
    </div>
  );
}
