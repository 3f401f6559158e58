import { cacheHintOf } from '../../protocol/caching.ts';
import { isRecord } from '../../record.ts';
import { V5 } from '../clause.ts';
import type { Detectors, MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../payload.ts';
import { CAC } from '../rules/caching.ts';

/** A page of a list, before it comes. */
export function cursorKey(method: string, cursor: string): string {
  return `${method} ${cursor}`;
}

/** The first result of a modern request of ours, with its method; undefined where it is no such thing. */
export function modernResult(
  fact: MessageFact,
): { method: string; result: Record<string, unknown> } | undefined {
  const { request, revision, shape, direction, members } = fact;
  const result = members?.['result'];
  if (shape !== 'response' || direction === 'outgoing' || revision !== V5) return undefined;
  return request === undefined || request.answer !== undefined || !isRecord(result)
    ? undefined
    : { method: request.method, result };
}

function hints(fact: MessageFact): Finding | undefined {
  const { method, result } = modernResult(fact) ?? {};
  if (method === undefined || result === undefined) return undefined;
  const { resultType, ttlMs, cacheScope } = result;
  if (resultType === 'input_required') {
    if (ttlMs === undefined && cacheScope === undefined) return undefined;
    return {
      rule: CAC.interim,
      side: 'server',
      group: method,
      message: `The interim result of \`${method}\` carries caching hints; it cannot be cached.`,
    };
  }
  // A result without a type is one of another era in all that follows.
  if (resultType !== 'complete' || cacheHintOf(method, result) === undefined) return undefined;
  const faults: string[] = [];
  const isGood = Number.isSafeInteger(ttlMs) && Number(ttlMs) >= 0;
  if (!isGood) faults.push(`ttlMs is ${shown(ttlMs)}`);
  if (cacheScope !== 'public' && cacheScope !== 'private') {
    faults.push(`cacheScope is ${shown(cacheScope)}`);
  }
  if (faults.length === 0) return undefined;
  return {
    rule: CAC.hints,
    side: 'server',
    group: `${method} ${faults.join()}`,
    message: `In the result of \`${method}\`, ${faults.join(' and ')}.`,
    advice: 'Send ttlMs, an integer from 0, and cacheScope, "public" or "private".',
  };
}

function pages(fact: MessageFact): Finding | undefined {
  const { method, result } = modernResult(fact) ?? {};
  const cursor = fact.request?.params?.['cursor'];
  if (method === undefined || typeof cursor !== 'string') return undefined;
  const { scopes } = fact.connection;
  const key = cursorKey(method, cursor);
  const [before, scope] = [scopes.get(key), result?.['cacheScope']];
  if (!scopes.has(key) || before === scope) return undefined;
  return {
    rule: CAC.pages,
    side: 'server',
    group: method,
    message: `A page of \`${method}\` has the cacheScope ${shown(scope)}, the page before it ${shown(before)}.`,
    advice: 'All pages of one list must have the same scope.',
  };
}

/** Hints for caches. Whether a client obeys them cannot be seen in the traffic. */
export const CACHING_DETECTORS: Detectors = { message: [hints, pages] };
