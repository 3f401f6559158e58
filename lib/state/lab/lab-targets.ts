import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { ConnectionSummary } from '../../port/contract.ts';
import { isEventStream, type LabStream } from './lab-log.ts';
import { toStreamName } from './lab-words.ts';

/** What is open, and can be dropped. */
export interface DropTarget {
  carrierId: string;
  name: string;
  /** Of the newest event that has one; empty where there is none. */
  lastEventId: string;
  /** To choose from, the newest first. */
  newestIds: string[];
}

const PROPOSED = 20;

/** What a connection has open now: event streams in the order in which they began, then its socket. */
export function toDropTargets(
  connectionId: string,
  streams: readonly LabStream[],
  { sockets }: Pick<Correlation, 'sockets'>,
): DropTarget[] {
  const targets = streams.flatMap((stream) => {
    const record = stream.exchanges.at(-1);
    if (record === undefined || record.end !== undefined || !isEventStream(record)) return [];
    const newestIds = stream.ids.slice(-PROPOSED).toReversed();
    const lastEventId = newestIds[0] ?? '';
    return [{ carrierId: record.httpId, name: toStreamName(stream), lastEventId, newestIds }];
  });
  for (const socket of sockets.values()) {
    if (socket.connectionId !== connectionId || socket.close !== undefined) continue;
    targets.push({ carrierId: socket.socketId, name: 'WebSocket', lastEventId: '', newestIds: [] });
  }
  return targets;
}

/** Why a stream of this connection cannot be resumed; undefined where it can. */
export function whyNotResumed({ transport, era }: ConnectionSummary): string | undefined {
  if (transport === 'websocket') {
    return 'Nothing on a WebSocket can be resumed: it is opened and initialised again.';
  }
  if (transport === 'http-sse') {
    return 'HTTP+SSE resumes nothing: the stream is opened and initialised again.';
  }
  if (era === 'modern') {
    return 'Revision 2026-07-28 resumes nothing: what a dropped stream answers is cancelled.';
  }
  return undefined;
}
