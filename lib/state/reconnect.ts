import type { ConnectionSummary, ConnectRequest, RecentServer } from '../port/contract.ts';

/** How to connect again, or what the user has to complete first. */
export type ReconnectPlan =
  | { kind: 'ready'; request: ConnectRequest }
  | {
      kind: 'incomplete';
      server: Pick<RecentServer, 'url' | 'headers' | 'options'>;
      reason: string;
    };

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
  const { headers = [], options = {} } = recentServers.find((server) => server.url === url) ?? {};
  const lost = headers.filter(({ secret, value }) => secret && value === '');
  if (lost.length > 0) {
    const names = lost.map(({ name }) => name).join(', ');
    return {
      kind: 'incomplete',
      server: { url, headers, options },
      reason: `The secret value of ${names} was not kept. Type it again under Options, then connect.`,
    };
  }
  const found = transport === 'streamable-http' && era === 'modern' ? 'modern' : transport;
  const known = { ...defaults, ...options };
  const request = { ...known, url, headers, transport: found ?? known.transport };
  return { kind: 'ready', request };
}
