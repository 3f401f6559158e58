import type { ConnectionSummary } from '../../port/contract.ts';

/** Whether the connection still waits for something, so that time is worth showing. */
export function isUnderWay({ state }: ConnectionSummary): boolean {
  return state === 'asking' || state === 'connecting' || state === 'closing';
}

/** Whether requests can be sent. A lost connection tries again with the next one. */
export function canSend({ state }: ConnectionSummary): boolean {
  return state === 'connected' || state === 'lost';
}

/** Whether it cannot go on before the user allows its host; also where that was denied. */
export function needsHost({ state, hostPattern }: ConnectionSummary): boolean {
  return hostPattern !== undefined && state !== 'closed';
}

/** Whether the same connection can be made again in its place. */
export function canReconnect(connection: ConnectionSummary): boolean {
  return (isOver(connection) || connection.state === 'lost') && !needsHost(connection);
}

/** Whether the connection is over and only waits to be dismissed. */
export function isOver({ state }: ConnectionSummary): boolean {
  return state === 'failed' || state === 'closed';
}
