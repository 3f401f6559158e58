import { toLine } from '../../text.ts';
import { isRecord } from '../../record.ts';
import { META, metaOf } from '../claims.ts';
import { V5 } from '../clause.ts';
import { modernResult } from './caching.ts';
import type { Detectors, MessageFact } from '../facts.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../payload.ts';
import { MRT } from '../rules/rounds.ts';
import { type RequestState } from '../state.ts';

const SUPPORTED = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** What a request is about: its method, and the tool, prompt or resource. */
export function targetOf(method: string, params: Record<string, unknown> | undefined): string {
  return `${method} ${shown(params?.['name'] ?? params?.['uri'])}`;
}

function interim(fact: MessageFact): Finding | undefined {
  const { method, result } = modernResult(fact) ?? {};
  if (method === undefined || result?.['resultType'] !== 'input_required') return undefined;
  const { inputRequests, requestState } = result;
  if (!SUPPORTED.has(method)) {
    return {
      rule: MRT.unsupported,
      side: 'server',
      group: method,
      message: `\`${method}\` was answered by an interim result; only \`tools/call\`, \`prompts/get\` and \`resources/read\` may be.`,
    };
  }
  const fault =
    inputRequests === undefined && requestState === undefined
      ? 'has neither inputRequests nor requestState, so nobody can go on'
      : inputRequests !== undefined && !isRecord(inputRequests)
        ? `has ${shown(inputRequests)} as inputRequests, not an object`
        : requestState !== undefined && typeof requestState !== 'string'
          ? `has the requestState ${shown(requestState)}, which is no string`
          : undefined;
  if (fault === undefined) return undefined;
  return {
    rule: MRT.empty,
    side: 'server',
    message: `The interim result of \`${method}\` ${fault}.`,
  };
}

function undeclared(fact: MessageFact): Finding | undefined {
  const { method, result } = modernResult(fact) ?? {};
  if (method === undefined || result?.['resultType'] !== 'input_required') return undefined;
  const { inputRequests } = result;
  const params = fact.request?.params;
  if (!isRecord(inputRequests) || params === undefined) return undefined;
  const declared = metaOf(params)[`${META}clientCapabilities`];
  const capabilities = isRecord(declared) ? declared : {};
  for (const [key, asked] of Object.entries(inputRequests)) {
    const missing = missingFor(isRecord(asked) ? asked : {}, capabilities);
    if (missing === undefined) continue;
    return {
      rule: MRT.undeclared,
      side: 'server',
      group: missing,
      message: `The result of \`${method}\` asks under ${shown(key)} for ${missing}.`,
      advice:
        'A capability that is needed is named by the error -32021, with requiredCapabilities.',
    };
  }
  return undefined;
}

/** What is asked for although this request did not declare it. */
function missingFor(
  { method, params }: Record<string, unknown>,
  { elicitation, sampling, roots }: Record<string, unknown>,
): string | undefined {
  const given = isRecord(params) ? params : {};
  const what = `\`${String(method)}\``;
  switch (method) {
    case 'elicitation/create': {
      if (!isRecord(elicitation)) return `${what}, which the request did not declare`;
      const mode = typeof given['mode'] === 'string' ? given['mode'] : 'form';
      const isForm = mode === 'form' && Object.keys(elicitation).length === 0;
      return isForm || isRecord(elicitation[mode])
        ? undefined
        : `${what} of the mode ${mode}, which the request did not declare`;
    }
    case 'sampling/createMessage':
      if (!isRecord(sampling)) return `${what}, which the request did not declare`;
      return given['tools'] === undefined || isRecord(sampling['tools'])
        ? undefined
        : `${what} with tools, which the request did not declare`;
    case 'roots/list':
      return isRecord(roots) ? undefined : `${what}, which the request did not declare`;
    default:
      return `${shown(method)}, which no client can be asked for`;
  }
}

/** The round before this one: as the exchange tells, else by the state that it carries, else by what it is about. */
function roundBefore(fact: MessageFact): RequestState | undefined {
  const { connection, exchange, members, method } = fact;
  const { retryOf, reason } = exchange.record?.request.links ?? {};
  if (reason === 'input-required') {
    const before = connection.exchanges.get(retryOf ?? '')?.requests;
    return before?.find(({ asked }) => asked !== undefined);
  }
  const params = members?.['params'];
  if (method === undefined || !isRecord(params)) return undefined;
  const { requestState, inputResponses } = params;
  if (requestState === undefined && inputResponses === undefined) return undefined;
  const target = targetOf(method, params);
  const open = connection.rounds.filter(({ asked }) => asked?.target === target);
  const state = requestState === undefined ? undefined : toLine(requestState);
  return open.findLast(({ asked }) => asked?.state === state) ?? open.at(-1);
}

function retry(fact: MessageFact): Finding | undefined {
  const { direction, shape, revision, members, rpcId, method, connection } = fact;
  if (direction === 'incoming' || shape !== 'request' || revision !== V5) return undefined;
  const before = roundBefore(fact);
  const params = members?.['params'];
  const { requestState, inputResponses } = isRecord(params) ? params : {};
  const state = requestState === undefined ? undefined : toLine(requestState);
  if (before?.asked === undefined) {
    if (state === undefined || !connection.isComplete) return undefined;
    return {
      rule: MRT.retry,
      side: 'client',
      message: `\`${method}\` carries a requestState that no result of it has given.`,
    };
  }
  const { keys = [], state: given } = before.asked;
  const answers = isRecord(inputResponses) ? inputResponses : {};
  const open = keys.filter((key) => !Object.hasOwn(answers, key));
  const fault =
    before.rpcId === rpcId
      ? `keeps the id ${rpcId}; it must be a new one`
      : given !== state
        ? given === undefined
          ? 'carries a requestState, although none was given'
          : state === undefined
            ? 'leaves the requestState out'
            : 'carries another requestState than was given'
        : open.length > 0
          ? `leaves out the answer to ${open.map(shown).join(', ')}`
          : undefined;
  if (fault === undefined) return undefined;
  return {
    rule: MRT.retry,
    side: 'client',
    message: `The next round of \`${method}\` ${fault}.`,
    evidence: [
      evidenceOf(fact.event),
      ...(before.answer === undefined ? [] : [evidenceOf(before.answer.event)]),
    ],
  };
}

/** Multi round-trip requests. */
export const ROUND_DETECTORS: Detectors = { message: [interim, undeclared, retry] };
