import { useSignal } from '@preact/signals';
import { spanBytes } from '../../lib/capture/http-record.ts';
import type { HttpRecord } from '../../lib/capture/items.ts';
import { spanTextCuts } from '../../lib/state/body-cuts.ts';
import type { Secrets } from '../../lib/state/secrets.ts';
import { toStreamRow } from '../../lib/state/stream-rows.ts';
import type { StreamRow } from '../../lib/state/stream-rows.ts';
import { VirtualRows } from '../ui/VirtualRows.tsx';
import { RawBytes } from './RawBytes.tsx';
import './StreamTab.css';

const ROW_HEIGHT = 21;
const COLUMNS = ['#', 'Time', 'Gap', 'Event', 'ID', 'Retry', 'Size', 'Data'] as const;

interface StreamTabProps {
  record: HttpRecord;
  /** Grows with the record, which changes in place. */
  revision: number;
  secrets: Secrets;
}

/** What came over an event stream, block by block, and the bytes of the selected one. */
export function StreamTab({ record, secrets }: StreamTabProps) {
  const selected = useSignal(-1);
  if (record.stream.length === 0) {
    return <p class="message-note dim">{emptyWords(record)}</p>;
  }
  const chosen = selected.value < 0 ? undefined : toStreamRow(record, selected.value);

  function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(selected.value + step, 0), record.stream.length - 1);
    selected.value = next;
    const table = event.currentTarget;
    // The row may only come into being with the next drawing.
    requestAnimationFrame(() =>
      table.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus({ preventScroll: true }),
    );
  }

  return (
    <div class="stream-tab">
      <VirtualRows
        class="stream"
        role="table"
        aria-label="Stream events"
        aria-rowcount={record.stream.length + 1}
        onKeyDown={onKeyDown}
        count={record.stream.length}
        rowHeight={ROW_HEIGHT}
        active={selected.value}
        isTail
        bodyRole="rowgroup"
        headHeight={ROW_HEIGHT}
        head={<StreamHead />}
        row={(index, top) => {
          const row = toStreamRow(record, index);
          const isSelected = index === selected.value;
          return (
            row && (
              <StreamLine
                key={row.sequence}
                row={row}
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
      {chosen && (
        <RawBytes
          key={chosen.sequence}
          title={`Bytes of ${chosen.number}`}
          bytes={spanBytes(record, chosen.span)}
          offset={chosen.span.offset}
          cuts={spanTextCuts(record, chosen.span)}
          secrets={secrets}
        />
      )}
    </div>
  );
}

function emptyWords(record: HttpRecord): string {
  if (record.response === undefined) return 'No response has arrived.';
  const type = record.response.headers.find(({ name }) => name.toLowerCase() === 'content-type');
  if (type?.value.startsWith('text/event-stream')) {
    return record.end === undefined
      ? 'The stream is open. Nothing has arrived on it yet.'
      : 'The stream ended without a single line.';
  }
  return `The response is not an event stream. Its content type is ${type?.value ?? 'not given'}.`;
}

function StreamHead() {
  return (
    <div role="rowgroup" class="grid-head">
      <div role="row" class="stream-row" aria-rowindex={1}>
        {COLUMNS.map((title) => (
          <div key={title} role="columnheader" class="cell">
            {title}
          </div>
        ))}
      </div>
    </div>
  );
}

interface StreamLineProps {
  row: StreamRow;
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
      <div role="cell" class="cell dim">
        {row.time}
      </div>
      <div role="cell" class="cell cell-number">
        {row.gap}
      </div>
      <div role="cell" class="cell">
        {row.event}
      </div>
      <div role="cell" class="cell" title={row.id}>
        {row.id}
      </div>
      <div role="cell" class="cell">
        {row.retry}
      </div>
      <div role="cell" class="cell cell-number">
        {row.size}
      </div>
      <div role="cell" class="cell wire-text" title={row.data}>
        {row.data}
      </div>
    </div>
  );
}
