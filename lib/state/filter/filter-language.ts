import type { Item } from '../../capture/correlate/items.ts';
import { completeFilter } from './filter-completion.ts';
import { FILTER_KEYS } from './filter-keys.ts';
import type { FilterKey, ItemTest, KeyContext } from './filter-keys.ts';
import { parseTerms } from './filter-parse.ts';
import type { FilterTerm } from './filter-parse.ts';
import { nearestKey } from './filter-typos.ts';
import { searchText } from './filter-text.ts';
import { steadyRegex } from './steady-regex.ts';

/** What is asked of: an item, with room for the text that is looked for in. */
export interface FilterSubject {
  readonly item: Item;
  /** In lower case. */
  text: string | undefined;
  textRevision: number;
}

/** A filter in a form that is quick to ask. */
export interface Matcher {
  matches(subject: FilterSubject): boolean;
  /** Facts besides the item itself on which the answer depends. */
  needs: { text: boolean; issues: boolean; connections: boolean };
}

/** What a term of a filter asks. */
type Question =
  | { kind: 'text'; text: string }
  | { kind: 'regex'; regex: { test(text: string): boolean } }
  | { kind: 'key'; test: ItemTest; needs: FilterKey['needs'] };

export interface ParsedFilter {
  questions: readonly (Question & { isNegated: boolean })[];
  /** What is wrong with the other terms, and how they would be right. */
  problem: string | undefined;
}

/** The filter language: space is and, a leading `-` is not. */
export interface FilterLanguage {
  parse(text: string): ParsedFilter;
  compile(parsed: ParsedFilter, context: KeyContext): Matcher;
  complete: typeof completeFilter;
}

const KEYS = new Map(FILTER_KEYS.map((key) => [key.name, key]));

/** Reads a filter. What is still being typed means nothing yet, and what is wrong hides nothing. */
function parse(text: string): ParsedFilter {
  const questions: (Question & { isNegated: boolean })[] = [];
  const problems: string[] = [];
  for (const { what, isNegated } of parseTerms(text)) {
    const found = questionOf(what);
    if (typeof found === 'string') problems.push(found);
    else if (found !== undefined) questions.push({ ...found, isNegated });
  }
  return { questions, problem: problems.length === 0 ? undefined : problems.join(' ') };
}

function questionOf(what: FilterTerm['what']): Question | string | undefined {
  switch (what.kind) {
    case 'text':
      return what.text === '' ? undefined : textQuestion(what.text);
    case 'regex':
      return regexQuestion(what.source, what.flags);
    case 'pair':
      return keyQuestion(what.key, what.value, what.isQuoted);
  }
}

function textQuestion(text: string): Question {
  return { kind: 'text', text: text.toLowerCase() };
}

/** Without flags, case does not count, as in the Network panel. */
function regexQuestion(source: string, flags: string): Question | string {
  try {
    // One that remembers where it was would answer the next item differently.
    const kept = flags === '' ? 'im' : flags.replaceAll(/[gy]/g, '');
    const regex = steadyRegex(source, kept);
    return 'problem' in regex ? regex.problem : { kind: 'regex', regex };
  } catch (error) {
    // Chromium begins with these words, Firefox says the fault alone.
    const fault = String(error).replace(/^(?:SyntaxError: )?(?:Invalid regular expression: )?/, '');
    return `Invalid regular expression: ${fault}. To look for the text, put it in quotation marks.`;
  }
}

function keyQuestion(
  asked: string,
  value: string,
  isQuoted: boolean,
): Question | string | undefined {
  const name = asked.toLowerCase();
  const key = KEYS.get(name);
  const written = `${asked}:${value}`;
  if (key === undefined) {
    const nearest = nearestKey(name, [...KEYS.keys()]);
    // A URL, or a host with its port.
    if (value.startsWith('//') || (nearest === undefined && /^\d/.test(value))) {
      return textQuestion(written);
    }
    const advice = nearest === undefined ? '' : `Did you mean ${nearest}: ? `;
    return `There is no key ${asked}: . ${advice}To look for the text, write "${written}".`;
  }
  if (value === '' && !isQuoted) return undefined;
  const test = key.compile(value, isQuoted);
  if (test !== undefined) return { kind: 'key', test, needs: key.needs };
  const right = key.isOpen ? `for example ${name}:${key.example}` : (key.values ?? []).join(', ');
  return `${written} means nothing. After ${name}: write ${right}.`;
}

/** Makes a matcher; its cheap questions are asked first. */
function compile({ questions }: ParsedFilter, context: KeyContext): Matcher {
  const sorted = questions.toSorted((one, other) => costOf(one) - costOf(other));
  const has = (needs: FilterKey['needs']) =>
    questions.some((question) => question.kind === 'key' && question.needs === needs);

  function answer(question: Question, subject: FilterSubject): boolean {
    switch (question.kind) {
      case 'key':
        return question.test(subject.item, context);
      case 'text':
        return lowerText(subject).includes(question.text);
      case 'regex':
        return question.regex.test(searchText(subject.item, context.source));
    }
  }

  function lowerText(subject: FilterSubject): string {
    const { item, text, textRevision } = subject;
    if (text !== undefined && textRevision === item.revision) return text;
    subject.textRevision = item.revision;
    return (subject.text = searchText(item, context.source).toLowerCase());
  }

  return {
    matches: (subject) =>
      sorted.every((question) => answer(question, subject) !== question.isNegated),
    needs: {
      text: questions.some(({ kind }) => kind === 'text'),
      issues: has('issues'),
      connections: has('connections'),
    },
  };
}

function costOf({ kind }: Question): number {
  return { key: 0, text: 1, regex: 2 }[kind];
}

export const filterLanguage: FilterLanguage = { parse, compile, complete: completeFilter };
