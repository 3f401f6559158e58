import type { CaptureFacts, CaptureServer } from '../../capture/store/capture-description.ts';
import type { Correlation } from '../../capture/correlate/correlate.ts';
import { createUsageCounts } from '../connect/usage-counts.ts';
import { toLevel } from '../view/item-status.ts';

/** Counts what a capture holds; `upTo` is the last `sequence` that the correlation was given. */
export function countFacts(log: Correlation, upTo: number): CaptureFacts {
  const servers = new Map<string, CaptureServer>();
  for (const { url, serverName: name } of log.connections.values()) {
    // An attempt that failed does not know what the server calls itself; another one may.
    servers.set(url, { ...servers.get(url), url, ...(name === undefined ? {} : { name }) });
  }
  const usage = createUsageCounts();
  usage.apply(log.items.flatMap((item) => (item.kind === 'lifecycle' ? [item.event] : [])));
  return {
    upTo,
    exchanges: log.items.filter(({ kind }) => kind === 'request').length,
    errors: log.items.filter((item) => toLevel(item, log) === 'error').length,
    servers: [...servers.values()],
    usage: usage.counts(),
  };
}
