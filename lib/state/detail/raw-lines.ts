import type { Cut } from '../../capture/store/stored-text.ts';
import type { LongWork } from './long-work.ts';

/** Where the rows of a long text begin: at its lines, and within lines that are wider than the screen. */
export interface RawLines extends LongWork {
  /** Rows so far. */
  readonly count: number;
  /** UTF-16 units of a row, without the line feed that ends it. */
  rowAt(index: number): { start: number; end: number } | undefined;
  /** Index of the row that holds a place in the text, or -1 while that has not been reached. */
  indexAt(offset: number): number;
}

const ROWS_PER_STEP = 2000;
const LF = 10;

/** Begins to cut a text into rows of at most `columns` UTF-16 units. */
export function cutRawLines(text: string, columns: number): RawLines {
  // Room for both halves of a character.
  const width = Math.max(columns, 2);
  const starts: number[] = [0];
  let position = 0;
  let lineEnd = nextLineEnd(text, 0);
  let isDone = text === '';

  function nextRow(): void {
    const isWhole = lineEnd - position <= width;
    if (isWhole && lineEnd >= text.length) {
      isDone = true;
      return;
    }
    position = isWhole ? lineEnd + 1 : position + width;
    if (isWhole) lineEnd = nextLineEnd(text, position);
    // The halves of a character stay together.
    else if (isTrailing(text.charCodeAt(position))) position -= 1;
    starts.push(position);
  }

  return {
    get count() {
      return starts.length;
    },
    get isDone() {
      return isDone;
    },
    indexAt(offset) {
      if (!isDone && offset >= position) return -1;
      let low = 0;
      let high = starts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle + 1;
        else high = middle;
      }
      return low - 1;
    },
    step() {
      for (let rows = 0; rows < ROWS_PER_STEP && !isDone; rows += 1) nextRow();
    },
    rowAt(index) {
      const start = starts[index];
      if (start === undefined) return undefined;
      const next = starts[index + 1];
      if (next === undefined) return { start, end: Math.min(lineEnd, start + width) };
      return { start, end: text.charCodeAt(next - 1) === LF ? next - 1 : next };
    },
  };
}

function nextLineEnd(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found;
}

function isTrailing(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The cuts that lie in a stretch of a text, with their places counted from its start. */
export function cutsWithin(cuts: readonly Cut[], start: number, end: number): Cut[] {
  return cuts.flatMap((cut) => {
    const clipped = Math.max(start - cut.offset, 0);
    const length = Math.min(cut.offset + cut.length, end) - cut.offset - clipped;
    if (length <= 0) return [];
    return [{ ...cut, offset: cut.offset + clipped - start, length, from: cut.from + clipped }];
  });
}
