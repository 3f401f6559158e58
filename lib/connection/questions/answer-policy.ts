import type { AnswerPolicies, ServerAnswer } from '../../port/contract.ts';
import { isDeeper } from '../../json/depth.ts';
import { formDefaults, isUrlElicitation, unfilledFields } from '../../protocol/elicitation.ts';

const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
/** A question waits in memory, in checkpoints and on pages, whose engines have an end of their own. */
const LEVELS = 500;
const USER_REJECTED = -1;

/** What a client declares: only what has a way to be answered (basic/lifecycle, "Capability Negotiation"). */
export function declaredCapabilities(policies: AnswerPolicies): Record<string, object> {
  const { elicitation, sampling, roots } = policies;
  return {
    ...(elicitation === 'undeclared' ? {} : { elicitation: { form: {}, url: {} } }),
    ...(sampling === 'undeclared' ? {} : { sampling: {} }),
    ...(roots === 'undeclared' ? {} : { roots: {} }),
  };
}

/** The answer that a policy gives to a request of the server; `undefined` where the user is to be asked. */
export function answerByPolicy(
  { method, params }: { method: string; params: unknown },
  policies: AnswerPolicies,
): ServerAnswer | undefined {
  if (isDeeper(params, LEVELS)) {
    return { code: INVALID_PARAMS, message: `The params are nested in more than ${LEVELS} levels` };
  }
  switch (method) {
    case 'ping':
      return { resultText: '{}' };
    case 'roots/list':
      if (policies.roots === 'undeclared') break;
      return policies.roots === 'ask'
        ? undefined
        : { resultText: JSON.stringify({ roots: policies.roots }) };
    case 'sampling/createMessage':
      if (policies.sampling === 'undeclared') break;
      return policies.sampling === 'ask'
        ? undefined
        : { code: USER_REJECTED, message: 'User rejected sampling request' };
    case 'elicitation/create':
      if (policies.elicitation === 'undeclared') break;
      return elicitationByPolicy(params, policies.elicitation);
  }
  return { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` };
}

function elicitationByPolicy(
  params: unknown,
  policy: 'ask' | 'defaults' | 'decline',
): ServerAnswer | undefined {
  if (policy === 'ask') return undefined;
  if (policy === 'decline') return { resultText: '{"action":"decline"}' };
  // Nobody but the user can visit a URL, or fill in what has no default.
  const schema = (params as { requestedSchema?: unknown } | null)?.requestedSchema;
  if (isUrlElicitation(params) || unfilledFields(schema).length > 0) return undefined;
  return { resultText: JSON.stringify({ action: 'accept', content: formDefaults(schema) }) };
}
