import type { Item } from '../capture/items.ts';
import { createCollector, type LintSource } from './collect.ts';
import type { Issue } from './issue.ts';
import { createEventReader } from './read-events.ts';
import { createReport } from './report.ts';

/** Protocol findings over a correlation, derived with it. */
export interface Lint {
  /**
   * Looks at what is new behind these items; returns the keys of the rows whose issues changed. To be called
   * after every batch. How the log is cut into batches makes no difference to the issues.
   */
  apply(touched: ReadonlySet<Item>): ReadonlySet<string>;
  /** Issues of a row; the same array until they change. */
  issuesOf(itemKey: string): readonly Issue[];
  /** All issues in the order in which they were first found. */
  readonly all: readonly Issue[];
}

/** Starts with no issues. Each event is judged once, when it is new, and never again. */
export function createLint(correlation: LintSource): Lint {
  const collector = createCollector(correlation);
  const report = createReport();
  const read = createEventReader(correlation, collector, report);
  return {
    apply(touched) {
      for (const event of collector.collect(touched)) {
        try {
          read(event);
        } catch {
          // An event that cannot be understood costs what it would have told, not the rest.
        }
      }
      return report.takeChanged();
    },
    issuesOf: report.issuesOf,
    all: report.all,
  };
}
