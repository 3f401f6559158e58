import type { Calls } from '../requests/calls.ts';
import type { OpenRequest } from './checkpoint.ts';

/** Whether a request only listens, so that it may be made again (2026-07-28, basic/patterns/subscriptions). */
export function isSubscription({ method }: Pick<OpenRequest, 'method'>): boolean {
  return method === 'subscriptions/listen';
}

/** Makes subscriptions again that were cut off. */
export function subscribeAgain(
  calls: Calls,
  subscriptions: readonly OpenRequest[],
  reason: 'restart' | 'reopen',
): void {
  for (const { method, paramsText, carrierId } of subscriptions) {
    calls
      .call({ method, paramsText }, { retryOf: carrierId, attempt: 2, reason })
      // Its row tells how it ended.
      .catch(() => undefined);
  }
}
