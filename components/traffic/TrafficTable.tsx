import type { TargetedMouseEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Item } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { decisiveItem } from '../../lib/state/view/call-state.ts';
import { formatElapsed } from '../../lib/state/view/column-cells.ts';
import { layoutColumns } from '../../lib/state/view/columns.ts';
import { canSend } from '../../lib/state/connect/connection-state.ts';
import type { MarkMove } from '../../lib/state/view/row-marks.ts';
import type { Row } from '../../lib/state/view/rows.ts';
import { openRowMenu } from '../menu/open-row-menu.ts';
import { deferred } from '../ui/Deferred.tsx';
import { VirtualRows } from '../ui/VirtualRows.tsx';
import { ColumnsButton } from './ColumnsButton.tsx';
import type { MenuPlace } from './ColumnsButton.tsx';
import { TableHead } from './TableHead.tsx';
import { DESCRIPTION_ID, TrafficRow } from './TrafficRow.tsx';
import './TrafficTable.css';

const ColumnMenu = deferred(async () => (await import('./ColumnMenu.tsx')).ColumnMenu);

const ROW_HEIGHT = 21;
const PAGE = 10;
/** Rows that a key goes by, or at least as many as there are. */
const STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  Home: -Infinity,
  End: Infinity,
};
/** Until it has been measured. */
const USUAL_WIDTH = 800;

/** All items as a grid: one tab stop, arrow keys, newest at the end, what belongs together in groups. */
export function TrafficTable({ model }: { model: AppModel }) {
  const { traffic, selection, questions, issues, setup } = model;
  const times = model.time.value;
  const [width, setWidth] = useState(USUAL_WIDTH);
  const [hovered, setHovered] = useState<Item | undefined>(undefined);
  const [menuAt, setMenuAt] = useState<MenuPlace | undefined>(undefined);
  const [chosen, widths] = [setup.chosen.value, setup.widths.widths.value];
  const layout = useMemo(() => layoutColumns(width, chosen, widths), [width, chosen, widths]);
  const count = traffic.count.value;
  const selected = selection.item.value;
  const marks = selection.marks.value;
  const active = selected === undefined ? -1 : traffic.indexOf(selected);
  const began =
    setup.timeStyle.value === 'relative' ? times?.overview.density.value?.extent.from : undefined;

  function onKeyDown(event: KeyboardEvent): void {
    const moves: Record<string, () => void> = {
      ArrowDown: () => selection.move(1),
      ArrowUp: () => selection.move(-1),
      // Keys may come faster than pictures.
      ArrowLeft: () => fold(selection.item.peek()),
      ArrowRight: () => unfold(selection.item.peek()),
      PageDown: () => selection.move(PAGE),
      PageUp: () => selection.move(-PAGE),
      Home: () => selection.moveTo(0),
      End: () => selection.moveTo(count - 1),
      Enter: () => selection.open(),
    };
    const hasControl = event.ctrlKey || event.metaKey;
    const isAll = hasControl && event.key === 'a';
    const move = isAll ? () => mark('all') : moves[event.key];
    if (move === undefined || event.altKey || (hasControl && !isAll)) return;
    // The headings have keys of their own.
    if (event.target !== event.currentTarget && isInHead(event.target)) return;
    event.preventDefault();
    const by = STEPS[event.key];
    if (event.shiftKey && by !== undefined) mark({ by });
    else move();
  }

  /** Selects rows together; how, is a chunk that few need. */
  function mark(how: MarkMove): void {
    void import('../../lib/state/view/row-marks.ts').then(({ markRows }) => markRows(model, how));
  }

  /** Folds a group, or goes from a row to what it belongs to. */
  function fold(item: Item | undefined): void {
    if (item === undefined) return;
    if (hasChildren(item) && !traffic.isFolded(item)) return traffic.toggleFold(item);
    const parent = traffic.parentOf(item);
    if (parent !== undefined && traffic.indexOf(parent) >= 0) selection.select(parent);
  }

  /** Unfolds a group, or goes to the first row in it. */
  function unfold(item: Item | undefined): void {
    if (item === undefined || !hasChildren(item)) return;
    if (traffic.isFolded(item)) return traffic.toggleFold(item);
    const index = traffic.indexOf(item);
    if (traffic.depthAt(index + 1) > traffic.depthAt(index)) selection.move(1);
  }

  function hasChildren(item: Item): boolean {
    return traffic.rowsUnder(item) > 0;
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

  function drawRow(index: number, top: number) {
    const row = traffic.rowAt(index);
    const item = traffic.itemAt(index);
    if (row === undefined || item === undefined) return undefined;
    const question = row.isPending ? questionOf(item) : undefined;
    const followers = traffic.rowsUnder(item);
    return (
      <TrafficRow
        key={row.key}
        id={rowId(index)}
        item={item}
        row={row}
        model={model}
        layout={layout}
        index={index}
        top={top}
        times={times}
        time={timeOf(row, item)}
        depth={traffic.depthAt(index)}
        followers={followers}
        isFolded={followers > 0 && traffic.isFolded(item)}
        isActive={index === active}
        isSelected={marks.size > 0 ? marks.has(item.key) : index === active}
        relation={hovered && times?.relations.between(hovered, item)}
        mark={issues.markOf(item)}
        onSelect={(event) => {
          if (event.shiftKey) mark({ to: index });
          else if (event.ctrlKey || event.metaKey) mark({ toggle: index });
          else selection.open(traffic.itemAt(index));
        }}
        onFold={() => traffic.toggleFold(item)}
        onHover={() => setHovered(item)}
        onAnswer={question && (() => questions.show(question))}
        onCancel={row.isListening ? cancelOf(item) : undefined}
      />
    );
  }

  function timeOf(row: Row, item: Item): string {
    if (times === undefined || began === undefined) return row.time;
    return formatElapsed(times.scale.at(item.started) - began);
  }

  return (
    <>
      <VirtualRows
        id="traffic"
        class="grid"
        style={{ '--grid-columns': layout.template }}
        role="treegrid"
        aria-label="Traffic"
        aria-rowcount={count + 1}
        aria-colcount={layout.columns.length}
        aria-activedescendant={active < 0 ? undefined : rowId(active)}
        aria-busy={model.isLoading.value}
        aria-multiselectable
        tabIndex={0}
        onMouseDown={keepFromText}
        onKeyDown={onKeyDown}
        onContextMenu={(event) => openRowMenu(event, model)}
        onPointerLeave={() => setHovered(undefined)}
        count={count}
        rowHeight={ROW_HEIGHT}
        active={active}
        isTail={traffic.sort.value === undefined}
        rowsAbove={model.rowsAbove.value}
        bodyRole="rowgroup"
        headHeight={ROW_HEIGHT}
        head={<TableHead model={model} layout={layout} onWidth={setWidth} onMenu={setMenuAt} />}
        row={drawRow}
      />
      <ColumnsButton menuAt={menuAt} onMenu={setMenuAt} />
      {menuAt && <ColumnMenu setup={setup} at={menuAt} onClose={() => setMenuAt(undefined)} />}
      <p id={DESCRIPTION_ID} hidden>
        {selected && active >= 0 && times?.tell(selected)}
      </p>
    </>
  );
}

/** Else the browser selects the text of the rows up to this one. */
function keepFromText(event: TargetedMouseEvent<HTMLElement>): void {
  if (!event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.focus();
}

function rowId(index: number): string {
  return `traffic-row-${index}`;
}

function isInHead(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.grid-head') !== null;
}
