import type { Message } from '../../protocol/jsonrpc.ts';
import { isRecord } from '../../record.ts';
import { jsonOf } from '../../text.ts';
import type { WireEvent } from '../wire-event.ts';
import { idKey, momentOf, type PayloadSource } from './correlate-source.ts';
import type { Item, RequestItem } from './items.ts';

/** What ends all that a server has asked, and how a sentence calls it. */
const ENDS: Partial<Record<WireEvent['kind'], string>> = {
  'session-ended': 'session ended',
  'connection-failed': 'connection failed',
  'connection-closed': 'connection was closed',
};

/** Closes the requests of a server that nobody can answer any more; `open` holds the items that have not ended. */
export function endQuestions(
  event: WireEvent,
  open: ReadonlySet<Item>,
  changed: (item: Item) => void,
): void {
  const what = ENDS[event.kind];
  if (what === undefined) return;
  for (const item of open) {
    if (item.kind !== 'request' || item.connectionId !== event.connectionId) continue;
    if (item.direction !== 'incoming' || item.outcome !== 'pending') continue;
    item.outcome = 'failed';
    item.problem = {
      code: 'aborted',
      message: `\`${item.method}\` was unanswered when the ${what}.`,
    };
    item.ended = momentOf(event);
    changed(item);
  }
}

/**
 * Closes the request that a server takes back, and returns it. What we take back ends with its exchange, or when
 * its time is up.
 */
export function withdraw(
  { method, params }: Message & { kind: 'notification' },
  source: PayloadSource,
  pending: Map<string, RequestItem>,
): RequestItem | undefined {
  if (method !== 'notifications/cancelled' || source.direction === 'outgoing') return undefined;
  const id = isRecord(params) ? jsonOf(params['requestId']) : undefined;
  const key = idKey(source, 'incoming', id ?? '');
  const request = pending.get(key);
  if (request?.outcome !== 'pending') return undefined;
  pending.delete(key);
  request.outcome = 'cancelled';
  request.ended = momentOf(source.event);
  return request;
}
