import { linkWebSocket } from '../../lib/transport/websocket/websocket-link.ts';
import type { SocketDoor } from '../../lib/transport/websocket/socket-door.ts';

/** Node's WebSocket as a door: it fails handshakes and hides why, just as browsers do. It sends no `Origin`. */
export function createNodeSocketDoor(): SocketDoor {
  return {
    open({ url, subprotocols, headers, originPolicy }, observer) {
      const given = headers.map(({ name, value }): [string, string] => [name, value]);
      if (originPolicy.kind === 'value') given.push(['Origin', originPolicy.value]);
      // Other than the standard one, it takes headers.
      const options = { protocols: [...subprotocols], headers: Object.fromEntries(given) };
      return linkWebSocket(Reflect.construct(WebSocket, [url, options]), observer);
    },
  };
}
