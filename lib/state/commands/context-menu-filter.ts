import type { Item } from '../../capture/correlate/items.ts';
import type { AppModel } from '../app-model.ts';
import type { MenuEntry } from './context-menu.ts';
import { FILTER_KEYS } from '../filter/filter-keys.ts';
import { quoteValue } from '../filter/filter-parse.ts';

/** What rows are most often told apart by, in the order of the menu. */
const KEYS = ['method', 'tool', 'conn', 'session', 'id', 'kind', 'status-code'];

/** Filters for rows like this one, and against them. */
export function filterEntries(item: Item, model: AppModel): MenuEntry[] {
  const { correlation, traffic } = model;
  const terms = KEYS.flatMap((name) => {
    const value = FILTER_KEYS.find((key) => key.name === name)?.textOf?.(item, correlation);
    return value === undefined || value === '' ? [] : [`${name}:${quoteValue(value)}`];
  });
  if (terms.length === 0) return [];
  const toEntry = (sign: '' | '-') => (term: string) =>
    ({
      kind: 'action',
      id: `filter-${sign}${term}`,
      title: term,
      run: () => {
        traffic.filter.text.value = withTerm(traffic.filter.text.value, term, sign);
      },
    }) as const;
  return [
    { kind: 'submenu', id: 'filter', title: 'Filter by', entries: terms.map(toEntry('')) },
    { kind: 'submenu', id: 'hide', title: 'Hide', entries: terms.map(toEntry('-')) },
  ];
}

/** The filter with a term more; its opposite goes, since both would leave nothing. */
export function withTerm(filter: string, term: string, sign: '' | '-'): string {
  const opposite = sign === '' ? `-${term}` : term;
  const kept = without(without(filter, opposite), sign + term);
  return kept === '' ? sign + term : `${kept} ${sign}${term}`;
}

/** A term counts only as a whole, between spaces. */
function without(filter: string, term: string): string {
  const at = ` ${filter} `.indexOf(` ${term} `);
  if (at < 0) return filter.trim();
  return `${filter.slice(0, at)} ${filter.slice(at + term.length)}`
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}
