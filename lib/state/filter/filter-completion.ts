import type { Item } from '../../capture/correlate/items.ts';
import { FILTER_KEYS } from './filter-keys.ts';
import type { FilterKey } from './filter-keys.ts';
import { parseTerms, quoteValue } from './filter-parse.ts';
import type { RowSource } from '../view/rows.ts';

/** One way in which a filter could go on. */
export interface FilterOption {
  /** `key:` or a value. */
  label: string;
  hint: string;
  /** Whether it is a key, to be followed by a value. */
  isKey: boolean;
  /** The whole text with it, and where the caret stands then. */
  text: string;
  caret: number;
}

/** How many options there are at most. A list of more is no help. */
const MAX_OPTIONS = 100;
/** How long values are looked for, from the newest item on, and how many different ones. */
const LOOK_MS = 10;
const MAX_VALUES = 2000;

/** What could stand at the caret: keys, or values of the key before it that have been seen, the frequent ones first. */
export function completeFilter(
  text: string,
  caret: number,
  source: RowSource & { items: readonly Item[] },
): FilterOption[] {
  const term = parseTerms(text).find(({ start, end }) => start <= caret && caret <= end);
  if (term === undefined) return completeKey(text, caret, caret, '');
  const start = term.start + (term.isNegated ? 1 : 0);
  switch (term.what.kind) {
    case 'regex':
      return [];
    case 'text':
      return text[start] === '"' ? [] : completeKey(text, start, term.end, term.what.text);
    case 'pair': {
      const { key: name, value } = term.what;
      const colon = start + name.length;
      // The caret may still be in the key.
      if (caret <= colon) return completeKey(text, start, colon + 1, text.slice(start, caret));
      const key = FILTER_KEYS.find((candidate) => candidate.name === name.toLowerCase());
      return key === undefined ? [] : completeValue(text, colon + 1, term.end, key, value, source);
    }
  }
}

function completeKey(text: string, start: number, end: number, typed: string): FilterOption[] {
  // A lone sign says that the next term is negated.
  const from = typed === '-' ? start + 1 : start;
  const wanted = typed === '-' ? '' : typed.toLowerCase();
  return FILTER_KEYS.filter(({ name }) => name.startsWith(wanted)).map(({ name, hint }) => ({
    label: `${name}:`,
    hint,
    isKey: true,
    ...replace(text, from, end, `${name}:`, ''),
  }));
}

function completeValue(
  text: string,
  start: number,
  end: number,
  key: FilterKey,
  typed: string,
  source: RowSource & { items: readonly Item[] },
): FilterOption[] {
  const wanted = typed.toLowerCase();
  const counts = countValues(key, source);
  const seen = [...counts].toSorted(([, one], [, other]) => other - one);
  const values = new Map([...seen, ...(key.values ?? []).map((value) => [value, 0] as const)]);
  const found = [...values].filter(([value]) => value.toLowerCase().includes(wanted));
  // What is there already needs no completion.
  if (found.length === 1 && found[0]?.[0].toLowerCase() === wanted) return [];
  const isFirst = ([value]: readonly [string, number]) => value.toLowerCase().startsWith(wanted);
  return [...found.filter(isFirst), ...found.filter((entry) => !isFirst(entry))]
    .slice(0, MAX_OPTIONS)
    .map(([value]) => {
      const count = counts.get(value) ?? 0;
      return {
        label: value,
        hint: count === 0 ? '' : count.toLocaleString('en'),
        isKey: false,
        ...replace(text, start, end, quoteFor(key, value), ' '),
      };
    });
}

/** An id keeps its JSON type: a text has marks of its own. */
function quoteFor(key: FilterKey, value: string): string {
  return key.name === 'id' && value.startsWith('"') ? value : quoteValue(value);
}

function countValues(
  { textOf }: FilterKey,
  source: RowSource & { items: readonly Item[] },
): Map<string, number> {
  const counts = new Map<string, number>();
  if (textOf === undefined) return counts;
  const { items } = source;
  const until = performance.now() + LOOK_MS;
  for (let at = items.length - 1; at >= 0 && counts.size < MAX_VALUES; at -= 1) {
    const item = items[at];
    const value = item && textOf(item, source);
    if (value !== undefined && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
    // The clock is not free either.
    if (at % 256 === 0 && performance.now() > until) break;
  }
  return counts;
}

function replace(text: string, start: number, end: number, by: string, then: string) {
  const rest = text.slice(end);
  const gap = rest.startsWith(' ') ? '' : then;
  const before = `${text.slice(0, start)}${by}${gap}`;
  return { text: `${before}${rest}`, caret: before.length + (gap === '' && then !== '' ? 1 : 0) };
}
