import { untracked, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import type { SearchGroup, SearchMatch } from '../../lib/state/search/search-results.ts';
import { createSearch } from '../../lib/state/search/search.ts';
import type { Search } from '../../lib/state/search/search.ts';
import { Icon } from '../ui/Icon.tsx';
import { createHighlighter } from './highlight.ts';
import { SearchForm } from './SearchForm.tsx';
import { SearchResults } from './SearchResults.tsx';
import { SearchStatus } from './SearchStatus.tsx';
import './SearchPane.css';

/** By panel, so that what was looked for is there again when the pane is opened again. */
const searches = new WeakMap<AppModel, Search>();

function searchOf(model: AppModel): Search {
  const known = searches.get(model);
  if (known !== undefined) return known;
  const { openWorker, peek } = model.search;
  const search = createSearch({
    log: model.recorded,
    isShown: (item) => model.traffic.indexOf(item) >= 0,
    openWorker,
    peek,
  });
  searches.set(model, search);
  return search;
}

/** Finds text in everything that was recorded, also where the filter hides it, and leads to where it stands. */
export function SearchPane({ model }: { model: AppModel }) {
  const search = searchOf(model);
  const highlighter = useMemo(createHighlighter, []);
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    const unwatch = model.watch((changed) => search.apply(changed));
    search.run();
    return () => {
      unwatch();
      search.close();
      highlighter.clear();
    };
  }, [search, highlighter]);

  // Where only the rows of the table are searched, other rows mean another search.
  useSignalEffect(() => {
    const { filter, range, hidden, isSettled } = model.traffic;
    const rows = [filter.text, filter.isInverted, filter.types, range, hidden, search.isShownOnly];
    for (const each of rows) void each.value;
    if (search.isShownOnly.value && isSettled.value) untracked(() => search.run());
  });

  function open({ item }: SearchGroup, match: SearchMatch): void {
    const { tab, eventSequence, section, start, end } = match;
    const place = section === undefined ? undefined : { section, start, end };
    model.traffic.reveal(item);
    model.selection.openAt(item, tab, eventSequence, place);
    highlighter.show(match);
  }

  function close(): void {
    model.search.isOpen.value = false;
    document.getElementById('search-button')?.focus();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from within
    <section
      class="search"
      aria-label="Search"
      ref={pane}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      <header class="search-head">
        <h2>Search</h2>
        <button
          type="button"
          aria-label="Close search"
          title="Close search (Escape)"
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </header>
      <SearchForm
        search={search}
        onLeave={() => pane.current?.querySelector<HTMLElement>('[role=tree]')?.focus()}
      />
      <SearchStatus search={search} />
      <SearchResults search={search} log={model.recorded} onOpen={open} />
    </section>
  );
}
