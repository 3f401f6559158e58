interface StreamCell {
  text: string;
  /** How the cell looks: `dim`, `cell-number`, `wire-text`. */
  look?: string;
  /** Whether its text may be cut off, and so is shown on hovering too. */
  isLong?: boolean;
  /** What hovering says instead. */
  title?: string;
}

/** A line of the table, ready to paint. Its number is a cell of its own. */
export interface StreamTableRow {
  sequence: number;
  number: string;
  isAside: boolean;
  /** It begins in another network chunk than the line before. */
  startsChunk: boolean;
  cells: StreamCell[];
}

interface StreamLineProps {
  row: StreamTableRow;
  index: number;
  /** Its place for assistive technology; the head is the first row. */
  rowIndex: number;
  top: number;
  isSelected: boolean;
  isTabStop: boolean;
  onSelect: () => void;
}

/** One line of a stream. */
export function StreamLine(props: StreamLineProps) {
  const { row, index, rowIndex, top, isSelected, isTabStop, onSelect } = props;
  const look = [
    'stream-row',
    row.isAside && 'is-aside',
    row.startsChunk && 'starts-chunk',
    isSelected && 'is-selected',
  ];
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the button in the first cell does the same
    <div
      role="row"
      class={look.filter(Boolean).join(' ')}
      style={{ top: `${top}px` }}
      aria-rowindex={rowIndex}
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
      {row.cells.map(({ text, look: cellLook = '', isLong, title }, place) => (
        <div
          key={place}
          role="cell"
          class={`cell ${cellLook}`}
          title={title ?? (isLong ? text : undefined)}
        >
          {text}
        </div>
      ))}
    </div>
  );
}
