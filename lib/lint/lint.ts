import type { Item } from '../capture/correlate/items.ts';
import type { WireEvent } from '../capture/wire-event.ts';
import { createCollector, type LintSource } from './collect.ts';
import { createFamilies, loadFamily, type LoadFamily } from './families.ts';
import type { Issue } from './issue.ts';
import { createEventReader } from './read-events.ts';
import { createReport } from './report.ts';
import { createDetectorSet } from './run.ts';

/** Protocol findings over a correlation, derived with it. */
export interface Lint {
  /**
   * Looks at what is new behind these items; returns the keys of the rows whose issues changed. To be called
   * after every batch. How the log is cut into batches makes no difference to the issues.
   */
  apply(touched: ReadonlySet<Item>): ReadonlySet<string>;
  /** Whether all that was applied is judged; not while rules are on their way that it needs. */
  readonly isUpToDate: boolean;
  /** Issues of a row; the same array until they change. */
  issuesOf(itemKey: string): readonly Issue[];
  /** All issues in the order in which they were first found. */
  readonly all: readonly Issue[];
}

/**
 * Starts with no issues. Each event is judged once, when it is new and all rules are there that are about it, and
 * never again. `changed` is told the rows whose issues changed because rules came that were waited for.
 */
export function createLint(
  correlation: LintSource,
  changed: (keys: ReadonlySet<string>) => void = () => undefined,
  load: LoadFamily = loadFamily,
): Lint {
  const collector = createCollector(correlation);
  const report = createReport();
  const detectors = createDetectorSet();
  const read = createEventReader(correlation, { collector, report, detectors });
  let waiting: WireEvent[] = [];
  const families = createFamilies(correlation, detectors, load, () => {
    readWaiting();
    if (!families.areAwaited) changed(report.takeChanged());
  });

  function readWaiting(): void {
    if (families.areAwaited) return;
    const events = waiting;
    waiting = [];
    for (const event of events) {
      try {
        read(event);
      } catch {
        // An event that cannot be understood costs what it would have told, not the rest.
      }
    }
  }

  return {
    apply(touched) {
      families.need(touched);
      const events = collector.collect(touched);
      waiting = waiting.length === 0 ? events : [...waiting, ...events];
      readWaiting();
      return report.takeChanged();
    },
    get isUpToDate() {
      return !families.areAwaited;
    },
    issuesOf: report.issuesOf,
    all: report.all,
  };
}
