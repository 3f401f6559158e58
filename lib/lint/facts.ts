import type { Direction, RpcId } from '../capture/correlate/items.ts';
import type { Span } from '../capture/store/stored-text.ts';
import type { EventOf, WireEvent } from '../capture/wire-event.ts';
import type { Revision } from './clause.ts';
import type { Evidence, Finding } from './issue.ts';
import type { Carrier, ConnectionState, ExchangeState, RequestState } from './state.ts';

/** An event of an exchange, with what was known when it came. */
export interface Fact<Kind extends WireEvent['kind']> {
  connection: ConnectionState;
  exchange: ExchangeState;
  event: EventOf<Kind>;
}

/** An event of a connection that belongs to no exchange. */
export interface ConnectionFact {
  connection: ConnectionState;
  event: WireEvent;
}

/** A socket that was closed. */
export interface SocketFact {
  connection: ConnectionState;
  exchange: Carrier;
  event: EventOf<'socket-close'>;
}

/** A deadline of a request. */
export interface DeadlineFact {
  connection: ConnectionState;
  exchange: Carrier;
  event: EventOf<'deadline-fired'>;
}

/** A text in which messages should be. */
export interface PayloadFact {
  connection: ConnectionState;
  exchange: Carrier;
  event: WireEvent;
  direction: Direction;
  /** By which it is judged. */
  revision: Revision;
  span?: Span;
  text: string;
  /** The bytes of the text; absent where the log holds only text. */
  bytes?: () => Uint8Array;
  /** Absent where the text is in order. */
  fault?: { message: string; offset: number };
  isBatch: boolean;
  parts: readonly unknown[];
}

/** One value that should be a message. */
export interface MessageFact extends Omit<PayloadFact, 'fault' | 'parts' | 'bytes'> {
  itemKey: string;
  value: unknown;
  /** The value, where it is an object. */
  members: Record<string, unknown> | undefined;
  shape: 'request' | 'notification' | 'response' | 'none';
  method: string | undefined;
  /** The id as JSON text, where it is a string or a number. */
  rpcId: RpcId | undefined;
  /** For a response: what it answers, by its id or else by the exchange that it came on. */
  request?: RequestState;
  isMatchedById: boolean;
}

export type Detect<Subject> = (subject: Subject) => Finding | undefined;

type StreamKind = 'sse-event' | 'sse-retry' | 'sse-ignored' | 'sse-comment';

/** The detectors of a family, by what they look at. */
export interface Detectors {
  request?: readonly Detect<Fact<'http-request'>>[];
  received?: readonly Detect<Fact<'http-received'>>[];
  head?: readonly Detect<Fact<'http-response'>>[];
  stream?: readonly Detect<Fact<StreamKind>>[];
  payload?: readonly Detect<PayloadFact>[];
  message?: readonly Detect<MessageFact>[];
  /** Of messages, those that look at one shape only: a flood is all of one. */
  requests?: readonly Detect<MessageFact>[];
  notifications?: readonly Detect<MessageFact>[];
  responses?: readonly Detect<MessageFact>[];
  deadline?: readonly Detect<DeadlineFact>[];
  socket?: readonly Detect<SocketFact>[];
  end?: readonly Detect<Fact<'http-end'>>[];
  /** Once the end and the tail of a stream that was cut are both known. */
  tail?: readonly Detect<Fact<'sse-discarded'>>[];
  connection?: readonly Detect<ConnectionFact>[];
}

/** Where a fact is to be seen: its event, the carrier, and the bytes where only some are meant. */
export function evidenceOf(event: WireEvent, span?: Span): Evidence {
  return {
    sequence: event.sequence,
    ...('httpId' in event && event.httpId !== undefined ? { httpId: event.httpId } : {}),
    ...('socketId' in event ? { socketId: event.socketId } : {}),
    ...(span === undefined ? {} : { span }),
  };
}
