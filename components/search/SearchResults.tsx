import { useSignal } from '@preact/signals';
import { useId, useMemo } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { toRow } from '../../lib/state/view/rows.ts';
import { flattenResults } from '../../lib/state/search/search-results.ts';
import type { ResultRow, SearchGroup, SearchMatch } from '../../lib/state/search/search-results.ts';
import type { Search } from '../../lib/state/search/search.ts';
import { formatCount } from '../../lib/text.ts';
import { VirtualRows } from '../ui/VirtualRows.tsx';

interface SearchResultsProps {
  search: Search;
  log: AppModel['correlation'];
  onOpen: (group: SearchGroup, match: SearchMatch) => void;
}

const ROW_HEIGHT = 21;
const PAGE = 10;
/** Units of text before a match, which is to be in sight in a narrow pane too. */
const SHOWN_BEFORE = 16;

/** What was found: a tree of rows with their matches. */
export function SearchResults({ search, log, onOpen }: SearchResultsProps) {
  const id = useId();
  const folded = useSignal<ReadonlySet<SearchGroup['item']>>(new Set());
  const active = useSignal(-1);
  const groups = search.groups.value;
  const rows = useMemo(() => flattenResults(groups, folded.value), [groups, folded.value]);
  const at = Math.min(active.value, rows.length - 1);

  function fold({ item }: SearchGroup, isFolded: boolean): void {
    const next = new Set(folded.value);
    if (isFolded) next.add(item);
    else next.delete(item);
    folded.value = next;
  }

  function act(row: ResultRow): void {
    const match = row.match ?? row.group.matches[0];
    if (match !== undefined) onOpen(row.group, match);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rows[Math.max(at, 0)];
    if (row === undefined) return;
    const isFolded = folded.value.has(row.group.item);
    function moveTo(index: number): void {
      active.value = Math.min(Math.max(index, 0), rows.length - 1);
    }
    const actions: Record<string, () => void> = {
      ArrowDown: () => moveTo(at + 1),
      ArrowUp: () => moveTo(at - 1),
      PageDown: () => moveTo(at + PAGE),
      PageUp: () => moveTo(at - PAGE),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      ArrowRight: () => (isFolded ? fold(row.group, false) : moveTo(at + 1)),
      ArrowLeft: () =>
        row.match === undefined ? fold(row.group, true) : moveTo(rows.indexOf(row.head ?? row)),
      Enter: () => act(row),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  return (
    <VirtualRows
      class="search-results"
      role="tree"
      aria-label="Search results"
      aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      count={rows.length}
      rowHeight={ROW_HEIGHT}
      active={at}
      bodyRole="presentation"
      row={(index, top) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the tree has the keys and the focus
          <div
            key={index}
            id={`${id}-${index}`}
            role="treeitem"
            class={`search-row ${row.match === undefined ? 'search-group' : 'search-match'}`}
            style={{ top: `${top}px` }}
            aria-level={row.match === undefined ? 1 : 2}
            aria-expanded={row.match === undefined ? !folded.value.has(row.group.item) : undefined}
            aria-selected={index === at}
            onClick={() => {
              active.value = index;
              if (row.match === undefined) fold(row.group, !folded.value.has(row.group.item));
              else act(row);
            }}
          >
            {row.match === undefined ? (
              <GroupLine group={row.group} isFolded={folded.value.has(row.group.item)} log={log} />
            ) : (
              <MatchLine match={row.match} />
            )}
          </div>
        );
      }}
    />
  );
}

interface GroupLineProps {
  group: SearchGroup;
  isFolded: boolean;
  log: AppModel['correlation'];
}

function GroupLine({ group, isFolded, log }: GroupLineProps) {
  const { glyph, name, target, time } = toRow(group.item, log);
  const count = group.matches.length + group.omitted;
  return (
    <>
      <span class="search-fold" aria-hidden="true">
        {isFolded ? '▸' : '▾'}
      </span>
      <span class="search-name" title={`${name} ${target}`}>
        <span aria-hidden="true">{glyph} </span>
        {name} <strong>{target}</strong>
      </span>
      <span class="dim">{time}</span>
      <span class="search-count" title={omittedWords(group)}>
        {count.toLocaleString('en')}
        <span class="visually-hidden"> {count === 1 ? 'match' : 'matches'}</span>
      </span>
    </>
  );
}

function omittedWords({ matches, omitted }: SearchGroup): string {
  const all = formatCount(matches.length + omitted, 'match', 'matches');
  return omitted === 0 ? all : `${all}, of which the first ${matches.length} are listed`;
}

function MatchLine({ match }: { match: SearchMatch }) {
  const { part, text, from, to } = match;
  const start = Math.max(from - SHOWN_BEFORE, 0);
  return (
    <>
      <span class="dim search-part">{part}</span>
      <span class="search-line" title={text}>
        {start > 0 && '…'}
        {text.slice(start, from)}
        <mark>{text.slice(from, to)}</mark>
        {text.slice(to)}
      </span>
    </>
  );
}
