import type { WireFact } from '../../capture/wire-event.ts';
import type { Connection } from '../connection.ts';
import type { Wish } from './wishes.ts';

export interface AccessContext {
  connections: ReadonlyMap<string, Connection>;
  /** What was asked for, by the id of its connection. */
  known: ReadonlyMap<string, Wish>;
  hasPermission(hostPattern: string): Promise<boolean>;
  record(fact: WireFact, connectionId: string): void;
}

/** Takes what the user does about hosts while there are connections to them. */
export function createAccess({ connections, known, hasPermission, record }: AccessContext) {
  return {
    /** Hosts were taken away: their connections say so at once, and offer to ask for them. */
    async removed(): Promise<void> {
      for (const [connectionId, connection] of connections) {
        const host = known.get(connectionId)?.hostPattern ?? '';
        const { state, hostPattern } = connection.summary;
        const isOver = state === 'closed' || state === 'failed' || hostPattern !== undefined;
        if (isOver || (await hasPermission(host))) continue;
        record({ kind: 'permission-revoked', host }, connectionId);
        connection.lose(
          {
            code: 'permission-revoked',
            message: `Access to ${host} was taken away.`,
            advice: 'Allow it again to go on.',
          },
          { hostPattern: host },
        );
      }
    },
    /** Hosts were granted: connections that had lost theirs ask their servers whether they are still there. */
    async added(): Promise<void> {
      for (const [connectionId, connection] of connections) {
        const host = connection.summary.hostPattern;
        if (host === undefined || !(await hasPermission(host))) continue;
        record({ kind: 'permission-granted', host }, connectionId);
        void connection.probe('permission');
      }
    },
  };
}
