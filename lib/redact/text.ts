import type { Finder } from './finder.ts';
import { memberSpans } from './members.ts';
import { patternSpans } from './patterns.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { NO_RULES, type SecretRules } from './rules.ts';
import { hiddenNumber, NUMBER_CLASS, replaceSpans, spanOf, type SecretSpan } from './spans.ts';
import type { Mark } from './taint.ts';
import { urlSpansIn } from './url.ts';

/**
 * Where secrets stand in a text: by the names of members of JSON and of parameters of URLs, by what they look like, and
 * by rules of the user's own. In what an authorization server says, more names are telling.
 */
export function textSpans(
  text: string,
  isOfOauth: boolean,
  rules: SecretRules = NO_RULES,
): SecretSpan[] {
  const found = [
    ...memberSpans(text, isOfOauth, rules),
    ...urlSpansIn(text, rules),
    ...patternSpans(text),
  ];
  for (const pattern of rules.patterns) {
    for (const { 0: match, index } of text.matchAll(pattern)) {
      found.push(spanOf(text, index, match.length, 'own', 'a rule of yours'));
    }
  }
  return found;
}

/** How secrets in a text are replaced. */
export interface Replacing {
  pseudonyms: Pseudonyms;
  rules?: SecretRules;
  /** Finds secrets that other texts have given away. */
  known?: Finder<Mark>;
}

/** Replaces them all; what is no secret keeps its spelling. */
export function redactText(text: string, replacing: Replacing): string {
  const { pseudonyms, rules } = replacing;
  return replaceSpans(
    text,
    [...textSpans(text, false, rules), ...knownSpans(text, replacing)],
    ({ secretClass, value }) =>
      secretClass === NUMBER_CLASS ? hiddenNumber(value.length) : pseudonyms.of(secretClass, value),
  );
}

/** Replaces only those that other texts have given away. */
export function redactKnown(text: string, replacing: Replacing): string {
  return replaceSpans(text, knownSpans(text, replacing), ({ value }) => value);
}

/** Their values are the pseudonyms that stand for them. */
function knownSpans(text: string, { known }: Replacing): SecretSpan[] {
  return (known?.(text) ?? []).map(({ offset, length, of: { pseudonym: value } }) => ({
    offset,
    length,
    secretClass: '',
    where: '',
    value,
  }));
}
