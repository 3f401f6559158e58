import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { WireEvent } from '../../capture/wire-event.ts';

/** What the log holds for transport reports and for the counts beside them. */
export interface ReportLog {
  /** Grows with every batch that holds any of it. */
  revision: ReadonlySignal<number>;
  /** By id of the report: the events of its connections in order, and the restarts that may have cut them off. */
  readonly reports: ReadonlyMap<string, WireEvent[]>;
  /** Which connections were opened, and what was chosen for them. */
  readonly choices: readonly WireEvent[];
  /** The captures that the events so far belong to. */
  readonly captures: ReadonlySet<string>;
  apply(events: readonly WireEvent[]): void;
}

/** Creates the collector. It only sorts: what the events mean is derived when somebody looks. */
export function createReportLog(): ReportLog {
  const revision = signal(0);
  const reports = new Map<string, WireEvent[]>();
  const byConnection = new Map<string, WireEvent[]>();
  const choices: WireEvent[] = [];
  const captures = new Set<string>();

  /** Whether the event is of interest. */
  function keep(event: WireEvent): boolean {
    captures.add(event.captureId);
    if (event.kind === 'worker-started') {
      for (const events of reports.values()) events.push(event);
      return reports.size > 0;
    }
    const isChoice = event.kind === 'connection-opened' || event.kind === 'connection-chosen';
    if (isChoice) choices.push(event);
    const { connectionId = '' } = event;
    if (event.kind === 'connection-opened' && event.report !== undefined) {
      const { reportId } = event.report;
      const events = reports.get(reportId) ?? [];
      reports.set(reportId, events);
      byConnection.set(connectionId, events);
    }
    const events = byConnection.get(connectionId);
    events?.push(event);
    return isChoice || events !== undefined;
  }

  return {
    revision,
    reports,
    choices,
    captures,
    apply(events) {
      let isChanged = false;
      for (const event of events) isChanged = keep(event) || isChanged;
      if (isChanged) revision.value += 1;
    },
  };
}
