import { Component } from 'preact';
import type { Clock } from '../../lib/state/clock.ts';
import type { IssueMark as Mark } from '../../lib/state/issues.ts';
import { GLYPH_NAMES } from '../../lib/state/rows.ts';
import type { Row } from '../../lib/state/rows.ts';
import { formatCount } from '../../lib/text.ts';
import { RunningTime } from '../RunningTime.tsx';
import { IssueMark } from './IssueMark.tsx';

interface TrafficRowProps {
  id: string;
  row: Row;
  index: number;
  top: number;
  isSelected: boolean;
  mark: Mark | undefined;
  clock: Clock;
  onSelect: () => void;
  /** Present where the row is a request that waits for the user's answer. */
  onAnswer?: (() => void) | undefined;
  /** Present where the row is a subscription that can be ended. */
  onCancel?: (() => void) | undefined;
}

const SIGN_CLASSES = {
  '↑': 'sign-outgoing',
  '↓': 'sign-incoming',
  '⇣': 'sign-stream',
  '·': 'dim',
} as const;

/** One row of the table. It is drawn again only if its item, its place or its selection changed. */
export class TrafficRow extends Component<TrafficRowProps> {
  override shouldComponentUpdate(next: TrafficRowProps): boolean {
    const { row, index, top, isSelected, mark, onAnswer, onCancel } = this.props;
    return (
      next.row !== row ||
      next.index !== index ||
      next.top !== top ||
      next.isSelected !== isSelected ||
      next.mark?.count !== mark?.count ||
      next.mark?.severity !== mark?.severity ||
      (next.onAnswer === undefined) !== (onAnswer === undefined) ||
      (next.onCancel === undefined) !== (onCancel === undefined)
    );
  }

  override render() {
    const { id, row, index, top, isSelected, mark, clock, onSelect, onAnswer, onCancel } =
      this.props;
    return (
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the keys and the focus
      <div
        role="row"
        id={id}
        class={rowClass(row, index)}
        style={{ top: `${top}px` }}
        aria-rowindex={index + 2}
        aria-selected={isSelected}
        onClick={onSelect}
      >
        <div role="gridcell" class="cell cell-time" title={row.isoTime}>
          {row.time}
        </div>
        <div role="gridcell" class="cell cell-glyph">
          <span aria-hidden="true" class={SIGN_CLASSES[row.glyph]}>
            {row.glyph}
          </span>
          <span class="visually-hidden">{GLYPH_NAMES[row.glyph]}</span>
        </div>
        <div role="gridcell" class="cell cell-name" title={nameTitle(row, mark)}>
          <span class="row-text">
            {row.name}
            {row.target !== '' && <span class="row-target"> {row.target}</span>}
            {row.note !== '' && <span class="row-note"> {row.note}</span>}
          </span>
          {row.isInjected && <span class="row-injected">injected</span>}
          {mark && <IssueMark mark={mark} />}
        </div>
        <div role="gridcell" class="cell cell-kind">
          {row.kind}
        </div>
        <div role="gridcell" class="cell cell-status" title={row.status}>
          {onAnswer && <RowButton title="Answer" onPress={onAnswer} />}
          <span class={onAnswer && 'visually-hidden'}>{row.status}</span>
          {/* Here no one hits it who only means the row. */}
          {onCancel && (
            <>
              {' '}
              <RowButton title="Cancel" onPress={onCancel} />
            </>
          )}
        </div>
        <div role="gridcell" class="cell cell-size">
          {row.size}
        </div>
        <div role="gridcell" class="cell cell-duration">
          {row.isPending ? (
            <>
              <RunningTime clock={clock} since={row.startedAt} />…
            </>
          ) : (
            row.duration
          )}
        </div>
      </div>
    );
  }
}

/** The grid is one tab stop: the keyboard finds the same button in the details. */
function RowButton({ title, onPress }: { title: string; onPress: () => void }) {
  return (
    <button
      type="button"
      class="link row-answer"
      tabIndex={-1}
      onClick={(event) => {
        event.stopPropagation();
        onPress();
      }}
    >
      {title}
    </button>
  );
}

function nameTitle(row: Row, mark: Mark | undefined): string {
  const issues = mark === undefined ? '' : `(${formatCount(mark.count, 'issue')})`;
  const era = row.era === '' ? '' : `· ${row.era}`;
  return [row.name, row.target, row.note, issues, era].filter((part) => part !== '').join(' ');
}

function rowClass(row: Row, index: number): string {
  const classes = ['grid-row', `level-${row.level}`];
  if (index % 2 === 1) classes.push('is-odd');
  if (row.isPending) classes.push('is-pending');
  if (row.depth > 0) classes.push('is-nested');
  return classes.join(' ');
}
