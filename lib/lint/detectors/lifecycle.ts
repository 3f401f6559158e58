import { isRecord } from '../../record.ts';
import { ALL, V4 } from '../clause.ts';
import type { ConnectionFact, DeadlineFact, Detectors, MessageFact } from '../facts.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { tokenText, shown } from '../payload.ts';
import { senderOf } from './rpc.ts';
import { LIF } from '../rules/lifecycle.ts';
import { requestKey } from '../state.ts';
import { isLegacyRevision } from '../../protocol/revisions.ts';

const INITIALIZED = 'notifications/initialized';

function notInitialized(fact: MessageFact): Finding | undefined {
  const { connection, method, direction, shape } = fact;
  if (direction === 'incoming' || method === undefined || method === 'initialize') return undefined;
  if (!connection.isComplete || connection.isAttached) return undefined;
  if (connection.initialize === undefined) {
    // Only the first message is out of order; whatever follows it is the same mistake.
    if (connection.messageCount > 0 || method === 'ping') return undefined;
    return {
      rule: LIF.notInitialized,
      side: 'client',
      message: `The first message is \`${method}\`; it must be \`initialize\`.`,
    };
  }
  if (connection.initializeResult !== undefined || method === 'ping') return undefined;
  if (shape !== 'request' || connection.initialize.answer !== undefined) return undefined;
  return {
    rule: LIF.notInitialized,
    severity: 'warning',
    side: 'client',
    message: `\`${method}\` was sent before the answer to \`initialize\` had come.`,
  };
}

function clientTooEarly(fact: MessageFact): Finding | undefined {
  const { connection, method, direction } = fact;
  if (direction === 'incoming' || fact.shape !== 'request') return undefined;
  if (method === 'ping' || method === 'initialize') return undefined;
  if (!connection.isComplete || connection.initializeResult === undefined) return undefined;
  if (connection.initialized !== undefined) return undefined;
  return {
    rule: LIF.noInitialized,
    side: 'client',
    group: 'client',
    message: `\`${method}\` was sent although \`${INITIALIZED}\` had not been.`,
    evidence: [evidenceOf(fact.event), evidenceOf(connection.initializeResult)],
  };
}

function neverInitialized({ connection, event }: ConnectionFact): Finding | undefined {
  if (event.kind !== 'connection-closed' || !connection.isComplete) return undefined;
  if (connection.initializeResult === undefined || connection.initialized !== undefined)
    return undefined;
  if (connection.hasFailed || connection.revision === undefined) return undefined;
  return {
    rule: LIF.noInitialized,
    side: 'client',
    group: 'client',
    message: `The connection was closed without \`${INITIALIZED}\` ever being sent.`,
    evidence: [evidenceOf(event), evidenceOf(connection.initializeResult)],
  };
}

function serverTooEarly(fact: MessageFact): Finding | undefined {
  const { connection, method, direction, shape } = fact;
  if (direction === 'outgoing' || method === undefined || method === 'ping') return undefined;
  if (shape === 'notification' && method === 'notifications/message') return undefined;
  if (connection.initialize === undefined || connection.initialized !== undefined) return undefined;
  if (connection.hasFailed) return undefined;
  return {
    rule: LIF.noInitialized,
    severity: 'warning',
    side: 'server',
    group: 'server',
    message: `The server sent \`${method}\` before it had \`${INITIALIZED}\`.`,
    advice: 'Until then, only `ping` and log messages should be sent.',
  };
}

function version(fact: MessageFact): Finding | undefined {
  const result = initializeResult(fact);
  if (result === undefined) return undefined;
  const chosen = result['protocolVersion'];
  if (typeof chosen === 'string' && isLegacyRevision(chosen)) return undefined;
  const isModernOne = ALL.some((revision) => revision === chosen);
  return {
    rule: LIF.version,
    side: 'server',
    message: isModernOne
      ? `The server chose ${shown(chosen)}, which has no \`initialize\`.`
      : `The server chose ${shown(chosen)}, which is no known revision.`,
    advice: 'The answer should hold the offered version, or the newest one that the server speaks.',
  };
}

function malformedResult(fact: MessageFact): Finding | undefined {
  const result = initializeResult(fact);
  const faults = result === undefined ? [] : initializeFaults(result);
  if (faults.length === 0) return undefined;
  return {
    rule: LIF.initializeResult,
    side: 'server',
    message: `In the answer to \`initialize\`, ${faults.join(', ')}.`,
    advice: 'Strict clients refuse to connect.',
  };
}

function initializeFaults(result: Record<string, unknown>): string[] {
  const { capabilities, serverInfo, instructions } = result;
  const faults: string[] = [];
  if (!isRecord(capabilities)) faults.push(`capabilities is ${shown(capabilities)}`);
  for (const [name, value] of Object.entries(isRecord(capabilities) ? capabilities : {})) {
    if (!isRecord(value)) faults.push(`capabilities.${name} is ${shown(value)}`);
  }
  const info = isRecord(serverInfo) ? serverInfo : undefined;
  if (info === undefined) faults.push(`serverInfo is ${shown(serverInfo)}`);
  for (const name of info === undefined ? [] : ['name', 'version']) {
    if (typeof info?.[name] !== 'string')
      faults.push(`serverInfo.${name} is ${shown(info?.[name])}`);
  }
  if (info?.['title'] !== undefined && typeof info['title'] !== 'string') {
    faults.push(`serverInfo.title is ${shown(info['title'])}`);
  }
  if (instructions !== undefined && typeof instructions !== 'string') {
    faults.push(`instructions is ${shown(instructions)}`);
  }
  return faults;
}

/** The result of a message that answers `initialize`. */
export function initializeResult(fact: MessageFact): Record<string, unknown> | undefined {
  const { request, members } = fact;
  if (fact.shape !== 'response' || request?.method !== 'initialize') return undefined;
  const result = members?.['result'];
  return isRecord(result) && request.answer === undefined ? result : undefined;
}

function cancelled(fact: MessageFact): Finding | undefined {
  const { connection, direction, members } = fact;
  if (fact.method !== 'notifications/cancelled') return undefined;
  const params = members?.['params'];
  const id = isRecord(params) ? params['requestId'] : undefined;
  const rpcId = tokenText(id);
  const side = senderOf(fact);
  if (rpcId === undefined) {
    if (id === undefined && fact.revision === V4) return undefined;
    return { rule: LIF.cancelled, side, message: `A cancellation names ${shown(id)} as request.` };
  }
  const request = connection.requests.get(requestKey(direction, rpcId));
  const message = (what: string): string => `The cancellation of request ${rpcId} ${what}.`;
  if (request === undefined) {
    const other = direction === 'incoming' ? 'outgoing' : 'incoming';
    const isOther = connection.requests.has(requestKey(other, rpcId));
    return {
      rule: LIF.cancelled,
      side,
      message: message(
        isOther ? 'names a request of the other side' : 'names a request that was never sent',
      ),
    };
  }
  if (request.method === 'initialize') {
    return { rule: LIF.cancelled, side, message: message('names `initialize`, which must not be') };
  }
  if (request.isTask) {
    return {
      rule: LIF.cancelled,
      side,
      message: message('names a task'),
      advice: 'Tasks are cancelled by `tasks/cancel`.',
    };
  }
  if (request.answer === undefined) return undefined;
  return {
    rule: LIF.cancelled,
    severity: 'info',
    side,
    message: message(`came after \`${request.method}\` had been answered`),
  };
}

function pingResult(fact: MessageFact): Finding | undefined {
  const { request, members } = fact;
  if (fact.shape !== 'response' || request?.method !== 'ping') return undefined;
  const result = members?.['result'];
  if (!isRecord(result)) return undefined;
  const extra = Object.keys(result).filter((name) => name !== '_meta');
  if (extra.length === 0) return undefined;
  return {
    rule: LIF.ping,
    side: senderOf(fact),
    message: `The answer to \`ping\` holds ${extra.join(', ')}; it must be empty.`,
  };
}

function pingUnanswered({ exchange, event }: DeadlineFact): Finding | undefined {
  const ping = exchange.requests.find(
    ({ method, answer, rpcId }) =>
      method === 'ping' && answer === undefined && (event.rpcId ?? rpcId) === rpcId,
  );
  if (ping === undefined) return undefined;
  return {
    rule: LIF.ping,
    side: 'server',
    itemKey: ping.itemKey,
    message: `\`ping\` was not answered within ${event.durationMs / 1000} s.`,
  };
}

export const LIFECYCLE_DETECTORS: Detectors = {
  message: [
    notInitialized,
    clientTooEarly,
    serverTooEarly,
    version,
    malformedResult,
    cancelled,
    pingResult,
  ],
  deadline: [pingUnanswered],
  connection: [neverInitialized],
};
