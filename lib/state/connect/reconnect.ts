import type { ConnectionSummary, ConnectRequest, RecentServer } from '../../port/contract.ts';
import { notKept } from './incomplete.ts';

/** How to connect again, or what the user has to complete first. */
export type ReconnectPlan =
  | { kind: 'ready'; request: ConnectRequest }
  | { kind: 'incomplete'; server: Pick<RecentServer, 'url' | 'headers' | 'options'> };

/** What is known of a connection that is to be made again. */
export interface ReconnectSource {
  /** The request, where this page made it. */
  made: ConnectRequest | undefined;
  recentServers: readonly RecentServer[];
  defaults: Omit<ConnectRequest, 'url'>;
}

/** Plans the same connection again: by its own request, else by URL and the headers that were kept. */
export function planReconnect(
  { url, transport, era }: Pick<ConnectionSummary, 'url' | 'transport' | 'era'>,
  { made, recentServers, defaults }: ReconnectSource,
): ReconnectPlan {
  if (made !== undefined) return { kind: 'ready', request: made };
  const { headers = [], options = {} } = recentServers.find((kept) => isKeptAs(kept, url)) ?? {};
  const server = { url, headers, options };
  if (notKept(server).length > 0) return { kind: 'incomplete', server };
  const found = transport === 'streamable-http' && era === 'modern' ? 'modern' : transport;
  const known = { ...defaults, ...options };
  const request = { ...known, url, headers, transport: found ?? known.transport };
  return { kind: 'ready', request };
}

/** Whether a server was kept from this URL: secrets in its query were left out. */
function isKeptAs(kept: RecentServer, url: string): boolean {
  const whole = new URL(url);
  for (const [name, value] of new URL(kept.url).searchParams) {
    if (value === '') whole.searchParams.set(name, '');
  }
  return whole.href === kept.url;
}
