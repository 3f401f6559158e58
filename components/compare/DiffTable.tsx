import type { VNode } from 'preact';
import type { DiffLine } from '../../lib/compare/diff-lines.ts';
import { formatCount } from '../../lib/text.ts';
import { useMedia } from '../ui/use-media.ts';
import { DiffText } from './DiffText.tsx';

interface DiffTableProps {
  label: string;
  lines: readonly DiffLine[];
  isCut: boolean;
}

type Side = 'before' | 'after';

/** The lines of a comparison: side by side where there is room, else one below the other. */
export function DiffTable({ label, lines, isCut }: DiffTableProps) {
  const isWide = useMedia('(min-width: 1200px)');
  const isSame = lines.every(({ kind }) => kind === 'left-out');
  if (isSame) return <p class="dim">No difference.</p>;
  return (
    <>
      <table class={`diff ${isWide ? 'is-split' : ''}`} aria-label={label}>
        {isWide && (
          <thead class="visually-hidden">
            <tr>
              <th scope="col">First</th>
              <th scope="col">Second</th>
            </tr>
          </thead>
        )}
        <tbody>
          {lines.flatMap((line, index) => {
            // Only the first line of a run is a place to stop at.
            const isHit = isDifferent(line) && !isDifferent(lines[index - 1]);
            return isWide ? [splitRow(line, index, isHit)] : unifiedRows(line, index, isHit);
          })}
        </tbody>
      </table>
      {isCut && <p class="warning">There are more lines than can be shown.</p>}
    </>
  );
}

function isDifferent(line: DiffLine | undefined): boolean {
  return line?.kind === 'changed' || line?.kind === 'added' || line?.kind === 'removed';
}

function splitRow(line: DiffLine, index: number, isHit: boolean): VNode {
  return (
    <tr key={index} {...hit(isHit)}>
      {line.kind === 'left-out' ? (
        <LeftOut line={line} columns={2} />
      ) : (
        <>
          <LineCell line={line} side="before" />
          <LineCell line={line} side="after" />
        </>
      )}
    </tr>
  );
}

function unifiedRows(line: DiffLine, index: number, isHit: boolean): VNode[] {
  if (line.kind === 'left-out') {
    return [
      <tr key={index}>
        <LeftOut line={line} columns={1} />
      </tr>,
    ];
  }
  const isOne = line.before === line.after;
  const sides: Side[] = isOne ? ['after'] : ['before', 'after'];
  return sides
    .filter((side) => line[side] !== undefined)
    .map((side, at) => (
      <tr key={`${index} ${side}`} {...hit(isHit && at === 0)}>
        <LineCell line={line} side={side} />
      </tr>
    ));
}

function hit(isHit: boolean) {
  return isHit ? { 'data-hit': '', tabIndex: -1 } : {};
}

function LeftOut({ line, columns }: { line: DiffLine; columns: number }) {
  return (
    <td colSpan={columns} class="diff-left-out">
      {formatCount(line.count ?? 0, 'equal line')}
    </td>
  );
}

function LineCell({ line, side }: { line: DiffLine; side: Side }) {
  const text = line[side];
  if (text === undefined) return <td class="diff-nothing">{'\u00A0'}</td>;
  const isOne = line.kind === 'same' || line.before === line.after;
  const kind = isOne ? 'same' : line.kind === 'ignored' ? 'ignored' : side;
  return (
    <td class={`diff-line diff-${kind}`} style={{ '--depth': line.depth }}>
      {kind !== 'same' && kind !== 'ignored' && (
        <>
          <span class="diff-sign" aria-hidden="true">
            {side === 'before' ? '−' : '+'}
          </span>
          <span class="visually-hidden">{side === 'before' ? 'first: ' : 'second: '}</span>
        </>
      )}
      <code>{line.kind === 'changed' ? <DiffText line={line} side={side} /> : text}</code>
    </td>
  );
}
