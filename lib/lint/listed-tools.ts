import { isRecord } from '../record.ts';
import type { MessageFact } from './facts.ts';

/** The tools of a result, as far as they are objects. */
export function toolsIn({ tools }: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(tools) ? tools.filter(isRecord) : [];
}

/** The tools of a message that lists them. */
export function listedTools(fact: MessageFact): Record<string, unknown>[] {
  const result = fact.members?.['result'];
  const isList = fact.direction === 'incoming' && fact.request?.method === 'tools/list';
  return isList && isRecord(result) ? toolsIn(result) : [];
}
