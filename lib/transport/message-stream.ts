import type { RpcId } from '../capture/items.ts';
import { classifyPayload, holdsMessage, type Payload } from '../protocol/jsonrpc.ts';
import { answers, isBadAnswer } from './answer.ts';
import { readEventStream, type StreamCursor, type StreamReading } from './event-stream.ts';
import type { Exchange, ExchangeContext } from './exchange.ts';
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

export type MessageReading = StreamReading & { isDone: boolean };

/** Reads one exchange of a stream of messages; `isDone` says that the response came. */
export async function readMessages(
  exchange: Exchange,
  context: ExchangeContext & { limitBytes: number },
  { cursor, rpcId, isResumed = false, seen, deliver }: MessageStream,
): Promise<MessageReading> {
  let isDone = false;
  let eventCount = 0;
  const replaysMessages = cursor.lastEventId !== '';
  const reading = await readEventStream(exchange, context, cursor, ({ event, id, text }) => {
    eventCount += 1;
    if (event === 'endpoint' && eventCount === 1 && rpcId !== undefined) {
      exchange.stop('not-needed');
    }
    if (replaysMessages && id !== undefined && seen.has(id)) return;
    if (id !== undefined && id !== '') seen.add(id);
    if (!holdsMessage(event, text)) return;
    const payload = classifyPayload(text);
    if (id !== undefined && id !== '' && asks(payload)) seen.asked(id);
    if (rpcId !== undefined && answers(payload, isResumed ? rpcId : undefined)) isDone = true;
    if (rpcId !== undefined && isBadAnswer(payload, rpcId)) isDone = true;
    deliver(payload);
  });
  return Object.assign(reading, { isDone });
}

function asks(payload: Payload): boolean {
  if (payload.kind === 'batch') return payload.items.some(asks);
  return payload.kind === 'message' && payload.message.kind === 'request';
}

/** Whether the response came; what was wrong with a stream is for others to see. */
export async function isOver(reading: Promise<MessageReading>): Promise<boolean> {
  try {
    return (await reading).isDone;
  } catch {
    return false;
  }
}
