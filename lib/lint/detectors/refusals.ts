import {
  HEADER_MISMATCH,
  isModernCode,
  MISSING_CAPABILITY,
  UNSUPPORTED_VERSION,
} from '../../protocol/probe.ts';
import { isRecord } from '../../record.ts';
import { ALL, MODERN, V5 } from '../clause.ts';
import type { Detectors, MessageFact } from '../facts.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { mirrorFault } from './mirrored.ts';
import { missingFields } from './modern.ts';
import { shown } from '../payload.ts';
import { capital } from './responses.ts';
import { nameOf } from './rpc.ts';
import { HDR } from '../rules/headers.ts';
import { MOD } from '../rules/modern.ts';
import { RPC } from '../rules/rpc.ts';
import { type ConnectionState, type RequestState } from '../state.ts';

const INVALID_PARAMS = -32602;
const UNKNOWN_METHOD = -32601;

interface Answer {
  request: RequestState;
  error: Record<string, unknown> | undefined;
  code: unknown;
  /** Of the HTTP response; absent on a WebSocket, and where each answer is a message of a stream. */
  status: number | undefined;
}

/** How the server answers a request of ours. */
function answerOf(fact: MessageFact): Answer | undefined {
  const { request, shape, direction, members, exchange, connection } = fact;
  if (shape !== 'response' || direction === 'outgoing' || request === undefined) return undefined;
  const error = members?.['error'];
  const status = connection.transport === 'streamable-http' ? exchange.head?.status : undefined;
  return isRecord(error)
    ? { request, error, code: error['code'], status }
    : { request, error: undefined, code: undefined, status };
}

/** Whether a server serves no client of the legacy era. */
export function isModernOnly({ discovered }: ConnectionState): boolean {
  const versions = discovered?.['supportedVersions'];
  return Array.isArray(versions) && versions.every((version) => MODERN.includes(version));
}

function thinRefusal(fact: MessageFact): Finding | undefined {
  const { error, code, status } = answerOf(fact) ?? {};
  const isVersion = code === UNSUPPORTED_VERSION;
  if (fact.revision !== V5 || error === undefined) return undefined;
  if (!isVersion && code !== MISSING_CAPABILITY) return undefined;
  const data = isRecord(error['data']) ? error['data'] : {};
  const { supported, requested, requiredCapabilities } = data;
  const faults: string[] = [];
  if (isVersion && !Array.isArray(supported)) faults.push('has no data.supported');
  if (isVersion && requested === undefined) faults.push('has no data.requested');
  if (!isVersion && !isRecord(requiredCapabilities)) {
    faults.push('has no data.requiredCapabilities');
  }
  if (status !== undefined && status !== 400)
    faults.push(`came with HTTP status ${status}, not 400`);
  if (faults.length === 0) return undefined;
  return {
    rule: isVersion ? MOD.version : MOD.capability,
    side: 'server',
    group: `${String(code)} ${faults.join()}`,
    message: `The error ${String(code)} ${faults.join(' and ')}.`,
  };
}

function envelopeAccepted(fact: MessageFact): Finding | undefined {
  const { request, code, status, error } = answerOf(fact) ?? {};
  if (request === undefined || request.answer !== undefined) return undefined;
  if (fact.revision !== V5) return undefined;
  const missing = missingFields(request.params);
  // Without a version in the body, a server of both eras may take it for a legacy request.
  const isClear = !missing.includes('protocolVersion') || isModernOnly(fact.connection);
  if (missing.length === 0 || !isClear || isModernCode(Number(code))) return undefined;
  const isRefused = code === INVALID_PARAMS && (status === undefined || status === 400);
  if (isRefused) return undefined;
  const how = error === undefined ? 'was accepted' : `was refused with ${shown(code)}`;
  return {
    rule: MOD.capability,
    side: 'server',
    group: `envelope ${how}`,
    message: `\`${request.method}\` without ${missing.join(' and ')} ${how}${status === undefined ? '' : ` and HTTP status ${status}`}; it must be refused with -32602 and 400.`,
    evidence: [evidenceOf(fact.event, fact.span), evidenceOf(request.event)],
  };
}

function initializeRefused(fact: MessageFact): Finding | undefined {
  const { request, error, code } = answerOf(fact) ?? {};
  if (request?.method !== 'initialize' || error === undefined) return undefined;
  if (!isModernCode(Number(code)) && !fact.connection.isModern) return undefined;
  const data = isRecord(error['data']) ? error['data'] : {};
  const isNamed = Array.isArray(data['supported']) && data['supported'].length > 0;
  const text = String(error['message']);
  if (isNamed || ALL.some((revision) => text.includes(revision))) return undefined;
  return {
    rule: MOD.initialize,
    revision: V5,
    side: 'server',
    group: 'initialize',
    message: `\`initialize\` was refused with ${shown(code)}, without a word about the versions that the server speaks.`,
    advice: 'For a legacy client this error is all that its user will see.',
  };
}

/** Said once: whatever else is odd about such an answer has the same cause. */
function otherEra(fact: MessageFact): Finding | undefined {
  const { request, code } = answerOf(fact) ?? {};
  if (request === undefined || request.method === 'initialize') return undefined;
  if (fact.revision === V5 || !isModernCode(Number(code))) return undefined;
  return {
    rule: MOD.otherEra,
    side: 'server',
    group: 'era',
    message: `In a session of ${fact.revision}, \`${request.method}\` was answered by ${shown(code)}, an error of 2026-07-28.`,
    advice: 'Do servers of both eras answer at this URL? Each session must stay with one of them.',
  };
}

function reservedCode(fact: MessageFact): Finding | undefined {
  const { code } = answerOf(fact) ?? {};
  if (fact.revision !== V5 || typeof code !== 'number' || isModernCode(code)) return undefined;
  if (code === -32002 || code === -32042) {
    return {
      rule: RPC.reservedCode,
      side: 'server',
      group: 'legacy',
      message: `The error code ${code} is one of the legacy era; 2026-07-28 must not use it.`,
      ...(code === -32002 ? { advice: 'A resource that is not there is -32602.' } : {}),
    };
  }
  if (code > -32000 || code < -32099) return undefined;
  const isLegacy = code > -32020;
  return {
    rule: RPC.reservedCode,
    ...(isLegacy ? { severity: 'warning' as const } : {}),
    side: 'server',
    group: isLegacy ? 'old range' : String(code),
    message: isLegacy
      ? `The error code ${code} is in the range that new servers should not use (-32000 to -32019).`
      : `The error code ${code} is reserved for the specification, which does not define it.`,
    advice: "Codes of a server's own belong outside -32768 to -32000.",
  };
}

function unknownMethod(fact: MessageFact): Finding | undefined {
  const { request, code, status } = answerOf(fact) ?? {};
  if (fact.revision !== V5 || code !== UNKNOWN_METHOD || status === undefined) return undefined;
  if (status === 404) return undefined;
  return {
    rule: HDR.unknownMethod,
    side: 'server',
    group: String(status),
    message: `The unknown method \`${request?.method}\` was answered ${status}; -32601 goes with 404.`,
  };
}

/** Judged from what was sent anyway: a client with a fault, or a mismatch that a user made on purpose. */
function mismatchAccepted(fact: MessageFact): Finding | undefined {
  const { request, code, status } = answerOf(fact) ?? {};
  if (fact.revision !== V5 || request?.params === undefined || status === undefined)
    return undefined;
  const headers = request.exchange.record?.request.headers;
  if (headers === undefined || missingFields(request.params).length > 0) return undefined;
  const fault = mirrorFault(fact.connection, headers, request.method, request.params);
  if (fault === undefined || fault.isSurplus) return undefined;
  // Which of several faults a server names is its own affair.
  if (code === UNSUPPORTED_VERSION && status === 400) return undefined;
  if (code === HEADER_MISMATCH && status === 400) return undefined;
  return {
    rule: HDR.validation,
    side: 'server',
    group: `${fault.header} ${String(code)}`,
    message: `${capital(nameOf(fact))} came ${code === undefined ? '' : `with ${shown(code)} and `}with HTTP status ${status}, although ${fault.header} did not match the body; -32020 and 400 are due.`,
    evidence: [evidenceOf(fact.event, fact.span), evidenceOf(request.event)],
  };
}

/** Errors of the modern era, and what should have been refused. */
export const REFUSAL_DETECTORS: Detectors = {
  message: [
    thinRefusal,
    envelopeAccepted,
    initializeRefused,
    otherEra,
    reservedCode,
    unknownMethod,
    mismatchAccepted,
  ],
};
