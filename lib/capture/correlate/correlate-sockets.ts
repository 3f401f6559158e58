import { lengthOf } from './http-record.ts';
import type { Problem } from '../../errors.ts';
import { parseJson } from '../../json/parse.ts';
import {
  diagnoseSocketClose,
  diagnoseSocketLimit,
  diagnoseSocketOpen,
  diagnoseSocketSilence,
  SOCKET_TOO_FAST,
  CLOSE_TOO_FAST,
  CLOSE_TOO_LARGE,
} from '../../protocol/diagnose-socket.ts';
import { diagnoseLostCall } from '../../protocol/diagnose-modern.ts';
import { classifyPayload, type Payload } from '../../protocol/jsonrpc.ts';
import { decodeUtf8, jsonOf } from '../../text.ts';
import { type MessageCorrelation } from './correlate-messages.ts';
import { momentOf, type PayloadSource } from './correlate-source.ts';
import { LISTEN } from './correlate-subscriptions.ts';
import type { Item, RequestItem, SocketItem, SocketRecord } from './items.ts';
import type { EventOf, WireEvent } from '../wire-event.ts';

type SocketEvent = EventOf<'socket-opening' | 'socket-open' | 'socket-frame' | 'socket-close'>;
type DeadlineEvent = EventOf<'deadline-started' | 'deadline-extended' | 'deadline-fired'>;

/** Sockets, and what becomes of the requests that they carry. */
export interface SocketCorrelation {
  readonly sockets: ReadonlyMap<string, SocketRecord>;
  apply(event: SocketEvent): void;
  /** False where the carrier is no socket. */
  takeDeadline(event: DeadlineEvent): boolean;
  takeFault(event: EventOf<'fault-injected'>): void;
  /** Where this is what it says: what is sent next on the connection is a replay. */
  takeReplay(event: WireEvent): boolean;
}

interface Socket {
  record: SocketRecord;
  item: SocketItem;
  requests: RequestItem[];
}

/** An empty correlation of sockets, over that of messages. */
export function createSocketCorrelation(
  messages: MessageCorrelation,
  add: (item: Item) => void,
  changed: (item: Item) => void,
): SocketCorrelation {
  const sockets = new Map<string, SocketRecord>();
  const known = new Map<string, Socket>();
  const replays = new Map<string | undefined, number>();

  function begin(event: EventOf<'socket-opening'>): void {
    const { socketId, connectionId } = event;
    const record: SocketRecord = {
      socketId,
      connectionId,
      opening: event,
      frames: [],
      deadlines: [],
      faults: [],
      sizeBytes: 0,
    };
    const item: SocketItem = {
      kind: 'socket',
      key: `socket ${socketId}`,
      sequence: event.sequence,
      connectionId,
      started: momentOf(event),
      revision: 0,
      socketId,
      outcome: 'pending',
    };
    sockets.set(socketId, record);
    known.set(socketId, { record, item, requests: [] });
    add(item);
  }

  function placeFrame(socket: Socket, event: EventOf<'socket-frame'>): void {
    const { bytes } = event.data;
    socket.record.frames.push(event);
    socket.record.sizeBytes += bytes.length;
    changed(socket.item);
    // An empty frame holds nothing to be about; the Stream tab has it.
    if (bytes.length === 0) return;
    const { socketId, sequence, direction } = event;
    const source: PayloadSource = {
      event,
      direction,
      message: { in: 'frame', socketId, sequence },
      socketId,
      carrier: undefined,
    };
    const replayOf = replays.get(event.connectionId);
    if (direction === 'outgoing' && replayOf !== undefined) {
      replays.delete(event.connectionId);
      source.links = { replayOf };
    }
    for (const item of messages.place(payloadOf(event), source)) {
      if (item.kind === 'request' && item.sequence === sequence) socket.requests.push(item);
      if (item.kind === 'notification') heedNotification(socket, item.method, event);
    }
  }

  /** Nothing else on a socket says that a notification has been accepted, or a request given up. */
  function heedNotification(socket: Socket, method: string, event: EventOf<'socket-frame'>): void {
    if (method !== 'notifications/cancelled') return;
    const payload = payloadOf(event);
    const message = payload.kind === 'message' ? payload.message : undefined;
    const params = message?.kind === 'notification' ? message.params : undefined;
    const { requestId } = (params ?? {}) as { requestId?: unknown };
    const rpcId = jsonOf(requestId);
    // Only of its own requests; what it says about a subscription of ours is taken care of.
    const item = socket.requests.find(
      (request) => request.direction === event.direction && request.rpcId === rpcId,
    );
    if (item?.outcome !== 'pending') return;
    item.outcome = 'cancelled';
    item.ended = momentOf(event);
    changed(item);
  }

  function end(socket: Socket, event: EventOf<'socket-close'>): void {
    const { record, item } = socket;
    const wasOpen = item.outcome === 'open';
    record.close = event;
    const problem = wasOpen
      ? closeProblem(record, event)
      : diagnoseSocketOpen(record.opening.url.text, event.code);
    const isFault = !wasOpen || (problem.code !== 'socket-ended' && !isOurOrderlyClose(event));
    item.outcome = isFault ? 'failed' : 'closed';
    item.closeCode = event.code;
    if (isFault) item.problem = problem;
    item.ended = momentOf(event);
    changed(item);
    for (const request of socket.requests) {
      if (request.method === LISTEN && request.direction === 'outgoing') {
        endSubscription(request, event, problem, isFault);
      } else fail(request, event, unanswered(request, problem));
    }
    socket.requests = [];
  }

  function endSubscription(
    request: RequestItem,
    event: EventOf<'socket-close'>,
    problem: Problem,
    isFault: boolean,
  ): void {
    if (isFault || event.by !== 'us') {
      return fail(request, event, { ...diagnoseLostCall(LISTEN), detail: problem.message });
    }
    if (request.outcome !== 'pending') return;
    request.outcome = 'cancelled';
    request.problem = { code: 'aborted', message: 'The subscription ended with the connection.' };
    request.ended = momentOf(event);
    changed(request);
  }

  function fail(request: RequestItem, event: WireEvent, problem: Problem): void {
    if (request.outcome !== 'pending') return;
    request.outcome = 'failed';
    request.problem = problem;
    request.ended = momentOf(event);
    changed(request);
  }

  return {
    sockets,
    apply(event) {
      if (event.kind === 'socket-opening') return begin(event);
      const socket = known.get(event.socketId);
      if (socket === undefined) return;
      switch (event.kind) {
        case 'socket-open':
          socket.record.open = event;
          socket.item.outcome = 'open';
          socket.item.subprotocol = event.subprotocol;
          return changed(socket.item);
        case 'socket-frame':
          return placeFrame(socket, event);
        case 'socket-close':
          return end(socket, event);
      }
    },
    takeReplay(event) {
      if (event.kind === 'replay-started') replays.set(event.connectionId, event.of);
      return event.kind === 'replay-started';
    },
    takeFault(event) {
      const socket = known.get(event.carrierId);
      if (socket === undefined) return;
      socket.record.faults.push(event);
      changed(socket.item);
    },
    takeDeadline(event) {
      const socket = known.get(event.carrierId);
      if (socket === undefined) return false;
      socket.record.deadlines.push(event);
      const request = socket.requests.findLast(
        ({ rpcId, direction }) => rpcId === event.rpcId && direction === 'outgoing',
      );
      if (request === undefined) return true;
      if (event.kind === 'deadline-fired') {
        fail(request, event, diagnoseSocketSilence(request.method, event.durationMs));
      } else changed(request);
      return true;
    },
  };
}

/** What a frame holds, with a hint where it is a known way to put messages into frames wrongly. */
function payloadOf({ data, opcode }: EventOf<'socket-frame'>): Payload {
  const text = decodeUtf8(data.bytes);
  if (text === undefined) {
    const error = `a ${opcode} frame whose bytes are not UTF-8`;
    return { kind: 'not-json', error, offset: firstBadByte(data.bytes) };
  }
  const payload = classifyPayload(text);
  if (payload.kind !== 'not-json' || !parseJson(text.slice(0, payload.offset)).ok) return payload;
  const error = `${payload.error}; there are two JSON texts in one frame, and a frame holds one message`;
  return { ...payload, error };
}

/** Decoding up to there succeeds, and one byte further fails. */
function firstBadByte(bytes: Uint8Array): number {
  const good = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const text = good.slice(0, good.indexOf('\uFFFD'));
  return new TextEncoder().encode(text).length;
}

function closeProblem(record: SocketRecord, event: EventOf<'socket-close'>): Problem {
  if (event.by === 'us' && event.code === CLOSE_TOO_FAST) return SOCKET_TOO_FAST;
  if (event.by === 'us' && event.code === CLOSE_TOO_LARGE) {
    const last = record.frames.at(-1);
    return diagnoseSocketLimit(last === undefined ? 0 : lengthOf(last.data));
  }
  return diagnoseSocketClose(event);
}

/** We ended it, and not for a fault: also where the server never confirmed. */
function isOurOrderlyClose({ by, code }: EventOf<'socket-close'>): boolean {
  return by === 'us' && code !== CLOSE_TOO_FAST && code !== CLOSE_TOO_LARGE;
}

function unanswered(request: RequestItem, problem: Problem): Problem {
  return { ...problem, message: `\`${request.method}\` was unanswered. ${problem.message}` };
}
