import { toHidingWords } from '../../lib/state/filter/filter-words.ts';
import type { TrafficView } from '../../lib/state/view/traffic-view.ts';
import { formatCount } from '../../lib/text.ts';
import { clearFilter } from './clear-filter.ts';

/** Why there is no row although something was recorded, and what to do. */
export function NoMatches({ traffic }: { traffic: TrafficView }) {
  const { count, total, hidden, filter, isSettled } = traffic;

  function showAll(): void {
    traffic.showAll();
    // The button goes, and the focus with it.
    document.getElementById('traffic')?.focus();
  }

  if (count.value > 0 || !isSettled.value) return null;
  if (total.value > 0 && filter.isActive.value) {
    return (
      <section class="empty" aria-label="No matches">
        <p class="filter-none">
          <strong>{formatCount(total.value, 'row')} hidden</strong> by {toHidingWords(traffic)}.
        </p>
        <button type="button" class="bordered" onClick={() => clearFilter(traffic)}>
          Clear filter
        </button>
      </section>
    );
  }
  if (total.value > 0 || hidden.value === 0) return null;
  return (
    <section class="empty" aria-label="Cleared">
      <p>{formatCount(hidden.value, 'row')} cleared. New ones appear here.</p>
      <button type="button" class="bordered" onClick={showAll}>
        Show them again
      </button>
    </section>
  );
}
