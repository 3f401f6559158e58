import type { Direction, Item, MessageRef, Moment, RpcId } from './items.ts';
import type { RequestLinks, WireEvent } from '../wire-event.ts';

/** Where a payload came from, and what it may belong to. */
export interface PayloadSource {
  event: WireEvent;
  direction: Direction;
  message: MessageRef;
  /** The exchange, or the socket, that carried it. */
  httpId?: string;
  socketId?: string;
  /** The item of the exchange that carried it. */
  carrier: Item | undefined;
  links?: RequestLinks;
  /** Whether a response is for the request with its id only, and not for the carrier's. */
  byIdOnly?: boolean;
}

/** A request: ids live in a space per connection and direction. */
export function idKey(source: PayloadSource, direction: Direction, id: RpcId): string {
  return `${idSpace(source)} ${direction} ${id}`;
}

/** Where ids are unique. What was asked on a socket is answered on it or never: a new one is a new start. */
export function idSpace(source: PayloadSource): string {
  return `${source.event.connectionId ?? ''} ${source.socketId ?? ''}`;
}

/** A progress token, which keeps its JSON type. */
export function tokenKey(
  source: PayloadSource,
  direction: Direction,
  token: string | number,
): string {
  return `${source.event.connectionId ?? ''} ${direction} ${typeof token} ${token}`;
}

/** The moment of an event, by both clocks. */
export function momentOf(event: WireEvent): Moment {
  return { wallTime: event.wallTime, monotonicTime: event.monotonicTime, bootId: event.bootId };
}
