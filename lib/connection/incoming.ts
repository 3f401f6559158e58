import type { RpcId } from '../capture/correlate/items.ts';
import type { Message, Payload } from '../protocol/jsonrpc.ts';
import { jsonOf } from '../text.ts';
import type { Link } from './link.ts';
import type { Requests } from './requests/requests.ts';
import type { ServerRequests } from './questions/server-requests.ts';

/** Takes a payload; `replyTo` is the request on whose own exchange it came. */
export type Receive = (payload: Payload, replyTo: RpcId | undefined) => void;

/**
 * Brings each message of the server to whom it concerns; `counted` is called for each. A modern server may not
 * ask by a request of its own, nor may a client answer one (2026-07-28, "Message Patterns").
 */
export function createIncoming(
  requests: Requests,
  serverRequests: ServerRequests,
  link: () => Pick<Link, 'era'>,
  counted: () => void,
  heedTask: (described: unknown) => void,
): Receive {
  function receive(payload: Payload, replyTo: RpcId | undefined): void {
    if (payload.kind === 'batch') {
      for (const item of payload.items) receive(item, replyTo);
      return;
    }
    if (payload.kind === 'not-rpc') requests.refuse(payload, replyTo);
    // What else is no message has its row in the log, and no one here to go to.
    if (payload.kind !== 'message') return;
    counted();
    take(payload.message, replyTo);
  }

  function take(message: Message, replyTo: RpcId | undefined): void {
    switch (message.kind) {
      case 'result':
      case 'error':
        requests.respond(message, replyTo);
        return;
      case 'request':
        if (link().era === 'legacy') serverRequests.take(message);
        return;
      case 'notification':
        heed(message.method, message.params);
    }
  }

  function heed(method: string, params: unknown): void {
    const named = (params ?? {}) as { progressToken?: unknown; requestId?: unknown };
    if (method === 'notifications/tasks') heedTask(params);
    if (method === 'notifications/progress') requests.progress(jsonOf(named.progressToken) ?? '');
    if (method === 'notifications/cancelled') {
      const rpcId = jsonOf(named.requestId) ?? '';
      serverRequests.withdraw(rpcId);
      requests.endSubscription(rpcId);
    }
  }

  return receive;
}
