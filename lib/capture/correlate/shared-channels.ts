import { diagnoseSilence } from '../../protocol/diagnose-end.ts';
import { momentOf } from './correlate-source.ts';
import type { HttpRecord, Item, RequestItem, StreamItem } from './items.ts';
import { judgeExchange } from './judge.ts';
import type { EventOf, WireEvent } from '../wire-event.ts';

/**
 * HTTP+SSE: a POST is only accepted, and its answer comes on the one stream of the connection. So a request
 * outlives its exchange, and ends with the stream at the latest.
 */
export interface SharedChannels {
  announce(event: EventOf<'endpoint-announced'>): void;
  /** Takes the end of a POST on such a connection; false where the connection has no such stream. */
  settle(item: Item, record: HttpRecord, event: EventOf<'http-end'>): boolean;
  streamEnded(item: StreamItem, event: EventOf<'http-end'>): void;
  /** Who answered a request of the server. */
  noteAnswer(event: EventOf<'server-request-answered'>): void;
  /** A deadline fired for a request whose exchange may be over long since. */
  expire(item: Item | undefined, event: EventOf<'deadline-fired'>): void;
}

/** `open` holds the items that have not ended. */
export function createSharedChannels(
  open: ReadonlySet<Item>,
  changed: (item: Item) => void,
): SharedChannels {
  const connections = new Set<string>();

  function isShared(connectionId: string | undefined): boolean {
    return connectionId !== undefined && connections.has(connectionId);
  }

  function fail(item: RequestItem, event: WireEvent, problem: RequestItem['problem']): void {
    item.outcome = 'failed';
    if (problem !== undefined) item.problem = problem;
    item.ended = momentOf(event);
  }

  return {
    announce({ connectionId, verdict }) {
      if (connectionId !== undefined && verdict !== 'refused') connections.add(connectionId);
    },
    settle(item, record, event) {
      const isOurs = item.kind === 'request' && item.direction === 'outgoing';
      if (!isOurs || !isShared(item.connectionId)) return false;
      const problem = judgeExchange(record, 'acceptance', item.method);
      if (item.outcome !== 'pending') {
        // The answer overtook that of the POST, and counts; what the POST says is only noted.
        if (item.outcome === 'result' && problem !== undefined) item.problem ??= problem;
        return true;
      }
      const { end } = event;
      if (problem !== undefined) fail(item, event, problem);
      else if (end.outcome === 'aborted' && end.cause === 'user') {
        item.outcome = 'cancelled';
        item.ended = momentOf(event);
      }
      return true;
    },
    noteAnswer({ connectionId, rpcId, by }) {
      for (const item of open) {
        if (item.kind !== 'request' || item.direction !== 'incoming') continue;
        if (item.connectionId !== connectionId || item.rpcId !== rpcId) continue;
        item.answeredBy = by;
        return changed(item);
      }
    },
    streamEnded(stream, event) {
      if (!isShared(stream.connectionId)) return;
      for (const item of open) {
        if (item.kind !== 'request' || item.connectionId !== stream.connectionId) continue;
        if (item.outcome !== 'pending') continue;
        fail(item, event, {
          code: 'stream-cut',
          message: `\`${item.method}\` was unanswered when the event stream ended.`,
          advice: 'The server may have done the work all the same.',
        });
        changed(item);
      }
    },
    expire(item, event) {
      if (item?.kind !== 'request' || item.outcome !== 'pending') return;
      if (!isShared(item.connectionId)) return;
      const { durationMs: waitedMs } = event;
      const facts = { rpcMethod: item.method, waitedMs, headStatus: undefined, receivedBytes: 0 };
      fail(item, event, {
        ...diagnoseSilence(facts),
        message: `The server accepted \`${item.method}\` but did not answer it within ${Math.round(waitedMs / 100) / 10} s.`,
      });
    },
  };
}
