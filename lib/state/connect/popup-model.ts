import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { ConnectRequest, ConnectionSummary } from '../../port/contract.ts';
import type { Feed, FeedHandlers, FeedStatus } from '../../port/feed.ts';
import { createConnectForm } from './connect-form.ts';
import type { ConnectForm } from './connect-form.ts';
import { createConnector } from './connector.ts';
import type { Connector, PermissionDoor } from './connector.ts';
import { loadRecentServers } from './recent-servers.ts';
import { reconnect } from './reconnect.ts';
import type { RecentServers } from './recent-servers.ts';
import { createUpdateDesk } from './update-desk.ts';
import type { UpdateDesk } from './update-desk.ts';

/** The popup's root object: connections without their traffic. */
export interface PopupModel {
  feed: ReadonlySignal<FeedStatus>;
  connections: ReadonlySignal<readonly ConnectionSummary[]>;
  recentServers: RecentServers;
  form: ConnectForm;
  connector: Connector;
  /** Connects again to the server of a connection that is over or lost; synchronously within a click. */
  reconnect(connection: ConnectionSummary): void;
  update: UpdateDesk;
}

export interface PopupModelParts {
  openFeed(handlers: FeedHandlers): Feed;
  door: PermissionDoor;
  watchUpdate: UpdateDesk['watchUpdate'];
  defaults: Omit<ConnectRequest, 'url'>;
}

/** Wires the popup's form and list to the background. */
export function createPopupModel(parts: PopupModelParts): PopupModel {
  const connections = signal<readonly ConnectionSummary[]>([]);
  const feedStatus = signal<FeedStatus>({ kind: 'loading', loadedEvents: 0 });
  const { background } = parts.openFeed({
    // A popup subscribes without events.
    events: () => undefined,
    connections(list) {
      connections.value = list;
    },
    status(status) {
      feedStatus.value = status;
    },
  });
  const recentServers = loadRecentServers(background, connections);
  const form = createConnectForm(parts.defaults, signal(''));
  const connector = createConnector(background, parts.door);
  return {
    feed: feedStatus,
    connections,
    recentServers,
    form,
    connector,
    reconnect: (connection) => reconnect(connection, { ...parts, connector, form, recentServers }),
    update: createUpdateDesk(background, { connections, watchUpdate: parts.watchUpdate }),
  };
}
