import { signal } from '@preact/signals-core';
import type { Signal } from '@preact/signals-core';
import type { TypeChip } from '../filter/filter-types.ts';
import type { Sort } from './sorting.ts';

/** Wall time in ms, both ends included. */
export interface TimeRange {
  from: number;
  to: number;
}

/** What the user has chosen to see of a log. */
export interface FilterSettings {
  text: Signal<string>;
  /** Shows what the text would hide, and the other way round; types and range stay as they are. */
  isInverted: Signal<boolean>;
  /** None means all. */
  types: Signal<ReadonlySet<TypeChip>>;
  /** What was active within it is shown. */
  range: Signal<TimeRange | undefined>;
}

/** And how. Several views may follow the same settings. */
export interface ViewSettings extends FilterSettings {
  /** Undefined: in the order of the log. */
  sort: Signal<Sort | undefined>;
  /** Nothing moves while it is set; recording goes on. */
  isPaused: Signal<boolean>;
}

/** Settings under which everything is shown. */
export function createViewSettings(): ViewSettings {
  return {
    text: signal(''),
    isInverted: signal(false),
    types: signal<ReadonlySet<TypeChip>>(new Set()),
    range: signal<TimeRange | undefined>(undefined),
    sort: signal<Sort | undefined>(undefined),
    isPaused: signal(false),
  };
}
