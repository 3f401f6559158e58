import type { HttpDoor } from '../../lib/transport/http-door.ts';

/** A way to the network that is cut off when the worker that uses it is stopped. */
export function mortal(door: HttpDoor, killed: AbortSignal): HttpDoor {
  return {
    ...door,
    send(call, observer) {
      return door.send({ ...call, signal: AbortSignal.any([call.signal, killed]) }, observer);
    },
  };
}
