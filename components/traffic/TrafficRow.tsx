import { Component } from 'preact';
import type { Item } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { typeOf } from '../../lib/state/view/column-cells.ts';
import type { ColumnLayout, ColumnName } from '../../lib/state/view/columns.ts';
import type { IssueMark as Mark } from '../../lib/state/view/issues.ts';
import type { Relation } from '../../lib/state/view/relations.ts';
import { GLYPH_NAMES } from '../../lib/state/view/rows.ts';
import type { Row } from '../../lib/state/view/rows.ts';
import type { TimeModel } from '../../lib/state/time/time-model.ts';
import { connectionNameOf } from '../../lib/state/view/view-facts.ts';
import { tellHint } from '../hints/tell-hint.ts';
import { RunningTime } from '../RunningTime.tsx';
import { deferred } from '../ui/Deferred.tsx';
import { NameCell } from './NameCell.tsx';

const WaterfallCell = deferred(async () => (await import('./WaterfallCell.tsx')).WaterfallCell);

interface TrafficRowProps {
  id: string;
  item: Item;
  row: Row;
  model: AppModel;
  layout: ColumnLayout;
  index: number;
  top: number;
  /** Undefined for a moment after the first paint. */
  times: TimeModel | undefined;
  time: string;
  depth: number;
  /** Rows that stand under it, or would if it were not folded. */
  followers: number;
  isFolded: boolean;
  /** It is where the keyboard is. */
  isActive: boolean;
  /** It, or it among others. */
  isSelected: boolean;
  /** What it is to the row under the pointer. */
  relation: Relation | undefined;
  mark: Mark | undefined;
  onSelect: (event: MouseEvent) => void;
  onFold: () => void;
  onHover: () => void;
  /** Present where the row is a request that waits for the user's answer. */
  onAnswer: (() => void) | undefined;
  /** Present where the row is a subscription that can be ended. */
  onCancel: (() => void) | undefined;
}

/** Element that says how the selected row hangs together with others. */
export const DESCRIPTION_ID = 'traffic-description';

const GLYPH_CLASSES = {
  '↑': 'is-outgoing',
  '↓': 'is-incoming',
  '⇣': 'is-stream',
  '·': 'is-lifecycle',
} as const;

const COMPARED = [
  'row',
  'layout',
  'index',
  'top',
  'times',
  'time',
  'depth',
  'followers',
  'isFolded',
  'isActive',
  'isSelected',
  'relation',
] as const satisfies readonly (keyof TrafficRowProps)[];

/** One row of the table. It is drawn again only if its item, its place or its looks changed. */
export class TrafficRow extends Component<TrafficRowProps> {
  override shouldComponentUpdate(next: TrafficRowProps): boolean {
    const { mark, onAnswer, onCancel } = this.props;
    return (
      COMPARED.some((name) => next[name] !== this.props[name]) ||
      next.mark?.count !== mark?.count ||
      next.mark?.severity !== mark?.severity ||
      (next.onAnswer === undefined) !== (onAnswer === undefined) ||
      (next.onCancel === undefined) !== (onCancel === undefined)
    );
  }

  override render() {
    const { id, layout, index, top, depth, followers, isFolded } = this.props;
    const { isActive, isSelected, onSelect, onHover } = this.props;
    return (
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the keys and the focus
      <div
        role="row"
        id={id}
        class={rowClass(this.props)}
        style={{ top: `${top}px` }}
        aria-rowindex={index + 2}
        aria-level={depth + 1}
        aria-expanded={followers > 0 ? !isFolded : undefined}
        aria-selected={isSelected}
        aria-describedby={isActive ? DESCRIPTION_ID : undefined}
        onClick={onSelect}
        onPointerEnter={onHover}
      >
        {layout.columns.map(({ name }) => this.#cell(name))}
      </div>
    );
  }

  #cell(name: ColumnName) {
    const { row, item, model, layout, times, time, onAnswer, onCancel } = this.props;
    switch (name) {
      case 'time':
        return textCell(name, time, row.isoTime);
      case 'direction':
        return (
          <div
            key={name}
            role="gridcell"
            class="cell cell-direction"
            aria-label={GLYPH_NAMES[row.glyph]}
          >
            {row.glyph}
          </div>
        );
      case 'name':
        return <NameCell key={name} {...this.props} />;
      case 'kind':
        return textCell(name, row.kind, row.kind);
      case 'connection': {
        const text = connectionNameOf(item, model.correlation) ?? '';
        return textCell(name, text, text);
      }
      case 'status':
        return (
          <div
            key={name}
            role="gridcell"
            class="cell cell-status"
            title={row.status}
            // What cannot be found out is only not told.
            onPointerEnter={({ currentTarget }) =>
              void (row.isPending && tellHint(currentTarget, item, model))
            }
          >
            {onAnswer && <RowButton title="Answer" onPress={onAnswer} />}
            {onAnswer ? <span class="visually-hidden">{row.status}</span> : row.status}
            {/* Here no one hits it who only means the row. */}
            {onCancel && (
              <>
                {' '}
                <RowButton title="Cancel" onPress={onCancel} />
              </>
            )}
          </div>
        );
      case 'type': {
        const text = typeOf(item, model.correlation);
        return textCell(name, text, text);
      }
      case 'size':
        return textCell(name, row.size);
      case 'duration':
        return (
          <div key={name} role="gridcell" class="cell cell-duration">
            {row.isPending ? (
              <>
                <RunningTime clock={model.clock} since={row.startedAt} />…
              </>
            ) : (
              row.duration
            )}
          </div>
        );
      case 'era':
        return textCell(name, row.era);
      case 'waterfall':
        return times === undefined ? (
          textCell(name, '')
        ) : (
          <WaterfallCell
            key={name}
            time={times}
            item={item}
            row={row}
            isRunning={row.isPending && row.glyph !== '⇣' && !row.isListening}
            width={layout.waterfallWidth}
            model={model}
          />
        );
    }
  }
}

function textCell(name: ColumnName, text: string, title?: string) {
  return (
    <div key={name} role="gridcell" class={`cell cell-${name}`} title={title}>
      {text}
    </div>
  );
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

function rowClass({ row, index, relation, isActive }: TrafficRowProps): string {
  const classes = ['grid-row', `level-${row.level}`, GLYPH_CLASSES[row.glyph]];
  if (index % 2 === 1) classes.push('is-odd');
  if (row.isPending) classes.push('is-pending');
  if (isActive) classes.push('is-active');
  if (relation !== undefined) classes.push(`is-${relation}`);
  return classes.join(' ');
}
