import { AppError, type Problem } from '../../errors.ts';
import type { EventOrigin, WireFact } from '../../capture/wire-event.ts';
import {
  CLOSE_TOO_FAST,
  CLOSE_TOO_LARGE,
  diagnoseSocketClose,
  diagnoseSocketLimit,
  SOCKET_TOO_FAST,
  type SocketEnd,
} from '../../protocol/diagnose-socket.ts';
import { UNCOMMITTED_BYTES } from '../brake.ts';
import type { ExchangeContext } from '../exchange/exchange.ts';
import { createSendQueue, type FrameData } from './send-queue.ts';
import type { Opcode, SocketCall, SocketClose, SocketDoor } from './socket-door.ts';

/** A server that does not confirm our close within this time is left alone. */
const CLOSE_MS = 2000;

export interface ChannelContext extends Pick<ExchangeContext, 'recorder' | 'connectionId'> {
  socketDoor: SocketDoor;
  /** Limit on one frame, in bytes. */
  limitBytes: number;
}

/** What a channel tells its transport. `closed` comes exactly once, and last. */
export interface ChannelEvents {
  opened(): void;
  /** A whole message, in the order in which it came. */
  frame(bytes: Uint8Array): void;
  /** With the problem that made us close it, where there was one. */
  closed(end: SocketEnd, problem: Problem): void;
}

/** One WebSocket with everything about it recorded, and both directions kept within bounds. */
export interface Channel {
  readonly socketId: string;
  /** Resolves when the data was handed to the platform; waits while too much is under way already. */
  send(data: FrameData, signal: AbortSignal): Promise<void>;
  /** Resolves when the socket has ended, or when the server did not confirm that in time. */
  close(reason: string): Promise<void>;
}

/** Opens a socket. Whether it opens, and how it ends, is told by `events`. */
export function openChannel(
  context: ChannelContext,
  call: SocketCall,
  events: ChannelEvents,
): Channel {
  const { recorder, connectionId, limitBytes } = context;
  const { socketId } = call;
  const ended = Promise.withResolvers<void>();
  const encoder = new TextEncoder();
  let state: 'open' | 'closing' | 'over' = 'open';
  let ownReason: Problem | undefined;

  function record(fact: WireFact, origin?: EventOrigin): void {
    recorder.record(fact, connectionId, origin);
  }

  function takeFrame(opcode: Opcode, bytes: Uint8Array<ArrayBuffer>): void {
    if (state === 'over') return;
    // What this frame adds is not counted: one that the limit allows has to pass.
    const uncommittedBytes = recorder.uncommittedBytes(connectionId);
    record({ kind: 'socket-frame', socketId, direction: 'incoming', opcode, data: { bytes } });
    // What still comes after we have closed is a fact, but nobody acts on it.
    if (state !== 'open') return;
    if (bytes.length > limitBytes) return stop(CLOSE_TOO_LARGE, diagnoseSocketLimit(bytes.length));
    if (uncommittedBytes > UNCOMMITTED_BYTES) return stopReading(uncommittedBytes);
    events.frame(bytes);
  }

  function stopReading(uncommittedBytes: number): void {
    if (state !== 'open') return;
    record({ kind: 'reading-paused', carrierId: socketId, uncommittedBytes });
    stop(CLOSE_TOO_FAST, SOCKET_TOO_FAST);
  }

  function takeEnd(close: SocketClose, origin?: EventOrigin): void {
    if (state === 'over') return;
    const by = state === 'closing' ? 'us' : close.code === 1006 ? 'network' : 'server';
    state = 'over';
    clearTimeout(closeTimer);
    const end = { ...close, by } as const;
    record({ kind: 'socket-close', socketId, ...end }, origin);
    ended.resolve();
    const problem = ownReason ?? diagnoseSocketClose(end);
    queue.end(new AppError(problem));
    events.closed(end, problem);
  }

  function stop(code: number, problem: Problem): void {
    ownReason = problem;
    startClosing(code, problem.code);
  }

  let closeTimer: ReturnType<typeof setTimeout> | undefined;
  function startClosing(code: number, reason: string): void {
    if (state !== 'open') return;
    state = 'closing';
    link.close(code, reason);
    closeTimer = setTimeout(() => {
      link.drop();
      takeEnd({ code: 1006, reason: '', clean: false });
    }, CLOSE_MS);
  }

  record({
    kind: 'socket-opening',
    socketId,
    url: { text: call.url },
    subprotocols: [...call.subprotocols],
  });
  const link = context.socketDoor.open(call, {
    open(subprotocol) {
      if (state !== 'open') return;
      record({ kind: 'socket-open', socketId, subprotocol });
      events.opened();
    },
    frame: takeFrame,
    close: takeEnd,
    overrun: stopReading,
    limited: (what) => record({ kind: 'override-chosen', what }),
  });
  const queue = createSendQueue(
    {
      get bufferedBytes() {
        return link.bufferedBytes;
      },
      write(given) {
        const opcode = typeof given === 'string' ? 'text' : 'binary';
        const data = { bytes: typeof given === 'string' ? encoder.encode(given) : given };
        record({ kind: 'socket-frame', socketId, direction: 'outgoing', opcode, data });
        link.send(given);
      },
    },
    (sizeBytes) => record({ kind: 'socket-buffered', socketId, sizeBytes }),
  );

  return {
    socketId,
    send: (data, signal) => {
      if (state === 'open') return queue.send(data, signal);
      return Promise.reject(new AppError(NOT_OPEN));
    },
    close(reason) {
      startClosing(1000, reason);
      return ended.promise;
    },
  };
}

const NOT_OPEN: Problem = {
  code: 'not-connected',
  message: 'The WebSocket is not open.',
  advice: 'Connect again.',
};
