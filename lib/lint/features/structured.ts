import { V1, V2 } from '../clause.ts';
import type { Detect, Detectors, MessageFact } from '../facts.ts';
import { shown } from '../payload.ts';
import { TOO } from '../rules/features.ts';
import { isRecord } from '../../record.ts';
import { isFinal, resultOf, type Memories } from './memory.ts';
import { schemaMisfit } from './schema-misfit.ts';

function hasText({ content }: Record<string, unknown>): boolean {
  return (
    Array.isArray(content) && content.some((block) => isRecord(block) && block['type'] === 'text')
  );
}

/** Structured results of tools that have an output schema. */
export function structuredDetectors(memories: Memories): Detectors {
  function structuredOf(fact: MessageFact) {
    const { method, params, result } = resultOf(fact) ?? {};
    if (method !== 'tools/call' || result === undefined || !isFinal(fact, result)) return undefined;
    if (fact.revision === V1 || fact.revision === V2 || result['isError'] === true)
      return undefined;
    return { name: params?.['name'], result, structured: result['structuredContent'] };
  }

  const misfit: Detect<MessageFact> = (fact) => {
    const { name, structured } = structuredOf(fact) ?? {};
    if (typeof name !== 'string') return undefined;
    const { outputSchemas } = memories(fact.connection);
    const schema = outputSchemas.get(name);
    if (schema === undefined) return undefined;
    const fault =
      structured === undefined ? 'there is no structuredContent' : schemaMisfit(structured, schema);
    if (fault === undefined) return undefined;
    return {
      rule: TOO.structured,
      side: 'server',
      group: `${name} ${fault}`,
      message: `The result of ${shown(name)} does not fit its outputSchema: ${fault}.`,
      advice: 'Clients that check results show an error in its place.',
    };
  };

  const noText: Detect<MessageFact> = (fact) => {
    const { name, result, structured } = structuredOf(fact) ?? {};
    if (result === undefined || structured === undefined || hasText(result)) return undefined;
    return {
      rule: TOO.noText,
      side: 'server',
      group: shown(name),
      message: `The result of ${shown(name)} is structured only; older clients see nothing of it.`,
      advice: 'Send the same as JSON in a block of text.',
    };
  };

  return { responses: [misfit, noText] };
}
