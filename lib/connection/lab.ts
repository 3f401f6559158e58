import { AppError } from '../errors.ts';
import type { ArmedFault, Fault } from '../capture/correlate/fault.ts';
import type { WireFact } from '../capture/wire-event.ts';
import type { ConnectionSummary, HubFunctions } from '../port/contract.ts';
import { createFaultBench, type FaultBench, type FaultDoors } from '../transport/faults/faults.ts';
import type { HttpDoor } from '../transport/exchange/http-door.ts';
import type { SocketDoor } from '../transport/websocket/socket-door.ts';

export interface LabParts {
  doors: { http: HttpDoor; socket: SocketDoor };
  record(fact: WireFact, connectionId: string): void;
  /** Throws an `AppError` where the connection is not live. */
  live(connectionId: string): unknown;
  changed(): void;
}

/** Faults on purpose, per connection. All of it is forgotten with the connection, and with the worker. */
export interface Lab {
  /** The doors of a new connection. */
  open(connectionId: string): FaultDoors;
  /** Adds what is armed to what pages are told; a connection that is over has nothing armed. */
  annotate(summary: ConnectionSummary): ConnectionSummary;
  forget(connectionId: string): void;
  functions: Pick<HubFunctions, 'dropStream' | 'armFault' | 'disarmFault'>;
}

/** A lab in which nothing is armed. */
export function createLab({ doors, record, live, changed }: LabParts): Lab {
  const benches = new Map<string, FaultBench>();

  function benchOf(connectionId: string): FaultBench | undefined {
    live(connectionId);
    return benches.get(connectionId);
  }

  return {
    open(connectionId) {
      const bench = createFaultBench({
        door: doors.http,
        socketDoor: doors.socket,
        injected: (carrierId, fault) =>
          record({ kind: 'fault-injected', carrierId, fault }, connectionId),
        changed,
      });
      benches.set(connectionId, bench);
      return bench.doors;
    },
    annotate(summary) {
      const bench = benches.get(summary.connectionId);
      if (summary.state === 'closed' || summary.state === 'failed') bench?.clear();
      const armed: readonly ArmedFault[] = bench?.armed ?? [];
      return armed.length === 0 ? summary : { ...summary, armed };
    },
    forget: (connectionId) => void benches.delete(connectionId),
    functions: {
      async dropStream(connectionId, carrierId, { resume, afterEvent = false }) {
        benchOf(connectionId)?.drop(carrierId, resume, afterEvent);
      },
      async armFault(connectionId, fault, place) {
        checkFault(fault);
        benchOf(connectionId)?.arm(fault, place);
      },
      async disarmFault(connectionId, faultId) {
        benches.get(connectionId)?.disarm(faultId);
      },
    },
  };
}

/** What would make no sense as a length of time or a number of bytes is a mistake of the page. */
function checkFault(fault: Fault): void {
  const value =
    fault.kind === 'delay'
      ? fault.delayMs
      : fault.kind === 'split'
        ? fault.pieceBytes - 1
        : fault.kind === 'cut'
          ? fault.afterBytes
          : 0;
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new AppError({ code: 'internal', message: 'The fault has no number that it could use.' });
}
