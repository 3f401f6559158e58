import type { RequestLinks } from '../../capture/wire-event.ts';
import type { RawMessage } from '../../port/send-contract.ts';
import { toBytes } from '../../bytes.ts';
import type { Payload } from '../../protocol/jsonrpc.ts';
import type { Receive } from '../incoming.ts';
import type { Link, WriteRequest } from '../link.ts';

export interface RawSideParts {
  link(): Link;
  write: WriteRequest;
  receive: Receive;
  /** Ends with the connection. */
  signal: AbortSignal;
  /** One more message of ours. */
  sent(): void;
}

/** What goes to the server of a connection without being its own. */
export interface RawSide {
  /**
   * Sends a text to the letter, or bytes, as a message of the connection is sent. Its id is nobody's here, so its
   * answer is only in the log; settles when its exchange is over, or when its frame was written.
   */
  send(
    message: RawMessage & { kind: 'text' | 'binary' },
    links: RequestLinks,
    signal: AbortSignal,
    started: (carrierId: string) => void,
  ): Promise<void>;
  /** Takes what came on an exchange beside the connection; a response there is to nothing that it has asked. */
  heed(payload: Payload): void;
}

/** Sends what the user wrote to the letter over the transport of a connection, beside its own requests. */
export function createRawSide({ link, write, receive, signal: life, sent }: RawSideParts): RawSide {
  return {
    async send(message, links, signal, started) {
      const { transport, era } = link();
      sent();
      const how = { links, signal: AbortSignal.any([life, signal]), started };
      if (message.kind === 'binary') {
        const bytes = toBytes(message.base64);
        await transport.send({ ...how, kind: 'request', method: '', text: '', bytes });
        return;
      }
      const { text, as } = message;
      const { headers = [] } = write(era, as.method, as.paramsText);
      await transport.send({ ...how, ...as, text, headers });
    },
    heed(payload) {
      if (payload.kind === 'message' && 'method' in payload.message) receive(payload, undefined);
    },
  };
}
