import type { ConnectionSummary } from '../../port/contract.ts';
import { formatCount } from '../../text.ts';
import { isOver } from './connection-state.ts';

/** What is lost where an update is put in place now, and what is not. */
export function updateWords(connections: readonly ConnectionSummary[]): string {
  const open = connections.filter((connection) => !isOver(connection)).length;
  const cuts = open === 0 ? '' : `cuts off ${formatCount(open, 'connection')}, `;
  return `Updating now ${cuts}closes all pages of Wirescope and forgets secrets in memory. Recordings stay.`;
}
