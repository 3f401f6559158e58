import type { DiffLine } from '../../lib/compare/diff-lines.ts';

/** A changed line with the part marked in which the two sides differ. */
export function DiffText({ line, side }: { line: DiffLine; side: 'before' | 'after' }) {
  const { before = '', after = '' } = line;
  const text = side === 'before' ? before : after;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, text.length - end)}</mark>
      {text.slice(text.length - end)}
    </>
  );
}
