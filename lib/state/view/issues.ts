import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';
import type { Issue, Severity } from '../../lint/issue.ts';
import type { Lint } from '../../lint/lint.ts';

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
  /** Looks at what a batch changed. */
  apply(touched: ReadonlySet<Item>): void;
  /** Whether the rules have read all that came: what they have not read must stay in memory. */
  isUpToDate(): boolean;
  /** To be called once for what is drawn. */
  refresh(): void;
}

const GRAVITY: readonly Severity[] = ['error', 'warning', 'info'];

/**
 * Creates the view over the findings. The rules come a moment after the first paint; batches wait for them.
 * `changed` is told the keys of the rows whose issues changed.
 */
export function createIssues(
  loading: Promise<Lint>,
  changed: (keys: ReadonlySet<string>) => void,
): Issues {
  const count = signal(0);
  let lint: Lint | undefined;
  let waiting: ReadonlySet<Item>[] = [];

  void loading.then((loaded) => {
    lint = loaded;
    for (const touched of waiting) changed(loaded.apply(touched));
    waiting = [];
  });

  function issuesOf(item: Item | undefined): readonly Issue[] {
    return item === undefined ? [] : (lint?.issuesOf(item.key) ?? []);
  }

  return {
    count,
    of: issuesOf,
    markOf(item) {
      const found = issuesOf(item);
      const severity = GRAVITY.find((grade) => found.some((issue) => issue.severity === grade));
      return severity === undefined ? undefined : { count: found.length, severity };
    },
    apply(touched) {
      if (lint === undefined) waiting.push(touched);
      else changed(lint.apply(touched));
    },
    isUpToDate: () => lint?.isUpToDate === true,
    refresh() {
      count.value = lint?.all.length ?? 0;
    },
  };
}
