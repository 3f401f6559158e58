import { isRecord } from '../../record.ts';
import { ACKNOWLEDGED, META, metaOf } from '../claims.ts';
import { modernResult } from './caching.ts';
import { V5 } from '../clause.ts';
import type { Detectors, MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../payload.ts';
import { nameOf, senderOf } from './rpc.ts';
import { MOD } from '../rules/modern.ts';

const TASKS = `${META}tasks`;

/** What the modern era has no more, by who sends it. */
const REMOVED = {
  client:
    /^(ping|logging\/setLevel|resources\/(un)?subscribe|tasks\/(list|result)|notifications\/(initialized|progress|roots\/list_changed|tasks\/status))$/,
  server: /^notifications\/(elicitation\/complete|tasks\/status|roots\/list_changed)$/,
};

/** The required fields that the envelope of a request lacks. */
export function missingFields(params: unknown): string[] {
  const meta = metaOf(params);
  const lacks = (name: string, isGood: boolean): string[] => (isGood ? [] : [name]);
  return [
    ...lacks('protocolVersion', typeof meta[`${META}protocolVersion`] === 'string'),
    ...lacks('clientCapabilities', isRecord(meta[`${META}clientCapabilities`])),
  ];
}

function envelope(fact: MessageFact): Finding | undefined {
  const { shape, direction, revision, members, method } = fact;
  if (shape !== 'request' || direction === 'incoming' || revision !== V5) return undefined;
  const missing = missingFields(members?.['params']);
  if (missing.length === 0) return undefined;
  return {
    rule: MOD.envelope,
    side: 'client',
    group: `${method} ${missing.join()}`,
    message: `The _meta of \`${method}\` lacks ${missing.map((name) => `${META}${name}`).join(' and ')}.`,
    advice: 'Every request says for itself which revision it speaks and what its sender can do.',
  };
}

/** A name with a version, as `clientInfo` and `serverInfo` are. */
function isIdentity(value: unknown): boolean {
  return isRecord(value) && typeof value['name'] === 'string';
}

function identity(fact: MessageFact): Finding | undefined {
  const { shape, direction, revision, members, method } = fact;
  if (revision !== V5) return undefined;
  if (shape === 'request' && direction === 'outgoing') {
    const { params } = members ?? {};
    // Without an envelope there is nowhere to say it.
    if (missingFields(params).length > 0 || isIdentity(metaOf(params)[`${META}clientInfo`]))
      return undefined;
    return {
      rule: MOD.identity,
      side: 'client',
      group: 'client',
      message: `\`${method}\` does not say who sends it: there is no ${META}clientInfo.`,
    };
  }
  const { method: asked, result } = modernResult(fact) ?? {};
  // The end of a subscription says nothing but that, and a result without a type is of another era.
  if (asked === 'subscriptions/listen' || result?.['resultType'] === undefined) return undefined;
  if (isIdentity(metaOf(result)[`${META}serverInfo`])) return undefined;
  return {
    rule: MOD.identity,
    side: 'server',
    group: 'server',
    message: `The result of \`${asked}\` does not say who sends it: there is no ${META}serverInfo.`,
  };
}

function resultType(fact: MessageFact): Finding | undefined {
  const { method, result } = modernResult(fact) ?? {};
  if (method === undefined || result === undefined) return undefined;
  const type = result['resultType'];
  if (type === 'complete' || type === 'input_required') return undefined;
  const declared = metaOf(fact.request?.params)[`${META}clientCapabilities`];
  const extensions = isRecord(declared) ? declared['extensions'] : undefined;
  const names = isRecord(extensions) ? Object.keys(extensions) : [];
  // What other extensions add is not known here.
  const isExtended = names.some((name) => name !== TASKS || type === 'task');
  if (typeof type === 'string' && isExtended) return undefined;
  return {
    rule: MOD.resultType,
    side: 'server',
    group: type === undefined ? 'missing' : `${method} ${shown(type)}`,
    message:
      type === undefined
        ? `The result of \`${method}\` has no resultType, as before 2026-07-28.`
        : `The result of \`${method}\` has the resultType ${shown(type)}, which nobody has agreed on.`,
    advice:
      type === undefined
        ? 'Clients take it for complete. Is it a handler of an older revision that answers?'
        : 'Clients must treat the result as invalid.',
  };
}

function wrongSide(fact: MessageFact): Finding | undefined {
  const { shape, direction, revision, method } = fact;
  if (revision !== V5) return undefined;
  if (shape === 'request' && direction === 'incoming') {
    return {
      rule: MOD.direction,
      side: 'server',
      group: `server ${method}`,
      message: `The server sent the request \`${method}\`; in 2026-07-28 only clients send requests.`,
      advice: 'Ask for input by a result with the resultType "input_required".',
    };
  }
  if (shape !== 'response' || direction === 'incoming') return undefined;
  return {
    rule: MOD.direction,
    side: 'client',
    group: 'client',
    message: `The client sent ${nameOf(fact)}; in 2026-07-28 only servers send responses.`,
  };
}

function removed(fact: MessageFact): Finding | undefined {
  const { shape, direction, revision, method = '' } = fact;
  if (revision !== V5 || shape === 'response' || method === ACKNOWLEDGED) return undefined;
  // A request of the server is wrong whatever it asks for.
  if (shape === 'request' && direction === 'incoming') return undefined;
  const side = senderOf(fact);
  if (!REMOVED[side].test(method)) return undefined;
  return {
    rule: MOD.removed,
    side,
    group: `${side} ${method}`,
    message: `The ${side} sent \`${method}\`, which 2026-07-28 does not have.`,
  };
}

function discover(fact: MessageFact): Finding | undefined {
  const { method, result } = modernResult(fact) ?? {};
  const { request, members, revision, direction } = fact;
  if (method === undefined) {
    const error = members?.['error'];
    if (request?.method !== 'server/discover' || revision !== V5) return undefined;
    if (direction === 'outgoing' || !isRecord(error) || error['code'] !== -32601) return undefined;
    return {
      rule: MOD.discover,
      side: 'server',
      group: 'unknown',
      message: '`server/discover` is not known to the server; every modern server must have it.',
    };
  }
  if (method !== 'server/discover' || result === undefined) return undefined;
  const { supportedVersions: versions, capabilities } = result;
  const isList = Array.isArray(versions) && versions.length > 0;
  const isGood = isList && versions.every((version) => typeof version === 'string');
  const faults = [
    ...(isGood ? [] : [`supportedVersions is ${shown(versions)}`]),
    ...(isRecord(capabilities) ? [] : [`capabilities is ${shown(capabilities)}`]),
  ];
  if (faults.length === 0) return undefined;
  return {
    rule: MOD.discover,
    side: 'server',
    group: faults.join(),
    message: `In the result of \`server/discover\`, ${faults.join(' and ')}.`,
  };
}

/** Envelope, results and message patterns of the modern era. */
export const MODERN_DETECTORS: Detectors = {
  message: [envelope, identity, resultType, wrongSide, removed, discover],
};
