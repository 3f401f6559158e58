import type { RpcId } from '../capture/items.ts';
import { classifyPayload, holdsMessage, type Payload } from '../protocol/jsonrpc.ts';
import { answers, isBadAnswer } from './answer.ts';
import { readEventStream, type StreamCursor, type StreamReading } from './event-stream.ts';
import type { Exchange, ExchangeContext } from './exchange.ts';

export interface MessageStream {
  cursor: StreamCursor;
  /** The request that the stream answers, where it answers one. */
  rpcId: RpcId | undefined;
  /** A resumed stream may carry what belongs to others, so there only the id counts. */
  isResumed?: boolean;
  /** Ids of the events that were acted on; an event that comes again is recorded, and no more. */
  seenIds: Set<string>;
  deliver(payload: Payload): void;
}

/** Reads one exchange of a stream of messages; `isDone` says that the response came. */
export async function readMessages(
  exchange: Exchange,
  context: ExchangeContext & { limitBytes: number },
  { cursor, rpcId, isResumed = false, seenIds, deliver }: MessageStream,
): Promise<StreamReading & { isDone: boolean }> {
  let isDone = false;
  let eventCount = 0;
  const replaysMessages = cursor.lastEventId !== '';
  const reading = await readEventStream(exchange, context, cursor, ({ event, id, text }) => {
    eventCount += 1;
    if (event === 'endpoint' && eventCount === 1 && rpcId !== undefined) {
      exchange.stop('not-needed');
    }
    if (replaysMessages && id !== undefined && seenIds.has(id)) return;
    if (id !== undefined && id !== '') seenIds.add(id);
    if (!holdsMessage(event, text)) return;
    const payload = classifyPayload(text);
    if (rpcId !== undefined && answers(payload, isResumed ? rpcId : undefined)) isDone = true;
    if (rpcId !== undefined && isBadAnswer(payload, rpcId)) isDone = true;
    deliver(payload);
  });
  return { ...reading, isDone };
}
