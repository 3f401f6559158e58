import type { Problem } from '../../errors.ts';
import type { TransportChoice, TransportKind } from '../store/stored-profile.ts';
import type { Era, EventOf, Rung, RungVerdict, WireEvent } from '../wire-event.ts';

/** A JSON-RPC id as on the wire: raw JSON text, so `1`, `"1"` and integers above 2^53 stay apart. */
export type RpcId = string;

export type Direction = 'outgoing' | 'incoming';

/** Where the text of a message lies in the log. */
export type MessageRef =
  | { in: 'request'; httpId: string }
  | { in: 'body'; httpId: string }
  | { in: 'event'; httpId: string; sequence: number }
  /** `sequence` of the frame, all of which is the message. */
  | { in: 'frame'; socketId: string; sequence: number };

/** A moment, by both clocks: monotonic time counts only within one boot. */
export interface Moment {
  wallTime: number;
  monotonicTime: number;
  bootId: string;
}

export type StreamEvent = EventOf<
  'sse-event' | 'sse-comment' | 'sse-retry' | 'sse-ignored' | 'sse-discarded'
>;

/** Everything that the log holds about one HTTP exchange. */
export interface HttpRecord {
  httpId: string;
  connectionId: string | undefined;
  request: EventOf<'http-request'>;
  /** It had to wait for a connection of the browser, until `released`. */
  queued?: EventOf<'http-queued'>;
  released?: EventOf<'http-released'>;
  sent?: EventOf<'http-sent'>;
  received?: EventOf<'http-received'>;
  redirect?: EventOf<'http-redirect'>;
  response?: EventOf<'http-response'>;
  connection?: EventOf<'http-connection'>;
  chunks: EventOf<'http-chunk'>[];
  /** SSE events and what stands between them, in order. */
  stream: StreamEvent[];
  deadlines: EventOf<'deadline-started' | 'deadline-extended' | 'deadline-fired'>[];
  end?: EventOf<'http-end'>;
  /** What was done to it on purpose. */
  faults: EventOf<'fault-injected'>[];
  /** Body bytes received so far. */
  sizeBytes: number;
}

/** Everything that the log holds about one WebSocket. */
export interface SocketRecord {
  socketId: string;
  connectionId: string | undefined;
  opening: EventOf<'socket-opening'>;
  open?: EventOf<'socket-open'>;
  /** In both directions, in the order of the log. */
  frames: EventOf<'socket-frame'>[];
  deadlines: EventOf<'deadline-started' | 'deadline-extended' | 'deadline-fired'>[];
  close?: EventOf<'socket-close'>;
  /** What was done to it on purpose. */
  faults: EventOf<'fault-injected'>[];
  /** Bytes of all frames, both directions. */
  sizeBytes: number;
}

interface ItemBase {
  /** Stable across replays of the log. */
  key: string;
  /** `sequence` of the first event that belongs to it: its place in the table. */
  sequence: number;
  connectionId: string | undefined;
  started: Moment;
  ended?: Moment;
  /** Grows whenever anything about the item changes. */
  revision: number;
  /** Authorization chains that its answer has begun. */
  authChains?: string[];
  /** The exchange, or the socket, that carries it. */
  httpId?: string;
  socketId?: string;
}

/** A JSON-RPC request in either direction with the response folded in. */
export interface RequestItem extends ItemBase {
  kind: 'request';
  direction: Direction;
  method: string;
  /** Name of the tool or prompt, or the URI of the resource, where the method has one. */
  target?: string;
  rpcId: RpcId;
  message: MessageRef;
  response?: MessageRef;
  outcome: 'pending' | 'result' | 'error' | 'failed' | 'cancelled' | 'interrupted';
  /** `resultType` of a modern result, where it is not `complete`. */
  resultType?: string;
  /** A later round of a multi round-trip request: `key` of the first one, and its number from 2. */
  round?: { first: string; number: number };
  /** Who answered a request of the server. */
  answeredBy?: 'policy' | 'user';
  /** What a tool says in a result with `isError`. */
  toolFailure?: string;
  /** Id of the task that its result has created. */
  createdTask?: string;
  /** Id of the task that it is about, created by another request. */
  aboutTask?: string;
  problem?: Problem;
  replayOf?: number;
  /** Notifications that belong to this request: progress, messages on its stream. */
  related: number;
}

/** A JSON-RPC notification in either direction. */
export interface NotificationItem extends ItemBase {
  kind: 'notification';
  direction: Direction;
  method: string;
  message: MessageRef;
  /** `key` of the request it belongs to: same stream, or its progress token. */
  parent?: string;
  /** Id of the task that it is about. */
  aboutTask?: string;
  /** For the row: `3 of 5`, a log line, a URI. */
  summary?: string;
  problem?: Problem;
}

/** A payload that is no message for which a place was found: an unmatched response, a batch, not JSON-RPC, not JSON. */
export interface StrayItem extends ItemBase {
  kind: 'stray';
  direction: Direction;
  what: 'response' | 'batch' | 'duplicate' | 'not-json' | 'not-rpc';
  message: MessageRef;
  parent?: string;
  problem: Problem;
}

/** The standalone GET stream, pending while it is open. */
export interface StreamItem extends ItemBase {
  kind: 'stream';
  outcome: 'pending' | 'open' | 'not-offered' | 'closed' | 'failed' | 'interrupted';
  problem?: Problem;
  httpId: string;
  /** `key` of the request whose answer it resumes. */
  parent?: string;
}

/** A WebSocket, pending while it is open. */
export interface SocketItem extends ItemBase {
  kind: 'socket';
  outcome: 'pending' | 'open' | 'closed' | 'failed' | 'interrupted';
  subprotocol?: string;
  closeCode?: number;
  problem?: Problem;
  socketId: string;
}

/** An HTTP exchange that carries no JSON-RPC message: terminate, discovery. */
export interface HttpItem extends ItemBase {
  kind: 'http';
  outcome: 'pending' | 'done' | 'failed' | 'interrupted';
  problem?: Problem;
  httpId: string;
}

/** An authorization: what its steps and exchanges are about. */
export interface AuthItem extends ItemBase {
  kind: 'auth';
  /** Name of its record. */
  chain: string;
  outcome: 'pending' | 'authorized' | 'signed-out' | 'denied' | 'closed' | 'failed' | 'interrupted';
  problem?: Problem;
}

/** Something that happened to a connection, a permission, the storage or the worker. */
export interface LifecycleItem extends ItemBase {
  kind: 'lifecycle';
  level: 'info' | 'warning' | 'error';
  title: string;
  detail?: string;
  problem?: Problem;
  event: WireEvent;
}

export type Item =
  | RequestItem
  | NotificationItem
  | StrayItem
  | StreamItem
  | SocketItem
  | HttpItem
  | AuthItem
  | LifecycleItem;

/** One way to connect that was tried, or passed over for a reason. */
export interface RungRecord {
  rung: Rung;
  started: Moment;
  /** Its exchanges begin after this `sequence`, and before that of its end. */
  fromSequence: number;
  ended?: Moment;
  toSequence?: number;
  /** Absent while it is being tried, and where connecting ended before it was judged. */
  verdict?: RungVerdict;
  reason?: string;
  evidence: string[];
}

/** What the log says about one connection. */
export interface ConnectionRecord {
  connectionId: string;
  url: string;
  /** What the user wanted. */
  choice: TransportChoice;
  /** The last time of connecting, in the order of trying. */
  rungs: RungRecord[];
  /** Why connecting failed. */
  problem?: Problem;
  state: 'opening' | 'live' | 'closed' | 'failed' | 'interrupted';
  transport?: TransportKind;
  era?: Era;
  revision?: string;
  serverName?: string;
  serverVersion?: string;
  session?: string;
  opened: Moment;
}
