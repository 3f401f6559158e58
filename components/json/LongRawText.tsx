import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Cut } from '../../lib/capture/store/stored-text.ts';
import { cutRawLines, cutsWithin } from '../../lib/state/detail/raw-lines.ts';
import type { Secrets } from '../../lib/state/detail/secrets.ts';
import { VirtualRows } from '../ui/VirtualRows.tsx';
import { SecretPieces } from './SecretPieces.tsx';
import { useLongWork } from './use-long-work.ts';
import { VisibleText } from './VisibleText.tsx';

interface LongRawTextProps {
  label: string;
  text: string;
  hasLineEnds?: boolean;
  cuts?: readonly Cut[];
  secrets: Secrets;
  place?: number | undefined;
}

const ROW_HEIGHT = 16;
const MIN_COLUMNS = 20;

/** A text of any length, line by line; lines that are wider than there is room for are cut into several rows. */
export function LongRawText(props: LongRawTextProps) {
  const { label, text, hasLineEnds = false, cuts = [], secrets, place } = props;
  const ruler = useRef<HTMLSpanElement>(null);
  const [columns, setColumns] = useState(80);
  const lines = useLongWork(() => cutRawLines(text, columns), [text, columns]);

  useLayoutEffect(() => {
    const element = ruler.current;
    const box = element?.parentElement;
    if (!element || !box) return undefined;
    const measure = () => {
      const width = element.getBoundingClientRect().width / 10;
      // The scroll bar and the padding take their part.
      if (width > 0) setColumns(Math.max(Math.floor((box.clientWidth - 32) / width), MIN_COLUMNS));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);

  return (
    <div class="raw-long">
      <span class="raw-ruler" ref={ruler} aria-hidden="true">
        0000000000
      </span>
      <VirtualRows
        class="raw raw-rows"
        role="group"
        aria-label={label}
        tabIndex={0}
        count={lines.count}
        rowHeight={ROW_HEIGHT}
        active={place === undefined ? -1 : lines.indexAt(place)}
        row={(index, top) => {
          const line = lines.rowAt(index);
          if (line === undefined) return null;
          // The mark of a line feed stands at the end of its line.
          const hasLineFeed = hasLineEnds && text.charAt(line.end) === '\n';
          const row = text.slice(line.start, line.end + (hasLineFeed ? 1 : 0));
          return (
            <div key={index} class="raw-row" style={{ top: `${top}px` }}>
              {cuts.length === 0 ? (
                <VisibleText text={row} hasLineEnds={hasLineEnds} />
              ) : (
                <SecretPieces
                  text={row}
                  cuts={cutsWithin(cuts, line.start, line.end)}
                  secrets={secrets}
                  unit="bytes"
                  hasLineEnds={hasLineEnds}
                />
              )}
            </div>
          );
        }}
      />
    </div>
  );
}
