import { META, metaOf } from '../claims.ts';
import { V5 } from '../clause.ts';
import type { Detect, Detectors, MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../payload.ts';
import { LOG } from '../rules/features.ts';
import { isRecord } from '../../record.ts';
import { resultOf, type Memories } from './memory.ts';

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

function isLogMessage({ method, shape, direction }: MessageFact): boolean {
  return method === 'notifications/message' && shape === 'notification' && direction === 'incoming';
}

function levelIn(holder: unknown): unknown {
  return isRecord(holder) ? holder['level'] : undefined;
}

/** Whether a level is one of those that stand below another one. */
function isBelow(level: unknown, asked: unknown): boolean {
  const rank = LEVELS.findIndex((each) => each === level);
  return rank >= 0 && rank < LEVELS.findIndex((each) => each === asked);
}

function undeclared(fact: MessageFact): Finding | undefined {
  if (!isLogMessage(fact)) return undefined;
  const { connection, revision } = fact;
  const declared =
    revision === V5 ? connection.discovered?.['capabilities'] : connection.serverCapabilities;
  if (!isRecord(declared) || declared['logging'] !== undefined) return undefined;
  return {
    rule: LOG.undeclared,
    side: 'server',
    group: 'undeclared',
    message: 'The server sent a log message, but did not declare `logging`.',
  };
}

function malformed(fact: MessageFact): Finding | undefined {
  if (!isLogMessage(fact)) return undefined;
  const params = fact.members?.['params'];
  const { level, data } = isRecord(params) ? params : {};
  const isKnown = LEVELS.some((each) => each === level);
  if (isKnown && data !== undefined) return undefined;
  return {
    rule: LOG.malformed,
    side: 'server',
    group: isKnown ? 'data' : shown(level),
    message: isKnown
      ? 'A log message came without data.'
      : `The level of a log message is ${shown(level)}; there are ${LEVELS.join(', ')}.`,
  };
}

/** In the modern era a request asks for log messages itself. */
function notAsked(fact: MessageFact): Finding | undefined {
  const { revision, members, exchange } = fact;
  if (!isLogMessage(fact) || revision !== V5 || undeclared(fact) !== undefined) return undefined;
  // On a channel for all nothing tells which request it is about.
  const [request] = exchange.record === undefined ? [] : exchange.requests;
  const params = request?.params;
  if (request === undefined || params === undefined) return undefined;
  const asked = metaOf(params)[`${META}logLevel`];
  const isListen = request.method === 'subscriptions/listen';
  if (asked === undefined || isListen) {
    return {
      rule: LOG.notAsked,
      side: 'server',
      group: request.method,
      message: isListen
        ? 'A log message came on a subscription; it belongs on the answer to the request that it is about.'
        : `A log message came for \`${request.method}\`, which asked for none.`,
      advice: `A request asks by ${META}logLevel in its _meta.`,
    };
  }
  const level = levelIn(members?.['params']);
  if (!isBelow(level, asked)) return undefined;
  return {
    rule: LOG.notAsked,
    severity: 'warning',
    side: 'server',
    group: `${shown(level)} ${shown(asked)}`,
    message: `A log message of the level ${shown(level)} came; \`${request.method}\` asked for ${shown(asked)} and above.`,
  };
}

/** Log messages, and the level from which on they are wanted. */
export function loggingDetectors(memories: Memories): Detectors {
  const belowLevel: Detect<MessageFact> = (fact) => {
    if (!isLogMessage(fact) || fact.revision === V5) return undefined;
    const { level: wanted } = memories(fact.connection);
    const level = levelIn(fact.members?.['params']);
    if (wanted === undefined || !isBelow(level, wanted)) return undefined;
    return {
      rule: LOG.belowLevel,
      side: 'server',
      group: `${shown(level)} ${shown(wanted)}`,
      message: `A log message of the level ${shown(level)} came; ${shown(wanted)} and above were asked for.`,
    };
  };

  const remember: Detect<MessageFact> = (fact) => {
    const { method, params } = resultOf(fact) ?? {};
    if (method === 'logging/setLevel') memories(fact.connection).level = levelIn(params);
    if (method === 'initialize') delete memories(fact.connection).level;
    return undefined;
  };

  return { notifications: [malformed, undeclared, notAsked, belowLevel], responses: [remember] };
}
