import type { Item } from '../../capture/correlate/items.ts';
import { indexFromSequence } from '../view/by-sequence.ts';
import type { TextMatch } from './search-pattern.ts';
import type { TextWindow } from './search-text.ts';
import type { SearchUnit } from './search-units.ts';

/** A match in the line that it stands in, or in as much of it as a row has room for. */
export interface SearchMatch extends Omit<SearchUnit, 'item' | 'text'> {
  text: string;
  /** Where in `text` it is. */
  from: number;
  to: number;
  /** Where it is in the whole text of its unit. */
  start: number;
  end: number;
}

/** The matches in one row. */
export interface SearchGroup {
  /** That of its item. */
  sequence: number;
  item: Item;
  matches: SearchMatch[];
  /** Matches on top of those that are listed. */
  omitted: number;
}

/** What was found, by row, in the order of the log. */
export interface SearchResults {
  readonly groups: readonly SearchGroup[];
  /** All of them, listed or not. */
  readonly matchCount: number;
  readonly isFull: boolean;
  add(unit: SearchUnit, window: TextWindow, matches: readonly TextMatch[]): void;
}

/** More than these in one row, or in all, nobody reads. */
const GROUP_LIMIT = 500;
const TOTAL_LIMIT = 20_000;

/** Units of text that are shown before a match, of it, and after it. */
const [BEFORE, WITHIN, AFTER] = [40, 200, 160];

/** Collects matches as they are found, grouped by the row that they belong to. */
export function createSearchResults(): SearchResults {
  const groups: SearchGroup[] = [];
  const byItem = new Map<Item, SearchGroup>();
  let matchCount = 0;
  let listed = 0;
  let last: SearchUnit | undefined;
  /** Where the last match of that unit ended. */
  let lastEnd = 0;

  function groupOf(item: Item): SearchGroup {
    const known = byItem.get(item);
    if (known !== undefined) return known;
    const group = { sequence: item.sequence, item, matches: [], omitted: 0 };
    byItem.set(item, group);
    // Nearly always the end.
    groups.splice(indexFromSequence(groups, item.sequence + 1), 0, group);
    return group;
  }

  return {
    groups,
    get matchCount() {
      return matchCount;
    },
    get isFull() {
      return listed >= TOTAL_LIMIT;
    },
    add(unit, window, matches) {
      if (unit !== last) lastEnd = 0;
      last = unit;
      for (const { start, end } of matches) {
        // The window before has shown it already.
        if (window.offset + start < lastEnd) continue;
        if (touchesSecret(window, start, end)) continue;
        lastEnd = window.offset + end;
        const group = groupOf(unit.item);
        matchCount += 1;
        if (group.matches.length >= GROUP_LIMIT || listed >= TOTAL_LIMIT) {
          group.omitted += 1;
          continue;
        }
        listed += 1;
        const { item: _item, text: _text, ...place } = unit;
        group.matches.push({
          ...place,
          ...excerpt(window.text, start, end),
          start: window.offset + start,
          end: lastEnd,
        });
      }
    },
  };
}

/** A secret reads differently with and without its blanks. */
function touchesSecret({ text, searched }: TextWindow, start: number, end: number): boolean {
  return text !== searched && text.slice(start, end) !== searched.slice(start, end);
}

function excerpt(text: string, start: number, end: number) {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const shownEnd = Math.min(end, start + WITHIN);
  const from = Math.max(start - BEFORE, start === 0 ? 0 : lineStart);
  const to = Math.min(shownEnd + AFTER, lineEnd < 0 ? text.length : lineEnd);
  // A slice alone would keep the whole text in memory.
  const excerpted = structuredClone(text.slice(from, Math.max(to, shownEnd)));
  return { text: excerpted, from: start - from, to: shownEnd - from };
}

/** A line of the list of results. */
export interface ResultRow {
  group: SearchGroup;
  /** Absent on the line of the group itself. */
  match?: SearchMatch;
  /** The line of the group, on that of a match. */
  head?: ResultRow;
}

/** The lines of the list, with the matches of folded rows left out. */
export function flattenResults(
  groups: readonly SearchGroup[],
  folded: ReadonlySet<Item>,
): ResultRow[] {
  const rows: ResultRow[] = [];
  for (const group of groups) {
    const head: ResultRow = { group };
    rows.push(head);
    if (folded.has(group.item)) continue;
    for (const match of group.matches) rows.push({ group, match, head });
  }
  return rows;
}
