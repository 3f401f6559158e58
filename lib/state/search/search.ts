import { batch, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';
import { compileSearch } from './search-pattern.ts';
import type { SearchQuery } from './search-pattern.ts';
import type { SearchGroup } from './search-results.ts';
import { startSearch } from './search-run.ts';
import type { RunState, SearchParts, SearchRun } from './search-run.ts';

/** How a search stands. */
export interface SearchProgress extends Omit<RunState, 'kind'> {
  kind: 'idle' | RunState['kind'];
  matchCount: number;
  /** More matches than anybody reads: the rest was not searched. */
  isFull: boolean;
  /** Why nothing can be searched for. */
  problem?: string;
}

/** The search pane's model. */
export interface Search {
  query: Signal<SearchQuery>;
  /** Leaves out rows that are not in the table as it is filtered. */
  isShownOnly: Signal<boolean>;
  progress: ReadonlySignal<SearchProgress>;
  /** What was found, by row; another list whenever something is added. */
  groups: ReadonlySignal<readonly SearchGroup[]>;
  /** Begins anew with the query as it stands. */
  run(): void;
  /** Leaves the results as they are; what comes later is not searched. */
  stop(): void;
  /** Takes note of rows that are new or have changed. */
  apply(changed: ReadonlySet<Item>): void;
  /** Forgets what was found, and searches no more. */
  close(): void;
}

const NOTHING: SearchProgress = {
  kind: 'idle',
  searchedRows: 0,
  totalRows: 0,
  matchCount: 0,
  isFull: false,
  gaps: [],
};

/** Creates the search through all that a log holds; new traffic is searched as it comes. */
export function createSearch(parts: SearchParts): Search {
  const query = signal<SearchQuery>({
    text: '',
    isCaseSensitive: false,
    isWholeWord: false,
    isRegex: false,
  });
  const isShownOnly = signal(false);
  const progress = signal(NOTHING);
  const groups = signal<readonly SearchGroup[]>([]);
  let current: SearchRun | undefined;

  function close(): void {
    const last = current;
    current = undefined;
    last?.stop();
    batch(() => {
      groups.value = [];
      progress.value = NOTHING;
    });
  }

  return {
    query,
    isShownOnly,
    progress,
    groups,
    close,
    run() {
      close();
      if (query.value.text === '') return;
      const pattern = compileSearch(query.value);
      if ('problem' in pattern) {
        progress.value = { ...NOTHING, problem: pattern.problem };
        return;
      }
      const isWanted = isShownOnly.value ? parts.isShown : () => true;
      progress.value = { ...NOTHING, kind: 'running', totalRows: parts.log.items.length };
      const run = startSearch(parts, pattern, isWanted, (state) => {
        // One that was replaced has nothing to say.
        if (current !== run) return;
        const { matchCount, isFull } = run.results;
        batch(() => {
          if (matchCount !== progress.value.matchCount) groups.value = [...run.results.groups];
          progress.value = { ...state, matchCount, isFull };
        });
      });
      current = run;
    },
    stop: () => current?.stop(),
    apply: (changed) => current?.apply(changed),
  };
}
