import type { BodyReader } from '../exchange/http-door.ts';

type BodyChunk = Awaited<ReturnType<BodyReader['read']>>;

/** An open body into which something may still be put. */
export interface BodyTap {
  /** The newest bytes that came through, as many as it takes to see whether they end an event. */
  readonly tail: Uint8Array;
  /** Leads all that comes from now on through another reader, also what a read waits for already. */
  interpose<Put extends BodyReader>(make: (body: BodyReader) => Put): Put;
}

/** A body with such a tap; until then its reads are passed on as they are. `over` is told when nothing is to come. */
export function tapBody(body: BodyReader, over: () => void): { reader: BodyReader; tap: BodyTap } {
  let through: BodyReader | undefined;
  let waiting: Promise<BodyChunk> | undefined;
  let tail = new Uint8Array();

  // As few turns as can be: what is read from an untouched body should come as if nobody stood between.
  function read(): Promise<BodyChunk> {
    if (through !== undefined) return through.read();
    waiting = body.read();
    return waiting.then(take, fail);
  }

  function take(chunk: BodyChunk): BodyChunk | Promise<BodyChunk> {
    if (through !== undefined) return through.read();
    waiting = undefined;
    if (chunk.done) over();
    // A copy: the chunk itself may be large, and be gone.
    else tail = chunk.value.slice(-3);
    return chunk;
  }

  function fail(error: unknown): Promise<BodyChunk> {
    if (through !== undefined) return through.read();
    over();
    return Promise.reject(error);
  }

  return {
    reader: {
      read,
      cancel(reason) {
        over();
        return (through ?? body).cancel(reason);
      },
    },
    tap: {
      get tail() {
        return tail;
      },
      interpose(make) {
        const put = make({
          read() {
            const first = waiting;
            waiting = undefined;
            return first ?? body.read();
          },
          cancel: (reason) => body.cancel(reason),
        });
        through = put;
        return put;
      },
    },
  };
}
