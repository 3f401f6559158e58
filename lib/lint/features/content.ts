import { V1, V2, type Revision } from '../clause.ts';
import type { Detectors, MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../payload.ts';
import { TOO } from '../rules/features.ts';
import { isRecord } from '../../record.ts';
import { isFinal, resultOf } from './memory.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Why a value is not base64; undefined where it is. */
export function base64Fault(value: unknown): string | undefined {
  if (typeof value !== 'string') return `is ${shown(value)}, not a string`;
  if (BASE64.test(value) && value.length % 4 === 0) return undefined;
  return /[-_]/.test(value) ? 'is base64url, not base64' : 'is not base64';
}

/** Types of content that a revision does not have yet. */
function isKnown(type: string, revision: Revision): boolean {
  if (type === 'audio') return revision !== V1;
  if (type === 'resource_link') return revision !== V1 && revision !== V2;
  return type === 'text' || type === 'image' || type === 'resource';
}

/** Why a block of content cannot be used. */
function blockFault(block: unknown, revision: Revision): string | undefined {
  if (!isRecord(block)) return `is ${shown(block)}, not an object`;
  const { type } = block;
  if (typeof type !== 'string') return `has the type ${shown(type)}`;
  if (!isKnown(type, revision))
    return `has the type ${shown(type)}, which ${revision} does not have`;
  switch (type) {
    case 'text':
      return typeof block['text'] === 'string' ? undefined : `has the text ${shown(block['text'])}`;
    case 'image':
    case 'audio': {
      if (typeof block['mimeType'] !== 'string')
        return `is of the type ${type}, without a mimeType`;
      const fault = base64Fault(block['data']);
      return fault === undefined ? undefined : `is of the type ${type}, and its data ${fault}`;
    }
    case 'resource_link':
      return ['uri', 'name']
        .filter((name) => typeof block[name] !== 'string')
        .map((name) => `is of the type ${type}, without a ${name}`)[0];
    default:
      return embeddedFault(block['resource']);
  }
}

function embeddedFault(resource: unknown): string | undefined {
  if (!isRecord(resource)) return `embeds ${shown(resource)}, not a resource`;
  if (typeof resource['uri'] !== 'string') return 'embeds a resource without a uri';
  if (typeof resource['text'] === 'string') return undefined;
  const fault = base64Fault(resource['blob']);
  return fault === undefined ? undefined : `embeds a resource without text whose blob ${fault}`;
}

/** All blocks of content in a result, or why there are none. */
function blocksIn(method: string, result: Record<string, unknown>): unknown[] | string {
  if (method === 'prompts/get') {
    const { messages } = result;
    if (!Array.isArray(messages)) return `messages is ${shown(messages)}, not a list`;
    return messages.map((message) => (isRecord(message) ? message['content'] : message));
  }
  const { content } = result;
  return Array.isArray(content) ? content : `content is ${shown(content)}, not a list`;
}

function content(fact: MessageFact): Finding | undefined {
  const { method, params, result } = resultOf(fact) ?? {};
  if (method !== 'tools/call' && method !== 'prompts/get') return undefined;
  if (result === undefined || !isFinal(fact, result)) return undefined;
  const blocks = blocksIn(method, result);
  const what = `the result of ${shown(params?.['name'])}`;
  if (typeof blocks === 'string') {
    return {
      rule: TOO.content,
      side: 'server',
      group: `${method} ${blocks}`,
      message: `In ${what}, ${blocks}.`,
    };
  }
  const faults = blocks.flatMap((block) => blockFault(block, fact.revision) ?? []);
  const [fault] = faults;
  if (fault === undefined) return undefined;
  return {
    rule: TOO.content,
    side: 'server',
    group: `${method} ${faults.join()}`,
    message: `A block of content in ${what} ${fault}.`,
  };
}

/** Content of tool results and prompts. */
export const CONTENT_DETECTORS: Detectors = { responses: [content] };
