import type { IssueMark as Mark } from '../../lib/state/view/issues.ts';
import type { Row } from '../../lib/state/view/rows.ts';
import { formatCount } from '../../lib/text.ts';
import { IssueMark } from './IssueMark.tsx';

interface NameCellProps {
  row: Row;
  depth: number;
  /** Rows that stand under it, or would if it were not folded. */
  followers: number;
  isFolded: boolean;
  mark: Mark | undefined;
  onFold: () => void;
}

/** What a row is about, indented below what it belongs to, with the sign that folds what belongs to it. */
export function NameCell({ row, depth, followers, isFolded, mark, onFold }: NameCellProps) {
  return (
    <div
      role="gridcell"
      class="cell cell-name"
      style={depth > 0 ? { '--depth': depth } : undefined}
      title={nameTitle(row, mark)}
    >
      {followers > 0 && (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- arrow keys do it
        <span
          class={isFolded ? 'fold is-folded' : 'fold'}
          onClick={(event) => {
            event.stopPropagation();
            onFold();
          }}
        />
      )}
      <span class="row-text">
        {row.name}
        {row.target !== '' && <span class="row-target"> {row.target}</span>}
        {row.note !== '' && <span class="row-note"> {row.note.replaceAll('`', '')}</span>}
      </span>
      {isFolded && (
        <span class="row-folded" title={`${formatCount(followers, 'row')} folded`}>
          {followers.toLocaleString('en')}
        </span>
      )}
      {row.isInjected && <span class="row-injected">injected</span>}
      {mark && <IssueMark mark={mark} />}
    </div>
  );
}

function nameTitle(row: Row, mark: Mark | undefined): string {
  const issues = mark === undefined ? '' : `(${formatCount(mark.count, 'issue')})`;
  const era = row.era === '' ? '' : `· ${row.era}`;
  return [row.name, row.target, row.note, issues, era].filter((part) => part !== '').join(' ');
}
