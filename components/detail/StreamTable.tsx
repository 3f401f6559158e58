import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import {
  filterStream,
  positionOf,
  type StreamLines,
} from '../../lib/state/detail/stream-filter.ts';
import { useLongWork } from '../json/use-long-work.ts';
import { SplitPane } from '../ui/SplitPane.tsx';
import { VirtualRows } from '../ui/VirtualRows.tsx';
import { StreamFilterBar } from './StreamFilterBar.tsx';
import { StreamLine, type StreamTableRow } from './StreamLine.tsx';
import './StreamTab.css';

const ROW_HEIGHT = 21;
const PAGE = 10;

interface StreamTableProps {
  label: string;
  /** Titles of the cells after the number. */
  columns: readonly string[];
  /** Class that gives the columns their widths. */
  layout: string;
  /** The lines; the same object as long as it is the same stream. */
  lines: StreamLines;
  /** More may come. */
  isOpen: boolean;
  row: (index: number) => StreamTableRow | undefined;
  /** What is in the selected line. */
  detail: (index: number) => ComponentChildren;
  /** Line to select and to focus at first, or -1. */
  startAt: number;
}

/** Lines of a stream or of a socket in the order in which they came, and what is in the selected one. */
export function StreamTable(props: StreamTableProps) {
  const { label, columns, layout, lines, isOpen, row, detail, startAt } = props;
  const selected = useSignal(-1);
  const filter = useSignal('');
  const container = useRef<HTMLDivElement>(null);
  const found = useLongWork(() => filterStream(lines, filter.value), [lines, filter.value]);
  const isFiltered = filter.value.trim() !== '' && found.problem === undefined;
  const count = isFiltered ? found.matches.length : lines.count;
  const indexAt = (position: number) => (isFiltered ? found.matches[position] : position);
  const position = isFiltered ? positionOf(found.matches, selected.value) : selected.value;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = Math.max(position, 0);
    const targets: Record<string, number> = {
      ArrowDown: position + 1,
      ArrowUp: at - 1,
      PageDown: at + PAGE,
      PageUp: at - PAGE,
      Home: 0,
      End: count - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const index = indexAt(Math.min(Math.max(target, 0), count - 1));
    if (index !== undefined) select(index);
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
      <StreamFilterBar
        label={label}
        filter={filter}
        found={{
          count: found.matches.length,
          isDone: found.isDone,
          unread: found.unread,
          problem: found.problem,
        }}
        isFiltered={isFiltered}
        of={lines.count}
      />
      <SplitPane
        direction="column"
        label="Resize what is in the line"
        first={
          <VirtualRows
            class="stream"
            role="table"
            aria-label={label}
            aria-rowcount={count + 1}
            onKeyDown={onKeyDown}
            count={count}
            rowHeight={ROW_HEIGHT}
            active={position}
            isTail={isOpen}
            bodyRole="rowgroup"
            headHeight={ROW_HEIGHT}
            head={<StreamHead columns={columns} />}
            row={(at, top) => {
              const index = indexAt(at);
              const line = index === undefined ? undefined : row(index);
              if (index === undefined || line === undefined) return null;
              const isSelected = index === selected.value;
              return (
                <StreamLine
                  key={line.sequence}
                  row={line}
                  index={index}
                  rowIndex={at + 2}
                  top={top}
                  isSelected={isSelected}
                  isTabStop={isSelected || (position < 0 && at === 0)}
                  onSelect={() => (selected.value = isSelected ? -1 : index)}
                />
              );
            }}
          />
        }
        second={selected.value >= 0 ? detail(selected.value) : undefined}
      />
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
