import { formatBytes, toLine } from '../../text.ts';
import { isRecord } from '../../record.ts';
import type { Entry } from './server-entries.ts';

/** What a hint means, and what its absence means (server/tools, "ToolAnnotations"). */
const HINTS: readonly [key: string, yes: string, no: string, absent: boolean][] = [
  ['readOnlyHint', 'only reads', 'may change things', false],
  ['destructiveHint', 'may destroy', 'only adds', true],
  ['idempotentHint', 'can be repeated', 'is not to be repeated', false],
  ['openWorldHint', 'reaches outside', 'stays inside', true],
];

/** What a server says of an entry beside its description, in words, one line each. */
export function annotationWords({ kind, value }: Entry): string[] {
  if (kind === 'tools') return toolWords(value);
  const { mimeType, size, annotations } = value;
  const words = [
    typeof mimeType === 'string' ? mimeType : '',
    typeof size === 'number' ? formatBytes(size) : '',
    isRecord(annotations) ? toLine(annotations) : '',
  ].filter((part) => part !== '');
  return words.length === 0 ? [] : [words.join(' · ')];
}

function toolWords({ annotations, execution, outputSchema }: Record<string, unknown>): string[] {
  const given = isRecord(annotations) ? annotations : {};
  const isReadOnly = given['readOnlyHint'] === true;
  const words = HINTS.flatMap(([key, yes, no, absent]) => {
    const hint = given[key];
    // Whether it destroys or can be repeated means nothing for what only reads.
    if (isReadOnly && (key === 'destructiveHint' || key === 'idempotentHint')) return [];
    const isMeant = typeof hint === 'boolean' ? hint : absent;
    return [`${isMeant ? yes : no}${typeof hint === 'boolean' ? '' : ' (not said)'}`];
  });
  const support = isRecord(execution) ? execution['taskSupport'] : undefined;
  return [
    words.join(' · '),
    ...(typeof support === 'string' ? [`tasks: ${support}`] : []),
    ...(outputSchema === undefined ? [] : ['Its structured result is checked against its schema.']),
  ];
}
