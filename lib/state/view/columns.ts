/** A column of the traffic table. */
export type ColumnName =
  | 'time'
  | 'direction'
  | 'name'
  | 'kind'
  | 'connection'
  | 'status'
  | 'type'
  | 'size'
  | 'duration'
  | 'era'
  | 'waterfall';

interface Column {
  name: ColumnName;
  title: string;
  /** Least width in px at which it still says something. */
  minWidth: number;
  /** Width in px where there is room for it. */
  width: number;
  /** Shown as long as the user has not chosen. */
  isDefault: boolean;
  /** The table makes no sense without it. */
  isFixed?: boolean;
  /** Too narrow for a title: the heading is there for assistive technology only. */
  isSign?: boolean;
  /** Edge that can be moved; the column of names takes what the others leave. */
  edge?: 'left' | 'right';
}

/** Least width of the names in px. */
const NAME_WIDTH = 180;

/** All columns, in the order in which they stand. */
export const COLUMNS: readonly Column[] = [
  { name: 'time', title: 'Time', minWidth: 96, width: 104, isDefault: true, edge: 'right' },
  {
    name: 'direction',
    title: 'Direction',
    minWidth: 20,
    width: 20,
    isDefault: true,
    isSign: true,
  },
  {
    name: 'name',
    title: 'Name',
    minWidth: NAME_WIDTH,
    width: NAME_WIDTH,
    isDefault: true,
    isFixed: true,
  },
  { name: 'kind', title: 'Kind', minWidth: 84, width: 108, isDefault: true, edge: 'left' },
  {
    name: 'connection',
    title: 'Connection',
    minWidth: 80,
    width: 140,
    isDefault: false,
    edge: 'left',
  },
  { name: 'status', title: 'Status', minWidth: 84, width: 148, isDefault: true, edge: 'left' },
  { name: 'type', title: 'Type', minWidth: 48, width: 64, isDefault: false, edge: 'left' },
  { name: 'size', title: 'Size', minWidth: 60, width: 72, isDefault: true, edge: 'left' },
  { name: 'duration', title: 'Duration', minWidth: 86, width: 88, isDefault: true, edge: 'left' },
  { name: 'era', title: 'Era', minWidth: 86, width: 90, isDefault: false, edge: 'left' },
  {
    name: 'waterfall',
    title: 'Waterfall',
    minWidth: 80,
    width: 360,
    isDefault: true,
    edge: 'left',
  },
];

/** Width in px that the names have before other columns get more than they need. */
const GOOD_NAME_WIDTH = 260;

/**
 * What goes first where there is no room for all, the clock before the figures, and the width of the names in px
 * below which it goes: what the waterfall tells can be read beside it too. The others stay.
 */
const DROPPED: readonly [ColumnName, nameWidth: number][] = [
  ['time', 240],
  ['waterfall', 240],
  ['size', NAME_WIDTH],
  ['kind', NAME_WIDTH],
  ['era', NAME_WIDTH],
  ['type', NAME_WIDTH],
  ['connection', NAME_WIDTH],
];

/** How the columns share the width that there is. */
export interface ColumnLayout {
  columns: readonly Column[];
  /** For `grid-template-columns`. */
  template: string;
  /** Width of the waterfall in px; 0 where there is none. */
  waterfallWidth: number;
}

/**
 * Lays out the chosen columns in a width (px): drops what finds no room, gives the others at least what they
 * need, and the names what is left. It never asks for more than the width, unless that is too little for anything.
 */
export function layoutColumns(
  available: number,
  chosen: ReadonlySet<ColumnName>,
  widths: ReadonlyMap<string, number>,
): ColumnLayout {
  let columns = COLUMNS.filter(({ name, isFixed }) => isFixed === true || chosen.has(name));
  for (const [dropped, nameWidth] of DROPPED) {
    if (roomForNames(columns, available, widths) >= nameWidth - NAME_WIDTH) continue;
    columns = columns.filter(({ name }) => name !== dropped);
  }
  const spare = roomForNames(columns, available, widths);
  // What the user has set wins, as long as there is room for it.
  const kept = spare < 0 ? new Map<string, number>() : widths;
  const wished = columns.reduce((sum, column) => sum + wishOf(column, available, kept), 0);
  const toShare = Math.max(spare - (GOOD_NAME_WIDTH - NAME_WIDTH), 0) * 0.6;
  const share = wished === 0 ? 0 : Math.min(1, toShare / wished);
  const sizes = columns.map((column) =>
    Math.floor(leastOf(column, kept) + wishOf(column, available, kept) * share),
  );
  const template = columns.map(({ name }, index) =>
    name === 'name' ? 'minmax(0, 1fr)' : `${sizes[index]}px`,
  );
  const waterfall = columns.findIndex(({ name }) => name === 'waterfall');
  return { columns, template: template.join(' '), waterfallWidth: sizes[waterfall] ?? 0 };
}

function leastOf({ name, minWidth, edge }: Column, widths: ReadonlyMap<string, number>): number {
  return (edge && widths.get(name)) ?? minWidth;
}

/** What a column would like to have on top of the least. */
function wishOf(
  { name, minWidth, width }: Column,
  available: number,
  widths: ReadonlyMap<string, number>,
): number {
  if (widths.has(name)) return 0;
  const most = name === 'waterfall' ? Math.max(minWidth, Math.min(width, available * 0.26)) : width;
  return most - minWidth;
}

/** What is left when every column has the least, in px; below 0 if it does not fit. */
function roomForNames(
  columns: readonly Column[],
  available: number,
  widths: ReadonlyMap<string, number>,
): number {
  return available - columns.reduce((sum, column) => sum + leastOf(column, widths), 0);
}
