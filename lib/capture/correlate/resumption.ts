import { momentOf } from './correlate-source.ts';
import type { HttpRecord, Item, RequestItem, StreamItem } from './items.ts';
import { judgeExchange } from './judge.ts';
import type { EventOf } from '../wire-event.ts';

/** Which request a stream goes on for, and which events have come before. */
export interface Resumption {
  /** Takes note of a GET that resumes the stream of a request. */
  follow(item: StreamItem, event: EventOf<'http-request'>): void;
  /** Another exchange takes the place of one. */
  move(fromHttpId: string, httpId: string): void;
  /** The request whose stream an exchange carries or resumes. */
  requestOf(httpId: string): RequestItem | undefined;
  /** Whether a resumed stream brings an event that was there already. */
  isRepeated(record: HttpRecord, event: EventOf<'sse-event'>): boolean;
  /** Closes the request of a resumption that ended without the response; returns it if so. */
  settle(item: StreamItem, record: HttpRecord, event: EventOf<'http-end'>): RequestItem | undefined;
}

/** Follows streams over the exchanges that carry them ("Resumability and Redelivery"). */
export function createResumption(carried: ReadonlyMap<string, Item>): Resumption {
  const resumed = new Map<string, RequestItem>();
  /** Event ids are unique within a session; by connection. */
  const seen = new Map<string, Set<string>>();

  function requestOf(httpId: string): RequestItem | undefined {
    const item = resumed.get(httpId) ?? carried.get(httpId);
    return item?.kind === 'request' ? item : undefined;
  }

  return {
    requestOf,
    follow(item, { httpId, links }) {
      if (links.reason !== 'resume' || links.causedBy === undefined) return;
      const request = requestOf(links.causedBy);
      if (request === undefined) return;
      resumed.set(httpId, request);
      item.parent = request.key;
    },
    move(fromHttpId, httpId) {
      const request = resumed.get(fromHttpId);
      if (request !== undefined) resumed.set(httpId, request);
    },
    isRepeated(record, { id, connectionId = '' }) {
      if (id === undefined || id === '') return false;
      const ids = seen.get(connectionId) ?? new Set();
      seen.set(connectionId, ids);
      const isRepeated = record.request.links.lastEventId !== undefined && ids.has(id);
      ids.add(id);
      return isRepeated;
    },
    settle(item, record, event) {
      const request = resumed.get(item.httpId);
      if (request?.outcome !== 'pending') return undefined;
      const refusal = judgeExchange(record, 'stream', request.method);
      request.outcome = 'failed';
      request.problem = {
        code: 'stream-no-response',
        message: `The stream that should answer \`${request.method}\` was resumed, but brought no response.`,
        advice: 'The server may have done the work all the same.',
        ...(refusal === undefined ? {} : { detail: refusal.message }),
      };
      request.ended = momentOf(event);
      return request;
    },
  };
}
