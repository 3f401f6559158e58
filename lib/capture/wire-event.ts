import type { Problem } from '../errors.ts';
import type { AuthFact } from './auth-fact.ts';
import type { CaptureSpan } from './store/capture-span.ts';
import type { ConnectionFact } from './connection-fact.ts';
import type { InjectedFault } from './correlate/fault.ts';
import type { Header, StoredUrl, StoredBytes, Span } from './store/stored-text.ts';

export type Era = 'legacy' | 'modern';

/** Why an HTTP request was sent. */
export type Purpose =
  | 'message'
  | 'stream'
  | 'probe'
  | 'terminate'
  | 'discovery'
  | 'registration'
  | 'token'
  | 'revocation';

/** How a request hangs together with others. */
export interface RequestLinks {
  /** `sequence` of the request of which this one is a replay. */
  replayOf?: number;
  /** `httpId` of the request of which this one is a repeat, with the attempt number from 2. */
  retryOf?: string;
  attempt?: number;
  reason?: string;
  /** `httpId` of the exchange that caused this one: the redirect followed, the server request answered. */
  causedBy?: string;
  /** Authorization chain and step within it. */
  authChain?: string;
  authStep?: number;
  lastEventId?: string;
}

export type CloseCause = 'user' | 'server' | 'failure' | 'replaced' | 'worker-stopped';

/**
 * One way to connect: revision 2026-07-28 by `server/discover`, or one of the transports by `initialize`. They
 * are tried from the top.
 */
export type Rung = 'modern' | 'streamable-http' | 'http-sse' | 'websocket';

/**
 * What came of a rung. `not-this`: the server does not speak it. `undecided`: its answer proves nothing.
 * `failed`: connecting ends here. `skipped`: an earlier connection has shown what to expect.
 */
export type RungVerdict = 'chosen' | 'not-this' | 'undecided' | 'failed' | 'skipped';

export type ConnectPhase =
  | 'permission'
  | 'open'
  | 'attach'
  | 'discover'
  | 'initialize'
  | 'initialized'
  | 'ready';

/** Where a session id came from. */
export type SessionSource = 'header' | 'endpoint' | 'server' | 'user';

type PermissionFact = {
  kind: 'permission-asked' | 'permission-granted' | 'permission-denied' | 'permission-revoked';
  host: string;
  /** The authorization chain that needs it. */
  chain?: string;
};

/** Why we ended an exchange ourselves. */
export type AbortCause = 'user' | 'deadline' | 'limit' | 'too-fast' | 'close' | 'not-needed';

type HttpFact =
  | { kind: 'http-queued'; httpId: string; reason: string }
  | { kind: 'http-released'; httpId: string }
  | {
      kind: 'http-request';
      httpId: string;
      purpose: Purpose;
      method: string;
      url: StoredUrl;
      headers: Header[];
      body?: StoredBytes;
      links: RequestLinks;
      /** What the tool that recorded it says of it for itself, as JSON. */
      foreign?: string;
    }
  /** Request headers as the browser put them on the wire; `added` are known to follow below that layer. */
  | { kind: 'http-sent'; httpId: string; headers: Header[]; added: Header[] }
  | { kind: 'http-redirect'; httpId: string; status: number; location: string; target: string }
  | {
      kind: 'http-response';
      httpId: string;
      status: number;
      statusText: string;
      headers: Header[];
    }
  /** Response headers as the browser saw them on the wire: order, case, `Set-Cookie`. */
  | { kind: 'http-received'; httpId: string; statusLine: string; headers: Header[] }
  | {
      kind: 'http-connection';
      httpId: string;
      address?: string;
      protocol?: string;
      fromCache?: boolean;
      /** Milliseconds from the start of the request. */
      phases?: { name: string; startMs: number; endMs: number }[];
    }
  | { kind: 'http-chunk'; httpId: string; offset: number; data: StoredBytes }
  | { kind: 'http-end'; httpId: string; end: HttpEnd };

export type HttpEnd =
  | { outcome: 'complete'; sizeBytes: number }
  | { outcome: 'aborted'; cause: AbortCause; sizeBytes: number; note?: string }
  /** The connection broke after the head had arrived. */
  | { outcome: 'cut'; sizeBytes: number; errorName: string }
  /** No response at all. */
  | { outcome: 'failed'; problem: Problem };

type SseFact =
  | {
      kind: 'sse-event';
      httpId: string;
      /** The whole block, terminator included. */
      block: Span;
      /** Value of the last `event` field; absent means `message`. */
      event?: string;
      /** Present when the block has an `id` field that counts. */
      id?: string;
      /** Value of each `data` line; absent when the block has none. The text is theirs joined by LF. */
      data?: Span[];
    }
  | { kind: 'sse-comment'; httpId: string; line: Span }
  | { kind: 'sse-retry'; httpId: string; line: Span; retryMs: number }
  /** A line that the standard tells a reader to ignore. */
  | { kind: 'sse-ignored'; httpId: string; line: Span; reason: string }
  /** What the end of the stream cut off: never dispatched. */
  | { kind: 'sse-discarded'; httpId: string; tail: Span };

type SocketFact =
  | { kind: 'socket-opening'; socketId: string; url: StoredUrl; subprotocols: string[] }
  | { kind: 'socket-open'; socketId: string; subprotocol: string }
  | {
      kind: 'socket-frame';
      socketId: string;
      direction: 'outgoing' | 'incoming';
      opcode: 'text' | 'binary';
      data: StoredBytes;
    }
  | {
      kind: 'socket-close';
      socketId: string;
      code: number;
      reason: string;
      clean: boolean;
      by: 'us' | 'server' | 'network';
    }
  | { kind: 'socket-buffered'; socketId: string; sizeBytes: number };

type TimeFact =
  | { kind: 'retry-scheduled'; carrierId: string; delayMs: number; askedBy: 'server' | 'backoff' }
  | ({ kind: 'deadline-started' } & DeadlineFact)
  | ({ kind: 'deadline-extended' } & DeadlineFact)
  | ({ kind: 'deadline-fired' } & DeadlineFact)
  /** The retry has to wait until the browser is online. */
  | { kind: 'retry-held'; carrierId: string }
  | { kind: 'online' | 'offline' }
  /** No timer saw the last `aheadMs`: the machine slept, or its clock was set forward. */
  | { kind: 'wake'; aheadMs?: number }
  | { kind: 'clock-set-back'; byMs: number };

interface DeadlineFact {
  /** The exchange or socket that carries the request. */
  carrierId: string;
  rpcId?: string;
  deadline: DeadlineKind;
  durationMs: number;
}

export type DeadlineKind = 'connect' | 'idle' | 'hard' | 'terminate';

type PeopleFact =
  /** For what a result asks, `rpcId` is the key; `refused` says that its request does not go on. */
  | {
      kind: 'server-request-answered';
      carrierId: string;
      rpcId: string;
      by: 'policy' | 'user';
      refused?: true;
    }
  | { kind: 'replay-started'; of: number }
  | { kind: 'fault-injected'; carrierId: string; fault: InjectedFault }
  | { kind: 'override-chosen'; what: string };

type OwnFact =
  | { kind: 'worker-started'; cause: 'install' | 'update' | 'browser-start' | 'wake' }
  | { kind: 'gap'; what: string; why: string; fromSequence?: number; toSequence?: number }
  | { kind: 'reading-paused' | 'reading-resumed'; carrierId: string; uncommittedBytes: number }
  | { kind: 'storage-state'; state: 'stored' | 'memory'; reason: string; advice?: string }
  | { kind: 'capture-removed'; removed: CaptureSpan; by: 'limit' | 'user' }
  /** `continues` names the capture before it, where recording went on without a break. */
  | { kind: 'capture-started'; name: string; continues?: string }
  /** The last event of a capture: the next ones are in the capture `into`. */
  | { kind: 'capture-split'; into?: string }
  | { kind: 'capture-stopped' }
  | { kind: 'page-navigated'; url: StoredUrl };

/** One fact, before the recorder has stamped it. Facts only: whatever can be derived is not in here. */
export type WireFact =
  | ConnectionFact
  | PermissionFact
  | HttpFact
  | SseFact
  | SocketFact
  | TimeFact
  | AuthFact
  | PeopleFact
  | OwnFact;

/** Where an event comes from. */
export type EventOrigin =
  | { kind: 'live' }
  | { kind: 'injected' }
  /** `isTimeUnknown`: its times only say that it was no later. */
  | { kind: 'imported'; isTimeUnknown?: true }
  | { kind: 'page'; tabId: number; frameId: number; navigation: number };

export interface Stamp {
  /** One counter for the whole log, never reset or reused: the only ordering key. */
  sequence: number;
  captureId: string;
  /** One life of the worker. `monotonicTime` counts within it. */
  bootId: string;
  /** Milliseconds since the epoch. */
  wallTime: number;
  /** Milliseconds since the boot. Durations within a boot come from here. */
  monotonicTime: number;
  connectionId?: string;
  /** Absent means `live`. */
  origin?: EventOrigin;
}

/** One recorded fact: the unit of the log. */
export type WireEvent = Stamp & WireFact;

/** The event of one kind. */
export type EventOf<Kind extends WireFact['kind']> = Extract<WireEvent, { kind: Kind }>;

/** A batch of events that was committed in one transaction, the unit of storage. */
export interface Block {
  captureId: string;
  firstSequence: number;
  lastSequence: number;
  sizeBytes: number;
  events: WireEvent[];
  /** Sequences of events in earlier blocks without which these make no sense; early blocks name none. */
  roots?: number[];
}
