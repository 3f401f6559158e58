import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { VirtualRows } from '../ui/VirtualRows.tsx';
import './StreamTab.css';

const ROW_HEIGHT = 21;

interface StreamCell {
  text: string;
  /** How the cell looks: `dim`, `cell-number`, `wire-text`. */
  look?: string;
  /** Whether its text may be cut off, and so is shown on hovering too. */
  isLong?: boolean;
}

/** A line of the table, ready to paint. Its number is a cell of its own. */
interface StreamTableRow {
  sequence: number;
  number: string;
  isAside: boolean;
  cells: StreamCell[];
}

interface StreamTableProps {
  label: string;
  /** Titles of the cells after the number. */
  columns: readonly string[];
  /** Class that gives the columns their widths. */
  layout: string;
  count: number;
  row: (index: number) => StreamTableRow | undefined;
  /** The bytes of the selected line. */
  detail: (index: number) => ComponentChildren;
  /** Line to select and to focus at first, or -1. */
  startAt: number;
}

/** Lines of a stream or of a socket in the order in which they came, and what is in the selected one. */
export function StreamTable(props: StreamTableProps) {
  const { label, columns, layout, count, row, detail, startAt } = props;
  const selected = useSignal(-1);
  const container = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(selected.value + step, 0), count - 1);
    select(next);
  }

  function select(index: number): void {
    selected.value = index;
    // The row may only come into being with the next drawing.
    requestAnimationFrame(() =>
      container.current
        ?.querySelector<HTMLElement>(`[data-index="${index}"]`)
        ?.focus({ preventScroll: true }),
    );
  }

  // Selected only once the table is there: it brings into view what becomes selected later.
  useEffect(() => {
    if (startAt >= 0) select(startAt);
  }, [startAt]);

  return (
    <div class={`stream-tab ${layout}`} ref={container}>
      <VirtualRows
        class="stream"
        role="table"
        aria-label={label}
        aria-rowcount={count + 1}
        onKeyDown={onKeyDown}
        count={count}
        rowHeight={ROW_HEIGHT}
        active={selected.value}
        isTail
        bodyRole="rowgroup"
        headHeight={ROW_HEIGHT}
        head={<StreamHead columns={columns} />}
        row={(index, top) => {
          const line = row(index);
          const isSelected = index === selected.value;
          return (
            line && (
              <StreamLine
                key={line.sequence}
                row={line}
                index={index}
                top={top}
                isSelected={isSelected}
                isTabStop={isSelected || (selected.value < 0 && index === 0)}
                onSelect={() => (selected.value = isSelected ? -1 : index)}
              />
            )
          );
        }}
      />
      {selected.value >= 0 && detail(selected.value)}
    </div>
  );
}

function StreamHead({ columns }: Pick<StreamTableProps, 'columns'>) {
  return (
    <div role="rowgroup" class="grid-head">
      <div role="row" class="stream-row" aria-rowindex={1}>
        {['#', ...columns].map((title) => (
          <div key={title} role="columnheader" class="cell">
            {title}
          </div>
        ))}
      </div>
    </div>
  );
}

interface StreamLineProps {
  row: StreamTableRow;
  index: number;
  top: number;
  isSelected: boolean;
  isTabStop: boolean;
  onSelect: () => void;
}

function StreamLine({ row, index, top, isSelected, isTabStop, onSelect }: StreamLineProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the button in the first cell does the same
    <div
      role="row"
      class={`stream-row${row.isAside ? ' is-aside' : ''}${isSelected ? ' is-selected' : ''}`}
      style={{ top: `${top}px` }}
      aria-rowindex={index + 2}
      onClick={onSelect}
    >
      <div role="cell" class="cell">
        <button
          type="button"
          class="stream-number"
          data-index={index}
          aria-pressed={isSelected}
          aria-label={`Bytes of ${row.number}`}
          tabIndex={isTabStop ? 0 : -1}
        >
          {row.number}
        </button>
      </div>
      {row.cells.map(({ text, look = '', isLong }, place) => (
        <div key={place} role="cell" class={`cell ${look}`} title={isLong ? text : undefined}>
          {text}
        </div>
      ))}
    </div>
  );
}
