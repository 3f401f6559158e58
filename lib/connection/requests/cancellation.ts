import type { BriefMap } from '../../brief-map.ts';
import type { RpcId } from '../../capture/correlate/items.ts';
import { buildNotification } from '../../protocol/jsonrpc.ts';
import type { ExchangeAbort } from '../../transport/exchange/exchange.ts';
import type { Transport } from '../../transport/transport.ts';
import { timeLimit } from '../time-limit.ts';

const CANCELLED = 'notifications/cancelled';
/** How long a server may take to accept that a request is cancelled. */
const CANCEL_MS = 5000;

/**
 * Tells a server that a request is over for us (basic/utilities/cancellation). `underWay` holds what ends the
 * notification, as long as that is on its way.
 */
export function tellCancelled(
  transport: Transport,
  rpcId: RpcId,
  abort: ExchangeAbort,
  underWay: BriefMap<AbortController, AbortController>,
): void {
  const { problem, waitedMs } = abort;
  // What came in the meantime is known elsewhere, if at all.
  const reason =
    waitedMs === undefined ? problem.message : `No response within ${waitedMs / 1000} s.`;
  const params = JSON.stringify({ reason });
  const text = buildNotification(CANCELLED, params.replace('{', `{"requestId":${rpcId},`));
  const controller = new AbortController();
  underWay.set(controller, controller);
  const late = 'The server did not accept the cancellation in time.';
  const limit = timeLimit(CANCEL_MS, late, controller.signal);
  transport
    .send({ text, kind: 'notification', method: CANCELLED, signal: limit.signal })
    // The row of the notification shows what became of it; the request is over in any case.
    .catch(() => undefined)
    .finally(() => {
      limit.stop();
      underWay.delete(controller);
    });
}
