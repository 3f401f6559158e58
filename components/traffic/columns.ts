interface Column {
  name: 'time' | 'glyph' | 'name' | 'kind' | 'status' | 'size' | 'duration';
  title: string;
  /** Too narrow for a title: the heading is there for assistive technology only. */
  isSign?: boolean;
}

/** Columns of the traffic table. Their widths are in `TrafficTable.css`. */
export const COLUMNS: readonly Column[] = [
  { name: 'time', title: 'Time' },
  { name: 'glyph', title: 'Direction', isSign: true },
  { name: 'name', title: 'Name' },
  { name: 'kind', title: 'Kind' },
  { name: 'status', title: 'Status' },
  { name: 'size', title: 'Size' },
  { name: 'duration', title: 'Duration' },
];
