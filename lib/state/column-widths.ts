import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';

const MIN_COLUMN_WIDTH = 44;
export const MAX_COLUMN_WIDTH = 600;

/** Widths of columns that the user has set, in px; for as long as the page lives. */
export interface ColumnWidths<Name extends string> {
  widths: ReadonlySignal<ReadonlyMap<Name, number>>;
  /** Keeps to what can still be read and grasped. */
  resize(name: Name, width: number): void;
  /** Gives a column its own width back. */
  reset(name: Name): void;
}

/** Creates the widths; a column without one has the width of the style sheet. */
export function createColumnWidths<Name extends string>(): ColumnWidths<Name> {
  const widths = signal<ReadonlyMap<Name, number>>(new Map());
  return {
    widths,
    resize(name, width) {
      const clamped = Math.round(Math.min(Math.max(width, MIN_COLUMN_WIDTH), MAX_COLUMN_WIDTH));
      if (widths.value.get(name) === clamped) return;
      widths.value = new Map(widths.value).set(name, clamped);
    },
    reset(name) {
      const next = new Map(widths.value);
      if (next.delete(name)) widths.value = next;
    },
  };
}
