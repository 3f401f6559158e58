import { momentOf } from './correlate-messages.ts';
import type { ConnectionRecord } from './items.ts';
import type { WireEvent } from './wire-event.ts';

/** Keeps what the log says about each connection. */
export function applyToConnections(
  connections: Map<string, ConnectionRecord>,
  event: WireEvent,
): void {
  const { connectionId } = event;
  if (connectionId === undefined) return;
  if (event.kind === 'connection-opened') {
    connections.set(connectionId, {
      connectionId,
      url: event.profile.url.text,
      state: 'opening',
      opened: momentOf(event),
    });
    return;
  }
  const connection = connections.get(connectionId);
  if (connection === undefined) return;
  switch (event.kind) {
    case 'connection-chosen':
      connection.state = 'live';
      connection.transport = event.transport;
      connection.era = event.era;
      connection.revision = event.revision;
      if (event.serverName !== undefined) connection.serverName = event.serverName;
      if (event.serverVersion !== undefined) connection.serverVersion = event.serverVersion;
      return;
    case 'session-assigned':
    case 'session-replaced':
      connection.session = event.cuts[0]?.secret ?? '';
      return;
    case 'connection-failed':
      connection.state = 'failed';
      return;
    case 'connection-closed':
      if (connection.state !== 'failed') connection.state = 'closed';
      return;
    default:
      return;
  }
}
