import type { ProbeCause } from '../../capture/connection-fact.ts';
import type { WireFact } from '../../capture/wire-event.ts';
import type { Network } from '../../transport/network.ts';
import type { Connection } from '../connection.ts';

/** What happens to all connections at once: the network goes and comes, the machine sleeps, its clock is set. */
export interface Outages {
  networkChanged(isOnline: boolean): void;
  /** No timer saw the last `aheadMs`. */
  woke(aheadMs: number): void;
  clockSetBack(byMs: number): void;
}

/**
 * Records what happened, and has every connection probed once where it may have broken what is open. Being
 * offline alone ends nothing: many a connection lives through it.
 */
export function createOutages(
  connections: ReadonlyMap<string, Connection>,
  network: Network,
  record: (fact: WireFact) => void,
): Outages {
  function probeAll(cause: ProbeCause): void {
    for (const connection of connections.values()) {
      // Without a network there is nobody to ask; being online again is reason enough then.
      if (!network.isOffline(connection.summary.url)) void connection.probe(cause);
    }
  }

  return {
    networkChanged(isOnline) {
      record({ kind: isOnline ? 'online' : 'offline' });
      network.set(isOnline);
      if (isOnline) probeAll('online');
    },
    woke(aheadMs) {
      record({ kind: 'wake', aheadMs });
      probeAll('wake');
    },
    clockSetBack(byMs) {
      record({ kind: 'clock-set-back', byMs });
    },
  };
}
