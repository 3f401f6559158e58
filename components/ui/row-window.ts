/** Browsers cut off what is higher: Firefox at 17.9 million px, Chromium at 33.5 million. */
const MAX_BODY_PX = 15_000_000;

export interface Rows {
  count: number;
  rowHeight: number;
  /** Height of the part of the list that is in sight, in px. */
  room: number;
}

/** Which rows are in sight, and where they lie in the body of the list. */
export interface RowWindow {
  first: number;
  /** The row after the last one in sight. */
  end: number;
  /** Height of the body, in px. */
  bodyPx: number;
  /** Pixels from the top of the body to the top of a row. */
  topOf(index: number): number;
}

/**
 * The window of a list scrolled by `scrollTop` px, where all rows are equally high. A list that is too high for the
 * browser gets a lower body: then one pixel of the scroll bar stands for more than one of the rows.
 */
export function rowWindow(rows: Rows, scrollTop: number): RowWindow {
  const { count, rowHeight, room } = rows;
  const bodyPx = bodyHeight(rows);
  // The scroll bar may still stand where a longer list ended.
  const scrolled = Math.min(Math.max(scrollTop, 0), Math.max(bodyPx - room, 0));
  const offset = scrolled * scaleOf(rows);
  const shift = offset - scrolled;
  return {
    first: Math.min(Math.floor(offset / rowHeight), count),
    end: Math.min(Math.ceil((offset + room) / rowHeight), count),
    bodyPx,
    // What is far out of sight must not make the body higher.
    topOf: (index) => Math.min(index * rowHeight - shift, bodyPx - rowHeight),
  };
}

/** How far a row is above (negative) or below (positive) the part in sight, in px of the scroll bar. */
export function distanceOf(index: number, rows: Rows, scrollTop: number): number {
  const { rowHeight, room } = rows;
  const scale = scaleOf(rows);
  const top = index * rowHeight - scrollTop * scale;
  return (top < 0 ? top : Math.max(top - (room - rowHeight), 0)) / scale;
}

/** Where a list has to be scrolled to for the same rows to be in sight, once so many have come in above them. */
export function scrollTopAfter(
  added: number,
  { before, now }: { before: Rows; now: Rows },
  scrollTop: number,
): number {
  return (scrollTop * scaleOf(before) + added * now.rowHeight) / scaleOf(now);
}

function bodyHeight({ count, rowHeight }: Rows): number {
  return Math.min(count * rowHeight, MAX_BODY_PX);
}

function scaleOf(rows: Rows): number {
  const { count, rowHeight, room } = rows;
  const body = bodyHeight(rows);
  return body > room ? (count * rowHeight - room) / (body - room) : 1;
}
