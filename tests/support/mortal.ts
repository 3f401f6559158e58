import type { HttpDoor } from '../../lib/transport/exchange/http-door.ts';
import type { SocketDoor } from '../../lib/transport/websocket/socket-door.ts';

/** A way to the network that is cut off when the worker that uses it is stopped. */
export function mortal(door: HttpDoor, killed: AbortSignal): HttpDoor {
  return {
    ...door,
    send(call, observer) {
      return door.send({ ...call, signal: AbortSignal.any([call.signal, killed]) }, observer);
    },
  };
}

/** The same for sockets: those that are open close, and none is opened any more. */
export function mortalSockets(door: SocketDoor, killed: AbortSignal): SocketDoor {
  return {
    open(call, observer) {
      const link = door.open(call, observer);
      const die = () => {
        link.drop();
        link.close(1000, '');
      };
      if (killed.aborted) die();
      else killed.addEventListener('abort', die, { once: true });
      return link;
    },
  };
}
