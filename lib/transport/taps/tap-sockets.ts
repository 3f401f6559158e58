import { INJECTED, type Droppable } from '../injected.ts';
import type { SocketDoor, SocketObserver } from '../websocket/socket-door.ts';

/** A client may give 4000 to 4999 as it likes (RFC 6455, 7.4.2). */
const DROPPED_CODE = 4000;

export interface SocketFaults {
  opened(socketId: string, tap: Droppable): void;
  /** It was broken off on purpose. */
  dropped(socketId: string): void;
  over(socketId: string): void;
}

/** Sockets that can be broken off: for us as if the network had done it, for the server with a close frame. */
export function tapSockets(door: SocketDoor, faults: SocketFaults): SocketDoor {
  return {
    open(call, observer) {
      const { socketId } = call;
      let isWanted = false;
      const tapped: SocketObserver = {
        open: (subprotocol) => observer.open(subprotocol),
        frame(opcode, bytes) {
          observer.frame(opcode, bytes);
          if (isWanted) drop();
        },
        close(close, origin) {
          faults.over(socketId);
          observer.close(close, origin);
        },
        overrun: (waitingBytes) => observer.overrun(waitingBytes),
        limited: (what) => observer.limited(what),
      };
      const link = door.open(call, tapped);

      function drop(): void {
        isWanted = false;
        faults.dropped(socketId);
        link.close(DROPPED_CODE, 'dropped');
        link.drop();
        tapped.close({ code: 1006, reason: '', clean: false }, INJECTED);
      }

      faults.opened(socketId, {
        drop,
        dropAfterEvent(wanted) {
          isWanted = wanted;
        },
      });
      return link;
    },
  };
}
