import { isRecord } from '../../record.ts';
import type { Detectors, MessageFact } from '../facts.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown, tokenOf, tokenText } from '../payload.ts';
import { senderOf } from './rpc.ts';
import { PRG } from '../rules/progress.ts';
import { requestKey, type RequestState } from '../state.ts';

/** The request that a progress notification reports on. */
export function progressOf(fact: MessageFact): RequestState | undefined {
  if (fact.method !== 'notifications/progress' || fact.shape !== 'notification') return undefined;
  const params = fact.members?.['params'];
  const token = tokenText(isRecord(params) ? params['progressToken'] : undefined);
  const asked = fact.direction === 'incoming' ? 'outgoing' : 'incoming';
  return token === undefined ? undefined : fact.connection.tokens.get(requestKey(asked, token));
}

function token(fact: MessageFact): Finding | undefined {
  if (fact.method !== 'notifications/progress' || fact.shape !== 'notification') return undefined;
  const request = progressOf(fact);
  const side = senderOf(fact);
  if (request === undefined) {
    const params = fact.members?.['params'];
    const given = isRecord(params) ? params['progressToken'] : undefined;
    return {
      rule: PRG.token,
      side,
      group: `unknown ${shown(given)}`,
      message: `Progress came for the token ${shown(given)}, which no request has given.`,
    };
  }
  const { answer, stopped, method } = request;
  if (answer !== undefined && !request.isTask) {
    return {
      rule: PRG.token,
      // Two streams may overtake each other.
      severity: answer.exchange === fact.exchange ? 'error' : 'warning',
      side,
      group: `after ${request.itemKey}`,
      message: `Progress came after the response to \`${method}\`.`,
      advice: 'Progress must stop when the request is done.',
      evidence: [evidenceOf(fact.event, fact.span), evidenceOf(answer.event)],
    };
  }
  if (stopped === undefined) return undefined;
  return {
    rule: PRG.token,
    severity: 'info',
    side,
    group: `after ${request.itemKey}`,
    message: `Progress came for \`${method}\` after it ${stopped}.`,
  };
}

function increase(fact: MessageFact): Finding | undefined {
  const request = progressOf(fact);
  if (request === undefined) return undefined;
  const params = fact.members?.['params'];
  const progress = isRecord(params) ? params['progress'] : undefined;
  const side = senderOf(fact);
  if (typeof progress !== 'number') {
    return {
      rule: PRG.increase,
      side,
      group: `number ${request.itemKey}`,
      message: `The progress of \`${request.method}\` is ${shown(progress)}, not a number.`,
    };
  }
  if (request.progress === undefined || progress > request.progress) return undefined;
  return {
    rule: PRG.increase,
    side,
    group: `increase ${request.itemKey}`,
    message: `The progress of \`${request.method}\` went from ${request.progress} to ${progress}; it must increase.`,
  };
}

function tokenReused(fact: MessageFact): Finding | undefined {
  if (fact.shape !== 'request') return undefined;
  const given = tokenOf(fact.members?.['params']);
  if (given === undefined) return undefined;
  const before = fact.connection.tokens.get(requestKey(fact.direction, given));
  if (before === undefined || before.generation !== fact.connection.generation) return undefined;
  if (before.answer !== undefined || before.stopped !== undefined) return undefined;
  if (before.exchange.end !== undefined || before.rpcId === fact.rpcId) return undefined;
  return {
    rule: PRG.tokenReused,
    side: senderOf(fact),
    message: `The progress token ${given} of \`${fact.method}\` belongs to \`${before.method}\`, which is still active.`,
    evidence: [evidenceOf(fact.event, fact.span), evidenceOf(before.event)],
  };
}

export const PROGRESS_DETECTORS: Detectors = { message: [token, increase, tokenReused] };
