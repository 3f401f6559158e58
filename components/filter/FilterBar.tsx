import type { AppModel } from '../../lib/state/app-model.ts';
import { formatCount } from '../../lib/text.ts';
import { Icon } from '../ui/Icon.tsx';
import { FilterBox } from './FilterBox.tsx';
import { ShownCount } from './ShownCount.tsx';
import { TypeChips } from './TypeChips.tsx';
import './FilterBar.css';

/** What of the traffic is to be seen. */
export function FilterBar({ model }: { model: AppModel }) {
  const { traffic, selection } = model;
  const { isPaused, filter } = traffic;
  const problem = filter.problem.value;

  function clear(): void {
    traffic.clear();
    selection.close();
    selection.select(undefined);
  }

  return (
    <section class="filter-bar" aria-label="View">
      <div class="filter-group">
        <button
          type="button"
          class="filter-action"
          title="Keep the rows as they are. Recording goes on."
          aria-pressed={isPaused.value}
          onClick={() => (isPaused.value = !isPaused.value)}
        >
          <Icon name="pause" />
          <span class="filter-word">Pause view</span>
        </button>
        <button
          type="button"
          class="filter-action"
          title="Hide the rows so far. Nothing is deleted."
          onClick={clear}
        >
          <Icon name="clear" />
          <span class="filter-word">Clear</span>
        </button>
        {isPaused.value && (
          <span class="warning" role="status" aria-label="Paused view">
            {formatCount(traffic.waiting.value, 'row waits', 'rows wait')}
          </span>
        )}
      </div>
      <div class="filter-group filter-grow">
        <FilterBox filter={filter} />
        <label class="filter-invert" title="Show what the filter would hide">
          <input
            type="checkbox"
            checked={filter.isInverted.value}
            onChange={(event) => (filter.isInverted.value = event.currentTarget.checked)}
          />
          Invert
        </label>
      </div>
      <TypeChips chosen={filter.types} issues={model.issues.count} />
      <ShownCount traffic={traffic} />
      <p
        id="filter-problem"
        class="filter-problem warning"
        role="status"
        hidden={problem === undefined}
      >
        {problem}
      </p>
    </section>
  );
}
