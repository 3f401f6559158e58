interface Column {
  name: 'time' | 'glyph' | 'name' | 'kind' | 'status' | 'size' | 'duration';
  title: string;
  /** Too narrow for a title: the heading is there for assistive technology only. */
  isSign?: boolean;
  /** Edge that can be moved; the column of names takes what the others leave. */
  edge?: 'left' | 'right';
}

/** Columns of the traffic table. Widths that the user has not set are in `TrafficTable.css`. */
export const COLUMNS: readonly Column[] = [
  { name: 'time', title: 'Time', edge: 'right' },
  { name: 'glyph', title: 'Direction', isSign: true },
  { name: 'name', title: 'Name' },
  { name: 'kind', title: 'Kind', edge: 'left' },
  { name: 'status', title: 'Status', edge: 'left' },
  { name: 'size', title: 'Size', edge: 'left' },
  { name: 'duration', title: 'Duration', edge: 'left' },
];
