import { isRecord } from '../../record.ts';
import { V3 } from '../clause.ts';
import type { Detectors, MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../payload.ts';
import { senderOf } from './rpc.ts';
import { RPC } from '../rules/rpc.ts';

const LABEL = /^[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?$/;
const NAME = /^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)?$/;
/** What revisions of the specification have put under their own prefix; a modern probe carries it too. */
const DEFINED = new Set(
  [
    'related-task',
    'model-immediate-response',
    'protocolVersion',
    'clientCapabilities',
    'clientInfo',
    'serverInfo',
    'logLevel',
    'subscriptionId',
  ].map((name) => `io.modelcontextprotocol/${name}`),
);

function metaKey(fact: MessageFact): Finding | undefined {
  const { params, result } = fact.members ?? {};
  for (const holder of [params, result]) {
    const meta = isRecord(holder) ? holder['_meta'] : undefined;
    if (!isRecord(meta)) continue;
    for (const key of Object.keys(meta)) {
      const fault = faultOf(key, fact.revision === V3);
      if (fault === undefined) continue;
      return {
        rule: RPC.metaKey,
        side: senderOf(fact),
        group: key,
        message: `The _meta key ${shown(key)} ${fault}.`,
      };
    }
  }
  return undefined;
}

function faultOf(key: string, isThird: boolean): string | undefined {
  const slash = key.indexOf('/');
  const name = key.slice(slash + 1);
  if (!NAME.test(name)) return 'has a name that does not begin and end with a letter or digit';
  if (slash < 0) return undefined;
  const labels = key.slice(0, slash).split('.');
  if (!labels.every((label) => LABEL.test(label))) {
    return 'has a prefix whose labels are not letters, digits and hyphens';
  }
  // 2025-06-18 reserves the names wherever another label follows them; later, only as the second label.
  const isOwn = (label: string | undefined): boolean =>
    label === 'modelcontextprotocol' || label === 'mcp';
  const isReserved = isThird ? labels.slice(0, -1).some(isOwn) : isOwn(labels[1]);
  return isReserved && !DEFINED.has(key) ? 'has a prefix that is reserved for MCP' : undefined;
}

/** Keys of `_meta`. */
export const META_DETECTORS: Detectors = { message: [metaKey] };
