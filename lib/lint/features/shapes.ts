import type { Detectors, MessageFact } from '../facts.ts';
import type { Finding, Severity } from '../issue.ts';
import { shown } from '../payload.ts';
import { RES } from '../rules/features.ts';
import { parseUriTemplate } from '../../protocol/uri-template.ts';
import { isRecord } from '../../record.ts';
import { isFinal, resultOf } from './memory.ts';

type Members = Record<string, unknown>;
type Kind = 'string' | 'number' | 'boolean' | 'object' | 'list' | 'texts';

/** What an object must have, and what it may have, as types. */
interface Shape {
  needs?: Record<string, Kind>;
  may?: Record<string, Kind>;
  /** Members whose entries have a shape of their own. */
  each?: Record<string, Shape>;
  /** Members that have one. */
  within?: Record<string, Shape>;
}

const NAMED = { title: 'string', description: 'string', icons: 'list' } as const;
const RESOURCE = { ...NAMED, mimeType: 'string', annotations: 'object' } as const;

const HINTS: Shape = {
  may: {
    title: 'string',
    readOnlyHint: 'boolean',
    destructiveHint: 'boolean',
    idempotentHint: 'boolean',
    openWorldHint: 'boolean',
  },
};

/** Results by method. What has a rule of its own, such as schemas and contents, is left to that. */
const SHAPES: Record<string, Shape> = {
  'tools/list': {
    needs: { tools: 'list' },
    each: {
      tools: {
        needs: { name: 'string' },
        may: { ...NAMED, annotations: 'object' },
        within: { annotations: HINTS },
      },
    },
  },
  'resources/list': {
    needs: { resources: 'list' },
    each: {
      resources: { needs: { uri: 'string', name: 'string' }, may: { ...RESOURCE, size: 'number' } },
    },
  },
  'resources/templates/list': {
    needs: { resourceTemplates: 'list' },
    each: {
      resourceTemplates: { needs: { uriTemplate: 'string', name: 'string' }, may: RESOURCE },
    },
  },
  'prompts/list': {
    needs: { prompts: 'list' },
    each: {
      prompts: {
        needs: { name: 'string' },
        may: { ...NAMED, arguments: 'list' },
        each: {
          arguments: {
            needs: { name: 'string' },
            may: { title: 'string', description: 'string', required: 'boolean' },
          },
        },
      },
    },
  },
  'prompts/get': { may: { description: 'string' } },
  'tools/call': { may: { isError: 'boolean' } },
  'completion/complete': {
    needs: { completion: 'object' },
    within: {
      completion: { needs: { values: 'texts' }, may: { total: 'number', hasMore: 'boolean' } },
    },
  },
};

/** What must differ from entry to entry of a list, tools apart. */
const KEYS: Record<string, [list: string, key: string]> = {
  'resources/list': ['resources', 'uri'],
  'resources/templates/list': ['resourceTemplates', 'uriTemplate'],
  'prompts/list': ['prompts', 'name'],
};

interface Fault {
  severity: Severity;
  words: string;
}

function isOf(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'object':
      return isRecord(value);
    case 'list':
      return Array.isArray(value);
    case 'texts':
      return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === kind;
  }
}

function wordKind(kind: Kind): string {
  if (kind === 'texts') return 'a list of strings';
  return `${kind === 'object' ? 'an' : 'a'} ${kind}`;
}

/** All that is of a wrong type; a member that may be left out is a milder case. */
function* faultsOf(
  value: Members,
  { needs = {}, may = {}, each = {}, within = {} }: Shape,
  path: string,
): Generator<Fault> {
  for (const [name, kind] of Object.entries({ ...may, ...needs })) {
    const given = value[name];
    const isNeeded = name in needs;
    if (isOf(given, kind) || (given === undefined && !isNeeded)) continue;
    const severity = isNeeded ? 'error' : 'warning';
    yield { severity, words: `${path}${name} is ${shown(given)}, not ${wordKind(kind)}` };
  }
  for (const [name, shape] of Object.entries(within)) {
    const inner = value[name];
    if (isRecord(inner)) yield* faultsOf(inner, shape, `${path}${name}.`);
  }
  for (const [name, shape] of Object.entries(each))
    yield* inEntries(value[name], shape, path + name);
}

function* inEntries(entries: unknown, shape: Shape, path: string): Generator<Fault> {
  for (const [index, entry] of Array.isArray(entries) ? entries.entries() : []) {
    if (isRecord(entry)) yield* faultsOf(entry, shape, `${path}[${index}].`);
    else yield { severity: 'error', words: `${path}[${index}] is ${shown(entry)}, not an object` };
  }
}

function shape(fact: MessageFact): Finding | undefined {
  const { method, result } = resultOf(fact) ?? {};
  const wanted = SHAPES[method ?? ''];
  if (result === undefined || wanted === undefined || !isFinal(fact, result)) return undefined;
  // Who answers with nothing at all has nothing of the kind, and nobody is misled by it.
  if (Object.keys(result).every((name) => name === '_meta' || name === 'resultType'))
    return undefined;
  const faults = [...faultsOf(result, wanted, '')];
  const worst = faults.find(({ severity }) => severity === 'error') ?? faults[0];
  if (worst === undefined) return undefined;
  const more = faults.length === 1 ? '' : `, and there are ${faults.length - 1} more such members`;
  return {
    rule: RES.shape,
    severity: worst.severity,
    side: 'server',
    group: faults.map(({ words }) => words).join(),
    message: `In the result of \`${method}\`, ${worst.words}${more}.`,
    advice: 'Clients that check types refuse all of such a result.',
  };
}

function sameKey(fact: MessageFact): Finding | undefined {
  const { method = '', result } = resultOf(fact) ?? {};
  const [list = '', key = ''] = KEYS[method] ?? [];
  const entries = result?.[list];
  if (!Array.isArray(entries)) return undefined;
  const values: unknown[] = entries.filter(isRecord).map((entry) => entry[key]);
  const seen = new Set<unknown>();
  const twice = values.find((value) => value !== undefined && seen.size === seen.add(value).size);
  if (twice === undefined) return undefined;
  return {
    rule: RES.sameKey,
    side: 'server',
    group: `${method} ${shown(twice)}`,
    message: `\`${method}\` lists two with the ${key} ${shown(twice)}.`,
  };
}

const ROLES = new Set<unknown>(['user', 'assistant']);

function role(fact: MessageFact): Finding | undefined {
  const { method, result } = resultOf(fact) ?? {};
  const messages = method === 'prompts/get' ? result?.['messages'] : undefined;
  if (!Array.isArray(messages)) return undefined;
  const [odd] = messages.filter(isRecord).filter((message) => !ROLES.has(message['role']));
  if (odd === undefined) return undefined;
  const given = shown(odd['role']);
  return {
    rule: RES.shape,
    side: 'server',
    group: `role ${given}`,
    message: `A message of the prompt has the role ${given}; there are "user" and "assistant" only.`,
  };
}

/** Why an address is none; undefined where it is one. */
function addressFault(method: string, entry: Members): string | undefined {
  const { uri, uriTemplate } = entry;
  if (method === 'resources/list') {
    const isBad = typeof uri === 'string' && !URL.canParse(uri);
    return isBad ? `The uri ${shown(uri)} is no URI: it has no scheme` : undefined;
  }
  const parsed = typeof uriTemplate === 'string' ? parseUriTemplate(uriTemplate) : undefined;
  if (parsed === undefined || parsed.ok) return undefined;
  return `The uriTemplate ${shown(uriTemplate)} is no template: ${parsed.reason}`;
}

function address(fact: MessageFact): Finding | undefined {
  const { method = '', result } = resultOf(fact) ?? {};
  const entries = result?.[method === 'resources/list' ? 'resources' : 'resourceTemplates'];
  if (!method.startsWith('resources/') || !Array.isArray(entries)) return undefined;
  const [fault] = entries.filter(isRecord).flatMap((entry) => addressFault(method, entry) ?? []);
  if (fault === undefined) return undefined;
  return { rule: RES.address, side: 'server', group: fault, message: `${fault}.` };
}

/** Results as types: what a client that checks them would say. */
export const SHAPE_DETECTORS: Detectors = { responses: [shape, sameKey, role, address] };
