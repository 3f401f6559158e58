import type { RpcId } from '../../capture/correlate/items.ts';
import { classifyPayload, holdsMessage, type Payload } from '../../protocol/jsonrpc.ts';
import { answers, isBadAnswer } from './answer.ts';
import { readEventStream, type StreamCursor, type StreamReading } from '../sse/event-stream.ts';
import type { Exchange, ExchangeContext } from '../exchange/exchange.ts';
import type { SeenEvents } from './seen-events.ts';

export interface MessageStream {
  cursor: StreamCursor;
  /** The request that the stream answers, where it answers one. */
  rpcId: RpcId | undefined;
  /** A resumed stream may carry what belongs to others, so there only the id counts. */
  isResumed?: boolean;
  /** An event that comes again is recorded, and no more. */
  seen: SeenEvents;
  deliver(payload: Payload): void;
}

/** Reads one exchange of a stream of messages; `isDone` says that the response came. */
export function readMessages(
  exchange: Exchange,
  context: ExchangeContext & { limitBytes: number },
  stream: MessageStream,
): Promise<StreamReading> {
  const { cursor, rpcId, isResumed = false, seen, deliver } = stream;
  let eventCount = 0;
  const replaysMessages = cursor.lastEventId !== '';
  return readEventStream(exchange, context, cursor, ({ event, id, text }) => {
    eventCount += 1;
    if (event === 'endpoint' && eventCount === 1 && rpcId !== undefined) {
      exchange.stop('not-needed');
    }
    if (replaysMessages && id !== undefined && seen.has(id)) return undefined;
    if (id !== undefined && id !== '') seen.add(id);
    if (!holdsMessage(event, text)) return false;
    const payload = classifyPayload(text);
    if (id !== undefined && id !== '' && asks(payload)) seen.asked(id);
    const isAnswer =
      rpcId !== undefined &&
      (answers(payload, isResumed ? rpcId : undefined) || isBadAnswer(payload, rpcId, isResumed));
    deliver(payload);
    return isAnswer;
  });
}

function asks(payload: Payload): boolean {
  if (payload.kind === 'batch') return payload.items.some(asks);
  return payload.kind === 'message' && payload.message.kind === 'request';
}
