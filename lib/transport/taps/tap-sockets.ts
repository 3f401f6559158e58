import type { SocketDoor, SocketLink, SocketObserver } from '../websocket/socket-door.ts';

/** An open socket that may still be broken off. */
export interface SocketTap {
  link: SocketLink;
  /** What is told of the socket. */
  observer: SocketObserver;
  /** Is called behind every frame that comes. */
  behindFrame?: () => void;
}

export interface SocketWatch {
  opened(socketId: string, tap: SocketTap): void;
  over(socketId: string): void;
}

/** Sockets with such a tap; until something is put there, all passes as it is. */
export function tapSockets(door: SocketDoor, watch: SocketWatch): SocketDoor {
  return {
    open(call, observer) {
      const { socketId } = call;
      const tapped: SocketObserver = {
        open: (subprotocol) => observer.open(subprotocol),
        frame(opcode, bytes) {
          observer.frame(opcode, bytes);
          tap.behindFrame?.();
        },
        close(close, origin) {
          watch.over(socketId);
          observer.close(close, origin);
        },
        overrun: (waitingBytes) => observer.overrun(waitingBytes),
        limited: (what) => observer.limited(what),
      };
      const link = door.open(call, tapped);
      const tap: SocketTap = { link, observer: tapped };
      watch.opened(socketId, tap);
      return link;
    },
  };
}
