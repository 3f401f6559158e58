import type { TrafficView } from '../../lib/state/view/traffic-view.ts';

/** Clears the filter by a button that goes with it: the focus goes on to the field. */
export function clearFilter(traffic: TrafficView): void {
  traffic.filter.clear();
  document.getElementById('filter')?.focus();
}
