import type { Search, SearchProgress } from '../../lib/state/search/search.ts';
import { formatCount } from '../../lib/text.ts';

/** How far the search is, what it found, and what it left out. */
export function SearchStatus({ search }: { search: Search }) {
  const progress = search.progress.value;
  const isRunning = progress.kind === 'running';
  return (
    <div class="search-status">
      <span role="status" aria-label="Search results">
        {words(progress, search.groups.value.length)}
      </span>
      {search.query.value.text === '' && (
        <span class="dim">
          Looks through every body, header, event and frame, also of rows that the filter hides.
        </span>
      )}
      {isRunning && (
        <button type="button" class="link" onClick={() => search.stop()}>
          Stop
        </button>
      )}
      {isRunning && (
        <progress
          aria-label="Rows searched"
          max={progress.totalRows}
          value={progress.searchedRows}
        />
      )}
      {progress.gaps.map((gap) => (
        <p key={gap} class="warning">
          {gap}
        </p>
      ))}
    </div>
  );
}

function words(progress: SearchProgress, rows: number): string {
  const { kind, matchCount, searchedRows, totalRows, isFull } = progress;
  if (kind === 'idle') return '';
  const found =
    matchCount === 0
      ? 'Nothing found'
      : `${formatCount(matchCount, 'match', 'matches')} in ${formatCount(rows, 'row')}`;
  if (kind === 'done') return found;
  const so = matchCount === 0 && kind === 'running' ? 'Nothing yet' : found;
  const share = `${searchedRows.toLocaleString('en')} of ${formatCount(totalRows, 'row')} searched`;
  return isFull
    ? `${found} are as many as can be shown; ${share}. Make the search narrower.`
    : `${so}; ${kind === 'stopped' ? 'stopped, ' : ''}${share}`;
}
