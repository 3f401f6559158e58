import { momentOf } from './correlate-source.ts';
import type { ConnectionRecord } from './items.ts';
import { endRung, judgeRung, startRung } from './rung-record.ts';
import type { WireEvent } from '../wire-event.ts';

/** Keeps what the log says about each connection. */
export function applyToConnections(
  connections: Map<string, ConnectionRecord>,
  event: WireEvent,
): void {
  const { connectionId } = event;
  // What an earlier life of the worker was trying is over.
  if (event.kind === 'worker-started') {
    for (const { rungs } of connections.values()) endRung(rungs, event);
  }
  if (connectionId === undefined) return;
  if (event.kind === 'connection-opened') {
    connections.set(connectionId, {
      connectionId,
      url: event.profile.url.text,
      choice: event.profile.transport,
      state: 'opening',
      rungs: [],
      opened: momentOf(event),
    });
    return;
  }
  const connection = connections.get(connectionId);
  if (connection === undefined) return;
  switch (event.kind) {
    case 'rung-started':
      startRung(connection.rungs, event);
      return;
    case 'rung-judged':
      judgeRung(connection.rungs, event);
      return;
    case 'connection-revived':
      if (event.anew === true) connection.rungs = [];
      return;
    case 'connection-chosen':
      endRung(connection.rungs, event);
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
      endRung(connection.rungs, event);
      connection.state = 'failed';
      connection.problem = event.problem;
      return;
    case 'connection-closed':
      endRung(connection.rungs, event);
      if (connection.state !== 'failed') connection.state = 'closed';
      return;
    default:
      return;
  }
}
