import { delay } from '../../delay.ts';

/** Over this many bytes under way, sending waits. */
const BUFFERED_BYTES = 1024 * 1024;
/** A WebSocket has no event for a buffer that empties, so a sender that waits looks again after this time. */
const LOOK_MS = 20;

/** A text frame, or a binary one. */
export type FrameData = string | Uint8Array<ArrayBuffer>;

export interface SendSink {
  readonly bufferedBytes: number;
  write(data: FrameData): void;
}

/** Sends in order, and waits while the network takes less than it is given. */
export interface SendQueue {
  /** Resolves when the data was written; rejects with the signal's reason, or with that of `end`. */
  send(data: FrameData, signal: AbortSignal): Promise<void>;
  /** Nothing can be written any more. */
  end(reason: Error): void;
}

/** Creates the queue; `waiting` is told the bytes under way when sending has to wait, and when it goes on. */
export function createSendQueue(sink: SendSink, waiting: (sizeBytes: number) => void): SendQueue {
  const over = new AbortController();
  /** The last of those that wait. */
  let tail: Promise<unknown> | undefined;

  async function writeLater(
    before: Promise<unknown> | undefined,
    data: FrameData,
    own: AbortSignal,
  ) {
    await before;
    const signal = AbortSignal.any([own, over.signal]);
    if (sink.bufferedBytes > BUFFERED_BYTES) {
      waiting(sink.bufferedBytes);
      while (sink.bufferedBytes > BUFFERED_BYTES) await delay(LOOK_MS, signal);
      waiting(sink.bufferedBytes);
    }
    signal.throwIfAborted();
    sink.write(data);
  }

  return {
    async send(data, signal) {
      signal.throwIfAborted();
      over.signal.throwIfAborted();
      if (tail === undefined && sink.bufferedBytes <= BUFFERED_BYTES) return sink.write(data);
      const turn = writeLater(tail, data, signal);
      const settled = turn.catch(() => undefined);
      tail = settled;
      try {
        await turn;
      } finally {
        if (tail === settled) tail = undefined;
      }
    },
    end: (reason) => over.abort(reason),
  };
}
