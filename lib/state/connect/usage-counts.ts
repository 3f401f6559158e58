import type { UsageCount } from '../../capture/store/capture-description.ts';
import type { WireEvent } from '../../capture/wire-event.ts';

/** Counts what connections used, over any number of captures. */
export interface UsageCounts {
  /** Events in order within each capture; captures in any order. */
  apply(events: Iterable<WireEvent>): void;
  /** Adds what was counted in another capture. */
  add(counted: readonly UsageCount[]): void;
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
    const key = `${connection} ${transport} ${era} ${revision}`;
    if (seen.has(key)) return;
    seen.add(key);
    add({ transport, era, revision, connections: 1 });
  }

  function add({ transport, era, revision, connections }: UsageCount): void {
    const key = `${transport} ${era} ${revision}`;
    const sum = connections + (counts.get(key)?.connections ?? 0);
    counts.set(key, { transport, era, revision, connections: sum });
  }

  return {
    apply(events) {
      for (const event of events) count(event);
    },
    add(counted) {
      for (const each of counted) add(each);
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
