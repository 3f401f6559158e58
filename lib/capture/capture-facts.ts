import type { CaptureFacts, CaptureServer } from './capture-description.ts';
import type { Correlation } from './correlate.ts';
import type { Item } from './items.ts';

/** Counts what a capture holds; `upTo` is the last `sequence` that the correlation was given. */
export function countFacts(
  { items, connections }: Pick<Correlation, 'items' | 'connections'>,
  upTo: number,
): CaptureFacts {
  const servers = new Map<string, CaptureServer>();
  for (const { url, serverName: name } of connections.values()) {
    const known = servers.get(url);
    // An attempt that failed does not know what the server calls itself; another one may.
    servers.set(url, { ...known, url, ...(name === undefined ? {} : { name }) });
  }
  return {
    upTo,
    exchanges: items.filter(({ kind }) => kind === 'request').length,
    errors: items.filter(isError).length,
    servers: [...servers.values()],
  };
}

function isError(item: Item): boolean {
  switch (item.kind) {
    case 'request':
      return item.outcome === 'error' || item.outcome === 'failed' || item.toolFailed === true;
    case 'lifecycle':
      return item.level === 'error';
    case 'stray':
    case 'notification':
      return false;
    default:
      return item.outcome === 'failed';
  }
}
