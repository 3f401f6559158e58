import type { Era, RequestLinks } from '../capture/wire-event.ts';
import { member, parseJson, sourceText } from '../json/parse.ts';
import { classifyPayload, type Payload } from '../protocol/jsonrpc.ts';
import type { OutgoingMessage } from '../transport/transport.ts';
import type { Receive } from './incoming.ts';
import type { Link, WriteRequest } from './link.ts';

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
   * Sends a text to the letter, as a message of the connection is sent. Its id is nobody's here, so its answer is only
   * in the log; settles when its exchange is over, or when its frame was written.
   */
  send(
    text: string,
    links: RequestLinks,
    signal: AbortSignal,
    started: (carrierId: string) => void,
  ): Promise<void>;
  /** Takes what came on an exchange beside the connection; a response there is to nothing that it has asked. */
  heed(payload: Payload): void;
}

/** The raw side of a connection. */
export function createRawSide({ link, write, receive, signal: life, sent }: RawSideParts): RawSide {
  return {
    async send(text, links, signal, started) {
      const { transport, era } = link();
      sent();
      await transport.send({
        ...toOutgoing(text, era, write),
        links,
        signal: AbortSignal.any([life, signal]),
        started,
      });
    },
    heed(payload) {
      if (payload.kind === 'message' && 'method' in payload.message) receive(payload, undefined);
    },
  };
}

/**
 * A text of the user's as a message to send: whatever is no notification and no response is sent like a request,
 * since only those have an answer that is worth waiting for. Headers mirror it as far as it is one.
 */
function toOutgoing(text: string, era: Era, write: WriteRequest): Omit<OutgoingMessage, 'signal'> {
  const payload = classifyPayload(text);
  if (payload.kind !== 'message') return { text, kind: 'request', method: 'raw text' };
  const { message } = payload;
  if (message.kind === 'result' || message.kind === 'error') {
    return { text, kind: 'response', method: 'raw text' };
  }
  const { kind, method } = message;
  const parsed = parseJson(text);
  const params = parsed.ok ? member(parsed.root, 'params') : undefined;
  const { headers } = write(era, method, params && sourceText(text, params));
  return {
    text,
    kind,
    method,
    ...(headers === undefined ? {} : { headers }),
    ...(message.kind === 'request' ? { rpcId: message.id } : {}),
  };
}
