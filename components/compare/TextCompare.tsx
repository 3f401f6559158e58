import { useId, useMemo } from 'preact/hooks';
import { toDiffLines, toTextLines } from '../../lib/compare/diff-lines.ts';
import { isVolatileValue } from '../../lib/compare/volatile.ts';
import type { TextDiff } from '../../lib/state/captures/compare-exchange.ts';
import { DiffTable } from './DiffTable.tsx';

interface TextCompareProps {
  title: string;
  text: TextDiff;
  onlyDifferences: boolean;
  isLenient: boolean;
}

/** How one message became another: by structure where both are JSON, else line by line. */
export function TextCompare({ title, text, onlyDifferences, isLenient }: TextCompareProps) {
  const id = useId();
  const { lines, isCut } = useMemo(() => {
    if (text.kind === 'absent') return { lines: [], isCut: false };
    if (text.kind === 'text') return toTextLines(text.before, text.after, onlyDifferences);
    const options = isLenient ? { isVolatile: isVolatileValue } : {};
    return toDiffLines(text.diff, { ...options, onlyDifferences });
  }, [text, onlyDifferences, isLenient]);
  return (
    <section class="compare-section" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {text.kind === 'absent' ? (
        <p class="dim">There is none.</p>
      ) : (
        <DiffTable label={title} lines={lines} isCut={isCut} />
      )}
    </section>
  );
}
