import type { WireFact } from '../capture/wire-event.ts';
import type { ConnectionSummary, HubFunctions } from '../port/contract.ts';
import type { createFaultBench, FaultBench } from '../transport/faults/faults.ts';
import type { HttpDoor } from '../transport/exchange/http-door.ts';
import { createTaps, type TappedDoors } from '../transport/taps/taps.ts';
import type { SocketDoor } from '../transport/websocket/socket-door.ts';
import { late, type Late } from './late.ts';

export interface LabParts {
  doors: { http: HttpDoor; socket: SocketDoor };
  record(fact: WireFact, connectionId: string): void;
  /** Throws an `AppError` where the connection is not live. */
  live(connectionId: string): unknown;
  changed(): void;
  /** What most lives of the worker never need. */
  loadFaults(): Promise<typeof createFaultBench>;
}

/** Faults on purpose, per connection. All of it is forgotten with the connection, and with the worker. */
export interface Lab {
  /** The doors of a new connection. */
  open(connectionId: string): TappedDoors;
  /** Adds what is armed to what pages are told; a connection that is over has nothing armed. */
  annotate(summary: ConnectionSummary): ConnectionSummary;
  forget(connectionId: string): void;
  functions: Pick<HubFunctions, 'dropStream' | 'armFault' | 'disarmFault'>;
}

/** A lab in which nothing is armed. */
export function createLab({ doors, record, live, changed, loadFaults }: LabParts): Lab {
  const benches = new Map<string, Late<FaultBench>>();

  async function use(connectionId: string, work: (bench: FaultBench) => void): Promise<void> {
    live(connectionId);
    await benches.get(connectionId)?.use(async (bench) => work(bench));
  }

  return {
    open(connectionId) {
      const taps = createTaps({
        door: doors.http,
        socketDoor: doors.socket,
        faults: () => bench.made,
      });
      const bench = late(loadFaults, {
        taps,
        injected: (carrierId, fault) =>
          record({ kind: 'fault-injected', carrierId, fault }, connectionId),
        changed,
      });
      benches.set(connectionId, bench);
      return taps.doors;
    },
    annotate(summary) {
      const bench = benches.get(summary.connectionId)?.made;
      if (summary.state === 'closed' || summary.state === 'failed') bench?.clear();
      const armed = bench?.armed ?? [];
      return armed.length === 0 ? summary : { ...summary, armed };
    },
    forget: (connectionId) => void benches.delete(connectionId),
    functions: {
      dropStream: (connectionId, carrierId, { resume, afterEvent = false }) =>
        use(connectionId, (bench) => bench.drop(carrierId, resume, afterEvent)),
      armFault: (connectionId, fault, place) =>
        use(connectionId, (bench) => bench.arm(fault, place)),
      async disarmFault(connectionId, faultId) {
        benches.get(connectionId)?.made?.disarm(faultId);
      },
    },
  };
}
