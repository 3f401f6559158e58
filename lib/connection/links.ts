import type { TransportKind } from '../capture/store/stored-profile.ts';
import type { Era } from '../capture/wire-event.ts';
import type { ExchangeContext } from '../transport/exchange/exchange.ts';
import type { SocketDoor } from '../transport/websocket/socket-door.ts';
import type { Transport, TransportEvents } from '../transport/transport.ts';
import { createTransport } from './connect/create-transport.ts';
import type { Link } from './link.ts';
import type { Profile } from './profile.ts';

/** The link of a connection: one at a time, several while a way to connect is looked for. */
export interface Links {
  readonly current: Link;
  /**
   * Takes a link of this kind in place of the one before, whose channels are closed. A channel that carries
   * both eras is kept.
   */
  use(kind: TransportKind, era: Era): Link;
}

/** Starts with a link that has sent nothing yet. */
export function createLinks(
  profile: Profile,
  context: ExchangeContext & { socketDoor: SocketDoor },
  events: TransportEvents,
): Links {
  let current = open('streamable-http', 'legacy');

  function open(kind: TransportKind, era: Era): Link {
    const transport: Transport = createTransport(kind, era, profile, context, {
      // What a link that was given up still brings is in the log, and goes no further.
      received: (payload, from) => {
        if (current.transport === transport) events.received(payload, from);
      },
      reached: () => {
        if (current.transport === transport) events.reached?.();
      },
      lost: (problem, mayReconnect) => {
        if (current.transport === transport) events.lost(problem, mayReconnect);
      },
    });
    return { transport, era };
  }

  return {
    get current() {
      return current;
    },
    use(kind, era) {
      const { transport } = current;
      const isKept = transport.kind === kind && (kind !== 'streamable-http' || current.era === era);
      if (isKept) {
        current = { transport, era };
        return current;
      }
      current = open(kind, era);
      void transport.close({ code: 'aborted', message: 'Another way to connect is tried.' });
      return current;
    },
  };
}
