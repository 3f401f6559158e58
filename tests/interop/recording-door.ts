import type { HttpDoor, HttpReply } from '../../lib/transport/exchange/http-door.ts';
import { createNodeHttpDoor } from '../support/node-http.ts';

type Reader = NonNullable<HttpReply['body']>;

/** Node's door, with a copy of every byte that came through it, apart from the recorder. */
export function createRecordingDoor(): { door: HttpDoor; bodies: Map<string, Uint8Array[]> } {
  const bodies = new Map<string, Uint8Array[]>();
  const inner = createNodeHttpDoor();
  const door: HttpDoor = {
    ...inner,
    async send(call, observer) {
      const reply = await inner.send(call, observer);
      if (reply.body === undefined) return reply;
      const pieces: Uint8Array[] = [];
      bodies.set(call.httpId, pieces);
      return { ...reply, body: copying(reply.body, pieces) };
    },
  };
  return { door, bodies };
}

function copying(reader: Reader, pieces: Uint8Array[]): Reader {
  return {
    cancel: (reason) => reader.cancel(reason),
    async read() {
      const result = await reader.read();
      if (!result.done) pieces.push(result.value.slice());
      return result;
    },
  };
}
