import type { Item } from '../../lib/capture/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { decisiveItem } from '../../lib/state/call-state.ts';
import type { ColumnWidths } from '../../lib/state/column-widths.ts';
import { canSend } from '../../lib/state/connection-words.ts';
import { VirtualRows } from '../ui/VirtualRows.tsx';
import { ColumnHandle } from './ColumnHandle.tsx';
import { COLUMNS } from './columns.ts';
import { TrafficRow } from './TrafficRow.tsx';
import './TrafficTable.css';

const ROW_HEIGHT = 21;
const PAGE = 10;

/** All items as a grid: one tab stop, arrow keys, newest at the end. */
export function TrafficTable({ model }: { model: AppModel }) {
  const { traffic, selection, clock, questions, issues, columnWidths } = model;
  const count = traffic.count.value;
  const selected = selection.item.value;
  const active = selected === undefined ? -1 : traffic.indexOf(selected);

  function onKeyDown(event: KeyboardEvent): void {
    const moves: Record<string, () => void> = {
      ArrowDown: () => selection.move(1),
      ArrowUp: () => selection.move(-1),
      PageDown: () => selection.move(PAGE),
      PageUp: () => selection.move(-PAGE),
      Home: () => selection.moveTo(0),
      End: () => selection.moveTo(count - 1),
      Enter: () => selection.open(),
    };
    const move = moves[event.key];
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move();
  }

  function questionOf(item: Item) {
    return questions.find(decisiveItem(item, model.correlation));
  }

  function cancelOf(item: Item | undefined): (() => void) | undefined {
    if (item?.kind !== 'request' || item.connectionId === undefined) return undefined;
    const { connectionId, rpcId } = item;
    const isLive = model.connections.value.some(
      (connection) => connection.connectionId === connectionId && canSend(connection),
    );
    return isLive ? () => model.connector.cancelRequest(connectionId, rpcId) : undefined;
  }

  return (
    <VirtualRows
      id="traffic"
      class="grid"
      style={toWidthStyle(columnWidths.widths.value)}
      role="grid"
      aria-label="Traffic"
      aria-rowcount={count + 1}
      aria-colcount={COLUMNS.length}
      aria-activedescendant={active < 0 ? undefined : rowId(active)}
      aria-busy={model.feed.value.kind === 'loading'}
      tabIndex={0}
      onKeyDown={onKeyDown}
      count={count}
      rowHeight={ROW_HEIGHT}
      active={active}
      isTail
      bodyRole="rowgroup"
      headHeight={ROW_HEIGHT}
      head={<TableHead widths={columnWidths} />}
      row={(index, top) => {
        const row = traffic.rowAt(index);
        const item = traffic.itemAt(index);
        const question = row?.isPending && item ? questionOf(item) : undefined;
        return (
          row && (
            <TrafficRow
              key={row.key}
              id={rowId(index)}
              row={row}
              index={index}
              top={top}
              isSelected={index === active}
              mark={issues.markOf(item)}
              clock={clock}
              onSelect={() => selection.open(traffic.itemAt(index))}
              onAnswer={question && (() => questions.show(question))}
              onCancel={row.isListening ? cancelOf(item) : undefined}
            />
          )
        );
      }}
    />
  );
}

function rowId(index: number): string {
  return `traffic-row-${index}`;
}

/** The style sheet reads a width from here where the user has set one. */
function toWidthStyle(widths: ReadonlyMap<string, number>): Record<string, string> {
  return Object.fromEntries([...widths].map(([name, width]) => [`--width-${name}`, `${width}px`]));
}

function TableHead({ widths }: { widths: ColumnWidths<string> }) {
  return (
    <div role="rowgroup" class="grid-head">
      <div role="row" class="grid-row" aria-rowindex={1}>
        {COLUMNS.map(({ name, title, isSign, edge }) => (
          <div key={name} role="columnheader" class={`cell cell-${name}`}>
            {isSign ? <span class="visually-hidden">{title}</span> : title}
            {edge && <ColumnHandle name={name} title={title} edge={edge} widths={widths} />}
          </div>
        ))}
      </div>
    </div>
  );
}
