import { headerValue } from '../capture/correlate/http-record.ts';
import type { Direction, HttpRecord, RpcId } from '../capture/correlate/items.ts';
import type { TransportKind } from '../capture/store/stored-profile.ts';
import type { Header } from '../capture/store/stored-text.ts';
import type { EventOf, WireEvent } from '../capture/wire-event.ts';
import type { ParamHeaders } from '../protocol/param-headers.ts';
import type { Revision } from './clause.ts';

/** What the rules need to remember of a JSON-RPC request in either direction. */
export interface RequestState {
  rpcId: RpcId;
  method: string;
  direction: Direction;
  /** By which it is judged, and its response with it. */
  revision: Revision;
  event: WireEvent;
  /** Of a request of ours, until it is answered. */
  params?: Record<string, unknown>;
  /** What the server asked for instead of answering. */
  asked?: Asked;
  /** A subscription whose acknowledgment has come. */
  isAcknowledged?: boolean;
  /** For a request of the server: as it came. */
  text?: string;
  itemKey: string;
  /** What carried it; for a request of the server, the stream that brought it. */
  exchange: Carrier;
  /** Which handshake of the connection it came after. */
  generation: number;
  token?: string;
  /** Last progress reported for it. */
  progress?: number;
  isTask: boolean;
  /** What was meant as its response is none. */
  hasBadAnswer?: boolean;
  answer?: { event: WireEvent; exchange: Carrier; isOnGet: boolean };
  /** Why nobody waits for the answer any more. */
  stopped?: 'had been cancelled' | 'had timed out';
}

/** What an interim result asks for. */
export interface Asked {
  /** Which request it was, by its method and its name or URI. */
  target: string;
  /** Absent where it asks for nothing. */
  keys?: string[];
  /** As JSON text, absent where there is none. */
  state?: string;
}

/** What the rules need to remember of what carries messages: an HTTP exchange or a WebSocket. */
export interface Carrier {
  /** Its `httpId` or `socketId`. */
  readonly id: string;
  /** Absent for a WebSocket. */
  readonly record?: HttpRecord;
  /** Row of what it carries. */
  itemKey: string;
  /** The gravest kind of message that was posted: a request needs a response. */
  sends: 'request' | 'notification' | 'response' | 'nothing';
  methods: string[];
  /** Requests posted on it. */
  requests: RequestState[];
  /** Where its own messages tell by which revision it is to be judged. */
  revision?: Revision;
  /** Session id that it carried, or its fingerprint. */
  session: string | undefined;
  /** `Last-Event-ID` that it carried. */
  resumes: string | undefined;
  /** The first exchange of the same stream. */
  root: Carrier;
  /** The exchange that carried the stream before it was opened again. */
  previous?: Carrier;
  head?: EventOf<'http-response'>;
  end?: EventOf<'http-end'>;
  tail?: EventOf<'sse-discarded'>;
  isEventStream: boolean;
  /** What comes from now on was provoked by a fault of ours, and nobody is to be blamed for it. */
  isProvoked?: boolean;
  /** The server has said that it ends the subscription on it. */
  isCancelled?: boolean;
  eventCount: number;
  firstEvent?: WireEvent;
  /** The response to the last open request on it. */
  answered?: WireEvent;
  hasEventId: boolean;
  /** The server's `retry`, kept with the root of the stream. */
  retryMs?: number;
  /** The first event with lines that end in CR alone. */
  loneCr?: EventOf<'sse-event'>;
  /** What it announced last as the place for messages (HTTP+SSE). */
  endpoint?: string;
}

/** A carrier that is an HTTP exchange. */
export interface ExchangeState extends Carrier {
  readonly record: HttpRecord;
}

/** What the rules need to remember of a connection. */
export interface ConnectionState {
  readonly connectionId: string | undefined;
  /** Seen from its beginning on; only then does absence mean anything. */
  isComplete: boolean;
  transport: TransportKind;
  revision?: Revision;
  offered?: Revision;
  /** The server has shown that it speaks the modern era. */
  isModern: boolean;
  /** The last result of `server/discover`. */
  discovered?: Record<string, unknown>;
  /** Tools by name, with the headers that they want. */
  tools: Map<string, ParamHeaders>;
  /** Scopes of pages that are to come, by method and cursor. */
  scopes: Map<string, unknown>;
  /** Requests that were answered by a question, the newest last. */
  rounds: RequestState[];
  /** What the server speaks is being tried, and not known yet. */
  isTrying: boolean;
  /** Opened for a transport report, which sends faults on purpose. */
  isReport: boolean;
  /** Taken up without a handshake of its own. */
  isAttached: boolean;
  hasFailed: boolean;
  /** Legacy messages. */
  messageCount: number;
  generation: number;
  initialize?: RequestState;
  initializeResult?: WireEvent;
  initialized?: WireEvent;
  clientCapabilities?: unknown;
  serverCapabilities?: unknown;
  session?: string;
  sessionEvent?: WireEvent;
  /** Sessions that a DELETE has ended. */
  endedSessions: Map<string, WireEvent>;
  /** A session that was answered 404 on a POST. */
  lostSession?: { session: string; event: WireEvent };
  hasTerminated: boolean;
  /** A GET that was answered 404 although it named a session: the next POST tells what that means. */
  refusedGet?: { exchange: ExchangeState; event: EventOf<'http-response'> };
  exchanges: Map<string, ExchangeState>;
  sockets: Map<string, Carrier>;
  requests: Map<string, RequestState>;
  tokens: Map<string, RequestState>;
  eventIds: Map<string, { exchange: ExchangeState; event: EventOf<'sse-event'> }>;
}

/** A connection of which nothing is known yet. */
export function newConnection(connectionId: string | undefined): ConnectionState {
  return {
    connectionId,
    isComplete: false,
    transport: 'streamable-http',
    isModern: false,
    tools: new Map(),
    scopes: new Map(),
    rounds: [],
    isTrying: false,
    isReport: false,
    isAttached: false,
    hasFailed: false,
    messageCount: 0,
    generation: 0,
    endedSessions: new Map(),
    hasTerminated: false,
    exchanges: new Map(),
    sockets: new Map(),
    requests: new Map(),
    tokens: new Map(),
    eventIds: new Map(),
  };
}

/** A carrier of which nothing is known but that it exists. */
export function newCarrier(id: string, itemKey: string): Carrier {
  const carrier: Omit<Carrier, 'root'> = {
    id,
    itemKey,
    sends: 'nothing',
    methods: [],
    requests: [],
    session: undefined,
    resumes: undefined,
    isEventStream: false,
    eventCount: 0,
    hasEventId: false,
  };
  return Object.assign(carrier, { root: carrier as Carrier });
}

/** An exchange as its request was sent. */
export function newExchange(record: HttpRecord, itemKey: string): ExchangeState {
  const { headers, links } = record.request;
  return Object.assign(newCarrier(record.httpId, itemKey), {
    record,
    session: sessionIn(headers),
    resumes: links.lastEventId ?? headerValue(headers, 'last-event-id'),
  });
}

/** The session id of a head: its fingerprint where it was cut out. An empty one means none. */
export function sessionIn(headers: readonly Header[] | undefined): string | undefined {
  const header = headers?.find(({ name }) => name.toLowerCase() === 'mcp-session-id');
  if (header === undefined || header.value === '') return undefined;
  return header.cuts?.[0]?.secret ?? header.value;
}

/** Key of a request in the space of ids of its sender. */
export function requestKey(direction: Direction, rpcId: RpcId): string {
  return `${direction} ${rpcId}`;
}

/** Milliseconds between two events, from the clock that both share. */
export function msBetween(from: WireEvent, to: WireEvent): number {
  return from.bootId === to.bootId
    ? to.monotonicTime - from.monotonicTime
    : to.wallTime - from.wallTime;
}
