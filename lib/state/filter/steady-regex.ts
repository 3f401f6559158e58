import { patternLimit } from '../../schema/pattern.ts';
import { compileRegex } from './regex-program.ts';

/** A row, or the text of an event, of which an expression may have to try much at once. */
const LONG = 5000;

/**
 * A test by a regular expression that no text makes run away: the engine of the browser tries what it is good at,
 * and what could take it years goes through the text step by step. Throws a `SyntaxError` of the browser; what
 * can neither be trusted nor taken step by step comes back as a sentence.
 */
export function steadyRegex(
  source: string,
  flags: string,
): { test(text: string): boolean } | { problem: string } {
  const regex = new RegExp(source, flags);
  const limit = patternLimit(source, flags);
  const steps = compileRegex(source, flags);
  if (steps !== undefined) {
    return { test: (text) => (text.length <= limit ? regex.test(text) : steps(text)) };
  }
  if (limit >= LONG) return regex;
  return {
    problem:
      'This expression may never come to an end: it looks around or refers back, and repeats what can be read in several ways. The search (Ctrl/Cmd-F) runs it all the same.',
  };
}
