import type { ConnectionSummary, ConnectRequest, RecentServer } from '../../port/contract.ts';
import type { ConnectForm } from './connect-form.ts';
import type { Connector } from './connector.ts';
import { notKept } from './incomplete.ts';
import type { RecentServers } from './recent-servers.ts';

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

/** Where a page connects from. */
export interface ReconnectParts {
  connector: Connector;
  form: ConnectForm;
  recentServers: RecentServers;
  defaults: Omit<ConnectRequest, 'url'>;
}

/**
 * Puts the same connection in the place of one that is over or lost, or fills the form where something has to be typed
 * first. To be called synchronously within a click.
 */
export function reconnect(
  connection: ConnectionSummary,
  { connector, form, recentServers, defaults }: ReconnectParts,
): void {
  const { connectionId } = connection;
  const plan = planReconnect(connection, {
    made: connector.requestOf(connectionId),
    recentServers: recentServers.list.value,
    defaults,
  });
  if (plan.kind === 'ready') connector.replace(connectionId, plan.request);
  else form.use(plan.server);
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
