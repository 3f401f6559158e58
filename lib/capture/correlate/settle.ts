import { diagnoseElsewhere } from '../../protocol/diagnose-end.ts';
import type { Payload } from '../../protocol/jsonrpc.ts';
import { momentOf } from './correlate-source.ts';
import type { HttpItem, HttpRecord, Item, RequestItem, StreamItem } from './items.ts';
import { LISTEN } from './correlate-subscriptions.ts';
import { isModernRefusal, judgeExchange } from './judge.ts';
import type { EventOf } from '../wire-event.ts';

/** The item of an exchange that carries no message of ours. */
export function exchangeItem(event: EventOf<'http-request'>): StreamItem | HttpItem {
  const base = {
    key: `http ${event.httpId}`,
    sequence: event.sequence,
    connectionId: event.connectionId,
    started: momentOf(event),
    revision: 0,
    httpId: event.httpId,
    outcome: 'pending',
  } as const;
  return event.purpose === 'stream' ? { ...base, kind: 'stream' } : { ...base, kind: 'http' };
}

/** Closes the item of an exchange that has ended: outcome, moment, and why where it failed. */
export function settle(item: Item, record: HttpRecord, event: EventOf<'http-end'>): void {
  switch (item.kind) {
    case 'request': {
      if (item.direction === 'incoming') return settleAnswer(item, record);
      // The server has said on the stream that it gives the subscription up.
      if (item.outcome === 'cancelled') return;
      const status = record.response?.status ?? 0;
      const isAnswer = (status >= 200 && status < 300) || isModernRefusal(record);
      const isAnswered = item.response !== undefined && isAnswer;
      const problem = isAnswered ? undefined : judgeExchange(record, 'response', item.method);
      // A response that was none has told more than its stream can.
      const isRefused = item.outcome === 'failed' && item.problem?.code === 'body-not-rpc';
      if (problem !== undefined && !isRefused) item.problem = problem;
      const isElsewhere = status === 202 && item.response !== undefined;
      if (isElsewhere) item.problem = diagnoseElsewhere(item.method);
      if (item.outcome === 'pending')
        item.outcome = isOurWish(item, event) ? 'cancelled' : 'failed';
      item.ended ??= momentOf(event);
      return;
    }
    case 'notification': {
      const problem = judgeExchange(record, 'acceptance', item.method);
      if (problem !== undefined) item.problem = problem;
      item.ended ??= momentOf(event);
      return;
    }
    case 'stream': {
      const problem = judgeExchange(record, 'stream');
      item.outcome = streamOutcome(item, record, event, problem !== undefined);
      if (problem !== undefined) item.problem = problem;
      item.ended = momentOf(event);
      return;
    }
    case 'http': {
      const problem = judgeExchange(record, 'termination');
      item.outcome = problem === undefined ? 'done' : 'failed';
      if (problem !== undefined) item.problem = problem;
      item.ended = momentOf(event);
      return;
    }
    case 'stray':
    case 'socket':
    case 'auth':
    case 'lifecycle':
      return;
  }
}

/**
 * Whether a body is told of by the row of its exchange: what is no message leaves the request unanswered, and an
 * error may only say why an exchange that asked nothing was refused.
 */
export function isToldByRow(
  payload: Payload,
  record: HttpRecord,
  carrier: Item | undefined,
): boolean {
  if (payload.kind === 'not-json' || payload.kind === 'not-rpc') return true;
  if (payload.kind === 'batch' || (record.response?.status ?? 0) < 400) return false;
  const asks = carrier?.kind === 'request' && carrier.direction === 'outgoing';
  return !asks && payload.message.kind === 'error' && payload.message.id === null;
}

/** Takes back that an item is over. */
export function unsettle(item: Item): void {
  if ('outcome' in item) item.outcome = 'pending';
  delete item.ended;
  delete item.problem;
}

/** The user cancelled it; a subscription is also done with its connection. */
function isOurWish({ method }: RequestItem, { end }: EventOf<'http-end'>): boolean {
  if (end.outcome !== 'aborted') return false;
  return end.cause === 'user' || (end.cause === 'close' && method === LISTEN);
}

/** A request of the server is done once it is answered; here it is only noted where our answer was refused. */
function settleAnswer(item: RequestItem, record: HttpRecord): void {
  const problem = judgeExchange(record, 'acceptance', item.method);
  if (problem !== undefined) item.problem ??= problem;
}

function streamOutcome(
  item: StreamItem,
  record: HttpRecord,
  event: EventOf<'http-end'>,
  hasProblem: boolean,
): StreamItem['outcome'] {
  if (item.outcome === 'open') {
    return event.end.outcome === 'cut' || hasProblem ? 'failed' : 'closed';
  }
  if (record.response !== undefined) return 'not-offered';
  return event.end.outcome === 'aborted' && !hasProblem ? 'closed' : 'failed';
}
