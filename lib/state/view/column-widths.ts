import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';

const MIN_COLUMN_WIDTH = 44;
export const MAX_COLUMN_WIDTH = 600;

/** Widths of columns that the user has set, in px. */
export interface ColumnWidths<Name extends string> {
  widths: ReadonlySignal<ReadonlyMap<Name, number>>;
  /** Keeps to what can still be read and grasped. */
  resize(name: Name, width: number): void;
  /** Gives a column its own width back. */
  reset(name: Name): void;
  resetAll(): void;
}

/** Creates the widths; a column without one has a width of its own. `changed` is told of every change. */
export function createColumnWidths<Name extends string>(
  initial: Iterable<readonly [Name, number]> = [],
  changed: () => void = () => undefined,
): ColumnWidths<Name> {
  const widths = signal<ReadonlyMap<Name, number>>(
    new Map([...initial].map(([name, width]) => [name, clamp(width)])),
  );

  function set(next: ReadonlyMap<Name, number>): void {
    widths.value = next;
    changed();
  }

  return {
    widths,
    resize(name, width) {
      const clamped = clamp(width);
      if (widths.value.get(name) !== clamped) set(new Map(widths.value).set(name, clamped));
    },
    reset(name) {
      const next = new Map(widths.value);
      if (next.delete(name)) set(next);
    },
    resetAll() {
      if (widths.value.size > 0) set(new Map());
    },
  };
}

function clamp(width: number): number {
  return Math.round(Math.min(Math.max(width, MIN_COLUMN_WIDTH), MAX_COLUMN_WIDTH));
}
