import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Item } from '../capture/items.ts';
import type { Issue, Severity } from '../lint/issue.ts';
import type { Lint } from '../lint/lint.ts';

/** How a row says that it has issues. */
export interface IssueMark {
  count: number;
  /** The gravest of them. */
  severity: Severity;
}

/** The issues as the panel shows them. */
export interface Issues {
  /** Number of all issues. */
  count: ReadonlySignal<number>;
  of(item: Item): readonly Issue[];
  /** Undefined where a row has none. */
  markOf(item: Item | undefined): IssueMark | undefined;
  /** Looks at what a batch changed; returns the keys of the rows whose issues changed. */
  apply(touched: ReadonlySet<Item>): ReadonlySet<string>;
  /** To be called once for what is drawn. */
  refresh(): void;
}

const GRAVITY: readonly Severity[] = ['error', 'warning', 'info'];

/** Creates the view over the findings. */
export function createIssues(lint: Lint): Issues {
  const count = signal(0);
  return {
    count,
    of: (item) => lint.issuesOf(item.key),
    markOf(item) {
      const found = item === undefined ? [] : lint.issuesOf(item.key);
      const severity = GRAVITY.find((grade) => found.some((issue) => issue.severity === grade));
      return severity === undefined ? undefined : { count: found.length, severity };
    },
    apply: (touched) => lint.apply(touched),
    refresh() {
      count.value = lint.all.length;
    },
  };
}
