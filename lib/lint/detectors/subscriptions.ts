import { isRecord } from '../../record.ts';
import { ACKNOWLEDGED, META, metaOf } from '../claims.ts';
import { V5 } from '../clause.ts';
import type { Detectors, Fact, MessageFact } from '../facts.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown, tokenText } from '../payload.ts';
import { capital } from './responses.ts';
import { nameOf } from './rpc.ts';
import { SUB } from '../rules/subscriptions.ts';
import { requestKey, type RequestState } from '../state.ts';

const LISTEN = 'subscriptions/listen';
const LISTS = /^notifications\/(tools|prompts|resources)\/list_changed$/;
const UPDATED = 'notifications/resources/updated';
const TASKS = 'notifications/tasks';

/** Whether a notification may come on subscriptions only. */
function isOfSubscription(method: string): boolean {
  return method === ACKNOWLEDGED || method === UPDATED || method === TASKS || LISTS.test(method);
}

/** The subscription that a message of the server belongs to: by its stream, or by the id that it names. */
export function subscriptionOf(fact: MessageFact): RequestState | undefined {
  const { direction, revision, exchange, connection, members, request, shape } = fact;
  if (direction === 'outgoing' || revision !== V5) return undefined;
  if (shape === 'response') return request?.method === LISTEN ? request : undefined;
  const own = exchange.record === undefined ? undefined : exchange.requests[0];
  if (own !== undefined) return own.method === LISTEN ? own : undefined;
  const rpcId = tokenText(metaOf(members?.['params'])[`${META}subscriptionId`]);
  const found = connection.requests.get(requestKey('outgoing', rpcId ?? ''));
  return found?.method === LISTEN ? found : undefined;
}

function acknowledged(fact: MessageFact): Finding | undefined {
  const subscription = subscriptionOf(fact);
  if (subscription === undefined || subscription.isAcknowledged === true) return undefined;
  const { method, shape, members } = fact;
  // A refusal needs no acknowledgment, and a fault of another rule is not repeated here.
  if (method === ACKNOWLEDGED || shape === 'none' || shape === 'request') return undefined;
  if (shape === 'response' && !isRecord(members?.['result'])) return undefined;
  return {
    rule: SUB.acknowledged,
    side: 'server',
    group: subscription.itemKey,
    message: `${capital(nameOf(fact))} came before \`${ACKNOWLEDGED}\`, which must be the first.`,
    evidence: [evidenceOf(fact.event, fact.span), evidenceOf(subscription.event)],
  };
}

function subscriptionId(fact: MessageFact): Finding | undefined {
  const { direction, revision, shape, method = '', members, exchange } = fact;
  if (direction === 'outgoing' || revision !== V5) return undefined;
  const result = members?.['result'];
  const holder = shape === 'response' ? result : members?.['params'];
  const subscription = subscriptionOf(fact);
  // On one channel for all, what names no subscription can only be known by its method.
  const isLost = exchange.record === undefined && isOfSubscription(method);
  if (subscription === undefined && !isLost) return undefined;
  if (shape === 'response' ? !isRecord(result) : !isOfSubscription(method)) return undefined;
  const given = metaOf(holder)[`${META}subscriptionId`];
  const wanted = subscription?.rpcId;
  if (wanted !== undefined && tokenText(given) === wanted) return undefined;
  return {
    rule: SUB.subscriptionId,
    side: 'server',
    group: `${subscription?.itemKey} ${shown(given)}`,
    message:
      wanted === undefined
        ? `${capital(nameOf(fact))} names the subscription ${shown(given)}, which is not open.`
        : `${capital(nameOf(fact))} names the subscription ${shown(given)}; the id of the request is ${wanted}.`,
  };
}

/** Whether a filter asks for a notification; the URI of an update may lie below one that is watched. */
function isAsked(method: string, params: unknown, filter: Record<string, unknown>): boolean {
  const [, list] = LISTS.exec(method) ?? [];
  if (list !== undefined) return filter[`${list}ListChanged`] === true;
  if (method === TASKS) return Array.isArray(filter['taskIds']);
  const uris: unknown = filter['resourceSubscriptions'];
  const uri = isRecord(params) ? params['uri'] : undefined;
  if (method !== UPDATED || !Array.isArray(uris)) return false;
  return typeof uri !== 'string' || uris.some((each) => uri.startsWith(String(each)));
}

function notAsked(fact: MessageFact): Finding | undefined {
  const { direction, revision, shape, method = '', members, exchange } = fact;
  if (shape !== 'notification' || direction === 'outgoing' || revision !== V5) return undefined;
  // Log messages have a rule of their own, and a server may say that it ends a subscription.
  if (['notifications/message', 'notifications/cancelled', ACKNOWLEDGED].includes(method))
    return undefined;
  const subscription = subscriptionOf(fact);
  if (subscription === undefined) {
    const [asked] = exchange.record === undefined ? [] : exchange.requests;
    if (asked === undefined || !isOfSubscription(method)) return undefined;
    return {
      rule: SUB.notAsked,
      side: 'server',
      group: `elsewhere ${method}`,
      message: `\`${method}\` came in the answer to \`${asked.method}\`; it belongs on a subscription.`,
    };
  }
  if (subscription.params === undefined) return undefined;
  const filter = subscription.params['notifications'];
  if (isAsked(method, members?.['params'], isRecord(filter) ? filter : {})) return undefined;
  return {
    rule: SUB.notAsked,
    side: 'server',
    group: `${subscription.itemKey} ${method}`,
    message: `\`${method}\` came on a subscription that did not ask for it.`,
    evidence: [evidenceOf(fact.event, fact.span), evidenceOf(subscription.event)],
  };
}

function abrupt({ exchange, event }: Fact<'http-end'>): Finding | undefined {
  const subscription = exchange.requests.find(({ method }) => method === LISTEN);
  const { outcome } = event.end;
  if (subscription === undefined || subscription.answer !== undefined) return undefined;
  if (!exchange.isEventStream || (outcome !== 'complete' && outcome !== 'cut')) return undefined;
  if (exchange.isCancelled === true) return undefined;
  return {
    rule: SUB.abrupt,
    side: 'server',
    message: `The subscription ${outcome === 'cut' ? 'broke off' : 'ended'} without a result: whether anything was missed is unknown.`,
    advice: 'A server that ends a subscription should send its result first.',
  };
}

/** Subscriptions, on a stream of their own or on a channel for all. */
export const SUBSCRIPTION_DETECTORS: Detectors = {
  message: [acknowledged, subscriptionId, notAsked],
  end: [abrupt],
};
