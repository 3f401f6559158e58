import { META, metaOf } from './claims.ts';
import { V5 } from './clause.ts';
import type { Detectors, MessageFact } from './facts.ts';
import type { Finding } from './issue.ts';
import { shown } from './payload.ts';
import { LOG } from './rules/subscriptions.ts';
import { isRecord } from './state.ts';

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

function logMessage(fact: MessageFact): Finding | undefined {
  const { direction, revision, shape, method, members, exchange, connection } = fact;
  if (method !== 'notifications/message' || shape !== 'notification') return undefined;
  if (direction === 'outgoing' || revision !== V5) return undefined;
  const { capabilities } = connection.discovered ?? {};
  if (isRecord(capabilities) && capabilities['logging'] === undefined) {
    return {
      rule: LOG.undeclared,
      side: 'server',
      group: 'undeclared',
      message: 'The server sent a log message, but did not declare `logging`.',
    };
  }
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
  const given = members?.['params'];
  const level = isRecord(given) ? given['level'] : undefined;
  const rank = LEVELS.findIndex((each) => each === level);
  if (rank < 0 || rank >= LEVELS.findIndex((each) => each === asked)) return undefined;
  return {
    rule: LOG.notAsked,
    severity: 'warning',
    side: 'server',
    group: `${shown(level)} ${shown(asked)}`,
    message: `A log message of the level ${shown(level)} came; \`${request.method}\` asked for ${shown(asked)} and above.`,
  };
}

/** Log messages of the modern era, which a request asks for itself. */
export const LOG_DETECTORS: Detectors = { message: [logMessage] };
