import { toShownWords } from '../../lib/state/filter/filter-words.ts';
import type { TrafficView } from '../../lib/state/view/traffic-view.ts';
import { clearFilter } from './clear-filter.ts';

/** How many rows a filter leaves, and the way back. */
export function ShownCount({ traffic }: { traffic: TrafficView }) {
  if (!traffic.filter.isActive.value) return null;
  return (
    <span class="filter-count" role="status" aria-label="Rows shown">
      {toShownWords(traffic)} shown,{' '}
      <button type="button" class="link" onClick={() => clearFilter(traffic)}>
        clear filter
      </button>
    </span>
  );
}
