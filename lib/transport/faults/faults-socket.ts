import { INJECTED, type Droppable } from '../injected.ts';
import type { SocketTap } from '../taps/tap-sockets.ts';

/** A client may give 4000 to 4999 as it likes (RFC 6455, 7.4.2). */
const DROPPED_CODE = 4000;

/**
 * A socket that can be broken off: for us as if the network had done it, for the server with a close frame.
 * `struck` is called first.
 */
export function createFaultySocket(tap: SocketTap, struck: () => void): Droppable {
  const { link, observer } = tap;

  function drop(): void {
    delete tap.behindFrame;
    struck();
    link.close(DROPPED_CODE, 'dropped');
    link.drop();
    observer.close({ code: 1006, reason: '', clean: false }, INJECTED);
  }

  return {
    drop,
    dropAfterEvent(isWanted) {
      if (isWanted) tap.behindFrame = drop;
      else delete tap.behindFrame;
    },
  };
}
