import { V3, V4, type Revision } from '../clause.ts';
import type { Detectors, MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../payload.ts';
import { ASK } from '../rules/features.ts';
import { isRecord } from '../../record.ts';
import { askedBy, clientCapabilities } from './memory.ts';
import { formFault, secretFields } from './form-fault.ts';

type Members = Record<string, unknown>;

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Looks at what a message asks for by a method; the first fault is the finding. */
function each(
  method: string,
  look: (params: Members, fact: MessageFact) => Finding | undefined,
): (fact: MessageFact) => Finding | undefined {
  return (fact) => {
    for (const asked of askedBy(fact)) {
      if (asked.method !== method) continue;
      const found = look(asked.params, fact);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function modeOf({ mode }: Members, revision: Revision): string {
  // Before 2025-11-25 there were forms only.
  return revision === V3 || mode === undefined
    ? 'form'
    : typeof mode === 'string'
      ? mode
      : shown(mode);
}

const form = each('elicitation/create', (params, { revision }) => {
  if (modeOf(params, revision) !== 'form') return undefined;
  const fault = formFault(params['requestedSchema'], revision);
  if (fault === undefined) return undefined;
  return {
    rule: ASK.form,
    side: 'server',
    group: fault,
    message: `The form of an elicitation cannot be shown: ${fault}.`,
    advice: 'Forms are flat: texts, numbers, switches and choices.',
  };
});

const secretField = each('elicitation/create', (params, { revision }) => {
  if (modeOf(params, revision) !== 'form') return undefined;
  const names = secretFields(params['requestedSchema']);
  if (names.length === 0) return undefined;
  return {
    rule: ASK.secretField,
    side: 'server',
    group: names.join(),
    message: `The form asks for what looks like a secret: ${names.map(shown).join(', ')}.`,
    advice: 'Secrets must not be asked for by a form; URL mode keeps them from the client.',
  };
});

const mode = each('elicitation/create', (params, fact) => {
  if (fact.revision !== V4) return undefined;
  const declared = clientCapabilities(fact)?.['elicitation'];
  // That nothing of it is declared is said by another rule.
  if (!isRecord(declared)) return undefined;
  const wanted = modeOf(params, fact.revision);
  const isForm = wanted === 'form' && (Object.keys(declared).length === 0 || 'form' in declared);
  if (isForm || wanted in declared) return undefined;
  return {
    rule: ASK.mode,
    side: 'server',
    group: wanted,
    message: `The server asks by the mode ${shown(wanted)}, which the client did not declare.`,
  };
});

const url = each('elicitation/create', (params, fact) => {
  const { revision } = fact;
  if (modeOf(params, revision) !== 'url') return undefined;
  const { url: given, elicitationId } = params;
  const faults = [
    ...(typeof given === 'string' && URL.canParse(given) ? [] : [`its url is ${shown(given)}`]),
    ...(revision === V4 && typeof elicitationId !== 'string'
      ? [`its elicitationId is ${shown(elicitationId)}`]
      : []),
  ];
  if (faults.length === 0) return undefined;
  return {
    rule: ASK.url,
    side: 'server',
    group: faults.join(),
    message: `The server asks to open a URL, but ${faults.join(' and ')}.`,
  };
});

const unsafeUrl = each('elicitation/create', (params, { revision }) => {
  const { url: given } = params;
  if (modeOf(params, revision) !== 'url') return undefined;
  if (typeof given !== 'string' || !URL.canParse(given)) return undefined;
  const { protocol, hostname } = new URL(given);
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))) return undefined;
  return {
    rule: ASK.unsafeUrl,
    side: 'server',
    // What is no web page at all must not be opened.
    ...(protocol === 'http:' ? {} : { severity: 'error' }),
    group: given,
    message: `The server asks to open ${given}, which is not HTTPS.`,
  };
});

function blocksOf({ content }: Members): Members[] {
  return (Array.isArray(content) ? content : [content]).filter(isRecord);
}

function idsOf(blocks: readonly Members[], type: string, name: string): unknown[] {
  return blocks.filter((block) => block['type'] === type).map((block) => block[name]);
}

/** What is wrong with the messages of a sampling request that are about tools. */
function balanceFault(messages: readonly Members[]): string | undefined {
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const results = idsOf(blocks, 'tool_result', 'toolUseId');
    if (results.length > 0 && results.length < blocks.length) {
      return `message ${index + 1} mixes tool_result with other blocks`;
    }
    const uses = idsOf(blocks, 'tool_use', 'id');
    if (uses.length === 0) continue;
    const next = messages[index + 1];
    const answered = next === undefined ? [] : idsOf(blocksOf(next), 'tool_result', 'toolUseId');
    const open = uses.find((id) => !answered.includes(id));
    if (open !== undefined)
      return `the tool_use ${shown(open)} of message ${index + 1} is not answered by the next one`;
  }
  return undefined;
}

const sampling = each('sampling/createMessage', (params) => {
  const { messages, maxTokens } = params;
  const fault = !Array.isArray(messages)
    ? `messages is ${shown(messages)}, not a list`
    : typeof maxTokens !== 'number'
      ? `maxTokens is ${shown(maxTokens)}`
      : balanceFault(messages.filter(isRecord));
  if (fault === undefined) return undefined;
  return {
    rule: ASK.sampling,
    side: 'server',
    group: fault,
    message: `A sampling request cannot be sampled: ${fault}.`,
  };
});

const samplingTools = each('sampling/createMessage', (params, fact) => {
  if (fact.revision !== V4 || params['tools'] === undefined) return undefined;
  const declared = clientCapabilities(fact)?.['sampling'];
  if (!isRecord(declared) || declared['tools'] !== undefined) return undefined;
  return {
    rule: ASK.samplingTools,
    side: 'server',
    group: 'tools',
    message:
      'The server asks for sampling with tools; the client did not declare `sampling.tools`.',
  };
});

/** What a client says where its roots are asked for. */
function rootsIn({ direction, shape, members, request }: MessageFact): unknown[] {
  if (direction === 'incoming' || members === undefined) return [];
  if (shape === 'response') {
    const result = members['result'];
    return request?.method === 'roots/list' && isRecord(result) ? [result['roots']] : [];
  }
  const { params } = members;
  const responses = isRecord(params) ? params['inputResponses'] : undefined;
  if (!isRecord(responses)) return [];
  return Object.values(responses).map((entry) => (isRecord(entry) ? entry['roots'] : undefined));
}

function root(fact: MessageFact): Finding | undefined {
  const uris = rootsIn(fact).flatMap((roots) =>
    Array.isArray(roots) ? roots.map((entry) => (isRecord(entry) ? entry['uri'] : entry)) : [],
  );
  const wrong = uris.find((uri) => typeof uri !== 'string' || !uri.startsWith('file://'));
  if (wrong === undefined) return undefined;
  return {
    rule: ASK.root,
    side: 'client',
    group: shown(wrong),
    message: `The root ${shown(wrong)} is no file:// URI.`,
  };
}

/** Legacy servers ask by requests, modern ones in results, and in what they tell of their tasks. */
const ASKING = [form, secretField, mode, url, unsafeUrl, sampling, samplingTools, root];

/** What servers ask of clients, and the roots that they are told. */
export const ASKING_DETECTORS: Detectors = {
  requests: ASKING,
  notifications: ASKING,
  responses: ASKING,
};
