import type { Signal } from '@preact/signals';
import type { StreamFilter } from '../../lib/state/detail/stream-filter.ts';
import { formatCount } from '../../lib/text.ts';

interface StreamFilterBarProps {
  label: string;
  filter: Signal<string>;
  /** What it has found; a new object whenever that has changed. */
  found: Omit<StreamFilter, 'matches' | 'step'> & { count: number };
  isFiltered: boolean;
  /** Number of all lines. */
  of: number;
}

/** The filter of a stream, and what it finds. */
export function StreamFilterBar({ label, filter, found, isFiltered, of }: StreamFilterBarProps) {
  return (
    <div class="stream-filter">
      <input
        type="search"
        class="wire"
        aria-label={`Filter ${label.toLowerCase()}`}
        placeholder="Filter: words, -not, /regex/"
        spellcheck={false}
        aria-invalid={found.problem !== undefined}
        value={filter.value}
        onInput={(event) => (filter.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || filter.value === '') return;
          event.preventDefault();
          event.stopPropagation();
          filter.value = '';
        }}
      />
      <span class={found.problem === undefined ? 'dim' : 'error'} role="status">
        {found.problem ?? countWords()}
      </span>
    </div>
  );

  function countWords(): string {
    if (!isFiltered) return formatCount(of, 'line');
    const counts = `${found.count.toLocaleString('en')} of ${of.toLocaleString('en')}`;
    if (!found.isDone) return `${counts}, looking…`;
    const unread = formatCount(found.unread, 'line on disk only', 'lines on disk only');
    return found.unread === 0 ? counts : `${counts}; ${unread}`;
  }
}
