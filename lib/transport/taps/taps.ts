import { BriefMap } from '../../brief-map.ts';
import type { ExchangeContext } from '../exchange/exchange.ts';
import type { HttpCall, HttpDoor, HttpObserver, HttpReply } from '../exchange/http-door.ts';
import { InjectedCut } from '../injected.ts';
import type { SocketDoor } from '../websocket/socket-door.ts';
import { tapBody, type BodyTap } from './tap-body.ts';
import { tapSockets, type SocketTap } from './tap-sockets.ts';

/** In place of the platform's doors; they do what those do as long as there are no faults. */
export interface TappedDoors extends Required<Pick<ExchangeContext, 'door' | 'faults'>> {
  socketDoor: SocketDoor;
}

/** What breaks on purpose, as far as the doors need it. */
export interface Faults {
  /** Sends in place of the door, with what is armed for such a call; `reach` is the way to the server. */
  send(call: HttpCall, reach: () => Promise<HttpReply>): Promise<HttpReply>;
  over(carrierId: string): void;
  resumeFrom(httpId: string, lastEventId: string): string | undefined;
}

/** The doors of one connection, and all that is open behind them, where faults may strike later. */
export interface Taps {
  doors: TappedDoors;
  readonly bodies: Pick<BriefMap<string, BodyTap>, 'get'>;
  readonly sockets: ReadonlyMap<string, SocketTap>;
  /** The carrier is over. */
  close(carrierId: string): void;
  /** What a body that is broken off rejects with. */
  cut(words: string): Error;
}

export interface TapParts {
  door: HttpDoor;
  socketDoor: SocketDoor;
  /** Absent as long as nobody has armed or dropped anything: their code is loaded then. */
  faults(): Faults | undefined;
}

/** Stands between a connection and its doors; until there are faults, all passes as it is. */
export function createTaps({ door, socketDoor, faults }: TapParts): Taps {
  const bodies = new BriefMap<string, BodyTap>();
  const sockets = new Map<string, SocketTap>();

  function close(carrierId: string): void {
    bodies.delete(carrierId);
    sockets.delete(carrierId);
    faults()?.over(carrierId);
  }

  async function reach(call: HttpCall, observer: HttpObserver): Promise<HttpReply> {
    const reply = await door.send(call, observer);
    if (reply.body === undefined) return reply;
    const { reader, tap } = tapBody(reply.body, () => close(call.httpId));
    bodies.set(call.httpId, tap);
    return { ...reply, body: reader };
  }

  return {
    bodies,
    sockets,
    close,
    cut: (words) => new InjectedCut(words),
    doors: {
      door: {
        canBrake: door.canBrake,
        send: (call, observer) =>
          faults()?.send(call, () => reach(call, observer)) ?? reach(call, observer),
        bodyError: (httpId, error) =>
          error instanceof InjectedCut
            ? Promise.resolve(error.message)
            : door.bodyError(httpId, error),
      },
      socketDoor: tapSockets(socketDoor, {
        opened: (socketId, tap) => void sockets.set(socketId, tap),
        over: close,
      }),
      faults: {
        resumeFrom(httpId, lastEventId) {
          const found = faults();
          return found === undefined ? lastEventId : found.resumeFrom(httpId, lastEventId);
        },
      },
    },
  };
}
