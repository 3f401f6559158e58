import { classifyPayload, type Payload } from '../../protocol/jsonrpc.ts';
import { newCursor, readEventStream } from '../../transport/sse/event-stream.ts';
import type { Exchange, ExchangeContext } from '../../transport/exchange/exchange.ts';

/** Reads a reply of whatever kind as far as the limit of the context; `take` sees each message of a stream. */
export async function readReply(
  exchange: Exchange,
  context: ExchangeContext & { limitBytes: number },
  take: (payload: Payload) => void,
): Promise<void> {
  if (exchange.mediaType === 'text/event-stream') {
    await readEventStream(exchange, context, newCursor(), ({ text }) => {
      if (text !== undefined) take(classifyPayload(text));
      return undefined;
    });
    return;
  }
  await exchange.read((chunk, offset) =>
    offset + chunk.length > context.limitBytes ? 'limit' : undefined,
  );
}
