import { checkValue } from '../../schema/check.ts';
import type { Entry } from './server-entries.ts';
import type { CallResult } from './server-results.ts';

const MANY = 20;

/**
 * Whether the structured content of a result is what the tool's `outputSchema` promises (server/tools, "Output
 * Schema"); sentences. A failure is exempt, as the official clients have it.
 */
export function checkOutput(
  { value }: Entry,
  result: CallResult & { kind: 'result' },
): { words: string; isGood: boolean }[] {
  const { outputSchema } = value;
  if (outputSchema === undefined || result.isError || result.task !== undefined) return [];
  if (result.structured === undefined) {
    return [
      {
        words: 'The tool has an outputSchema, but its result has no structuredContent.',
        isGood: false,
      },
    ];
  }
  const { problems, notChecked } = checkValue(outputSchema, JSON.parse(result.structured));
  const found = problems.slice(0, MANY).map(({ path, message }) => ({
    words: `${path.length === 0 ? 'structuredContent' : path.join('.')} ${message}.`,
    isGood: false,
  }));
  if (problems.length > MANY) {
    found.push({ words: `And ${problems.length - MANY} more problems.`, isGood: false });
  }
  const skipped = notChecked.map((words) => ({ words, isGood: true }));
  if (found.length > 0 || skipped.length > 0) return [...found, ...skipped];
  return [{ words: 'The structured content fits the outputSchema.', isGood: true }];
}
