import type { CaptureRow } from '../../lib/state/captures/capture-list.ts';
import type { CaptureSearch } from '../../lib/state/captures/capture-search.ts';
import { formatCount } from '../../lib/text.ts';
import { SearchField } from '../search/SearchField.tsx';

interface BarProps {
  search: CaptureSearch;
  rows: readonly CaptureRow[];
}

/** Looks for a text in all captures, and says how that goes. */
export function CaptureSearchBar({ search, rows }: BarProps) {
  const state = search.state.value;
  const isRunning = state.kind === 'running';
  return (
    <form class="capture-search" role="search" onSubmit={(event) => event.preventDefault()}>
      <SearchField
        id="capture-search"
        label="Search all captures"
        placeholder="Find in names, notes, tags and all traffic of all captures"
        query={search.query}
        problem={state.problem}
        onChange={() => search.run(rows)}
        onLeave={() =>
          document.querySelector<HTMLElement>('#capture-hits button, #capture-hits a')?.focus()
        }
      />
      <p>
        <span role="status" aria-label="Search of captures">
          {wordState(search)}
        </span>{' '}
        {isRunning && (
          <>
            <progress
              aria-label="Captures searched"
              max={state.total}
              value={state.searched + state.share}
            />{' '}
            <button type="button" class="link" onClick={() => search.stop()}>
              Stop
            </button>
          </>
        )}
      </p>
    </form>
  );
}

function wordState({ state, hits }: CaptureSearch): string {
  const { kind, searched, total, name } = state.value;
  if (kind === 'idle') return '';
  const found = hits.value.filter(({ words, rows }) => words.length + rows.length > 0);
  const matches = found.reduce((sum, { matchCount }) => sum + matchCount, 0);
  const words =
    found.length === 0
      ? 'Nothing found'
      : `Found in ${formatCount(found.length, 'capture')}, ${formatCount(matches, 'match', 'matches')} in traffic`;
  if (kind === 'done') return `${words}.`;
  const so = kind === 'stopped' ? 'stopped' : `searching “${name ?? ''}”`;
  return `${words} so far; ${searched} of ${total} searched, ${so}.`;
}
