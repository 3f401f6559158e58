import type { Era, WireEvent } from '../../capture/wire-event.ts';
import type { TransportKind } from '../../capture/store/stored-profile.ts';

/** How many connections used one transport with one revision. */
export interface UsageCount {
  transport: TransportKind;
  era: Era;
  revision: string;
  connections: number;
}

/** Counts what connections used, over any number of captures. */
export interface UsageCounts {
  /** Events in order within each capture; captures in any order. */
  apply(events: Iterable<WireEvent>): void;
  /** The most used first. */
  counts(): UsageCount[];
}

/**
 * Creates the counts over `connection-chosen` facts. A connection counts once for each thing that it used,
 * however often it had to begin anew; what a transport report tries is no use.
 */
export function createUsageCounts(): UsageCounts {
  const ofReports = new Set<string>();
  const seen = new Set<string>();
  const counts = new Map<string, UsageCount>();

  function count(event: WireEvent): void {
    const connection = `${event.captureId} ${event.connectionId}`;
    if (event.kind === 'connection-opened' && event.report !== undefined) ofReports.add(connection);
    if (event.kind !== 'connection-chosen' || ofReports.has(connection)) return;
    const { transport, era, revision } = event;
    const key = `${transport} ${era} ${revision}`;
    if (seen.has(`${connection} ${key}`)) return;
    seen.add(`${connection} ${key}`);
    const entry = counts.get(key) ?? { transport, era, revision, connections: 0 };
    counts.set(key, { ...entry, connections: entry.connections + 1 });
  }

  return {
    apply(events) {
      for (const event of events) count(event);
    },
    counts: () =>
      [...counts.values()].toSorted(
        (a, b) =>
          b.connections - a.connections ||
          b.revision.localeCompare(a.revision) ||
          a.transport.localeCompare(b.transport),
      ),
  };
}
